//! `bitstep sweep`: one question about two shapes per line, one answer per line.
//!
//! `text.rs` is a line as it is written, `read.rs` and `ground.rs` check it, `answer.rs` asks the library.

mod answer;
mod ground;
mod read;
mod refusal;
mod text;

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use bitstep_program::Ending;
use serde::Serialize;

use self::{answer::Answer, refusal::Refusal};

/// The form of a line, for `bitstep sweep --help`.
const LINES: &str = r#"A line asks about two shapes. It is JSON,

  {"a": {"shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, 0], "motion": [10, 0, 0]},
   "b": {"shape": {"sphere": {"radius": 0.5}}, "position": [10, 0, 0]}, "gap": 0}

in one piece, or the same in RON,

  (a: (shape: sphere(radius: 0.5), position: (0, 0, 0), motion: (10, 0, 0)), b: ..)

"ask" says what is asked:

  sweep    first and last contact within the tick, where it is left out: "u" and "last" from 0
           to 1, the normal from a to b at u, both positions at u
  overlap  only whether they overlap where they are; no "motion", no "gap"
  closest  the point of b nearest to a sphere a's center, and the distance between both
  turning  first contact of shapes that turn as well: "orientation" at the start, a quaternion
           (w, x, y, z), and "turn" over the tick, (axis: (x, y, z), degrees: 30), at most 90;
           no contact is possible before "clear_until"

Shapes are sphere(radius), where a radius of 0 makes a point, and its motion a segment;
aabb(half); obb(half, rotation) with a quaternion; capsule(half_axis, radius) with the way from
its middle to the center of an end; hull(points) of up to 4096 points and 64 corners, which turns
about its center of mass; plane(normal) through its position, solid behind it, or
plane(points: (p, q, r)), counter-clockwise from the front; and plane(.., two_sided: true), a
sheet that a sphere can meet from both sides. One of both may be a mesh(points, triangles), where
a triangle is three places among the points, from 0, or heights(cell, unit, rows, holes), both as
in scenes. A mesh is thin, solid from both sides, and static: it has no motion and no turn, and
the other shape is neither mesh nor plane. The answer is the first contact with any of its
triangles, and the last one.

A start in contact: where both overlap, touch, or are no farther apart than the gap at the start,
"u" is 0 whichever way they move, as in Gomez's article; "last" is when they part. "overlap" is
true where they share interior points at the start: touching is none, but for a point, which
overlaps where it is inside or on the surface. The normal is left out where they do not approach
at u, as boxes whose faces come to touch while they pass each other.

Lengths are in units, "motion" is the displacement over the whole tick, "position" is the origin
where it is left out. Limits: positions 16777216, motions 4096, sizes above 0 and up to 4096, also
rotated or with a capsule's radius; coordinates of a mesh 16384; gaps 0 to 2048, of a pair that
rotates 1024; for closest 131072 apart; never two planes; 65536 bytes a line. Decimals may be bare
or in quotes; both are read to the nearest 2^-32, never as floats. Empty lines and lines that
begin with // are passed over. A bad line is answered in its place, with the field, its value and
the limit where it is readable that far, and the exit code is 2."#;

/// Answers one question about two shapes per line of JSON or RON: first and last contact, overlap, the
/// closest point, contact of shapes that turn.
#[derive(clap::Args)]
#[command(after_help = LINES)]
pub struct Sweep {
    /// The file with the lines; standard input where it is left out
    file: Option<PathBuf>,
}

/// The longest line that is read.
const LINE_BYTES_MAX: u64 = 64 << 10;

/// The output for one line.
#[derive(Serialize)]
struct Output {
    line: u64,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Outcome {
    Answer(Box<Answer>),
    Refusal(Refusal),
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
            let outcome = match text.map_err(Refusal::clone).and_then(answer_line) {
                Ok(answer) => Outcome::Answer(Box::new(answer)),
                Err(refusal) => {
                    ending = Ending::BadInput;
                    Outcome::Refusal(refusal)
                }
            };
            serde_json::to_writer(&mut out, &Output { line, outcome }).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        out.flush()?;
        Ok(ending)
    }
}

/// The answer to a line of JSON (where it begins with a brace) or RON.
fn answer_line(line: &[u8]) -> Result<Answer, Refusal> {
    let text = std::str::from_utf8(line).map_err(|error| Refusal::text(format!("not UTF-8: {error}")))?;
    answer::answer(&read::question(text)?)
}

/// The next line, a refusal where it is too long, or `None` at the end.
fn next_line(input: &mut impl BufRead) -> Result<Option<Result<Vec<u8>, Refusal>>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if read as u64 == LINE_BYTES_MAX && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        let reason = format!("longer than {LINE_BYTES_MAX} bytes, the most that is read");
        return Ok(Some(Err(Refusal::text(reason))));
    }
    Ok(Some(Ok(bytes)))
}
