//! What a side is told beside its ticks.

use std::fmt;

use bitstep::peer;

/// Something that happened to a match. It never changes a state.
#[derive(Clone, PartialEq, Debug)]
pub enum MatchEvent<A> {
    /// Another side has answered so many of the round trips with which a match begins.
    Synchronizing {
        /// The other side.
        with: A,
        /// The number of round trips.
        count: u32,
        /// The number needed.
        total: u32,
    },
    /// Another side is ready.
    Synchronized {
        /// The other side.
        with: A,
    },
    /// Another side has said nothing for a quarter of the patience.
    Interrupted {
        /// The other side.
        with: A,
    },
    /// Another side is heard again.
    Resumed {
        /// The other side.
        with: A,
    },
    /// Another side has left. Where others stay the match goes on, with the default input for its players.
    Left {
        /// The other side.
        with: A,
    },
    /// Another side has been silent for too long, here or for another side, and is dropped as if it had left.
    Vanished {
        /// The other side.
        with: A,
    },
    /// A finding of the comparison with another side: that ticks are compared, a desync, its reports.
    Compared {
        /// The other side.
        with: A,
        /// The finding.
        finding: peer::Event,
    },
}

impl<A: fmt::Debug> fmt::Display for MatchEvent<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Synchronizing { with, count, total } => {
                write!(f, "{with:?}: synchronizing, {count} of {total}")
            }
            Self::Synchronized { with } => write!(f, "{with:?}: ready"),
            Self::Interrupted { with } => write!(f, "{with:?}: silent"),
            Self::Resumed { with } => write!(f, "{with:?}: heard again"),
            Self::Left { with } => write!(f, "{with:?}: has left"),
            Self::Vanished { with } => write!(f, "{with:?}: dropped, silent for too long"),
            Self::Compared { with, finding } => write!(f, "{with:?}: {finding}"),
        }
    }
}
