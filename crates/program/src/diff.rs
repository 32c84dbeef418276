//! `diff`: where two recordings diverge, or a recording and another run of it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{
    Ending,
    comparison::{body_name, show, to_json},
    output::Screen,
    recordings::{read_bytes, read_to_damage},
};
use bitstep::{
    replay::{Damage, Judgement, Replay, ReplayError, compare, compare_with_rerun},
    session::Simulation,
    snapshot::RULES_VERSION,
};

/// The meaning of the verdicts, for the help.
const VERDICTS: &str = "Verdicts, each named before what may follow from it:

  no difference          in the ticks that both have; of one recording, from what this build makes of it
  content differs        rules, scenery, limits or the state that they begin with
  inputs differ          a tick was given other inputs
  game state             the game's own state diverges first
  physics                the bodies diverge first, or only they, under the same commands
  not reproducible here  two runs here differ, or too little was kept to say which of game and bodies did

Phase and number are found where the recordings have trace layers (`run --layers`,
Recorder::tick_logged, `clip`) or this build comes to what was recorded.

Exit codes: 0 no difference, 1 a difference, 2 bad input, or a damaged side without one up to the damage.";

/// Says where two recordings diverge: the verdict, then tick, phase, field, both values, and what the tick was
/// given.
///
/// One recording is compared with what this build makes of its inputs. A desync report is a recording,
/// and can be compared with the whole one: ticks go by the numbers that the states count.
#[derive(clap::Args)]
#[command(after_help = VERDICTS)]
pub struct Diff {
    /// The left: a recording, or a desync report
    a: PathBuf,
    /// The right; without it, another run of the left
    b: Option<PathBuf>,
    /// Print one piece of JSON
    #[arg(long)]
    json: bool,
}

/// A side, up to its damage.
type Side<S> = (Replay<S>, Option<Damage>);

impl Diff {
    /// Compares, and prints the result.
    pub fn run<S: Simulation>(self) -> Result<Ending> {
        let left = read::<S>(&self.a)?;
        let right = self.b.as_deref().map(read::<S>).transpose()?;
        let mut comparison = match &right {
            Some((right, _)) => compare(&left.0, right),
            None => {
                let recorded = left.0.rules_version();
                if recorded != RULES_VERSION {
                    return Err(ReplayError::OtherRules { recorded })
                        .with_context(|| self.a.display().to_string());
                }
                compare_with_rerun(&left.0)
            }
        };
        let is_whole = left.1.is_none() && right.as_ref().is_none_or(|side| side.1.is_none());
        let damages =
            [(&self.a, &left.1)].into_iter().chain(self.b.iter().zip(right.iter().map(|side| &side.1)));
        for (path, damage) in damages {
            if let Some(damage) = damage {
                let name = path.display();
                comparison.notes.push(format!("{name} is damaged, and was compared up to {damage}"));
            }
        }
        let mut screen = Screen::open();
        let names = [Some(self.a.as_path()), self.b.as_deref()];
        let sides: Vec<&Replay<S>> = [&left].into_iter().chain(&right).map(|(replay, _)| replay).collect();
        let body = body_name(&sides, &comparison);
        if self.json {
            screen.line(to_json(&comparison, names, body.as_deref()).to_string())?;
        } else {
            show(&mut screen, &comparison, names, body.as_deref())?;
        }
        screen.flush()?;
        Ok(match comparison.judgement {
            Judgement::Same if is_whole => Ending::Match,
            // As `verify`: nothing differs so far, and more is not known.
            Judgement::Same => Ending::BadInput,
            _ => Ending::Diverged,
        })
    }
}

/// Reads a side up to its damage.
fn read<S: Simulation>(path: &Path) -> Result<Side<S>> {
    let bytes = read_bytes(path)?;
    read_to_damage(path, &bytes)
}
