//! A state on its way to another machine or another day: late join, reconnect, resync and save game.
//!
//! A [`Parcel`] holds the terms, a snapshot, and the pending turns behind it. Its bytes carry a checksum of
//! 128 bits; over a link they go in pieces, which an [`Assembly`] joins in bounded memory. The result is a
//! session that continues as the original, to the bit. Its player then plays the turns that have arrived
//! since, as fast as possible.

use std::{fmt, sync::Arc};

use bitstep::{
    session::{Session, Simulation},
    snapshot::{Checksum, SnapshotError},
    state::Scenery,
};
use serde::{Deserialize, Serialize};

use crate::{
    Rts,
    wire::{PIECE_BYTES_MAX, Piece, Turn},
};

/// Largest size of a parcel.
pub const PARCEL_BYTES_MAX: usize = 16 << 20;
/// The first bytes of a parcel, and its version.
const MAGIC: [u8; 8] = *b"bitrts\x01\0";
/// Magic and checksum.
const HEAD_BYTES: usize = 24;

/// The terms of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// A number of this match.
    pub session: u64,
    /// The seed of the game, and of the script that all play by.
    pub seed: u64,
    /// Number of seats.
    pub players: u8,
    /// Number of units that each player begins with.
    pub units: u16,
    /// Number of turns between an order and its tick.
    pub delay: u8,
    /// The tick after which the match ends.
    pub ticks: u64,
    /// Number of ticks played per second; 0 for as many as possible.
    pub rate: u32,
}

impl Terms {
    /// The terms, if a match can be played by them.
    ///
    /// # Errors
    ///
    /// Names the field, its value and its range.
    pub fn checked(self) -> Result<Self, String> {
        let ranges = [
            ("players", u64::from(self.players), 1, crate::PLAYERS_MAX.into()),
            ("units", self.units.into(), 1, u64::from(crate::UNITS_MAX) / u64::from(self.players.max(1))),
            ("delay", self.delay.into(), 1, 40),
            ("ticks", self.ticks, 1, 1 << 30),
            ("rate", self.rate.into(), 0, 1_000),
        ];
        match ranges.into_iter().find(|&(_, value, low, high)| value < low || value > high) {
            Some((field, value, low, high)) => Err(format!("{field} is {value}, must be in {low}..={high}")),
            None => Ok(self),
        }
    }
}

/// A state, and everything needed to continue from it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Parcel {
    /// The terms of the match.
    pub terms: Terms,
    /// The tick before the state.
    pub tick: u64,
    /// The pending turns: those right behind the tick, in order.
    pub turns: Vec<Turn>,
    /// The session's snapshot.
    pub snapshot: Vec<u8>,
}

/// Error: bytes are not a parcel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadParcel {
    /// They do not begin as a parcel.
    NotAParcel,
    /// The content does not fit its checksum.
    Damaged,
    /// A field has an invalid value.
    Field(String),
    /// The snapshot is not of this game.
    Snapshot(SnapshotError),
}

impl fmt::Display for BadParcel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAParcel => f.write_str("not a saved match"),
            Self::Damaged => f.write_str("a saved match that is damaged: it does not fit its checksum"),
            Self::Field(field) => write!(f, "a saved match that cannot be: {field}"),
            Self::Snapshot(error) => write!(f, "a saved match whose state cannot be read: {error}"),
        }
    }
}

impl std::error::Error for BadParcel {}

impl Parcel {
    /// The parcel of a state, with the pending turns.
    #[must_use]
    pub fn of(terms: Terms, state: &Session<Rts>, turns: Vec<Turn>) -> Self {
        let mut snapshot = Vec::new();
        state.encode_into(&mut snapshot);
        Self { terms, tick: state.tick_count(), turns, snapshot }
    }

