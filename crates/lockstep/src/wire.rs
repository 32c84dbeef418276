//! The messages between clients and a relay, as bytes with a check.
//!
//! A message is a check of four bytes and a content of at most [`CONTENT_BYTES_MAX`]; one of a client of at most
//! [`CLIENT_BYTES_MAX`]. A content that does not fit its check, is no
//! [`Frame`], or has a part beyond its limit, ends the connection that it came over. A list in it that claims to be long takes
//! one mebibyte at first. The check keeps accidents out, not an opponent: a game over the internet takes a link that
//! authenticates.

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    GameId, Terms,
    terms::{NAME_BYTES_MAX, OPTIONS_BYTES_MAX, PLAYERS_MAX},
};

/// The version of the protocol; others are refused.
pub const PROTOCOL: u16 = 1;
/// Largest size of the content of a message: a turn with the orders of all players fits.
pub const CONTENT_BYTES_MAX: usize = (PLAYERS_MAX as usize + 1) * (ORDER_BYTES_MAX + 32);
/// Largest size of a message of a client.
pub const CLIENT_BYTES_MAX: usize = 64 << 10;
/// Size of the check in front of it.
pub const CHECK_BYTES: usize = 4;
/// Largest size of a message.
pub const MESSAGE_BYTES_MAX: usize = CHECK_BYTES + CONTENT_BYTES_MAX;
/// Largest size of a player's orders of one turn.
pub const ORDER_BYTES_MAX: usize = 8 << 10;
/// Largest size of a piece of a state.
pub const PIECE_BYTES_MAX: usize = 32 << 10;
/// Largest size of a message of the comparison of ticks.
pub const COMPARE_BYTES_MAX: usize = 32 << 10;
/// Largest size of a reason.
pub const REASON_BYTES_MAX: usize = 200;
/// Largest size of a ticket.
pub const TICKET_BYTES_MAX: usize = 256;

/// A message. Those of clients are read in `relay/hub.rs`, those of the relay in `client/frames.rs`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Frame {
    /// A client: a player comes.
    Join {
        /// [`PROTOCOL`].
        protocol: u16,
        /// The game.
        game: GameId,
        /// The seat, from 0; `None` for any.
        seat: Option<u8>,
        /// The ticket for a seat, of a relay that asks for one.
        #[serde(with = "serde_bytes")]
        ticket: Vec<u8>,
    },
    /// A client: the player's orders for a turn.
    Orders {
        /// The turn.
        turn: u64,
        /// The orders; the relay does not read them.
        #[serde(with = "serde_bytes")]
        orders: Vec<u8>,
    },
    /// A message about compared ticks, to a seat or from one.
    Compare {
        /// To the relay: the receiver. From it: the sender.
        seat: u8,
        /// The first tick that the two compare: a player that has left and returned is compared from a later one.
        since: u64,
        /// The message of the library's `peer` room.
        #[serde(with = "serde_bytes")]
        message: Vec<u8>,
    },
    /// The relay: another player needs the state; send it.
    Give {
        /// The number of this transfer.
        transfer: u32,
    },
    /// A piece of a state.
    Piece(Piece),
    /// A client: all turns that it was sent are played.
    Ready {
        /// The last tick played.
        tick: u64,
    },
    /// A client: the state here is wrong, or the one that was sent is none; send another one.
    Resync,
    /// A client: the match is over here.
    Done {
        /// True if every tick was the same on all machines.
        is_well: bool,
    },
    /// The relay: these are the terms.
    Begin {
        /// The terms of the match.
        terms: Terms,
        /// The seat of the receiver.
        seat: u8,
        /// The players of the first turn; empty for a late one.
        seats: Vec<u8>,
        /// True if a state will follow; else it is the first state of the game.
        has_state: bool,
        /// The number of this joining: an earlier joining of the same player may still be in the turns that are sent again.
        coming: u32,
    },
    /// The relay: a turn.
    Turn(Turn),
    /// The relay: all players wait for this seat.
    Waiting {
        /// The seat.
        seat: u8,
        /// The turn whose orders are missing.
        turn: u64,
    },
    /// The relay: it is over, all are done.
    End,
    /// The reason why the connection ends.
    Refused {
        /// The reason in words.
        reason: String,
    },
    /// The relay: no other player has a state; go on with the one that was given up.
    Keep,
}

/// A piece of a state on its way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// The number of the transfer.
    pub transfer: u32,
    /// The tick of the state.
    pub tick: u64,
    /// Index of the piece, from 0.
    pub index: u32,
    /// Number of pieces.
    pub count: u32,
    /// The content.
    #[serde(with = "serde_bytes")]
    pub content: Vec<u8>,
}

