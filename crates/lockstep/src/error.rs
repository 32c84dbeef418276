//! The errors of a client.

use std::io;

use bitstep::peer::PeerError;

/// The reason why a client cannot go on. What others do is no error: it [ends](crate::Ending) the match.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum LockstepError {
    /// The recording cannot be written.
    #[error("recording: {0}")]
    Recording(#[from] io::Error),
    /// The comparison refuses a tick, which it does not if every tick comes in its order.
    #[error(transparent)]
    Peer(#[from] PeerError),
}
