//! The errors of peers.

use super::message::{DATAGRAM_BYTES_MAX, PROTOCOL_VERSION};
use crate::{replay::ReplayError, session::SessionError, snapshot::SnapshotError};

/// The reason why a setting, a tick, a message or a desync report is refused or missing.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PeerError {
    /// A setting is out of range.
    #[error("{field} is {value}, must be in {low}..={high}")]
    Setting {
        /// Name of the setting.
        field: &'static str,
        /// Value given.
        value: u32,
        /// The least value accepted.
        low: u32,
        /// The greatest value accepted.
        high: u32,
    },

    /// Ticks are confirmed in their order, each once.
    #[error("tick {found} is confirmed, it is the turn of tick {expected}")]
    Order {
        /// The tick that is to be confirmed next.
        expected: u64,
        /// The tick of the state given.
        found: u64,
    },
    /// The log is of another tick than the state that is confirmed.
    #[error("the log of tick {found} is given with tick {expected}")]
    Log {
        /// The tick of the state.
        expected: u64,
        /// The tick of the log.
        found: u64,
    },
    /// A match has fewer than 2^31 ticks.
    #[error("tick {0} is 2^31 ticks after the initial state or later")]
    TooLate(u64),

    /// The bytes do not begin as a message does, or are too few.
    #[error("not a message between peers")]
    NotAMessage,
    /// The message is longer than a datagram.
    #[error("a message of {bytes} bytes, at most {DATAGRAM_BYTES_MAX}")]
    TooLong {
        /// Its size.
        bytes: u64,
    },
    /// The sender of a message speaks another version of the protocol.
    #[error("protocol {theirs}, this build speaks {PROTOCOL_VERSION}")]
    Protocol {
        /// The version in the message.
        theirs: u8,
    },
    /// The content of a message does not fit the check: damaged on its way, or of another session.
    #[error("damaged, or of another session")]
    Damaged,
    /// There is no such kind of message, or its content is not of this kind.
    #[error("message kind {kind} is unknown or malformed")]
    Malformed {
        /// The kind's number.
        kind: u8,
    },
    /// The handshake of a message's sender differs.
    #[error("the hello of a peer with another handshake")]
    HandshakeMismatch,
    /// A message came before a hello with the same handshake.
    #[error("came before the hello")]
    Early,
    /// A message is about a tick far ahead of the confirmed ones here, or about one that was not told.
    #[error("about tick {tick}, which is too far ahead")]
    Ahead {
        /// The tick.
        tick: u64,
    },
    /// A message contradicts an earlier one about a tick.
    #[error("contradicts what was said about tick {tick}")]
    Contradicts {
        /// The tick.
        tick: u64,
    },
    /// A message belongs to an exchange that is not open here.
    #[error("nothing is exchanged for tick {tick}")]
    Unasked {
        /// The tick.
        tick: u64,
    },

    /// There is no report here: the states before and after the first bad tick have been discarded, or that
    /// tick is not known.
    #[error("the first bad tick is older than any that is kept")]
    TooOld,
    /// There is no report here: a state that was saved here cannot be restored here, as its game does not read
    /// what it writes.
    #[error("a state of this peer cannot be read again: {0}")]
    Unreadable(SnapshotError),
    /// There is no report here: the inputs of the tick cannot be read again.
    #[error("inputs of this peer cannot be read again: {0}")]
    Inputs(#[from] SessionError),
    /// There is no report here: a part of it has 2^32 bytes or more.
    #[error("a report cannot be written: {0}")]
    Unwritable(String),
    /// There is no report of the other, or one that is larger than it may send.
    #[error("the other peer has no report")]
    NoRemoteReport,
    /// The other's report is larger than the limit here.
    #[error("the other peer's report is larger than this peer accepts")]
    RemoteReportTooLarge,
    /// The other's report cannot be compared, as there is none here.
    #[error("there is no report here to compare with")]
    NoReport,
    /// The other's report is no replay.
    #[error(transparent)]
    Report(Box<ReplayError>),
    /// The other's report is a replay, but not of one tick in this scenery and with these limits and rules.
    #[error("not a report of this desync: {0}")]
    OtherReport(&'static str),
}
