//! The findings of a peer.

use std::fmt;

use super::PeerError;
use crate::{replay::Comparison, snapshot::Difference};

/// A finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The other said hello with the same handshake: ticks are compared from here on.
    Connected,
    /// The other speaks another version of the protocol.
    OtherProtocol {
        /// The version here.
        ours: u8,
        /// The other's version.
        theirs: u8,
    },
    /// The handshakes differ, so the other plays something else: nothing is compared with it.
    HandshakeMismatch {
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
        reason: PeerError,
    },
    /// The other's report has arrived.
    RemoteReport {
        /// The other's report; a replay if `comparison` says so.
        theirs: Vec<u8>,
        /// The differences of the two reports, ours first.
        comparison: Result<Box<Comparison>, PeerError>,
    },
    /// The other's report will not come.
    NoRemoteReport {
        /// The reason.
        reason: PeerError,
    },
}

impl fmt::Display for Event {
    /// Writes one line, without the desync reports.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connected => f.write_str("connected"),
            Self::OtherProtocol { ours, theirs } => {
                write!(f, "the other speaks protocol {theirs}, this is {ours}")
            }
            Self::HandshakeMismatch { differences } => {
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
