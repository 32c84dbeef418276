//! Bytes that may be a replay: reading them is an answer or an error, and a replay that was read can be
//! played.
//!
//! Checks and the scenery's hash are made to fit first, so that damage gets past them, to the decoders and
//! the rules behind.

use bitstep::{
    World,
    replay::{Damage, Player, Replay, clip, repair, verify},
    snapshot,
    state::Scenery,
};
use xxhash_rust::xxh3::xxh3_64_with_seed;

const HEADER_BYTES: usize = 16;
const SCENERY: u8 = 1;
const INITIAL_STATE: u8 = 2;
const KEYFRAME: u8 = 5;
/// Where a snapshot names its scenery.
const HASH: std::ops::Range<usize> = 12..28;

/// Reads, plays, repairs, seeks and clips; returns whether there was a whole replay to play.
///
/// # Panics
///
/// Never: that is under test.
pub fn body(bytes: &[u8]) -> bool {
    let mut sealed = bytes.to_vec();
    seal(&mut sealed);
    match Replay::<World>::read_to_damage(&sealed) {
        Ok((replay, damage)) => {
            repairs(&sealed, &replay, damage.as_ref());
            seeks(&replay, bytes);
            clips(&replay);
            verify(&replay, |_, _| {}).is_ok() && damage.is_none()
        }
        Err(error) => {
            assert!(error.damage().unwrap().at <= sealed.len() as u64, "{error} lies outside");
            assert_eq!(Replay::<World>::read(&sealed).err().as_ref(), Some(&error));
            assert_eq!(repair::<World>(&sealed), Err(error));
            false
        }
    }
}

/// A repair is whole and has every tick before the damage.
fn repairs(bytes: &[u8], replay: &Replay<World>, damage: Option<&Damage>) {
    let repaired = repair::<World>(bytes).expect("what can be read can be repaired");
    assert_eq!(repaired.damage.as_ref(), damage);
    assert!(damage.is_none_or(|damage| damage.at <= bytes.len() as u64));
    let whole = Replay::<World>::read(&repaired.bytes).expect("a repair is whole");
    assert_eq!((whole.ticks(), whole.keyframes()), (replay.ticks(), replay.keyframes()));
    let again = repair::<World>(&repaired.bytes).map(|again| again.bytes);
    assert_eq!(again, Ok(repaired.bytes), "a repair has nothing to repair");
}

/// A player goes to the end and back in the same states, and trusts no index.
fn seeks(replay: &Replay<World>, noise: &[u8]) {
    let ticks = replay.ticks().len() as u64;
    let mut player = Player::new(replay);
    let middle = snapshot::encode(player.seek(ticks / 2).expect("a tick of the recording"));
    player.seek(ticks).expect("the last tick");
    let index = player.save_index();
    assert_eq!(player.load_index(&index), Ok(()), "a player takes its own index");
    // A forged keyframe is another state than the one that is played to; then nothing is promised.
    if replay.keyframes().is_empty() {
        let back = snapshot::encode(player.seek(ticks / 2).expect("a tick of the recording"));
        assert!(back == middle, "another state on the way back");
    }
    let mut damaged = index;
    for (byte, change) in damaged.iter_mut().zip(noise) {
        *byte ^= change;
    }
    assert!(noise.iter().all(|byte| *byte == 0) || player.load_index(&damaged).is_err());
    assert!(player.load_index(noise).is_err());
}

/// The last tick stands by itself, if the state before it is the recorded one.
fn clips(replay: &Replay<World>) {
    let ticks = replay.ticks().len() as u64;
    if let Ok(bytes) = clip(replay, ticks..=ticks, true) {
        let part = Replay::<World>::read(&bytes).expect("a clip is whole");
        assert_eq!(part.ticks()[0].inputs, replay.ticks()[ticks as usize - 1].inputs);
        assert_eq!(part.ticks()[0].log().is_some(), part.ticks()[0].has_log());
    }
}

/// Makes every whole record's check fit its content, and every snapshot's scenery the recorded one.
fn seal(bytes: &mut [u8]) {
    let mut hash = None;
    let mut rest = bytes.get_mut(HEADER_BYTES..).unwrap_or_default();
    while let Some((head, length)) = sizes(rest) {
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
        if let (INITIAL_STATE | KEYFRAME, Some(hash), Some(named)) = (kind, hash, content.get_mut(HASH)) {
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
fn sizes(record: &[u8]) -> Option<(usize, usize)> {
    let digits = record.get(1..)?.iter().take(5).position(|byte| *byte < 0x80)? + 1;
    let part = |(at, byte): (usize, &u8)| u64::from(byte & 0x7f) << (7 * at);
    let length: u64 = record[1..=digits].iter().enumerate().map(part).sum();
    Some((1 + digits, usize::try_from(length).ok()?))
}
