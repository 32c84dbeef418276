//! Recordings for a picture.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::{
    Ending,
    recordings::{read_bytes, read_to_damage},
};
use bitstep::{
    replay::{Replay, ReplayError},
    session::Simulation,
    snapshot::RULES_VERSION,
};

/// The meaning of the exit codes of a picture, for its help.
pub const EXIT_CODES: &str = "\
Exit codes: 0 the picture is written; 1 it is, and this build does not come to what was recorded, or the two
recordings differ; 2 bad input, or a recording is damaged and the picture shows it up to the damage.";

/// A recording, up to its damage.
pub struct Pictured<S: Simulation> {
    pub path: PathBuf,
    pub replay: Replay<S>,
    /// The damage.
    damage: Option<String>,
}

impl<S: Simulation> Pictured<S> {
    /// Reads a recording up to its damage; `-` is standard input.
    ///
    /// # Errors
    ///
    /// If nothing of it can be played, or it is of other rules.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = read_bytes(path)?;
        let (replay, damage) = read_to_damage::<S>(path, &bytes)?;
        let recorded = replay.rules_version();
        if recorded != RULES_VERSION {
            return Err(ReplayError::OtherRules { recorded }).with_context(|| path.display().to_string());
        }
        Ok(Self { path: path.to_owned(), replay, damage: damage.map(|damage| damage.to_string()) })
    }

    /// The notes for a picture of it, and the ending that they imply, given the first tick that this build
    /// does not reproduce.
    pub fn notes(&self, diverged: Option<u64>) -> (Vec<String>, Ending) {
        let (name, mut notes, mut ending) = (self.path.display(), Vec::new(), Ending::Match);
        if let Some(damage) = &self.damage {
            notes.push(format!("{name} is damaged, and is shown up to {damage}"));
            ending = ending.and(Ending::BadInput);
        }
        if let Some(tick) = diverged {
            notes.push(format!("this build does not come to what {name} has of tick {tick}"));
            ending = ending.and(Ending::Diverged);
        }
        (notes, ending)
    }
}

/// Refuses a file for a picture that would destroy a recording, or that only looks like standard output.
pub fn check_target(target: Option<&Path>, recordings: &[&Path]) -> Result<()> {
    let Some(target) = target else { return Ok(()) };
    if target == Path::new("-") {
        bail!("--output -: a picture goes into a file; call it ./- if you mean that name");
    }
    // A file that does not exist yet has no canonical path, and is no recording.
    let Ok(place) = target.canonicalize() else { return Ok(()) };
    let is_free = !recordings.iter().any(|path| path.canonicalize().is_ok_and(|path| path == place));
    ensure!(is_free, "{}: cannot be written: it is the recording", target.display());
    Ok(())
}
