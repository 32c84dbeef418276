//! The layout of a replay: a header, then records.

use std::io;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::varint::{self, NoNumber};

/// The version of the replay's layout.
pub const REPLAY_FORMAT_VERSION: u16 = 1;

/// The version of the layout of an index.
pub const INDEX_FORMAT_VERSION: u16 = 1;

/// The first bytes of a replay. The first is not text, and the line ends show a transfer that
/// changed them.
pub(super) const MAGIC: [u8; 8] = *b"\x89BSR\r\n\x1a\n";

/// Magic, format version, two bytes of zero, rules version.
pub(super) const HEADER_BYTES: usize = MAGIC.len() + 2 + 2 + 4;

/// The check behind a record's content.
pub(super) const RECORD_CHECK_BYTES: usize = 4;

/// The longest head: kind, and a length of 32 bits.
const HEAD_BYTES_MAX: usize = 1 + 5;

/// The kind of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The scenery, once, before everything else.
    Scenery = 1,
    /// The snapshot that the replay starts from, once.
    InitialState = 2,
    /// One tick: the checksum after it, and its inputs.
    Tick = 3,
    /// Bytes that nothing depends on, which belong to the tick that follows.
    Note = 4,
    /// The snapshot after the ticks so far.
    Keyframe = 5,
    /// The number of ticks and the last checksum.
    End = 6,
    /// The whole checksum after the ticks so far.
    Check = 7,
    /// The course of the tick that follows.
    Layer = 8,
}

impl Kind {
    const ALL: [Self; 8] = [
        Self::Scenery,
        Self::InitialState,
        Self::Tick,
        Self::Note,
        Self::Keyframe,
        Self::End,
        Self::Check,
        Self::Layer,
    ];

    /// The kind of a number, or `None` if there is none.
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

/// The reason why there is no record at an offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoRecord {
    /// The bytes end inside it.
    CutShort,
    /// The content does not fit the check.
    Damaged,
}

/// A record whose check holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Record<'a> {
    pub kind: u8,
    pub content: &'a [u8],
    /// Size of head, content and check together.
    pub size: usize,
}

/// The record at the front of the bytes.
pub(super) fn record_at(bytes: &[u8]) -> Result<Record<'_>, NoRecord> {
    let (&kind, mut rest) = bytes.split_first().ok_or(NoRecord::CutShort)?;
    let length = take_length(&mut rest)?;
    let head = bytes.len() - rest.len();
    let (content, rest) = rest.split_at_checked(length).ok_or(NoRecord::CutShort)?;
    let check = rest.first_chunk::<RECORD_CHECK_BYTES>().ok_or(NoRecord::CutShort)?;
    if record_check(&bytes[..head], content) != *check {
        return Err(NoRecord::Damaged);
    }
    Ok(Record { kind, content, size: head + length + RECORD_CHECK_BYTES })
}

fn take_length(rest: &mut &[u8]) -> Result<usize, NoRecord> {
    let length = varint::take(rest).map_err(|error| match error {
        NoNumber::Short => NoRecord::CutShort,
        NoNumber::Malformed => NoRecord::Damaged,
    })?;
    u32::try_from(length).map(|length| length as usize).map_err(|_| NoRecord::Damaged)
}

/// Appends a record.
///
/// # Errors
///
/// If the content has 2^32 bytes or more; then nothing is appended.
pub(super) fn put_record(kind: u8, content: &[u8], bytes: &mut Vec<u8>) -> io::Result<()> {
    let length = u32::try_from(content.len())
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "a record holds less than 2^32 bytes"))?;
    let head = bytes.len();
    bytes.push(kind);
    varint::put(length.into(), bytes);
    let check = record_check(&bytes[head..], content);
    bytes.extend(content);
    bytes.extend(check);
    Ok(())
}

/// The check of a record: the low half of XXH3 over its content, seeded with its head.
fn record_check(head: &[u8], content: &[u8]) -> [u8; RECORD_CHECK_BYTES] {
    const { assert!(HEAD_BYTES_MAX <= 8, "a head is a seed") };
    let mut seed = [0; 8];
    seed[..head.len()].copy_from_slice(head);
    (xxh3_64_with_seed(content, u64::from_le_bytes(seed)) as u32).to_le_bytes()
}
