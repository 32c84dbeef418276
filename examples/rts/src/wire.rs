//! Frames: what goes over the sockets, as bytes that show whether they are whole.
//!
//! A frame is a length of four bytes, a check of four bytes, and a content. Whoever reads one takes no memory for more than
//! [`FRAME_BYTES_MAX`], whatever the length claims, and for a list in it that claims to be long a mebibyte at first; what does not fit
//! its check, or is no frame, ends the connection with a reason. The check keeps accidents out, not an opponent: a game over the
//! internet takes a link that authenticates.

use std::{
    fmt,
    io::{self, Read, Write},
};

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::transfer::Terms;

/// The version of what is said here; others are refused.
pub const PROTOCOL: u16 = 1;
/// No frame has more bytes behind its head.
pub const FRAME_BYTES_MAX: usize = 64 << 10;
/// A player's orders of one turn have at most so many bytes.
pub const ORDER_BYTES_MAX: usize = 8 << 10;
/// A piece of a state has at most so many bytes.
pub const PIECE_BYTES_MAX: usize = 32 << 10;
/// A message of the comparison of ticks has at most so many bytes.
pub const COMPARE_BYTES_MAX: usize = 32 << 10;
/// A reason has at most so many bytes.
pub const REASON_BYTES_MAX: usize = 200;
/// Length and check.
pub const HEAD_BYTES: usize = 8;

/// What is said. Who says what is in `relay/hub.rs` for peers, and in `peer/mod.rs` for the relay.
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
        /// What the game makes of them is not the relay's business.
        orders: Vec<u8>,
    },
    /// A message about compared ticks, to a seat or from one.
    Compare {
        /// To the relay: for whom. From it: by whom.
        seat: u8,
        /// The tick from which on the two compare: who has left and come back is compared anew.
        since: u64,
        /// Of the library's `peer` room.
        message: Vec<u8>,
    },
    /// The relay: somebody needs the state; send it as it is.
    Give {
        /// The number of this transfer.
        transfer: u32,
    },
    /// A piece of a state.
    Piece(Piece),
    /// A peer: I have played all that I was sent.
    Ready {
        /// The last tick played.
        tick: u64,
    },
    /// A peer: my state is wrong; let me have another one.
    Resync,
    /// A peer: I am done.
    Done {
        /// True if every tick was the same everywhere.
        is_well: bool,
    },
    /// The relay: this is what we play.
    Begin {
        /// What is played.
        terms: Terms,
        /// Which seat you have.
        seat: u8,
        /// Who plays from the first turn on; empty for who comes later.
        seats: Vec<u8>,
        /// True if a state will come; else it is the opening of the terms.
        has_state: bool,
        /// The number of this coming: of who comes back, an earlier one may still be in the turns that are sent again.
        coming: u32,
    },
    /// The relay: a turn.
    Turn(Turn),
    /// The relay: everybody waits for this seat.
    Waiting {
        /// The seat.
        seat: u8,
        /// The turn that its orders are missing of.
        turn: u64,
    },
    /// The relay: it is over, all are done.
    End,
    /// Why the connection ends.
    Refused {
        /// In words.
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
    /// Which piece, from 0.
    pub index: u32,
    /// How many there are.
    pub count: u32,
    /// What it carries.
    pub content: Vec<u8>,
}

/// A turn: everybody's orders for one tick, and who comes and goes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Turn {
    /// The number of the tick.
    pub number: u64,
    /// The orders by seat, in the order of the seats.
    pub orders: Vec<(u8, Vec<u8>)>,
    /// Who is gone: nothing comes from these seats any more.
    pub left: Vec<u8>,
    /// Who has come, and the number of the coming: from the turn behind the delay on they order, and what this tick comes to is what
    /// they are compared from.
    pub joined: Vec<(u8, u32)>,
    /// Where somebody has come: all who are here then.
    pub present: Vec<u8>,
}

/// Why bytes are no frame.
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
    /// The bytes of it, head included.
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

    /// The frame of a content whose check was looked at.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn decode(content: &[u8]) -> Result<Self, Rubbish> {
        let (frame, used): (Self, usize) =
            bincode::serde::decode_from_slice(content, layout()).map_err(|_| Rubbish::Malformed)?;
        let is_whole = used == content.len() && frame.is_within_limits();
        is_whole.then_some(frame).ok_or(Rubbish::Malformed)
    }

    /// True if every part is as long as it may be.
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

/// Reads one frame; `Ok(None)` where the other has ended the connection between two frames.
///
/// # Errors
///
/// Whatever the system reports; bytes that are no frame are [`io::ErrorKind::InvalidData`], with the reason.
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
/// Whatever the system reports.
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
