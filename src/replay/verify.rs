//! Verification: a replay is played again and compared with what was recorded.

use std::ops::ControlFlow;

use super::{
    Comparison, Replay, ReplayError,
    compare::{self, Played},
};
use crate::{
    session::Simulation,
    snapshot::{Checksum, RULES_VERSION},
    tick::TickReport,
};

/// The result of a verification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Number of ticks played.
    pub ticks: u64,
    /// The checksum after the last of them.
    pub checksum: Checksum,
    /// The first tick that differs, or `None` where all match.
    pub divergence: Option<Divergence>,
}

/// The first tick that does not come out as it was recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The number of the tick in the replay; the first is 1.
    pub tick: u64,
    /// The low 32 bits of the checksum in the replay.
    pub recorded: u32,
    /// The low 32 bits of the checksum found.
    pub found: u32,
    /// The difference and its place: recorded on the left, found on the right. Its ticks go by the numbers that the states count.
    pub comparison: Box<Comparison>,
}

/// Plays a replay to its end without comparing; `observe` sees the state after each tick, and its report, which lists
/// events if the replay [says so](Replay::enable_events).
pub fn play<S: Simulation>(replay: &Replay<S>, mut observe: impl FnMut(&S, &TickReport)) {
    let (mut state, mut report) = (replay.initial_state().clone(), TickReport::default());
    for record in replay.ticks() {
        let _ = state.tick(&record.inputs, &mut report); // in the report
        observe(&state, &report);
    }
}

/// Plays a replay and compares every tick's checksum, the whole checksums between them, the keyframes, and the trace layers
/// of ticks that have one; `observe` sees what it sees of [`play`].
///
/// A replay that was read up to its damage is verified as far as it goes.
///
/// At the first difference it ends, and says what [`compare_with_rerun`](super::compare_with_rerun) says.
///
/// # Errors
///
/// If the replay was recorded under another rules version.
pub fn verify<S: Simulation>(
    replay: &Replay<S>,
    mut observe: impl FnMut(&S, &TickReport),
) -> Result<Verdict, ReplayError> {
    verify_while(replay, |state, report| {
        observe(state, report);
        ControlFlow::Continue(())
    })
}

/// Verifies a replay as [`verify`] does, and stops after the tick in which `observe` breaks: the verdict is that of the
/// ticks so far. A server limits what a recording may cost by it.
///
/// # Errors
///
/// If the replay was recorded under another rules version.
pub fn verify_while<S: Simulation>(
    replay: &Replay<S>,
    observe: impl FnMut(&S, &TickReport) -> ControlFlow<()>,
) -> Result<Verdict, ReplayError> {
    let recorded = replay.rules_version();
    if recorded != RULES_VERSION {
        return Err(ReplayError::OtherRules { recorded });
    }
    let Played { ticks, checksum, divergence } = compare::play_to_divergence(replay, observe);
    let divergence = divergence.map(|comparison| Divergence {
        tick: ticks,
        recorded: replay.ticks()[ticks as usize - 1].checksum,
        found: checksum.short(),
        comparison: Box::new(comparison),
    });
    Ok(Verdict { ticks, checksum, divergence })
}
