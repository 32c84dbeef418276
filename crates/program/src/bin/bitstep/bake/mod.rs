//! `bitstep bake`: from a model to a mesh file, and what was found on the way.

mod affine;
mod gltf;
mod model;
mod number;
mod obj;
mod report;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use bitstep_program::{
    Ending,
    files::{read, write},
    output::Screen,
};
use bitstep_scene::MeshFile;
use clap::ValueEnum;
use num_bigint::BigInt;

use self::{
    affine::Affine,
    model::Model,
    number::{Number, over_common},
};
use crate::files::{check_output, read_beside};

/// The largest file of a model, and of the bytes beside it, that is read.
const MODEL_BYTES_MAX: u64 = 512 << 20;
/// The axes of a model's points for each axis of a scene, by the axis that is up in the model.
const Y_UP: [[i8; 3]; 3] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const Z_UP: [[i8; 3]; 3] = [[1, 0, 0], [0, 0, 1], [0, -1, 0]];

/// Reads a triangle mesh from a model in Wavefront OBJ or glTF 2.0, bakes it, and says what was found.
#[derive(clap::Args)]
pub struct Bake {
    /// The model: .obj, .gltf or .glb
    model: PathBuf,
    /// The mesh file to write; without it the model is only looked at
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The factor for all coordinates: a decimal such as 0.01, or a fraction such as 1/100
    #[arg(long, value_name = "FACTOR", default_value = "1", allow_negative_numbers = true, value_parser = parse_scale)]
    scale: Scale,
    /// The axis that is up in the model; y is up in scenes whose gravity is along -y. A model with z up is turned: (x, y, z) becomes (x, z, -y)
    #[arg(long, value_enum, default_value = "y")]
    up: Up,
}

#[derive(Clone, Copy, ValueEnum)]
enum Up {
    Y,
    Z,
}

/// A factor above zero.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Scale {
    numerator: BigInt,
    denominator: BigInt,
}

impl Bake {
    /// Bakes the model; exit code 2 if it is none.
    pub fn run(self) -> Result<Ending> {
        if let Some(path) = &self.output {
            check_output("--output", path, (&self.model, "the model"))?;
        }
        let axes = match self.up {
            Up::Y => Y_UP,
            Up::Z => Z_UP,
        };
        let transform = Affine::axes(axes, (&self.scale.numerator, &self.scale.denominator));
        let model = read_model(&self.model, &transform)?;
        let refused = |reason: String| anyhow!("{}: {reason}", self.model.display());
        let mesh = model.bake().map_err(refused)?;
        // The bake leaves out triangles, and with them the last materials may go.
        let file = MeshFile::new(mesh, model.names.clone()).map_err(|error| refused(error.message))?;
        let bytes = file.encode();
        let mut screen = Screen::open();
        report::show(&mut screen, &self.model, &model, &file)?;
        match &self.output {
            Some(path) => {
                write(path, &bytes)?;
                report::written(&mut screen, path, bytes.len())?;
            }
            None => report::unwritten(&mut screen, &self.model, bytes.len())?,
        }
        screen.flush()?;
        Ok(Ending::Match)
    }
}

/// The model of a file, by the end of its name.
fn read_model(path: &Path, transform: &Affine) -> Result<Model> {
    let name = path.display();
    let end = path.extension().map(|end| end.to_ascii_lowercase()).unwrap_or_default();
    match end.to_str() {
        Some("obj") => {
            let bytes = read(path, MODEL_BYTES_MAX)?;
            // Names may be in any encoding; all that counts is in ASCII.
            let text = String::from_utf8_lossy(&bytes);
            obj::read(&text, transform).map_err(|error| anyhow!("{name}:{error}"))
        }
        Some("gltf" | "glb") => {
            let bytes = read(path, MODEL_BYTES_MAX)?;
            let folder = path.parent().unwrap_or(Path::new(""));
            let mut beside = |name: &str| read_beside(folder, name, MODEL_BYTES_MAX);
            gltf::read(&bytes, transform, &mut beside)
                .map_err(|error| anyhow!("{error}"))
                .with_context(|| name.to_string())
        }
        _ => bail!("{name}: must end with .obj, .gltf or .glb"),
    }
}

fn parse_scale(text: &str) -> Result<Scale, String> {
    let must = || "must be a number above 0 such as 0.01 or 1/100".to_owned();
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let part = |text: &str| Number::decimal(text).map_err(|_| must());
    let ([numerator, denominator], _) = over_common(&[part(numerator)?, part(denominator)?]);
    let is_above_zero = numerator > BigInt::ZERO && denominator > BigInt::ZERO;
    if is_above_zero { Ok(Scale { numerator, denominator }) } else { Err(must()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_decimals_or_fractions_above_zero() {
        let scale = |numerator: i32, denominator: i32| {
            Ok(Scale { numerator: numerator.into(), denominator: denominator.into() })
        };
        for (text, expected) in [
            ("1", scale(1, 1)),
            ("0.01", scale(1, 100)),
            ("1/3", scale(1, 3)),
            ("2.5/0.5", scale(25, 5)),
            ("2e1", scale(20, 1)),
        ] {
            assert_eq!(parse_scale(text), expected, "{text}");
        }
        for text in ["0", "-1", "1/0", "-1/-2", "", "1/", "/2", "1/2/3", "nan", "1e500"] {
            assert!(parse_scale(text).is_err(), "{text}");
        }
    }
}
