//! The errors of replays, their indices and layers.

use std::fmt;

use super::format::{INDEX_FORMAT_VERSION, Kind, NoRecord, REPLAY_FORMAT_VERSION};
use crate::{
    session::SessionError,
    snapshot::{RULES_VERSION, SnapshotError},
    state::StateError,
};

/// The reason why bytes are no replay, index or layer, or why a replay cannot be verified, sought in or cut.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// Bytes are no replay, or damaged.
    #[error("{0}")]
    Replay(Damage),
    /// Bytes are no index of the recording, or damaged.
    #[error("{0}")]
    Index(Damage),
    /// Bytes are no trace layer, or a log cannot be one.
    #[error(transparent)]
    Layer(Fault),
    /// The replay was recorded under other rules, so its checksums need not match.
    #[error(
        "recorded under rules version {recorded}, this build has rules version {RULES_VERSION}: \
         verify it with a build of rules version {recorded}"
    )]
    OtherRules {
        /// The replay's rules version.
        recorded: u32,
    },
    /// A replay has no such tick.
    #[error("tick {tick} is beyond the end: the recording has {ticks}")]
    BeyondTheEnd {
        /// The tick that was requested.
        tick: u64,
        /// Number of ticks in the replay.
        ticks: u64,
    },
    /// A replay has no such ticks for a clip.
    #[error("ticks {from} to {to}: the recording has 1 to {ticks}")]
    Clip {
        /// The first tick that was requested.
        from: u64,
        /// The last.
        to: u64,
        /// Number of ticks in the recording.
        ticks: u64,
    },
    /// The state before a clip is not in the recording, and playing it again gives another.
    #[error(
        "the state after tick {tick} is not reproducible here: checksum {recorded:08x} recorded, {found:08x} found"
    )]
    NotReproducible {
        /// The tick before the first one.
        tick: u64,
        /// The low 32 bits of the checksum in the recording.
        recorded: u32,
        /// The low 32 bits of the checksum found.
        found: u32,
    },
}

impl ReplayError {
    /// The fault in the bytes of a replay or an index, and its place.
    #[must_use]
    pub const fn damage(&self) -> Option<&Damage> {
        match self {
            Self::Replay(damage) | Self::Index(damage) => Some(damage),
            _ => None,
        }
    }
}

/// The first fault in the bytes of a replay or an index, and its place.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The offset of the header or of the faulty record.
    pub at: u64,
    /// The fault there.
    pub fault: Fault,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.at, self.fault)
    }
}

/// A fault in the bytes of a replay, an index or a trace layer.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// The bytes do not begin as a replay does.
    #[error("not a bitstep replay")]
    NotAReplay,
    /// The bytes do not begin as an index does.
    #[error("not a bitstep index")]
    NotAnIndex,
    /// The layout of a replay is of another version.
    #[error("replay format {found}, this build reads {REPLAY_FORMAT_VERSION}")]
    Format {
        /// The version in the bytes.
        found: u16,
    },
    /// The layout of an index is of another version.
    #[error("index format {found}, this build reads {INDEX_FORMAT_VERSION}")]
    IndexFormat {
        /// The version in the bytes.
        found: u16,
    },
    /// The states of an index were reached under other rules.
    #[error("index of rules version {found}, this build has {RULES_VERSION}")]
    OtherRules {
        /// The version in the bytes.
        found: u32,
    },
    /// The index was made from another file.
    #[error("index of the recording {found:032x}, this is {here:032x}")]
    OtherRecording {
        /// The hash in the bytes.
        found: u128,
        /// The hash of the recording's bytes.
        here: u128,
    },
    /// The bytes of a replay end inside a record, or before the end record.
    #[error("the file ends here, after {ticks} whole ticks: it is cut short")]
    CutShort {
        /// Number of ticks before it.
        ticks: u64,
    },
    /// The bytes of an index end before the end record.
    #[error("the index ends here: it is cut short")]
    IndexCutShort,
    /// A record's content does not fit its check.
    #[error("record damaged, after {ticks} whole ticks")]
    Damaged {
        /// Number of ticks before it.
        ticks: u64,
    },
    /// A part of an index does not fit its check.
    #[error("damaged")]
    IndexDamaged,
    /// A record of a kind that this build does not know, or one in the wrong place.
    #[error("record kind {kind} {reason}")]
    Misplaced {
        /// The kind's number.
        kind: u8,
        /// The reason.
        reason: &'static str,
    },
    /// A part of an index is invalid.
    #[error("{0}")]
    IndexMisplaced(&'static str),
    /// The scenery is refused.
    #[error("scenery: {0}")]
    Scenery(#[from] StateError),
    /// A snapshot is refused.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The inputs of a tick cannot be read.
    #[error(transparent)]
    Inputs(#[from] SessionError),
    /// A trace layer is larger than it may be.
    #[error("trace layer: {value} {field}, at most {limit}")]
    LayerLimit {
        /// The name of the count.
        field: &'static str,
        /// The count.
        value: u64,
        /// The largest accepted count.
        limit: u64,
    },
    /// A trace layer cannot be read.
    #[error("trace layer: {0}")]
    Layer(String),
    /// The end record does not fit what came before it.
    #[error("the end record says {said} ticks, there are {found}")]
    Count {
        /// The number in the end record.
        said: u64,
        /// The number found.
        found: u64,
    },
}

impl Fault {
    pub(super) const fn no_record(reason: NoRecord, ticks: u64) -> Self {
        match reason {
            NoRecord::CutShort => Self::CutShort { ticks },
            NoRecord::Damaged => Self::Damaged { ticks },
        }
    }

    pub(super) const fn misplaced(kind: Kind, reason: &'static str) -> Self {
        Self::Misplaced { kind: kind as u8, reason }
    }
}
