//! Packets: messages as bytes with a check.
//!
//! A byte for the kind, the content, and behind it eight bytes of hash under the match's key. A hash is no
//! signature: it keeps out accidents and strangers.

use fight::Input;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Size of the hash behind the content.
const CHECK_BYTES: usize = 8;
/// Kind, first tick, known tick, lead, count.
const KEYS_BYTES: usize = 1 + 4 + 4 + 1 + 1;
/// Largest number of ticks in a packet of keys.
pub const TICKS_MAX: usize = 64;

const KEYS: u8 = 1;
const TICKS: u8 = 2;

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parcel {
    /// The sender's keys of consecutive ticks.
    Keys {
        /// The first of these ticks.
        first: u32,
        /// The last tick for which the sender knows the receiver's keys.
        known: u32,
        /// Number of ticks by which the sender is ahead of the keys that it knows; negative if it is behind
        /// them.
        lead: i8,
        /// The keys.
        keys: Vec<Input>,
    },
    /// A message about confirmed ticks.
    Ticks(Vec<u8>),
}

/// Bytes that are no packet of this match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused;

impl Parcel {
    /// The bytes of the packet under a key.
    #[must_use]
    pub fn seal(&self, key: u64) -> Vec<u8> {
        let mut bytes = match self {
            Self::Keys { first, known, lead, keys } => {
                let mut bytes = vec![KEYS];
                bytes.extend(first.to_le_bytes());
                bytes.extend(known.to_le_bytes());
                bytes.extend(lead.to_le_bytes());
                bytes.push(keys.len() as u8);
                bytes.extend(keys.iter().map(|keys| keys.0));
                bytes
            }
            Self::Ticks(message) => [&[TICKS], &message[..]].concat(),
        };
        bytes.extend(xxh3_64_with_seed(&bytes, key).to_le_bytes());
        bytes
    }

    /// The packet of bytes that were sealed with this key.
    ///
    /// # Errors
    ///
    /// If they were not, or hold no packet.
    pub fn open(bytes: &[u8], key: u64) -> Result<Self, Refused> {
        let length = bytes.len().checked_sub(CHECK_BYTES).ok_or(Refused)?;
        let (sealed, check) = bytes.split_at(length);
        if xxh3_64_with_seed(sealed, key).to_le_bytes() != check {
            return Err(Refused);
        }
        match sealed.split_first() {
            Some((&KEYS, _)) => keys_of(sealed).ok_or(Refused),
            Some((&TICKS, message)) => Ok(Self::Ticks(message.to_vec())),
            _ => Err(Refused),
        }
    }
}

fn keys_of(bytes: &[u8]) -> Option<Parcel> {
    let (head, keys) = bytes.split_at_checked(KEYS_BYTES)?;
    let number = |at: usize| head[at..at + 4].try_into().map(u32::from_le_bytes).ok();
    let (lead, count) = (i8::from_le_bytes([head[9]]), usize::from(head[10]));
    let keys: Vec<_> = keys.iter().map(|&keys| Input(keys)).collect();
    let is_whole = keys.len() == count && count <= TICKS_MAX;
    is_whole.then_some(Parcel::Keys { first: number(1)?, known: number(5)?, lead, keys })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_parcels_open_with_their_key_only_and_only_whole() {
        let keys = vec![Input::LEFT, Input::PUNCH.and(Input::JUMP), Input::NONE];
        let parcels = [
            Parcel::Keys { first: 70_000, known: 69_990, lead: -12, keys },
            Parcel::Keys { first: 1, known: 0, lead: 0, keys: Vec::new() },
            Parcel::Ticks(vec![5, 4, 3]),
            Parcel::Ticks(Vec::new()),
        ];
        for parcel in parcels {
            let bytes = parcel.seal(7);
            assert_eq!(Parcel::open(&bytes, 7), Ok(parcel));
            assert_eq!(Parcel::open(&bytes, 8), Err(Refused));
            for bit in 0..bytes.len() * 8 {
                let mut bytes = bytes.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(Parcel::open(&bytes, 7), Err(Refused), "bit {bit}");
            }
            for length in 0..bytes.len() {
                assert_eq!(Parcel::open(&bytes[..length], 7), Err(Refused), "{length} bytes");
            }
        }
    }

    #[test]
    fn a_count_that_is_not_true_is_refused_under_any_seal() {
        let sealed = |bytes: &[u8]| [bytes, &xxh3_64_with_seed(bytes, 7).to_le_bytes()].concat();
        let keys = |count: u8, given: usize| {
            sealed(&[&[1, 1, 0, 0, 0, 0, 0, 0, 0, 0, count], &vec![0; given][..]].concat())
        };
        assert!(Parcel::open(&keys(3, 3), 7).is_ok());
        for (count, given) in [(3, 2), (2, 3), (255, 0), (65, 65)] {
            assert_eq!(Parcel::open(&keys(count, given), 7), Err(Refused), "{count} {given}");
        }
        for bytes in [&[][..], &[0], &[3, 1], &[1, 0, 0]] {
            assert_eq!(Parcel::open(&sealed(bytes), 7), Err(Refused));
        }
    }
}
