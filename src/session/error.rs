//! The errors of sessions, their inputs, and rings of states.

use crate::snapshot::SnapshotError;

/// The reason why a game cannot be in a session, inputs cannot be read, a ring cannot be made, or does not have a state.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SessionError {
    /// The game's state holds something that is not the same on every machine.
    #[error(transparent)]
    State(#[from] SnapshotError),
    /// The encoding of the game's state cannot be read back: serde skips a field on one way only, say, or the
    /// type asks the file for its content, as tagged enums do.
    #[error("game: its saved state cannot be read: {0}")]
    Unreadable(String),
    /// The game's name is too long: its length in bytes.
    #[error("the game's name has {0} bytes, at most 255")]
    Name(u64),
    /// Bytes are no commands of a world.
    #[error("inputs: {0}")]
    Commands(SnapshotError),
    /// Bytes are no inputs of a game.
    #[error("inputs: {0}")]
    Inputs(String),
    /// A ring is to keep no state.
    #[error("capacity is 0, must be at least 1")]
    NoCapacity,
    /// A ring has no state yet.
    #[error("tick {tick} is not kept: nothing is")]
    EmptyRing {
        /// The tick that was requested.
        tick: u64,
    },
    /// A ring has other states.
    #[error("tick {tick} is not kept: the ring has states from tick {oldest} to tick {newest}")]
    NotKept {
        /// The tick that was requested.
        tick: u64,
        /// The first tick that is kept.
        oldest: u64,
        /// The last tick that is kept.
        newest: u64,
    },
}
