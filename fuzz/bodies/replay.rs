//! Bytes that may be a replay: reading them is an answer or an error, and what was read can be played.
//!
//! Checks and the scenery's hash are made to fit first, so that damage gets past them, to the decoders
//! and the rules behind.

use bitstep::{
    replay::{Replay, verify},
    world::Scenery,
};
use xxhash_rust::xxh3::xxh3_64_with_seed;

const HEADER_BYTES: usize = 16;
/// Where the format's version is.
const FORMAT: usize = 8;
const SCENERY: u8 = 1;
const OPENING: u8 = 2;
const KEYFRAME: u8 = 5;
/// Where a snapshot names its scenery.
const HASH: std::ops::Range<usize> = 12..28;

/// Reads and plays; whether there was a replay to play.
///
/// # Panics
///
/// Never: that is what is tested.
pub fn body(bytes: &[u8]) -> bool {
    let mut sealed = bytes.to_vec();
    seal(&mut sealed);
    match Replay::<bitstep::world::World>::read(&sealed) {
        Ok(replay) => verify(&replay, |_, _| {}).is_ok(),
        Err(error) => {
            assert!(error.at <= sealed.len() as u64, "{error} lies outside");
            false
        }
    }
}

/// Makes every whole record's check fit its content, and every snapshot's scenery the one there is.
fn seal(bytes: &mut [u8]) {
    let is_first_format = bytes.get(FORMAT) == Some(&1);
    let mut hash = None;
    let mut rest = bytes.get_mut(HEADER_BYTES..).unwrap_or_default();
    while let Some((head, length)) = sizes(rest, is_first_format) {
        if rest.len() - head < length.saturating_add(4) {
            return;
        }
        let (head, after) = rest.split_at_mut(head);
        let (content, behind) = after.split_at_mut(length);
        let (check, next) = behind.split_at_mut(4);
        let kind = head[0];
        if kind == SCENERY {
            hash = Scenery::decode(content).ok().map(|scenery| scenery.content_hash().to_le_bytes());
        }
        if let (OPENING | KEYFRAME, Some(hash), Some(named)) = (kind, hash, content.get_mut(HASH)) {
            named.copy_from_slice(&hash);
        }
        let mut seed = [0; 8];
        seed[..head.len()].copy_from_slice(head);
        let sum = xxh3_64_with_seed(content, u64::from_le_bytes(seed)) as u32;
        check.copy_from_slice(&sum.to_le_bytes());
        rest = next;
    }
}

/// How many bytes the head of a record has, and how many it says that the content has.
fn sizes(record: &[u8], is_first_format: bool) -> Option<(usize, usize)> {
    if is_first_format {
        let &[_, a, b, c, d] = record.first_chunk()?;
        return Some((5, u32::from_le_bytes([a, b, c, d]) as usize));
    }
    let digits = record.get(1..)?.iter().take(5).position(|byte| *byte < 0x80)? + 1;
    let part = |(at, byte): (usize, &u8)| u64::from(byte & 0x7f) << (7 * at);
    let length: u64 = record[1..=digits].iter().enumerate().map(part).sum();
    Some((1 + digits, usize::try_from(length).ok()?))
}
