//! The possible faults in the bytes of a replay.

use super::{
    LayerError,
    format::{Kind, NoRecord, REPLAY_FORMAT_VERSION},
};
use crate::{session::InputError, snapshot::SnapshotError};

/// Error: bytes are not a replay, with the position of the fault.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {at}: {fault}")]
pub struct ReadError {
    /// The offset of the header or of the faulty record.
    pub at: u64,
    /// The fault there.
    pub fault: Fault,
}

/// A fault of a part of a replay.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// The bytes do not begin as a replay does.
    #[error("not a bitstep replay")]
    NotAReplay,
    /// The layout is of another version.
    #[error("replay format {found}, this build reads {REPLAY_FORMAT_VERSION}")]
    Format {
        /// The version in the bytes.
        found: u16,
    },
    /// The bytes end inside a record, or before the end record.
    #[error("the file ends here, after {ticks} whole ticks: it is cut short")]
    CutShort {
        /// Number of ticks before it.
        ticks: u64,
    },
    /// A record's content does not fit its check.
    #[error("record damaged, after {ticks} whole ticks")]
    Damaged {
        /// Number of ticks before it.
        ticks: u64,
    },
    /// A record of a kind that this build does not know, or one in the wrong place.
    #[error("record kind {kind} {reason}")]
    Misplaced {
        /// The kind's number.
        kind: u8,
        /// The reason.
        reason: &'static str,
    },
    /// The scenery is refused.
    #[error("scenery: {0}")]
    Scenery(String),
    /// A snapshot is refused.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The inputs of a tick cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The trace layer of a tick cannot be read.
    #[error(transparent)]
    Layer(#[from] LayerError),
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
