//! Playing one tick again, twice.

use crate::{
    session::{Simulation, TickLog, first_difference},
    snapshot::Checksum,
    tick::TickReport,
};

/// The runs of one tick by this build.
pub(super) struct Rerun<S> {
    pub state: S,
    pub checksum: Checksum,
    pub log: TickLog,
    /// The log of the second run, if it differs.
    pub other: Option<TickLog>,
}

impl<S: Simulation> Rerun<S> {
    /// Plays a tick from the state before it, and again from a copy that was saved and restored.
    pub(super) fn of(before: &S, inputs: &[S::Input]) -> Self {
        let mut snapshot = Vec::new();
        before.encode_into(&mut snapshot);
        let restored = S::decode(&snapshot, before.scenery()).unwrap_or_else(|_| before.clone());
        let (state, log) = played(before.clone(), inputs);
        let (second, other) = played(restored, inputs);
        let checksum = state.checksum();
        let is_same = checksum == second.checksum() && first_difference::<S>(&log, &other) == Ok(None);
        Self { state, checksum, log, other: (!is_same).then_some(other) }
    }
}

fn played<S: Simulation>(mut state: S, inputs: &[S::Input]) -> (S, TickLog) {
    let mut log = TickLog::states();
    let _ = state.tick_logged(inputs, &mut TickReport::default(), &mut log); // a refusal shows in the state
    (state, log)
}
