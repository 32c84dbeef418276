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
const HEAD_BYTES: usize = 5;
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
    let mut hash = None;
    let mut rest = bytes.get_mut(HEADER_BYTES..).unwrap_or_default();
    while let Some((head, after)) = rest.split_first_chunk_mut::<HEAD_BYTES>() {
        let [kind, a, b, c, d] = *head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if after.len() < length.saturating_add(4) {
            return;
        }
        let (content, behind) = after.split_at_mut(length);
        let (check, next) = behind.split_at_mut(4);
        if kind == SCENERY {
            hash = Scenery::decode(content).ok().map(|scenery| scenery.content_hash().to_le_bytes());
        }
        if let (OPENING | KEYFRAME, Some(hash), Some(named)) = (kind, hash, content.get_mut(HASH)) {
            named.copy_from_slice(&hash);
        }
        let seed = u64::from_le_bytes([kind, a, b, c, d, 0, 0, 0]);
        check.copy_from_slice(&(xxh3_64_with_seed(content, seed) as u32).to_le_bytes());
        rest = next;
    }
}
