//! Frames: messages over the sockets, as bytes with a check.
//!
//! A frame is a length of four bytes, a check of four bytes, and a content. A reader takes no memory for more
//! than [`FRAME_BYTES_MAX`], whatever the length claims, and at first one mebibyte for a list in it that
//! claims to be long. A content that does not fit its check, or is no frame, ends the connection with a
//! reason. The check keeps accidents out, not an opponent: a game over the internet takes a link that
//! authenticates.

use std::{
    fmt,
    io::{self, Read, Write},
};

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::transfer::Terms;

/// The version of the protocol; others are refused.
pub const PROTOCOL: u16 = 1;
/// Largest size of a frame behind its head.
pub const FRAME_BYTES_MAX: usize = 64 << 10;
/// Largest size of a player's orders of one turn.
pub const ORDER_BYTES_MAX: usize = 8 << 10;
/// Largest size of a piece of a state.
pub const PIECE_BYTES_MAX: usize = 32 << 10;
/// Largest size of a message of the comparison of ticks.
pub const COMPARE_BYTES_MAX: usize = 32 << 10;
/// Largest size of a reason.
pub const REASON_BYTES_MAX: usize = 200;
/// Length and check.
pub const HEAD_BYTES: usize = 8;

/// A message. The frames of peers are in `relay/hub.rs`, those of the relay in `peer/mod.rs`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Frame {
    /// A peer: I want to play, on this seat if I may choose.
    Join {
        /// [`PROTOCOL`].
        protocol: u16,
        /// The seat, from 0.
        seat: Option<u8>,
    },
    /// A peer: my orders for a turn.
    Orders {
        /// The turn.
        turn: u64,
        /// The orders; the relay does not read them.
        orders: Vec<u8>,
    },
    /// A message about compared ticks, to a seat or from one.
    Compare {
        /// To the relay: the receiver. From it: the sender.
        seat: u8,
        /// The first tick that the two compare: a player who has left and returned is compared from a later
        /// one.
        since: u64,
        /// The message of the library's `peer` room.
        message: Vec<u8>,
    },
    /// The relay: a player needs the state; send it.
    Give {
        /// The number of this transfer.
        transfer: u32,
    },
    /// A piece of a state.
    Piece(Piece),
    /// A peer: I have played all turns that I was sent.
    Ready {
        /// The last tick played.
        tick: u64,
    },
    /// A peer: my state is wrong; send me another one.
    Resync,
    /// A peer: I am done.
    Done {
        /// True if every tick was the same on all machines.
        is_well: bool,
    },
    /// The relay: these are the terms.
    Begin {
        /// The terms of the match.
        terms: Terms,
        /// Your seat.
        seat: u8,
        /// The players of the first turn; empty for a late one.
        seats: Vec<u8>,
        /// True if a state will follow; else it is the initial state of the terms.
        has_state: bool,
        /// The number of this joining: an earlier joining of the same player may still be in the turns that
        /// are sent again.
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
    pub content: Vec<u8>,
}

/// A turn: all orders for one tick, and the players who come and go.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Turn {
    /// The number of the tick.
    pub number: u64,
    /// The orders by seat, in the order of the seats.
    pub orders: Vec<(u8, Vec<u8>)>,
    /// The players who have left: nothing comes from these seats any more.
    pub left: Vec<u8>,
    /// The players who have come, with the number of the joining. They give orders from the turn behind the
    /// delay on, and are compared from the state after this tick.
    pub joined: Vec<(u8, u32)>,
    /// Where a player has come: all players who are here then.
    pub present: Vec<u8>,
}

/// Error: bytes are not a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rubbish {
    /// The length is beyond the limit.
    TooLong(u32),
    /// The content does not fit its check.
    Damaged,
    /// There is no such frame, or a part of it is beyond its limit.
    Malformed,
}

impl fmt::Display for Rubbish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(length) => write!(f, "a frame of {length} bytes, at most {FRAME_BYTES_MAX}"),
            Self::Damaged => f.write_str("a frame that does not fit its check"),
            Self::Malformed => f.write_str("no frame of this protocol"),
        }
    }
}

const fn layout() -> Configuration<LittleEndian, Fixint, Limit<FRAME_BYTES_MAX>> {
    bincode::config::legacy().with_limit::<FRAME_BYTES_MAX>()
}

impl Frame {
    /// The bytes of the frame, head included.
    ///
    /// # Panics
    ///
    /// Never: a frame is numbers and bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let content = bincode::serde::encode_to_vec(self, bincode::config::legacy())
            .expect("a frame is numbers and bytes");
        seal(&content)
    }

    /// The frame of a content whose check holds.
    ///
    /// # Errors
    ///
    /// If it is not a frame.
    pub fn decode(content: &[u8]) -> Result<Self, Rubbish> {
        let (frame, used): (Self, usize) =
            bincode::serde::decode_from_slice(content, layout()).map_err(|_| Rubbish::Malformed)?;
        let is_whole = used == content.len() && frame.is_within_limits();
        is_whole.then_some(frame).ok_or(Rubbish::Malformed)
    }

    /// True if no part is longer than its limit.
    fn is_within_limits(&self) -> bool {
        match self {
            Self::Orders { orders, .. } => orders.len() <= ORDER_BYTES_MAX,
            Self::Compare { message, .. } => message.len() <= COMPARE_BYTES_MAX,
            Self::Piece(piece) => piece.content.len() <= PIECE_BYTES_MAX && piece.index < piece.count,
            Self::Refused { reason } => reason.len() <= REASON_BYTES_MAX,
            Self::Turn(turn) => turn.orders.iter().all(|(_, orders)| orders.len() <= ORDER_BYTES_MAX),
            _ => true,
        }
    }
}

/// A content with its head.
#[must_use]
pub fn seal(content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD_BYTES + content.len());
    bytes.extend((content.len() as u32).to_le_bytes());
    bytes.extend(check(content));
    bytes.extend(content);
    bytes
}

fn check(content: &[u8]) -> [u8; 4] {
    (xxh3_64(content) as u32).to_le_bytes()
}

/// Reads one frame; `Ok(None)` where the other side has ended the connection between two frames.
///
/// # Errors
///
/// All errors of the system; bytes that are no frame are [`io::ErrorKind::InvalidData`], with the reason.
pub fn read_frame(from: &mut impl Read) -> io::Result<Option<Frame>> {
    let mut head = [0; HEAD_BYTES];
    let mut filled = 0;
    while filled < HEAD_BYTES {
        match from.read(&mut head[filled..]) {
            Ok(0) if filled == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let [a, b, c, d, sum @ ..] = head;
    let length = u32::from_le_bytes([a, b, c, d]);
    if length as usize > FRAME_BYTES_MAX {
        return Err(invalid(Rubbish::TooLong(length)));
    }
    let mut content = vec![0; length as usize];
    from.read_exact(&mut content)?;
    if check(&content) != sum {
        return Err(invalid(Rubbish::Damaged));
    }
    Frame::decode(&content).map(Some).map_err(invalid)
}

fn invalid(rubbish: Rubbish) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, rubbish.to_string())
}

/// Writes one frame.
///
/// # Errors
///
/// All errors of the system.
pub fn write_frame(to: &mut impl Write, frame: &Frame) -> io::Result<()> {
    to.write_all(&frame.encode())?;
    to.flush()
}

/// A reason that fits into a frame.
#[must_use]
pub fn refusal(reason: &str) -> Frame {
    let mut end = reason.len().min(REASON_BYTES_MAX);
    while !reason.is_char_boundary(end) {
        end -= 1;
    }
    Frame::Refused { reason: reason[..end].to_owned() }
}
