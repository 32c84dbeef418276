//! Parcels: messages as bytes with a check.

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use ggrs::Message;
use serde::{Serialize, de::DeserializeOwned};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{Progress, Terms};

/// The key of parcels before there is a match.
pub const OPEN_KEY: u64 = 0x6669_6768_7430_0001;

/// Size of the hash behind the content.
const CHECK_BYTES: usize = 8;
/// Largest claimed size of a content.
const CONTENT_MAX: usize = 4_096;

/// A message.
#[derive(Clone, PartialEq, Debug)]
pub enum Parcel {
    /// A player wants to join.
    Knock,
    /// The terms: the answer.
    Terms(Terms),
    /// A message of ggrs.
    Frames(Message),
    /// A message about confirmed ticks.
    Ticks(Vec<u8>),
    /// The progress of the sender.
    Progress(Progress),
}

/// Bytes that are no parcel of this match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused;

impl Parcel {
    /// The bytes of the parcel under a key.
    #[must_use]
    pub fn seal(&self, key: u64) -> Vec<u8> {
        let (kind, content) = match self {
            Self::Knock => (1, Vec::new()),
            Self::Terms(terms) => (2, encode(terms)),
            Self::Frames(message) => (3, encode(message)),
            Self::Ticks(message) => (4, message.clone()),
            Self::Progress(progress) => (5, encode(progress)),
        };
        let mut bytes = vec![kind];
        bytes.extend(content);
        bytes.extend(xxh3_64_with_seed(&bytes, key).to_le_bytes());
        bytes
    }

    /// A message of ggrs from its bytes.
    ///
    /// # Errors
    ///
    /// If they are not one.
    pub fn of_ggrs(bytes: &[u8]) -> Result<Self, Refused> {
        decode(bytes).map(Self::Frames)
    }

    /// The parcel of bytes that were sealed with this key.
    ///
    /// # Errors
    ///
    /// If they were not, or hold no parcel.
    pub fn open(bytes: &[u8], key: u64) -> Result<Self, Refused> {
        let length = bytes.len().checked_sub(CHECK_BYTES).ok_or(Refused)?;
        let (sealed, check) = bytes.split_at(length);
        if xxh3_64_with_seed(sealed, key).to_le_bytes() != check {
            return Err(Refused);
        }
        let (kind, content) = sealed.split_first().ok_or(Refused)?;
        // Before there is a match no parcel of a match is taken.
        match (kind, key == OPEN_KEY) {
            (1, true) if content.is_empty() => Ok(Self::Knock),
            (2, true) => decode(content).map(Self::Terms),
            (3, false) => Self::of_ggrs(content),
            (4, false) => Ok(Self::Ticks(content.to_vec())),
            (5, false) => decode(content).map(Self::Progress),
            _ => Err(Refused),
        }
    }
}

const fn layout() -> Configuration<LittleEndian, Fixint, Limit<CONTENT_MAX>> {
    bincode::config::legacy().with_limit::<CONTENT_MAX>()
}

fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    bincode::serde::encode_to_vec(value, bincode::config::legacy()).expect("a parcel is numbers and bytes")
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refused> {
    match bincode::serde::decode_from_slice(bytes, layout()) {
        Ok((value, length)) if length == bytes.len() => Ok(value),
        _ => Err(Refused),
    }
}
