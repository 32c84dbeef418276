//! Scene files: a world, what happens in it and for how long, in RON.
//!
//! This package reads text into an initial [`World`] and a [`Timeline`]; it does not simulate. Every
//! decimal goes from its characters to a fixed-point number without a float on the way, and every
//! error says the line and the column of the value that is wrong. Nothing is allocated for a count
//! before the count was checked. Start with `text.rs`, which is the format.

mod bodies;
mod build;
mod command_text;
mod heights;
mod hulls;
mod kinds;
mod leaf;
mod mesh;
mod mesh_file;
mod named;
mod noise;
mod rotation;
mod rules;
mod scatter;
mod text;
mod timeline;

use std::fmt;

use bitstep::World;
use ron::{error::Error, extensions::Extensions};

pub use leaf::decimal_of;
pub use mesh_file::{MeshFile, MeshFileError};
pub use timeline::Timeline;

use leaf::{Fault, line_and_column};
use text::SceneText;

/// The most ticks that a scene may run: almost two days at 60 ticks per second.
pub const TICKS_MAX: u64 = 10_000_000;

/// A scene, read and checked.
#[derive(Debug)]
pub struct Scene {
    /// The title of the scene.
    pub title: String,
    /// A description in a sentence or two.
    pub about: Option<String>,
    /// Number of ticks to run.
    pub ticks: u64,
    /// The world before the first tick, initial bodies included.
    pub initial_state: World,
    /// The later events.
    pub timeline: Timeline,
}

/// An error in a scene, and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SceneError {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
    /// Field, value and limit, in words.
    pub message: String,
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for SceneError {}

impl Scene {
    /// Reads a scene that names no files.
    ///
    /// # Errors
    ///
    /// The first error: syntax, an unknown field, a bad number, a value beyond a limit, a file, or an initial body
    /// that the world refuses.
    pub fn parse(source: &str) -> Result<Self, SceneError> {
        Self::parse_with(source, |_| Err("files are not read here".to_owned()))
    }

    /// Reads a scene, and the files of its meshes by a function: their bytes by their names, or the reason why there are none.
    ///
    /// This package opens no file: which folder a name is from, and which files a scene may read, is for the program to say.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), and if a file cannot be read or is no [`MeshFile`].
    ///
    /// ```
    /// use bitstep::{geom::Vec3, shape::Mesh};
    /// use bitstep_scene::{MeshFile, Scene};
    ///
    /// let v = Vec3::lit;
    /// let mesh = Mesh::new(&[v("0", "0", "0"), v("0", "0", "8"), v("8", "0", "0")], &[[0, 1, 2]])?;
    /// let bytes = MeshFile::new(mesh, Vec::new())?.encode();
    /// let source = r#"(
    ///     title: "A level", tick_rate: 60, ticks: 60,
    ///     materials: { "rock": (restitution: 0) },
    ///     shapes: { "level": mesh(file: "level.mesh") },
    ///     statics: [(shape: "level", material: "rock", position: (0, 0, 0))],
    ///     bodies: [],
    /// )"#;
    /// let scene = Scene::parse_with(source, |name| match name {
    ///     "level.mesh" => Ok(bytes.clone()),
    ///     _ => Err("no such file".to_owned()),
    /// })?;
    /// assert_eq!(scene.initial_state.scenery().statics().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_with(
        source: &str,
        mut read_file: impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Self, SceneError> {
        let options = ron::Options::default()
            .with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES);
        let text: SceneText<'_> = options.from_str(source).map_err(of_syntax)?;
        build::build(&text, &mut read_file).map_err(|fault| of_fault(source, &fault))
    }
}

/// The message for a text that is empty, or begins as something else.
const NO_SCENE: &str =
    "a scene begins with `(title: \"..\", tick_rate: 60, ticks: 600, `, and has `materials` and `shapes`";

/// RON spans from the start of its last token to where it stopped: for a wrong name the error is at the
/// start, for anything else at the stop.
fn of_syntax(error: ron::error::SpannedError) -> SceneError {
    let at = match error.code {
        Error::NoSuchStructField { .. }
        | Error::NoSuchEnumVariant { .. }
        | Error::MissingStructField { .. }
        | Error::DuplicateStructField { .. }
        | Error::ExpectedDifferentStructName { .. } => error.span.start,
        _ => error.span.end,
    };
    let message = match error.code {
        Error::ExpectedNamedStructLike("scene") => NO_SCENE.to_owned(),
        // Limits of a world that a scene has beside its `limits`.
        Error::NoSuchStructField { found, outer: Some(outer), .. }
            if outer == "limits" && ["tick_rate", "substeps", "sleep"].contains(&found.as_str()) =>
        {
            format!("`{found}` stands beside `limits`, not in it")
        }
        Error::ExceededRecursionLimit => "brackets are nested too deeply for a scene".to_owned(),
        code => code.to_string(),
    };
    SceneError { line: at.line as u64, column: at.col as u64, message }
}

fn of_fault(source: &str, fault: &Fault<'_>) -> SceneError {
    let (line, column) = line_and_column(source, fault.at);
    SceneError { line, column, message: fault.message.clone() }
}

/// The README's example is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests;
