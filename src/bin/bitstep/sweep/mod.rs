//! `bitstep sweep`: one pair of shapes per line, one answer per line.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use bitstep::program::Ending;
use serde::Serialize;

use crate::sweep_line::{Answer, answer};

/// What a line looks like, for `bitstep sweep --help`.
const LINES: &str = r#"Each line is answered by a line of JSON: when and along which direction the two first
touch, exactly, and where they are then. A line is JSON,

  {"a": {"shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, 0], "motion": [10, 0, 0]},
   "b": {"shape": {"sphere": {"radius": 0.5}}, "position": [10, 0, 0]}, "gap": 0}

in one piece, or the same in RON,

  (a: (shape: sphere(radius: 0.5), position: (0, 0, 0), motion: (10, 0, 0)), b: ..)

Shapes are sphere(radius), aabb(half), obb(half, rotation) with a quaternion (w, x, y, z),
plane(normal) through its position, and capsule(half_axis, radius) with the way from its middle
to the center of an end. Lengths are in units, motion is the displacement over the whole tick. Decimals may be bare or in quotes; both are read to the nearest 2^-32, never as
floats. Empty lines and lines that begin with // are passed over."#;

/// The arguments of `bitstep sweep`.
#[derive(clap::Args)]
#[command(after_help = LINES)]
pub struct Sweep {
    /// The file with the lines; standard input where it is left out
    file: Option<PathBuf>,
}

/// The longest line that is read.
const LINE_BYTES_MAX: u64 = 64 << 10;

/// What is written for one line.
#[derive(Serialize)]
struct Output {
    line: u64,
    #[serde(flatten)]
    answer: Answer,
}

impl Sweep {
    /// Answers every line; exit code 2 if one of them was bad.
    pub fn run(self) -> Result<Ending> {
        let mut input: Box<dyn BufRead> = match &self.file {
            Some(path) if path != Path::new("-") => {
                let file =
                    File::open(path).with_context(|| format!("{}: cannot be opened", path.display()))?;
                Box::new(BufReader::new(file))
            }
            _ => Box::new(io::stdin().lock()),
        };
        let mut out = BufWriter::new(io::stdout().lock());
        let (mut line, mut ending) = (0, Ending::Match);
        let name = || self.file.as_deref().unwrap_or(Path::new("-")).display().to_string();
        while let Some(bytes) =
            next_line(&mut input).with_context(|| format!("{}: cannot be read", name()))?
        {
            line += 1;
            let text = bytes.as_deref().map(<[u8]>::trim_ascii);
            if matches!(text, Ok(text) if text.is_empty() || text.starts_with(b"//")) {
                continue;
            }
            let answer = text.map_or_else(|error| Answer::error(error.to_string()), answer);
            if answer.is_error() {
                ending = Ending::BadInput;
            }
            serde_json::to_writer(&mut out, &Output { line, answer }).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        out.flush()?;
        Ok(ending)
    }
}

/// The next line, an error text where it is too long, or `None` at the end.
fn next_line(input: &mut impl BufRead) -> Result<Option<Result<Vec<u8>, String>>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if read as u64 == LINE_BYTES_MAX && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(format!("longer than {LINE_BYTES_MAX} bytes, the most that is read"))));
    }
    Ok(Some(Ok(bytes)))
}
