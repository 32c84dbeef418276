//! Two desync reports, compared.

use crate::{
    replay::{Comparison, ReadError, Replay, compare},
    session::Simulation,
    snapshot::RULES_VERSION,
};

/// The reason why their report cannot be compared with ours.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReportError {
    /// There is no report here.
    #[error("there is no report here to compare with")]
    NoneHere,
    /// The bytes are no replay.
    #[error(transparent)]
    Replay(#[from] ReadError),
    /// It is a replay, but not of one tick in this scenery and with these limits and rules.
    #[error("not a report of this desync: {0}")]
    Other(&'static str),
}

/// Compares two reports for a tick, ours is the left.
///
/// Reports are replays, so this is what `diff` does. A tick is played again only from a state that both have
/// and with inputs that both had, so their report costs no more than ours.
///
/// # Errors
///
/// If one is not a report for this tick.
pub(super) fn judge<S: Simulation>(ours: &[u8], theirs: &[u8], tick: u64) -> Result<Comparison, ReportError> {
    let (ours, theirs) = (report::<S>(ours, tick)?, report::<S>(theirs, tick)?);
    if ours.scenery().content_hash() != theirs.scenery().content_hash() {
        return Err(ReportError::Other("another scenery"));
    }
    if ours.opening().world().limits() != theirs.opening().world().limits() {
        return Err(ReportError::Other("other limits"));
    }
    Ok(compare(&ours, &theirs))
}

/// Reads a report: a replay of one tick with the state after it.
fn report<S: Simulation>(bytes: &[u8], tick: u64) -> Result<Replay<S>, ReportError> {
    let replay = Replay::<S>::read(bytes)?;
    if replay.rules_version() != RULES_VERSION {
        return Err(ReportError::Other("other rules"));
    }
    let ([_], [_]) = (replay.ticks(), replay.keyframes()) else {
        return Err(ReportError::Other("not one tick and the state after it"));
    };
    if replay.opening().tick_count() + 1 != tick {
        return Err(ReportError::Other("another tick"));
    }
    Ok(replay)
}
