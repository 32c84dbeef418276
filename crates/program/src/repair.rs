//! `repair`: a damaged recording as a shorter one that is whole.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{
    Ending, files,
    output::{Screen, Tone, count, counted, program},
    recordings::{beside, read_bytes, unreadable, write_result},
};
use bitstep::{
    replay::{Repaired, repair},
    session::Simulation,
};

/// Writes what is whole of a damaged recording as a recording that ends where the damage begins.
///
/// Nothing is simulated: what is kept is what was recorded, tick by tick. Of a recording with nothing wrong
/// nothing is written.
#[derive(clap::Args)]
pub struct Repair {
    /// The damaged recording
    file: PathBuf,
    /// The file to write; the damaged file only if it is named here [default: NAME.repaired.replay beside it]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Repair {
    /// Reads, repairs and writes.
    pub fn run<S: Simulation>(self) -> Result<Ending> {
        let bytes = read_bytes(&self.file)?;
        let repaired = repair::<S>(&bytes).map_err(|error| unreadable::<S>(&self.file, &bytes, error))?;
        let mut screen = Screen::open();
        let (name, ticks) = (self.file.display(), counted(repaired.ticks, "tick"));
        if let Some(damage) = &repaired.damage {
            let default = beside(&self.file, "repaired.replay");
            let target = self.output.as_deref().unwrap_or(&default);
            self.write(&default, &repaired)?;
            let bad = screen.paint(Tone::Bad, &format!("damaged at byte {}", damage.at));
            screen.line(format!("{name}: {bad} of {}: {}", count(bytes.len() as u64), damage.fault))?;
            let kept = screen.paint(Tone::Good, &format!("{ticks} kept"));
            let size = count(repaired.bytes.len() as u64);
            screen.line(format!("{}: {kept}, {size} bytes", target.display()))?;
            screen.line(format!("  try: {} verify {}", program(), target.display()))?;
        } else {
            let whole = screen.paint(Tone::Good, "whole");
            screen.line(format!("{name}: {whole}, {ticks}; nothing to repair, and nothing was written"))?;
        }
        screen.flush()?;
        Ok(Ending::Match)
    }

    /// Writes at the given path. The damaged file is replaced only once everything is written.
    fn write(&self, default: &Path, repaired: &Repaired) -> Result<()> {
        match &self.output {
            Some(target) if is_same(target, &self.file) => files::replace(target, &repaired.bytes),
            told => write_result(told.as_deref(), default, &repaired.bytes),
        }
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
