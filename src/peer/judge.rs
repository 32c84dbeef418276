//! Two halves of a bundle, compared.

use std::fmt;

use super::half::encoded;
use crate::{
    replay::{ReadError, Replay},
    session::{PhaseState, Simulation, world_phase},
    snapshot::{Difference, RULES_VERSION, SnapshotError, diff_fields},
    tick::TickReport,
};

/// What two peers do not agree on in the first tick that came out differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The tick.
    pub tick: u64,
    /// Where the reason lies.
    pub cause: Cause,
    /// The name of the first phase after which the states differ, if both halves know their phases.
    pub phase: Option<String>,
    /// Whether the tick, played again here from our state before it, gives the state after it of our half and
    /// of theirs, each with its own inputs.
    pub reproduced: [bool; 2],
    /// The fields that differ before the tick, ours first; empty unless the checksums before it were equal by
    /// chance, or somebody lies.
    pub before: Vec<Difference>,
    /// The fields that differ after that phase, ours first, if both halves know the states within the tick.
    pub in_phase: Vec<Difference>,
    /// The fields that differ after the tick, ours first.
    pub after: Vec<Difference>,
}

/// Where the reason for a desync lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The states differ before the tick already.
    Before,
    /// The two were given different inputs.
    Inputs,
    /// The game's own part went another way.
    Game,
    /// The world went another way.
    Physics,
    /// Played again here, the tick gives neither state.
    NotReproducible,
}

/// Why their half cannot be compared with ours.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadHalf {
    /// There is none of ours.
    #[error("there is no half here to compare with")]
    NoneHere,
    /// The bytes are no replay.
    #[error(transparent)]
    Replay(#[from] ReadError),
    /// A state in it is refused.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// It is a replay, but not of one tick in this scenery and with these limits and rules.
    #[error("not a half of this bundle: {0}")]
    Other(&'static str),
}

/// A half taken apart.
struct Parts<S: Simulation> {
    before: S,
    inputs: Vec<S::Input>,
    after: S,
    phases: Vec<PhaseState>,
}

/// Compares two halves for a tick.
///
/// # Errors
///
/// If one is no half for this tick.
pub(super) fn compare<S: Simulation>(ours: &[u8], theirs: &[u8], tick: u64) -> Result<Comparison, BadHalf> {
    let (ours, theirs) = (parts::<S>(ours)?, parts::<S>(theirs)?);
    check(&ours, &theirs, tick)?;
    let before = diff_fields(&ours.before.fields(), &theirs.before.fields());
    let after = diff_fields(&ours.after.fields(), &theirs.after.fields());
    let reproduced = [&ours, &theirs].map(|half| {
        let mut again = ours.before.clone();
        again.tick(&half.inputs, &mut TickReport::default());
        encoded(&again) == encoded(&half.after)
    });
    let differing = first_other_phase(&ours.phases, &theirs.phases);
    let in_phase = fields_in::<S>(differing);
    let phase = differing[0].or(differing[1]).map(|phase| &*phase.name);
    let cause = if !before.is_empty() {
        Cause::Before
    } else if ours.inputs != theirs.inputs {
        Cause::Inputs
    } else if reproduced == [false; 2] {
        Cause::NotReproducible
    } else {
        part_of(phase, &after)
    };
    Ok(Comparison { tick, cause, phase: phase.map(str::to_owned), reproduced, before, in_phase, after })
}

fn parts<S: Simulation>(bytes: &[u8]) -> Result<Parts<S>, BadHalf> {
    let replay = Replay::<S>::read(bytes)?;
    if replay.rules_version() != RULES_VERSION {
        return Err(BadHalf::Other("other rules"));
    }
    let ([record], [keyframe]) = (replay.ticks(), replay.keyframes()) else {
        return Err(BadHalf::Other("not one tick and the state after it"));
    };
    let after = S::decode(&keyframe.snapshot, replay.scenery())?;
    let phases = record.log().map(|log| log.phases).unwrap_or_default();
    Ok(Parts { before: replay.opening().clone(), inputs: record.inputs.clone(), after, phases })
}

/// Checks that the halves are of one match, so that playing theirs costs what playing ours does.
fn check<S: Simulation>(ours: &Parts<S>, theirs: &Parts<S>, tick: u64) -> Result<(), BadHalf> {
    if [ours, theirs].iter().any(|half| half.after.tick_count() != tick) {
        return Err(BadHalf::Other("another tick"));
    }
    if ours.before.scenery().content_hash() != theirs.before.scenery().content_hash() {
        return Err(BadHalf::Other("another scenery"));
    }
    Ok(())
}

/// The first phase whose name or sum is another one, or that only one has; as each has it.
fn first_other_phase<'a>(ours: &'a [PhaseState], theirs: &'a [PhaseState]) -> [Option<&'a PhaseState>; 2] {
    if ours.is_empty() || theirs.is_empty() {
        return [None; 2];
    }
    let is_same =
        |(ours, theirs): &(&PhaseState, &PhaseState)| (&ours.name, ours.sum) == (&theirs.name, theirs.sum);
    let same = ours.iter().zip(theirs).take_while(is_same).count();
    [ours.get(same), theirs.get(same)]
}

/// The fields that differ in a phase, if both know its state.
fn fields_in<S: Simulation>(phase: [Option<&PhaseState>; 2]) -> Vec<Difference> {
    let fields = phase.map(|phase| {
        let known = phase.filter(|phase| !phase.world.is_empty())?;
        S::fields_of(known).ok()
    });
    match fields {
        [Some(ours), Some(theirs)] => diff_fields(&ours, &theirs),
        _ => Vec::new(),
    }
}

/// Whose part it is: the phase's if it is known, else by the fields.
fn part_of(phase: Option<&str>, after: &[Difference]) -> Cause {
    let is_physics = match phase {
        Some(phase) => world_phase(phase).is_some(),
        None => after.iter().any(|difference| !difference.path.starts_with("game.")),
    };
    if is_physics { Cause::Physics } else { Cause::Game }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Before => "the state before differs",
            Self::Inputs => "inputs differ",
            Self::Game => "game state",
            Self::Physics => "physics",
            Self::NotReproducible => "not reproducible here",
        })
    }
}

impl fmt::Display for Comparison {
    /// The cause, the tick, the phase, who is not reproduced, and the first fields.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, cause, phase, reproduced, before, in_phase, after } = self;
        write!(f, "{cause}: tick {tick}")?;
        if let Some(phase) = phase {
            write!(f, ", after {}", phase.escape_debug())?;
        }
        match reproduced {
            [true, true] => {}
            [true, false] => f.write_str(", theirs is not what this tick gives here")?,
            [false, true] => f.write_str(", ours is not what this tick gives here")?,
            [false, false] => f.write_str(", neither is what this tick gives here")?,
        }
        let list = [before, in_phase].into_iter().find(|list| !list.is_empty()).unwrap_or(after);
        list.iter().take(SHOWN).try_for_each(|difference| write!(f, "\n  {difference}"))?;
        match list.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more"),
        }
    }
}

/// So many differences are spelled out.
const SHOWN: usize = 8;
