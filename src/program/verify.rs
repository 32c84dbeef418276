//! `verify`: re-simulate recordings.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::json;

use super::{
    Ending,
    hand_over::{Other, other_program},
    output::{Screen, complain, program},
    program_of,
    progress::Progress,
    recordings::{read_bytes, read_to_damage},
    verdict::{describe, describe_damaged, divergence_json, show_fields},
};
use crate::{
    replay::{OtherRules, ReadError, Replay, Verdict, rules_version_of, verify},
    session::Simulation,
    snapshot::RULES_VERSION,
};

/// What `verify` does with recordings of other rules, for its help.
const OTHER_RULES: &str =
    "A recording of another rules version is refused with both numbers. Where the PATH has
a program called NAME-rN (bitstep-r1, say, a build of rules version 1), the
recording is handed to it, and what it says counts.

Exit codes: 0 all match, 1 one diverged, 2 one is damaged, of other rules or
cannot be read.
With --bisect: 0 good, 1 bad, 125 cannot tell, as `git bisect run` has it:

  git bisect run sh -c 'cargo build --release || exit 125; bitstep verify --bisect FILE'";

/// Re-simulates recordings and compares the checksum of every tick: one line per file.
///
/// A damaged recording is verified up to the damage.
#[derive(clap::Args)]
#[command(after_help = OTHER_RULES)]
pub struct Verify {
    /// The recordings
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one line of JSON per file
    #[arg(long)]
    json: bool,
    /// Exit as `git bisect run` has it: 0 good, 1 bad, 125 cannot tell
    #[arg(long)]
    bisect: bool,
}

/// What there is to say of one file.
struct Checked {
    verdict: Verdict,
    damage: Option<ReadError>,
}

impl Verify {
    /// Verifies every file, also behind one that is bad.
    pub fn run<S: Simulation>(self) -> Result<Ending> {
        let mut screen = Screen::open();
        let mut endings = Vec::new();
        for path in &self.files {
            endings.push(self.one::<S>(&mut screen, path)?);
        }
        screen.flush()?;
        let all = endings.iter().fold(Ending::Match, |all, ending| all.and(*ending));
        Ok(match all {
            // One that diverges is bad, whatever is with the others.
            Ending::BadInput if self.bisect && endings.contains(&Ending::Diverged) => Ending::Diverged,
            Ending::BadInput if self.bisect => Ending::CannotTell,
            all => all,
        })
    }

    fn one<S: Simulation>(&self, screen: &mut Screen, path: &Path) -> Result<Ending> {
        let bytes = match read_bytes(path) {
            Ok(bytes) => bytes,
            Err(error) => return self.tell_bad::<S>(screen, path, &error),
        };
        if let Some(other) = self.other::<S>(path, &bytes) {
            screen.flush()?;
            return Ok(Ending::of_code(other.run(&["verify"], self.json.then_some("--json"), path)?));
        }
        match check::<S>(path, &bytes) {
            Ok(checked) => {
                self.tell(screen, path, &checked)?;
                Ok(match checked {
                    Checked { verdict: Verdict { divergence: Some(_), .. }, .. } => Ending::Diverged,
                    Checked { damage: Some(_), .. } => Ending::BadInput,
                    _ => Ending::Match,
                })
            }
            Err(error) => self.tell_bad::<S>(screen, path, &error),
        }
    }

    /// The program for a recording of other rules, where there is one to be asked.
    fn other<S: Simulation>(&self, path: &Path, bytes: &[u8]) -> Option<Other> {
        let rules = rules_version_of(bytes).ok().filter(|rules| *rules != RULES_VERSION)?;
        // Bisecting is about this build, and standard input was read.
        if self.bisect || path == Path::new("-") { None } else { other_program::<S>(rules) }
    }

    fn tell(&self, screen: &mut Screen, path: &Path, checked: &Checked) -> Result<()> {
        let (name, Checked { verdict, damage }) = (path.display(), checked);
        if self.json {
            let damage = damage.as_ref();
            let damage = damage.map(|damage| json!({ "at": damage.at, "fault": damage.fault.to_string() }));
            let line = json!({
                "file": name.to_string(),
                "matches": verdict.divergence.is_none() && damage.is_none(),
                "ticks": verdict.ticks,
                "checksum": verdict.checksum.to_string(),
                "divergence": divergence_json(verdict),
                "damage": damage,
            });
            return screen.line(line.to_string());
        }
        match damage {
            None => screen.line(format!(
                "{name}: {}, checksum {}",
                describe(screen, verdict),
                verdict.checksum
            ))?,
            Some(damage) => {
                screen.line(format!("{name}: {}", describe_damaged(screen, verdict, damage)))?;
                screen.line(format!("  try: {} repair {name}", program()))?;
            }
        }
        let Some(divergence) = &verdict.divergence else { return Ok(()) };
        show_fields(screen, divergence)?;
        screen.line(format!("  try: {} diff {name}", program()))
    }

    fn tell_bad<S: Simulation>(
        &self,
        screen: &mut Screen,
        path: &Path,
        error: &anyhow::Error,
    ) -> Result<Ending> {
        if self.json {
            let name = path.display().to_string();
            screen.line(json!({ "file": name, "error": format!("{error:#}") }).to_string())?;
        } else {
            complain(program_of::<S>(), error);
        }
        Ok(Ending::BadInput)
    }
}

fn check<S: Simulation>(path: &Path, bytes: &[u8]) -> Result<Checked> {
    if let Some(recorded) = rules_version_of(bytes).ok().filter(|rules| *rules != RULES_VERSION) {
        return Err(anyhow::Error::from(OtherRules { recorded }).context(path.display().to_string()));
    }
    let (replay, damage): (Replay<S>, _) = read_to_damage(path, bytes)?;
    let mut progress = Progress::new("re-simulating", replay.ticks().len() as u64);
    let mut done = 0;
    let verdict = verify(&replay, |_, _| {
        done += 1;
        progress.reach(done);
    });
    progress.finish();
    let mut verdict = verdict?;
    // Of a part of a recording ticks are told by their own numbers.
    let start = replay.opening().tick_count();
    if let Some(divergence) = &mut verdict.divergence {
        divergence.tick += start;
        divergence.fields_at = divergence.fields_at.map(|tick| tick + start);
    }
    Ok(Checked { verdict, damage })
}
