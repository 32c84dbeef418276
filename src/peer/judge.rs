//! Two halves of a bundle, compared.

use crate::{
    replay::{Comparison, ReadError, Replay, compare},
    session::Simulation,
    snapshot::RULES_VERSION,
};

/// The reason why their half cannot be compared with ours.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadHalf {
    /// There is no half here.
    #[error("there is no half here to compare with")]
    NoneHere,
    /// The bytes are no replay.
    #[error(transparent)]
    Replay(#[from] ReadError),
    /// It is a replay, but not of one tick in this scenery and with these limits and rules.
    #[error("not a half of this bundle: {0}")]
    Other(&'static str),
}

/// Compares two halves for a tick, ours is the left.
///
/// Halves are replays, so this is what `diff` does. A tick is played again only from a state that both have
/// and with inputs that both had, so their half costs no more than ours.
///
/// # Errors
///
/// If one is not a half for this tick.
pub(super) fn judge<S: Simulation>(ours: &[u8], theirs: &[u8], tick: u64) -> Result<Comparison, BadHalf> {
    let (ours, theirs) = (half::<S>(ours, tick)?, half::<S>(theirs, tick)?);
    if ours.scenery().content_hash() != theirs.scenery().content_hash() {
        return Err(BadHalf::Other("another scenery"));
    }
    if ours.opening().world().limits() != theirs.opening().world().limits() {
        return Err(BadHalf::Other("other limits"));
    }
    Ok(compare(&ours, &theirs))
}

/// Reads a half: a replay of one tick with the state after it.
fn half<S: Simulation>(bytes: &[u8], tick: u64) -> Result<Replay<S>, BadHalf> {
    let replay = Replay::<S>::read(bytes)?;
    if replay.rules_version() != RULES_VERSION {
        return Err(BadHalf::Other("other rules"));
    }
    let ([_], [_]) = (replay.ticks(), replay.keyframes()) else {
        return Err(BadHalf::Other("not one tick and the state after it"));
    };
    if replay.opening().tick_count() + 1 != tick {
        return Err(BadHalf::Other("another tick"));
    }
    Ok(replay)
}
