//! The layout of a replay: a header, then records.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The version of the replay's layout.
pub const REPLAY_FORMAT_VERSION: u16 = 1;

/// The first bytes of a replay. The first is not text, and the line ends show a transfer that
/// changed them.
pub(super) const MAGIC: [u8; 8] = *b"\x89BSR\r\n\x1a\n";

/// Magic, format version, two bytes of zero, rules version.
pub(super) const HEADER_BYTES: usize = MAGIC.len() + 2 + 2 + 4;

/// Kind and length before a record's content.
pub(super) const RECORD_HEAD_BYTES: usize = 1 + 4;

/// The check behind a record's content.
pub(super) const RECORD_CHECK_BYTES: usize = 4;

/// What a record holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The scenery, once, before everything else.
    Scenery = 1,
    /// The snapshot that the replay starts from, once.
    Opening = 2,
    /// One tick: the checksum after it, and its inputs.
    Tick = 3,
    /// Bytes that nothing depends on, which belong to the tick that follows.
    Note = 4,
    /// The snapshot after the ticks so far.
    Keyframe = 5,
    /// The number of ticks and the last checksum.
    End = 6,
}

impl Kind {
    const ALL: [Self; 6] = [Self::Scenery, Self::Opening, Self::Tick, Self::Note, Self::Keyframe, Self::End];

    /// The kind of a number, or `None` where there is none.
    pub(super) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == number)
    }
}

/// The header of a replay of these rules.
pub(super) fn header(rules_version: u32) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&REPLAY_FORMAT_VERSION.to_le_bytes());
    bytes[12..].copy_from_slice(&rules_version.to_le_bytes());
    bytes
}

/// The kind and the length of a record.
pub(super) fn record_head(kind: Kind, length: u32) -> [u8; RECORD_HEAD_BYTES] {
    let [a, b, c, d] = length.to_le_bytes();
    [kind as u8, a, b, c, d]
}

/// The check of a record: the low half of XXH3 over its content, seeded with its head.
pub(super) fn record_check(head: [u8; RECORD_HEAD_BYTES], content: &[u8]) -> u32 {
    let [kind, a, b, c, d] = head;
    xxh3_64_with_seed(content, u64::from_le_bytes([kind, a, b, c, d, 0, 0, 0])) as u32
}
