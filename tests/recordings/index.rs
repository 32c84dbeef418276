//! A player's keyframes beside the recording: they save work, and are always validated.

use bitstep::{
    World,
    replay::{Fault, INDEX_FORMAT_VERSION, Keyframes, Player, RecordOptions, Recorder, Replay},
    session::{Game, Session, Simulation, Tick},
    snapshot::{self, RULES_VERSION},
    tick::TickReport,
};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::{again, golden, records, snapshots};

const HEADER_BYTES: usize = 44;
const KEYFRAME: u8 = 1;
const END: u8 = 2;

fn recording() -> Replay<World> {
    Replay::read(&again("timeline", Keyframes::None)).unwrap()
}

/// The index of a player that has been at the end.
fn index(replay: &Replay<World>) -> Vec<u8> {
    let mut player = Player::new(replay);
    player.seek(replay.ticks().len() as u64).unwrap();
    player.save_index()
}

/// A header by the table of `docs/formats.md`.
fn header(hash: u128, rules: u32, spacing: u64) -> Vec<u8> {
    let mut bytes = b"\x89BSI\r\n\x1a\n".to_vec();
    bytes.extend(INDEX_FORMAT_VERSION.to_le_bytes());
    bytes.extend([0; 2]);
    bytes.extend(rules.to_le_bytes());
    bytes.extend(hash.to_le_bytes());
    bytes.extend(spacing.to_le_bytes());
    bytes.extend((xxh3_128(&bytes) as u32).to_le_bytes());
    bytes
}

fn keyframe(tick: u64, snapshot: &[u8]) -> Vec<u8> {
    records::sealed(KEYFRAME, &[&tick.to_le_bytes(), snapshot].concat())
}

fn end(count: u64) -> Vec<u8> {
    records::sealed(END, &count.to_le_bytes())
}

#[test]
fn an_index_is_the_table_and_saves_the_work() {
    let replay = recording();
    let (expected, bytes) = (snapshots(&replay), index(&replay));
    let mut table = header(replay.file_hash(), RULES_VERSION, 64);
    for tick in [64, 128, 192, 256, 320] {
        table.extend(keyframe(tick, &expected[tick as usize]));
    }
    table.extend(end(5));
    assert!(bytes == table);
    for tick in (0..=360).rev() {
        let mut player = Player::new(&replay);
        player.load_index(&bytes).unwrap();
        assert!(snapshot::encode(player.seek(tick).unwrap()) == expected[tick as usize], "{tick}");
        assert_eq!(player.played(), tick % 64, "{tick}");
        assert!(tick < 300 || player.save_index() == bytes);
    }
}

#[test]
fn an_index_larger_than_the_budget_is_thinned_out() {
    let replay = recording();
    let bytes = index(&replay);
    let mut small = Player::with_budget(&replay, bytes.len() as u64 / 2);
    small.seek(360).unwrap();
    let half = small.save_index();
    assert!(half.len() < bytes.len() * 3 / 4);
    let mut player = Player::new(&replay);
    player.load_index(&half).unwrap();
    assert!(player.save_index() == half);
    player.seek(256).unwrap();
    (0..100).for_each(|_| assert!(player.step().is_some()));
    assert!(player.save_index() == half, "a player goes on with the spacing of the index");
    let budget = 2 * snapshots(&replay).iter().map(Vec::len).max().unwrap() as u64;
    let mut player = Player::with_budget(&replay, budget);
    player.load_index(&bytes).unwrap();
    assert!(player.kept_bytes() <= budget && player.kept_bytes() > budget / 3, "{}", player.kept_bytes());
    player.seek(359).unwrap();
    assert_eq!(player.played(), 359 - 256);
    let mut player = Player::with_budget(&replay, 0);
    player.load_index(&bytes).unwrap();
    assert_eq!(player.kept_bytes(), 0);
}

