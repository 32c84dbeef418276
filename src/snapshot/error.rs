//! The errors of snapshots, of commands as bytes, and of walking a state.

use super::{FORMAT_VERSION, RULES_VERSION};
use crate::state::StateError;

/// The reason why bytes are no snapshot of a world in a scenery or no commands, or why a state cannot be saved.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The bytes do not begin as a snapshot does.
    #[error("not a bitstep snapshot")]
    NotASnapshot,
    /// The layout is of another version.
    #[error("snapshot format {found}, this build reads {FORMAT_VERSION}")]
    Format {
        /// The version in the bytes.
        found: u16,
    },
    /// The state was written under rules that this build does not have yet.
    #[error("snapshot of rules version {found}, this build has {RULES_VERSION}: take a newer build")]
    NewerRules {
        /// The version in the bytes.
        found: u32,
    },
    /// The state is of a session, not of a world alone.
    #[error("a snapshot with a game in it, not of a world alone: its own program reads it")]
    HasAGame,
    /// The state is of another game.
    #[error("snapshot of the game `{found}`, this is `{here}`")]
    OtherGame {
        /// The name in the bytes.
        found: String,
        /// The name of the game here.
        here: String,
    },
    /// The state lives in another scenery.
    #[error("snapshot of scenery {found:032x}, but the scenery here is {here:032x}")]
    Scenery {
        /// The content hash in the bytes.
        found: u128,
        /// The content hash of the scenery given.
        here: u128,
    },
    /// The state's bytes are damaged.
    #[error("snapshot state: {0}")]
    Damaged(String),
    /// The state breaks a limit.
    #[error("snapshot state: {0}")]
    Refused(#[from] StateError),
    /// The state holds something that is not the same on every machine, such as a float.
    #[error("{path}: {reason}")]
    Unfit {
        /// The path of it, as in [`Field`](super::Field).
        path: String,
        /// Its kind.
        reason: String,
    },
    /// No command has this number.
    #[error("command number {0} is unknown to this build")]
    UnknownCommand(u8),
    /// The fields of a command do not fit its number.
    #[error("command number {number}: {reason}")]
    Command {
        /// The command's number.
        number: u8,
        /// The reason.
        reason: String,
    },
    /// The bytes end inside a command.
    #[error("the bytes end inside a command")]
    CommandCutShort,
}
