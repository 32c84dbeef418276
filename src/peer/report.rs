//! Our desync report: a replay of one tick.

use std::sync::Arc;

use super::kept::Moment;
use crate::{
    replay::{Recorder, decode_log},
    session::{InputError, Simulation, TickLog},
    snapshot::SnapshotError,
    state::Scenery,
    tick::TickReport,
};

/// The reason why there is no report of a tick.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoReport {
    /// The states before and after the first bad tick have been discarded, or that tick is not known.
    #[error("the first bad tick is older than what is kept")]
    TooOld,
    /// A state that was saved here cannot be restored here: its game does not read what it writes.
    #[error("a state of this peer cannot be read again: {0}")]
    Unreadable(SnapshotError),
    /// The inputs of the tick cannot be read again.
    #[error("inputs of this peer cannot be read again: {0}")]
    Inputs(#[from] InputError),
    /// A report cannot be written: a part of it has 2^32 bytes or more.
    #[error("a report cannot be written: {0}")]
    Unwritable(String),
}

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
) -> Result<Report, NoReport> {
    let opening = S::decode(&before.state, scenery).map_err(NoReport::Unreadable)?;
    let confirmed = S::decode(&after.state, scenery).map_err(NoReport::Unreadable)?;
    let inputs = S::decode_inputs(&after.inputs)?;
    let (mut again, mut log) = (opening.clone(), TickLog::states());
    again.tick_logged(&inputs, &mut TickReport::default(), &mut log);
    let is_reproduced = encoded(&again) == after.state;
    if !is_reproduced {
        log = decode_log(&after.layer).unwrap_or_default();
    }
    let bytes = record(&opening, &inputs, &confirmed, &log)
        .or_else(|_| record(&opening, &inputs, &confirmed, &TickLog::off())) // more phases than a layer has
        .map_err(|error| NoReport::Unwritable(error.to_string()))?;
    Ok(Report { bytes, is_reproduced })
}

fn record<S: Simulation>(
    opening: &S,
    inputs: &[S::Input],
    after: &S,
    log: &TickLog,
) -> std::io::Result<Vec<u8>> {
    let mut recorder = Recorder::with_keyframes(Vec::new(), opening, 1)?;
    recorder.tick_logged(inputs, after, log)?;
    recorder.finish()
}

pub(super) fn encoded<S: Simulation>(state: &S) -> Vec<u8> {
    let mut bytes = Vec::new();
    state.encode_into(&mut bytes);
    bytes
}
