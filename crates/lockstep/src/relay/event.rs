//! What a relay tells its operator.

use std::fmt;

use crate::transport::Connection;

/// Something that happened at a relay. In words, players count from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RelayEvent {
    /// A player has come to a seat.
    Came {
        /// The seat, from 0.
        seat: u8,
    },
    /// The match begins.
    Began {
        /// Number of its players.
        players: usize,
        /// The tick before its first.
        tick: u64,
    },
    /// A player that came late takes part.
    In {
        /// The seat.
        seat: u8,
        /// The first turn.
        turn: u64,
    },
    /// A player gives up its state, and asks for another one.
    Resync {
        /// The seat.
        seat: u8,
    },
    /// All wait for a player.
    Waiting {
        /// The seat.
        seat: u8,
        /// The turn whose orders are missing.
        turn: u64,
    },
    /// A player is gone, and the seat is free.
    Gone {
        /// The seat.
        seat: u8,
        /// The reason.
        reason: String,
    },
    /// A player is done.
    Done {
        /// The seat.
        seat: u8,
        /// True if every tick was the same on all machines.
        is_well: bool,
    },
    /// A connection without a seat has ended.
    Turned {
        /// The connection.
        connection: Connection,
        /// The reason.
        reason: String,
    },
    /// Too few players have come in time: there is no match.
    TooFew,
    /// All players are gone.
    Empty,
    /// All players are done.
    Over,
}

impl fmt::Display for RelayEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = |seat: &u8| u32::from(*seat) + 1;
        match self {
            Self::Came { seat } => write!(f, "player {} has come", player(seat)),
            Self::Began { players, tick } => {
                write!(f, "the match begins with {players} players after tick {tick}")
            }
            Self::In { seat, turn } => write!(f, "player {} is in from turn {turn} on", player(seat)),
            Self::Resync { seat } => write!(f, "player {} asks for another state", player(seat)),
            Self::Waiting { seat, turn } => write!(f, "all wait for player {} in turn {turn}", player(seat)),
            Self::Gone { seat, reason } => write!(f, "player {} is gone: {reason}", player(seat)),
            Self::Done { seat, is_well: true } => write!(f, "player {} is done: all is well", player(seat)),
            Self::Done { seat, is_well: false } => write!(f, "player {} is done: desync", player(seat)),
            Self::Turned { connection, reason } => write!(f, "connection {connection} has ended: {reason}"),
            Self::TooFew => f.write_str("too few players have come"),
            Self::Empty => f.write_str("all players are gone"),
            Self::Over => f.write_str("the match is over"),
        }
    }
}