/// A turn: all orders for one tick, and the players that come and go.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Turn {
    /// The number of the tick.
    pub number: u64,
    /// The orders by seat, in the order of the seats.
    pub orders: Vec<(u8, Vec<u8>)>,
    /// The players that have left: nothing comes from these seats any more.
    pub left: Vec<u8>,
    /// The players that have come, with the number of the joining. They give orders from the turn behind the delay on, and are
    /// compared from the state after this tick.
    pub joined: Vec<(u8, u32)>,
    /// All players that are here, of a turn in which one has come; else empty.
    pub present: Vec<u8>,
}

/// Error: bytes are no message.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WireError {
    /// The message is longer than any.
    #[error("a message of {0} bytes, at most {MESSAGE_BYTES_MAX}")]
    TooLong(u64),
    /// The content does not fit its check.
    #[error("a message that does not fit its check")]
    Damaged,
    /// There is no such frame, or a part of it is beyond its limit.
    #[error("no message of this protocol")]
    Malformed,
}

const fn layout() -> Configuration<LittleEndian, Fixint, Limit<CONTENT_BYTES_MAX>> {
    bincode::config::legacy().with_limit::<CONTENT_BYTES_MAX>()
}

impl Turn {
    /// True if all seats are of a match of so many players, and no orders are longer than their limit.
    pub(crate) fn is_of(&self, players: u8) -> bool {
        let orders = self.orders.iter().map(|(seat, _)| seat);
        let mut seats =
            orders.chain(&self.left).chain(self.joined.iter().map(|(seat, _)| seat)).chain(&self.present);
        seats.all(|&seat| seat < players)
            && self.orders.iter().all(|(_, orders)| orders.len() <= ORDER_BYTES_MAX)
    }
}

impl Frame {
    /// The bytes of the message.
    ///
    /// # Panics
    ///
    /// Never: a frame is numbers and bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let content = bincode::serde::encode_to_vec(self, bincode::config::legacy())
            .expect("a frame is numbers and bytes");
        sealed(&content)
    }

    /// The frame of a message.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn decode(message: &[u8]) -> Result<Self, WireError> {
        if message.len() > MESSAGE_BYTES_MAX {
            return Err(WireError::TooLong(message.len() as u64));
        }
        let (sum, content) = message.split_at_checked(CHECK_BYTES).ok_or(WireError::Damaged)?;
        if sum != check(content) {
            return Err(WireError::Damaged);
        }
        let (frame, used): (Self, usize) =
            bincode::serde::decode_from_slice(content, layout()).map_err(|_| WireError::Malformed)?;
        let is_whole = used == content.len() && frame.is_within_limits();
        is_whole.then_some(frame).ok_or(WireError::Malformed)
    }

    /// The frame that ends a connection, with a reason of any length.
    #[must_use]
    pub fn refused(reason: &str) -> Self {
        let mut end = reason.len().min(REASON_BYTES_MAX);
        while !reason.is_char_boundary(end) {
            end -= 1;
        }
        Self::Refused { reason: reason[..end].to_owned() }
    }

    /// True if no part is longer than its limit.
    fn is_within_limits(&self) -> bool {
        let is_name = |game: &GameId| game.name.len() <= NAME_BYTES_MAX;
        match self {
            Self::Join { game, ticket, .. } => is_name(game) && ticket.len() <= TICKET_BYTES_MAX,
            Self::Begin { terms, .. } => is_name(&terms.game) && terms.options.len() <= OPTIONS_BYTES_MAX,
            Self::Orders { orders, .. } => orders.len() <= ORDER_BYTES_MAX,
            Self::Compare { message, .. } => message.len() <= COMPARE_BYTES_MAX,
            Self::Piece(piece) => piece.content.len() <= PIECE_BYTES_MAX && piece.index < piece.count,
            Self::Refused { reason } => reason.len() <= REASON_BYTES_MAX,
            Self::Turn(turn) => turn.orders.iter().all(|(_, orders)| orders.len() <= ORDER_BYTES_MAX),
            Self::Give { .. }
            | Self::Ready { .. }
            | Self::Resync
            | Self::Done { .. }
            | Self::Waiting { .. }
            | Self::Keep
            | Self::End => true,
        }
    }
}

/// The message of a content: the content behind its check.
#[must_use]
pub fn sealed(content: &[u8]) -> Vec<u8> {
    [&check(content), content].concat()
}

fn check(content: &[u8]) -> [u8; CHECK_BYTES] {
    (xxh3_64(content) as u32).to_le_bytes()
}
