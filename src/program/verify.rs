//! `bitstep verify`: re-simulate recordings.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::json;

use super::{
    Ending,
    output::{Screen, Tone, complain, counted},
    program_of,
    progress::Progress,
    recordings::read_replay,
};
use crate::{
    replay::{Divergence, Verdict, verify},
    session::Simulation,
};

/// Re-simulates recordings and compares the checksum of every tick: one line per file.
///
/// Exits with 0 if all match, 1 if one diverged, 2 if one could not be read.
#[derive(clap::Args)]
pub struct Verify {
    /// The recordings
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one line of JSON per file
    #[arg(long)]
    json: bool,
}

/// How many differing fields are shown.
const FIELDS_SHOWN: usize = 8;

impl Verify {
    /// Verifies every file, also behind one that is bad.
    pub fn run<S: Simulation>(self) -> Result<Ending> {
        let mut screen = Screen::open();
        let mut ending = Ending::Match;
        for path in &self.files {
            match verdict::<S>(path) {
                Ok(verdict) => {
                    self.tell(&mut screen, path, &verdict)?;
                    if verdict.divergence.is_some() && ending == Ending::Match {
                        ending = Ending::Diverged;
                    }
                }
                Err(error) => {
                    ending = Ending::BadInput;
                    if self.json {
                        let name = path.display().to_string();
                        screen.line(json!({ "file": name, "error": format!("{error:#}") }).to_string())?;
                    } else {
                        complain(program_of::<S>(), &error);
                    }
                }
            }
        }
        screen.flush()?;
        Ok(ending)
    }

    fn tell(&self, screen: &mut Screen, path: &Path, verdict: &Verdict) -> Result<()> {
        let name = path.display();
        if self.json {
            let line = json!({
                "file": name.to_string(),
                "matches": verdict.divergence.is_none(),
                "ticks": verdict.ticks,
                "checksum": verdict.checksum.to_string(),
                "divergence": divergence_json(verdict),
            });
            return screen.line(line.to_string());
        }
        let text = format!("{name}: {}, checksum {}", describe(screen, verdict), verdict.checksum);
        screen.line(text)?;
        verdict.divergence.as_ref().map_or(Ok(()), |divergence| show_fields(screen, divergence))
    }
}

/// A verdict in one line.
pub fn describe(screen: &Screen, verdict: &Verdict) -> String {
    match &verdict.divergence {
        None => {
            let good = screen.paint(Tone::Good, "match");
            match verdict.ticks {
                1 => format!("1 tick {good}es, to the last bit"),
                ticks => format!("all {} {good}, to the last bit", counted(ticks, "tick")),
            }
        }
        Some(Divergence { tick, recorded, found, .. }) => {
            let bad = screen.paint(Tone::Bad, "diverged");
            format!("{bad} in tick {tick}: checksum {recorded:08x} recorded, {found:08x} found")
        }
    }
}

/// Where a verification diverged, or null.
pub fn divergence_json(verdict: &Verdict) -> serde_json::Value {
    let Some(divergence) = &verdict.divergence else { return serde_json::Value::Null };
    json!({
        "tick": divergence.tick,
        "recorded": format!("{:08x}", divergence.recorded),
        "found": format!("{:08x}", divergence.found),
        "fields_at": divergence.fields_at,
        "fields": divergence.fields.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn show_fields(screen: &mut Screen, divergence: &Divergence) -> Result<()> {
    let Some(tick) = divergence.fields_at else {
        return screen.line("  no keyframe follows, so the fields cannot be compared");
    };
    if divergence.fields.is_empty() {
        return screen.line(format!(
            "  after tick {tick} no field differs: it is the recorded checksum that is wrong"
        ));
    }
    screen.line(format!("  fields after tick {tick}, recorded | found:"))?;
    for field in divergence.fields.iter().take(FIELDS_SHOWN) {
        screen.line(format!("    {field}"))?;
    }
    let more = divergence.fields.len().saturating_sub(FIELDS_SHOWN);
    if more > 0 { screen.line(format!("    and {more} more")) } else { Ok(()) }
}

fn verdict<S: Simulation>(path: &Path) -> Result<Verdict> {
    let (replay, _) = read_replay::<S>(path)?;
    let mut progress = Progress::new("re-simulating", replay.ticks().len() as u64);
    let mut done = 0;
    let verdict = verify(&replay, |_, _| {
        done += 1;
        progress.reach(done);
    });
    progress.finish();
    verdict.with_context(|| path.display().to_string())
}