    /// The bytes of the parcel.
    ///
    /// # Panics
    ///
    /// Never: a parcel is numbers and bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let content = bincode::serde::encode_to_vec(self, bincode::config::legacy())
            .expect("a parcel is numbers and bytes");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(Checksum::of(&content).0.to_le_bytes());
        bytes.extend(content);
        bytes
    }

    /// The parcel of such bytes.
    ///
    /// # Errors
    ///
    /// If they are not a parcel, or damaged, or a field is invalid. [`session`](Self::session) checks the
    /// snapshot.
    pub fn decode(bytes: &[u8]) -> Result<Self, BadParcel> {
        let (head, content) = bytes.split_at_checked(HEAD_BYTES).ok_or(BadParcel::NotAParcel)?;
        if head[..8] != MAGIC {
            return Err(BadParcel::NotAParcel);
        }
        if Checksum::of(content).0.to_le_bytes() != head[8..] {
            return Err(BadParcel::Damaged);
        }
        let layout = bincode::config::legacy().with_limit::<PARCEL_BYTES_MAX>();
        let (parcel, used): (Self, usize) = bincode::serde::decode_from_slice(content, layout)
            .map_err(|error| BadParcel::Field(error.to_string()))?;
        if used != content.len() {
            return Err(BadParcel::Field(format!("{} bytes too many", content.len() - used)));
        }
        let ticks = parcel.terms.checked().map_err(BadParcel::Field)?.ticks;
        if parcel.tick > ticks {
            return Err(BadParcel::Field(format!("tick is {}, must be in 0..={ticks}", parcel.tick)));
        }
        let is_in_order = (parcel.tick + 1..).zip(&parcel.turns).all(|(number, turn)| turn.number == number);
        let has_all = parcel.turns.len() <= usize::from(parcel.terms.delay);
        if !is_in_order || !has_all {
            return Err(BadParcel::Field("turns that do not follow the state".to_owned()));
        }
        Ok(parcel)
    }

    /// The session, in the scenery of this game.
    ///
    /// # Errors
    ///
    /// If the snapshot is not of this game, or of another tick than the parcel's.
    pub fn session(&self, scenery: &Arc<Scenery>) -> Result<Session<Rts>, BadParcel> {
        let session = Session::<Rts>::decode(&self.snapshot, scenery).map_err(BadParcel::Snapshot)?;
        if session.tick_count() != self.tick {
            return Err(BadParcel::Field(format!(
                "tick {} of a state of tick {}",
                self.tick,
                session.tick_count()
            )));
        }
        Ok(session)
    }
}

/// The pieces of a parcel's bytes.
pub fn pieces(transfer: u32, tick: u64, bytes: &[u8]) -> impl Iterator<Item = Piece> + '_ {
    let count = bytes.len().div_ceil(PIECE_BYTES_MAX).max(1) as u32;
    (0..count).map(move |index| {
        let begin = (index as usize * PIECE_BYTES_MAX).min(bytes.len());
        let end = (begin + PIECE_BYTES_MAX).min(bytes.len());
        Piece { transfer, tick, index, count, content: bytes[begin..end].to_vec() }
    })
}

/// A parcel that arrives in pieces, in order.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    transfer: u32,
    next: u32,
    count: u32,
    bytes: Vec<u8>,
}

impl Assembly {
    /// Takes a piece; returns the bytes of the parcel with the last one. A new transfer discards the pieces
    /// of an older one.
    ///
    /// # Errors
    ///
    /// If it is not the next piece, or there are more than a parcel has.
    pub fn take(&mut self, piece: Piece) -> Result<Option<Vec<u8>>, String> {
        let Piece { transfer, index, count, content, .. } = piece;
        if index == 0 {
            *self = Self { transfer, next: 0, count, bytes: Vec::new() };
        }
        if (transfer, index, count) != (self.transfer, self.next, self.count) || index >= count {
            return Err(format!(
                "piece {index} of {count}, it is the turn of {} of {}",
                self.next, self.count
            ));
        }
        if count as usize > PARCEL_BYTES_MAX.div_ceil(PIECE_BYTES_MAX) {
            return Err(format!("{count} pieces, at most {}", PARCEL_BYTES_MAX.div_ceil(PIECE_BYTES_MAX)));
        }
        self.bytes.extend(content);
        self.next += 1;
        Ok((self.next == self.count).then(|| std::mem::take(self).bytes))
    }
}
