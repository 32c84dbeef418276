//! Our desync report: a replay of one tick.

use std::sync::Arc;

use super::{PeerError, kept::Moment};
use crate::{
    replay::{Recorder, decode_log},
    session::{Simulation, TickLog},
    state::Scenery,
    tick::TickReport,
};

/// A report, and whether it is reproduced.
#[derive(Clone, Debug)]
pub(super) struct Report {
    /// A replay.
    pub(super) bytes: Vec<u8>,
    /// True if the tick, played again, gives the confirmed state.
    pub(super) is_reproduced: bool,
}

/// Writes the replay of a tick from the moments before and after it: the state before it, its inputs, and the
/// state after it as a keyframe.
///
/// Its layer is that of the tick played again if that gives the state after, with the state after every
/// phase; else the one logged when the tick was confirmed.
pub(super) fn report<S: Simulation>(
    scenery: &Arc<Scenery>,
    [before, after]: [&Moment; 2],
) -> Result<Report, PeerError> {
    let initial_state = S::decode(&before.state, scenery).map_err(PeerError::Unreadable)?;
    let confirmed = S::decode(&after.state, scenery).map_err(PeerError::Unreadable)?;
    let inputs = S::decode_inputs(&after.inputs)?;
    let (mut again, mut log) = (initial_state.clone(), TickLog::states());
    let _ = again.tick_logged(&inputs, &mut TickReport::default(), &mut log); // as when it was confirmed
    let is_reproduced = encoded(&again) == after.state;
    if !is_reproduced {
        log = decode_log(&after.layer).unwrap_or_default();
    }
    let bytes = record(&initial_state, &inputs, &confirmed, &log)
        .or_else(|_| record(&initial_state, &inputs, &confirmed, &TickLog::off())) // more phases than a layer has
        .map_err(|error| PeerError::Unwritable(error.to_string()))?;
    Ok(Report { bytes, is_reproduced })
}

fn record<S: Simulation>(
    initial_state: &S,
    inputs: &[S::Input],
    after: &S,
    log: &TickLog,
) -> std::io::Result<Vec<u8>> {
    let mut recorder = Recorder::with_keyframes(Vec::new(), initial_state, 1)?;
    recorder.tick_logged(inputs, after, log)?;
    recorder.finish()
}

pub(super) fn encoded<S: Simulation>(state: &S) -> Vec<u8> {
    let mut bytes = Vec::new();
    state.encode_into(&mut bytes);
    bytes
}