#[test]
fn a_damaged_index_is_refused_at_the_place() {
    let replay = recording();
    let bytes = index(&replay);
    let mut player = Player::new(&replay);
    let mut places = vec![0];
    let mut at = HEADER_BYTES;
    while at < bytes.len() {
        places.push(at);
        let (head, length) = records::sizes(&bytes[at..]);
        at += head + length + 4;
    }
    let place = |at: usize| places.iter().rev().find(|place| **place <= at).copied().unwrap() as u64;
    let mut damaged = bytes.clone();
    for at in 0..bytes.len() {
        damaged[at] ^= 1 << (at % 8);
        let error = player.load_index(&damaged).unwrap_err();
        assert_eq!(error.damage().unwrap().at, place(at), "flipped at {at}: {error}");
        damaged[at] = bytes[at];
        let error = player.load_index(&bytes[..at]).unwrap_err();
        assert_eq!(
            error.damage().unwrap().at,
            if at < HEADER_BYTES { 0 } else { place(at) },
            "cut at {at}: {error}"
        );
    }
    assert_eq!((player.kept_bytes(), player.load_index(&bytes)), (0, Ok(())));
}

#[test]
fn an_index_of_something_else_is_refused() {
    let replay = recording();
    let (bytes, expected) = (index(&replay), snapshots(&replay));
    let other = Replay::<World>::read(&golden("timeline")).unwrap();
    let error = Player::new(&other).load_index(&bytes).unwrap_err();
    let (found, here) = (replay.file_hash(), other.file_hash());
    assert_eq!(error.damage().unwrap().fault, Fault::OtherRecording { found, here });

    let hash = replay.file_hash();
    let head = || header(hash, RULES_VERSION, 64);
    let sound = || keyframe(64, &expected[64]);
    let mut other_tick = expected[64].clone();
    other_tick[81] ^= 1;
    let cases: [(Vec<Vec<u8>>, &str); 11] = [
        (vec![header(hash, RULES_VERSION + 1, 64)], "byte 0: index of rules version 2, this build has 1"),
        (vec![header(hash, RULES_VERSION, 0)], "byte 0: a spacing that no player has"),
        (vec![header(hash, RULES_VERSION, 192)], "byte 0: a spacing that no player has"),
        (vec![head(), sound(), sound(), end(2)], "a keyframe in the wrong place"),
        (vec![head(), keyframe(65, &expected[65]), end(1)], "a keyframe in the wrong place"),
        (vec![head(), keyframe(64, &expected[65]), end(1)], "a keyframe that is not the recorded state"),
        (vec![head(), keyframe(64, &other_tick), end(1)], "a keyframe that is not the recorded state"),
        (vec![head(), keyframe(64_000, &expected[64]), end(1)], "a keyframe that is not the recorded state"),
        (vec![head(), sound(), end(2)], "the end record says another number of keyframes"),
        (vec![head(), end(0), vec![0]], "something comes after the end record"),
        (vec![head(), records::sealed(3, &[]), end(0)], "a record of an unknown kind"),
    ];
    for (parts, text) in cases {
        let error = Player::new(&replay).load_index(&parts.concat()).unwrap_err();
        assert!(error.to_string().contains(text), "{error}, not {text}");
    }
    let mut filled = head();
    filled[10] = 1;
    let check = xxh3_128(&filled[..HEADER_BYTES - 4]) as u32;
    filled[HEADER_BYTES - 4..].copy_from_slice(&check.to_le_bytes());
    assert_eq!(
        Player::new(&replay).load_index(&filled).unwrap_err().damage().unwrap().fault,
        Fault::IndexDamaged
    );
    let mut newer = bytes;
    newer[8] = 2;
    let error = Player::new(&replay).load_index(&newer).unwrap_err();
    assert_eq!(error.to_string(), "byte 0: index format 2, this build reads 1");
}

#[test]
fn files_with_any_other_head_are_no_indices_whatever_their_check() {
    let replay = recording();
    let bytes = index(&replay);
    for at in (0..8).chain(10..12) {
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        let check = xxh3_128(&other[..HEADER_BYTES - 4]) as u32;
        other[HEADER_BYTES - 4..HEADER_BYTES].copy_from_slice(&check.to_le_bytes());
        let error = Player::new(&replay).load_index(&other).unwrap_err();
        let expected = if at < 8 { Fault::NotAnIndex } else { Fault::IndexDamaged };
        assert_eq!(error.damage().unwrap().fault, expected, "{at}");
    }
}

#[test]
fn an_index_of_any_other_rules_is_refused_by_their_number() {
    let replay = recording();
    for bit in 0..32 {
        let found = RULES_VERSION ^ 1 << bit;
        let bytes = [header(replay.file_hash(), found, 64), end(0)].concat();
        let error = Player::new(&replay).load_index(&bytes).unwrap_err();
        assert_eq!(error.damage().unwrap().fault, Fault::OtherRules { found });
    }
}

