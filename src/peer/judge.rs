//! Two desync reports, compared.

use super::PeerError;
use crate::{
    replay::{Comparison, Replay, compare},
    session::Simulation,
    snapshot::RULES_VERSION,
};

/// Compares two reports for a tick, ours is the left.
///
/// Reports are replays, so this is what `diff` does. A tick is played again only from a state that both have
/// and with inputs that both had, so their report costs no more than ours.
///
/// # Errors
///
/// If one is not a report for this tick.
pub(super) fn judge<S: Simulation>(ours: &[u8], theirs: &[u8], tick: u64) -> Result<Comparison, PeerError> {
    let (ours, theirs) = (report::<S>(ours, tick)?, report::<S>(theirs, tick)?);
    if ours.scenery().content_hash() != theirs.scenery().content_hash() {
        return Err(PeerError::OtherReport("another scenery"));
    }
    if ours.initial_state().world().limits() != theirs.initial_state().world().limits() {
        return Err(PeerError::OtherReport("other limits"));
    }
    Ok(compare(&ours, &theirs))
}

/// Reads a report: a replay of one tick with the state after it.
fn report<S: Simulation>(bytes: &[u8], tick: u64) -> Result<Replay<S>, PeerError> {
    let replay = Replay::<S>::read(bytes).map_err(|error| PeerError::Report(Box::new(error)))?;
    if replay.rules_version() != RULES_VERSION {
        return Err(PeerError::OtherReport("other rules"));
    }
    let ([_], [_]) = (replay.ticks(), replay.keyframes()) else {
        return Err(PeerError::OtherReport("not one tick and the state after it"));
    };
    if replay.initial_state().tick_count() + 1 != tick {
        return Err(PeerError::OtherReport("another tick"));
    }
    Ok(replay)
}
