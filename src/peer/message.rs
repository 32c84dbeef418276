//! The messages as bytes: a head, a content by kind, and a check.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::PeerError;

/// The version of the protocol between peers.
pub const PROTOCOL_VERSION: u8 = 1;

/// The largest message that is read: what a datagram can hold.
pub(super) const DATAGRAM_BYTES_MAX: u32 = 65_507;

const MAGIC: u8 = 0xb5;
/// Magic, version, kind.
const HEAD_BYTES: usize = 3;
/// Behind the content.
const CHECK_BYTES: usize = 4;
/// Size of a piece's message without its content.
pub(super) const PIECE_BYTES: usize = HEAD_BYTES + 12 + CHECK_BYTES;

/// The kinds' numbers. That of hello, its place and its check are the same in every version.
const HELLO: u8 = 1;
const SUMS: u8 = 2;
pub(super) const PIECE: u8 = 3;
const GOT: u8 = 4;

/// A message. Ticks are counted from the initial state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Message<'a> {
    /// The handshake, which must be equal, and whether the sender has received a hello.
    Hello { heard: bool, handshake: &'a [u8] },
    /// The first tick whose checksum the sender lacks, and checksums of consecutive ticks.
    Sums { wanted: u32, first: u32, sums: &'a [u8] },
    /// A piece of the sender's report for a tick.
    Piece { tick: u32, index: u32, count: u32, content: &'a [u8] },
    /// The first piece that the sender lacks, and a bit for each of the 64 behind it.
    Got { tick: u32, next: u32, others: u64 },
}

impl<'a> Message<'a> {
    /// Replaces the content of `bytes` by the message.
    pub(super) fn write(&self, seal: u64, bytes: &mut Vec<u8>) {
        bytes.clear();
        bytes.extend([MAGIC, PROTOCOL_VERSION, self.kind()]);
        match *self {
            Self::Hello { heard, handshake } => {
                bytes.push(u8::from(heard));
                bytes.extend(handshake);
            }
            Self::Sums { wanted, first, sums } => {
                bytes.extend(wanted.to_le_bytes());
                bytes.extend(first.to_le_bytes());
                bytes.extend(sums);
            }
            Self::Piece { tick, index, count, content } => {
                [tick, index, count].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
                bytes.extend(content);
            }
            Self::Got { tick, next, others } => {
                [tick, next].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
                bytes.extend(others.to_le_bytes());
            }
        }
        let seal = if self.kind() == HELLO { 0 } else { seal };
        let check = check(bytes, seal);
        bytes.extend(check);
    }

    /// Reads a message.
    ///
    /// # Errors
    ///
    /// If the bytes are not a message of this version with this seal. Only an intact hello counts as one of
    /// another version.
    pub(super) fn read(bytes: &'a [u8], seal: u64) -> Result<Self, PeerError> {
        if bytes.len() as u64 > u64::from(DATAGRAM_BYTES_MAX) {
            return Err(PeerError::TooLong { bytes: bytes.len() as u64 });
        }
        let (sealed, found) = bytes.split_last_chunk::<CHECK_BYTES>().ok_or(PeerError::NotAMessage)?;
        let (&[magic, version, kind], content) =
            sealed.split_first_chunk::<HEAD_BYTES>().ok_or(PeerError::NotAMessage)?;
        if magic != MAGIC {
            return Err(PeerError::NotAMessage);
        }
        if check(sealed, if kind == HELLO { 0 } else { seal }) != *found {
            return Err(PeerError::Damaged);
        }
        if version != PROTOCOL_VERSION {
            return Err(PeerError::Protocol { theirs: version });
        }
        Self::of(kind, content).ok_or(PeerError::Malformed { kind })
    }

    fn of(kind: u8, content: &'a [u8]) -> Option<Self> {
        let mut rest = Rest(content);
        Some(match kind {
            HELLO => Self::Hello { heard: rest.truth()?, handshake: rest.0 },
            SUMS => {
                let (wanted, first) = (rest.number()?, rest.number()?);
                let count = u32::try_from(rest.0.len() / 4).ok()?;
                first.checked_add(count)?;
                (rest.0.len() % 4 == 0).then_some(Self::Sums { wanted, first, sums: rest.0 })?
            }
            PIECE => {
                let (tick, index, count) = (rest.number()?, rest.number()?, rest.number()?);
                // Only an empty report is sent as an empty piece.
                let is_some = !rest.0.is_empty() || (index, count) == (0, 1);
                (is_some && index < count).then_some(Self::Piece { tick, index, count, content: rest.0 })?
            }
            GOT => {
                let (tick, next) = (rest.number()?, rest.number()?);
                let others = u64::from_le_bytes(rest.0.try_into().ok()?);
                Self::Got { tick, next, others }
            }
            _ => return None,
        })
    }

    const fn kind(&self) -> u8 {
        match self {
            Self::Hello { .. } => HELLO,
            Self::Sums { .. } => SUMS,
            Self::Piece { .. } => PIECE,
            Self::Got { .. } => GOT,
        }
    }
}

/// The checksums in a message, with their ticks.
pub(super) fn sums_of(first: u32, sums: &[u8]) -> impl Iterator<Item = (u32, u32)> {
    let numbers = sums.chunks_exact(4).map(|sum| u32::from_le_bytes([sum[0], sum[1], sum[2], sum[3]]));
    numbers.zip(first..).map(|(sum, tick)| (tick, sum)) // in this order no tick behind the last is counted
}

/// The low half of XXH3-64 over everything before the check.
fn check(sealed: &[u8], seal: u64) -> [u8; CHECK_BYTES] {
    (xxh3_64_with_seed(sealed, seal) as u32).to_le_bytes()
}

/// The unread part of a message.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*number))
    }

    fn truth(&mut self) -> Option<bool> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        (byte < 2).then_some(byte == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The seal of the messages here.
    const SEAL: u64 = 7;

    /// Bytes with a check that fits.
    fn sealed(head: [u8; 3], content: &[u8]) -> Vec<u8> {
        let mut bytes = head.to_vec();
        bytes.extend(content);
        let check = check(&bytes, if head[2] == HELLO { 0 } else { SEAL });
        bytes.extend(check);
        bytes
    }

    /// The bytes of numbers.
    fn numbers(numbers: &[u32]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    #[test]
    fn messages_are_read_as_they_were_written() {
        let mut bytes = vec![1; 9];
        for message in [
            Message::Hello { heard: false, handshake: b"" },
            Message::Hello { heard: true, handshake: b"hands" },
            Message::Sums { wanted: 1, first: 2, sums: b"" },
            Message::Sums { wanted: u32::MAX, first: u32::MAX - 2, sums: b"12345678" },
            Message::Piece { tick: 3, index: 0, count: 1, content: b"" },
            Message::Piece { tick: 3, index: 8, count: 9, content: b"piece" },
            Message::Got { tick: 3, next: 9, others: 1 << 63 | 1 },
        ] {
            message.write(SEAL, &mut bytes);
            assert_eq!(Message::read(&bytes, SEAL), Ok(message));
            let other = Message::read(&bytes, SEAL + 1);
            assert_eq!(other.is_ok(), message.kind() == HELLO, "{message:?}: a hello has no seal");
        }
    }

    #[test]
    fn contents_out_of_range_are_malformed() {
        for (kind, content) in [
            (HELLO, vec![]),
            (HELLO, vec![2]),
            (HELLO, vec![255, 0]),
            (SUMS, numbers(&[1])),
            (SUMS, [numbers(&[1, 1]), vec![0; 3]].concat()),
            (SUMS, numbers(&[1, u32::MAX, 5])),
            (PIECE, numbers(&[1, 0])),
            (PIECE, numbers(&[1, 0, 0])),
            (PIECE, numbers(&[1, 0, 2])),
            (PIECE, numbers(&[1, 1, 2])),
            (PIECE, numbers(&[1, 0, 0, 5])),
            (PIECE, numbers(&[1, 2, 2, 5])),
            (PIECE, numbers(&[1, 3, 2, 5])),
            (GOT, numbers(&[1, 2, 3])),
            (GOT, numbers(&[1, 2, 3, 4, 5])),
            (0, vec![]),
            (5, numbers(&[1, 2, 3, 4])),
        ] {
            let bytes = sealed([MAGIC, PROTOCOL_VERSION, kind], &content);
            assert_eq!(Message::read(&bytes, SEAL), Err(PeerError::Malformed { kind }), "{kind} {content:?}");
        }
    }

    #[test]
    fn bytes_that_are_no_message_are_told_from_damaged_ones() {
        let hello = |magic, version| sealed([magic, version, HELLO], &[1]);
        let mut damaged = hello(MAGIC, PROTOCOL_VERSION);
        damaged[3] = 0;
        for (bytes, refusal) in [
            (vec![], PeerError::NotAMessage),
            (vec![MAGIC; 6], PeerError::NotAMessage),
            (hello(MAGIC ^ 1, PROTOCOL_VERSION), PeerError::NotAMessage),
            (hello(MAGIC, 9), PeerError::Protocol { theirs: 9 }),
            (damaged, PeerError::Damaged),
            (vec![MAGIC; 65_507], PeerError::Damaged),
            (vec![MAGIC; 65_508], PeerError::TooLong { bytes: 65_508 }),
        ] {
            assert_eq!(Message::read(&bytes, SEAL), Err(refusal), "{} bytes", bytes.len());
        }
        let mut largest = Vec::new();
        Message::Hello { heard: true, handshake: &[5; 65_499] }.write(SEAL, &mut largest);
        assert_eq!((largest.len(), Message::read(&largest, SEAL).is_ok()), (65_507, true));
    }
}
