//! Records of a replay by the tables of `docs/formats.md`, independent of the code under test.

use xxhash_rust::xxh3::xxh3_64_with_seed;

pub const HEADER_BYTES: usize = 16;

/// The kind, and the length in as few bytes as it needs.
pub fn head(kind: u8, length: usize) -> Vec<u8> {
    let mut head = vec![kind];
    let mut left = length;
    while left > 0x7f {
        head.push((left % 0x80) as u8 | 0x80);
        left /= 0x80;
    }
    head.push(left as u8);
    head
}

/// A record with a check that holds.
pub fn sealed(kind: u8, content: &[u8]) -> Vec<u8> {
    let head = head(kind, content.len());
    let mut seed = [0; 8];
    seed[..head.len()].copy_from_slice(&head);
    let check = xxh3_64_with_seed(content, u64::from_le_bytes(seed)) as u32;
    [&head[..], content, &check.to_le_bytes()].concat()
}

/// How many bytes the head of a record has, and how many its content.
pub fn sizes(record: &[u8]) -> (usize, usize) {
    let digits = record[1..].iter().take_while(|byte| **byte > 0x7f).count() + 1;
    let length = |(at, byte): (usize, &u8)| usize::from(byte & 0x7f) << (7 * at);
    (1 + digits, record[1..=digits].iter().enumerate().map(length).sum())
}

/// The content of a record.
pub fn content(record: &[u8]) -> &[u8] {
    let (head, length) = sizes(record);
    &record[head..head + length]
}

/// The header of a replay and its records, heads and checks included.
pub fn parts(replay: &[u8]) -> Vec<Vec<u8>> {
    let (header, mut rest) = replay.split_at(HEADER_BYTES);
    let mut parts = vec![header.to_vec()];
    while !rest.is_empty() {
        let (head, length) = sizes(rest);
        let (record, behind) = rest.split_at(head + length + 4);
        parts.push(record.to_vec());
        rest = behind;
    }
    parts
}
