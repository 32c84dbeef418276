//! The findings of a peer, and the errors of its own game.

use std::fmt;

use super::{judge::ReportError, report::NoReport};
use crate::{replay::Comparison, snapshot::Difference};

/// A finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The other said hello with the same terms: ticks are compared from here on.
    Connected,
    /// The other speaks another version of the protocol.
    OtherProtocol {
        /// The version here.
        ours: u8,
        /// The other's version.
        theirs: u8,
    },
    /// The other plays something else: nothing is compared with it.
    OtherTerms {
        /// Every field that differs, ours first.
        differences: Vec<Difference>,
    },
    /// A confirmed tick came out differently, and all ticks before it are equal.
    Desync {
        /// The tick.
        tick: u64,
        /// Our desync report: a replay of this tick.
        report: Vec<u8>,
        /// True if the tick, played again here, gives the state that was confirmed here.
        is_reproduced: bool,
    },
    /// A confirmed tick came out differently, and there is no desync report here.
    DesyncWithoutReport {
        /// The first tick that is known to differ.
        tick: u64,
        /// The reason why there is no report.
        reason: NoReport,
    },
    /// The other's report has arrived.
    RemoteReport {
        /// The other's report; a replay if `comparison` says so.
        theirs: Vec<u8>,
        /// The differences of the two reports, ours first.
        comparison: Result<Box<Comparison>, ReportError>,
    },
    /// The other's report will not come.
    NoRemoteReport {
        /// The reason.
        reason: NoRemoteReport,
    },
}

impl fmt::Display for Event {
    /// In one line, without the desync reports.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connected => f.write_str("connected"),
            Self::OtherProtocol { ours, theirs } => {
                write!(f, "the other speaks protocol {theirs}, this is {ours}")
            }
            Self::OtherTerms { differences } => {
                f.write_str("the other plays something else")?;
                differences.iter().take(1).try_for_each(|first| write!(f, ": {first}"))
            }
            Self::Desync { tick, is_reproduced: true, .. } => write!(f, "desync in tick {tick}"),
            Self::Desync { tick, is_reproduced: false, .. } => {
                write!(f, "desync in tick {tick}, which does not come out here again")
            }
            Self::DesyncWithoutReport { tick, reason } => write!(f, "desync in tick {tick}: {reason}"),
            Self::RemoteReport { comparison: Ok(comparison), .. } => {
                write!(f, "the other's report is here: {}", comparison.judgement)
            }
            Self::RemoteReport { comparison: Err(bad), .. } => write!(f, "the other's report is here: {bad}"),
            Self::NoRemoteReport { reason } => write!(f, "no report of the other: {reason}"),
        }
    }
}

/// The reason why there is no report of the other.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoRemoteReport {
    /// The other has none, or one that is larger than it may send.
    #[error("the other peer has no report")]
    None,
    /// It is larger than the limit here.
    #[error("the other peer's report is larger than is taken here")]
    TooLarge,
}

/// A tick that cannot be confirmed.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConfirmError {
    /// Ticks are confirmed in their order, each once.
    #[error("tick {found} is confirmed, it is the turn of tick {expected}")]
    Order {
        /// The tick that is to be confirmed next.
        expected: u64,
        /// The tick of the state given.
        found: u64,
    },
    /// The log is of another tick than the state.
    #[error("the log of tick {found} is given with tick {expected}")]
    Log {
        /// The tick of the state.
        expected: u64,
        /// The tick of the log.
        found: u64,
    },
    /// A match has fewer than 2^31 ticks.
    #[error("tick {0} is 2^31 ticks after the opening or later")]
    TooLate(u64),
}