#[test]
fn states_that_are_not_the_recorded_ones_are_left_out() {
    // The first of two ticks with another checksum: the played state is not the recorded one.
    let mut parts = records::parts(&again("timeline", Keyframes::None));
    let tick = parts.iter().enumerate().filter(|(_, part)| part[0] == 3).nth(127).unwrap().0;
    let mut content = records::content(&parts[tick]).to_vec();
    content[0] ^= 1;
    parts[tick] = records::sealed(3, &content);
    let replay = Replay::<World>::read(&parts.concat()).unwrap();
    let bytes = index(&replay);
    let mut player = Player::new(&replay);
    player.load_index(&bytes).unwrap();
    player.seek(128).unwrap();
    assert_eq!(player.played(), 64, "the keyframe after tick 128 is not there");
    // A check of 128 bits whose low half is right.
    let mut parts = records::parts(&again("timeline", Keyframes::None));
    let tick = parts.iter().enumerate().filter(|(_, part)| part[0] == 3).nth(127).unwrap().0;
    let mut check = xxh3_128(&snapshots(&recording())[128]).to_le_bytes();
    check[15] ^= 1;
    parts.insert(tick + 1, records::sealed(7, &check));
    let replay = Replay::<World>::read(&parts.concat()).unwrap();
    let mut player = Player::new(&replay);
    player.load_index(&index(&replay)).unwrap();
    player.seek(128).unwrap();
    assert_eq!(player.played(), 64, "nor is it where a check says otherwise");
}

/// The last tick at which a world or a session can be restored.
const LAST: u64 = (1 << 63) - 1;

#[test]
fn a_world_that_is_played_beyond_its_last_tick_is_not_kept() {
    // A player keeps its tick 64.
    for (start, is_kept) in [(LAST - 64, true), (LAST - 63, false), (LAST - 1, false)] {
        assert_eq!(kept_bytes_of(&world_from(start)) != 0, is_kept, "{start}");
    }
}

#[test]
fn a_session_is_kept_while_both_its_counts_can_be_restored() {
    for (world, session, is_kept) in
        [(LAST - 64, LAST - 64, true), (LAST - 63, 0, false), (0, LAST - 63, false), (LAST - 64, 0, true)]
    {
        let state = Session::new(world_from(world), Idle {}, 1).unwrap();
        let mut bytes = Vec::new();
        state.encode_into(&mut bytes);
        bytes[25..33].copy_from_slice(&session.to_le_bytes()); // behind the header, the name and the seed
        let state = Session::<Idle>::decode(&bytes, state.scenery()).unwrap();
        assert_eq!((state.world().tick_count(), state.tick_count()), (world, session));
        assert_eq!(kept_bytes_of(&state) != 0, is_kept, "{world} and {session}");
    }
}

/// A game without a state.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Idle {}

impl Game for Idle {
    type Input = u8;
    const NAME: &'static str = "idle";

    fn tick(&mut self, tick: &mut Tick<'_>, _: &[u8]) {
        tick.step();
    }
}

/// A world that has played so many ticks, by what its snapshot says.
fn world_from(start: u64) -> World {
    let mut bytes = snapshot::encode(recording().initial_state());
    bytes[91..99].copy_from_slice(&start.to_le_bytes());
    snapshot::decode(&bytes, recording().scenery()).unwrap()
}

/// The size of what a player keeps of 70 ticks from a state on.
fn kept_bytes_of<S: Simulation>(initial_state: &S) -> u64 {
    let (mut state, start) = (initial_state.clone(), initial_state.tick_count());
    let options = RecordOptions { keyframes: Keyframes::None, ..RecordOptions::default() };
    let mut recorder = Recorder::with_options(Vec::new(), &state, options).unwrap();
    for _ in 0..70 {
        let _ = state.tick(&[], &mut TickReport::default());
        recorder.tick(&[], &state).unwrap();
    }
    let replay = Replay::<S>::read(&recorder.finish().unwrap()).unwrap();
    let mut player = Player::new(&replay);
    for tick in [70, 65, 1, 70] {
        assert_eq!(player.seek(tick).unwrap().tick_count(), start + tick);
    }
    player.kept_bytes()
}
