//! Any tick is reached with the bits of a run from the start, in bounded work.

use bitstep::{
    World,
    num::Rng,
    replay::{Keyframes, Player, Replay, ReplayError},
    snapshot,
    tick::TickReport,
};

use crate::{again, golden, snapshots};

/// The ticks between the first keyframes that a player keeps.
const SPACING: u64 = 64;

/// Seeks, and returns the number of ticks that it took.
fn seek(player: &mut Player<'_>, tick: u64, expected: &[Vec<u8>]) -> u64 {
    let before = player.played();
    let found = snapshot::encode(player.seek(tick).unwrap());
    assert!(found == expected[tick as usize], "tick {tick}");
    assert_eq!((player.tick(), snapshot::encode(player.state())), (tick, found));
    let played = player.played() - before;
    player.seek(tick).unwrap();
    assert_eq!(player.played() - before, played, "a player that is there plays nothing");
    played
}

/// Goes to every tick forward, back, and in no order.
fn assert_reaches_every_tick(replay: &Replay<World>, player: &mut Player<'_>, bound: u64) {
    let (expected, ticks) = (snapshots(replay), replay.ticks().len() as u64);
    let forward: u64 = (0..=ticks).map(|tick| seek(player, tick, &expected)).sum();
    assert!(forward <= ticks && forward > ticks / 2, "each tick at most once: {forward}");
    for tick in (0..=ticks).rev() {
        let played = seek(player, tick, &expected);
        assert!(played < bound, "back to {tick}: {played} ticks");
    }
    let mut draws = Rng::new(8).at(0, 0, 0);
    for _ in 0..300 {
        let tick = draws.below(ticks + 1);
        let played = seek(player, tick, &expected);
        assert!(played < bound, "to {tick}: {played} ticks");
    }
}

#[test]
fn every_tick_of_a_golden_is_reached_from_anywhere() {
    for name in ["skirmish", "timeline", "layers"] {
        let replay = Replay::<World>::read(&golden(name)).unwrap();
        assert_reaches_every_tick(&replay, &mut Player::new(&replay), SPACING);
    }
}

#[test]
fn recorded_keyframes_bound_the_work_from_the_start() {
    let replay = Replay::read(&again("timeline", Keyframes::Every(25))).unwrap();
    let expected = snapshots(&replay);
    for tick in (0..=replay.ticks().len() as u64).rev() {
        // A player that keeps nothing, and is still at the initial state.
        let played = seek(&mut Player::with_budget(&replay, 0), tick, &expected);
        assert_eq!(played, tick % 25, "to {tick}");
    }
    assert_reaches_every_tick(&replay, &mut Player::with_budget(&replay, 0), 25);
}

#[test]
fn a_player_keeps_its_own_keyframes_within_its_budget() {
    let replay = Replay::read(&again("timeline", Keyframes::None)).unwrap();
    let largest = snapshots(&replay).iter().map(Vec::len).max().unwrap() as u64;
    let ticks = replay.ticks().len() as u64;
    // Room for so many snapshots, and the spacing that follows: 5, 2 and 1 of 64, 128, .. 320 of 360.
    for (room, spacing) in [(9, SPACING), (5, SPACING), (4, 2 * SPACING), (2, 2 * SPACING), (1, 4 * SPACING)]
    {
        let mut player = Player::with_budget(&replay, room * largest);
        assert_reaches_every_tick(&replay, &mut player, spacing);
        assert!(player.kept_bytes() <= room * largest, "{room}");
        assert!(player.kept_bytes() > largest * (ticks / spacing) / 2, "{room}: {}", player.kept_bytes());
    }
    let mut player = Player::with_budget(&replay, largest / 2);
    assert_reaches_every_tick(&replay, &mut player, ticks + 1);
    assert_eq!(player.kept_bytes(), 0);
}

#[test]
fn keyframes_are_discarded_only_for_one_that_is_kept() {
    let replay = Replay::read(&again("timeline", Keyframes::None)).unwrap();
    let expected = snapshots(&replay);
    let sizes: Vec<u64> = expected.iter().map(|snapshot| snapshot.len() as u64).collect();
    // Room for two, and not for a third.
    let mut player = Player::with_budget(&replay, sizes[64] + sizes[128]);
    seek(&mut player, 191, &expected);
    assert_eq!(player.kept_bytes(), sizes[64] + sizes[128], "tick 192 is not there yet");
    assert_eq!(seek(&mut player, 70, &expected), 6);
    // A tick that is kept is not kept again.
    seek(&mut player, 63, &expected);
    player.step();
    assert_eq!(player.kept_bytes(), sizes[64] + sizes[128]);
    seek(&mut player, 192, &expected);
    assert_eq!(player.kept_bytes(), sizes[128], "every 128th tick");
    assert_eq!(seek(&mut player, 70, &expected), 70);
}

#[test]
fn a_step_is_the_next_tick_and_its_report() {
    let replay = Replay::<World>::read(&golden("timeline")).unwrap();
    let (mut world, mut report) = (replay.initial_state().clone(), TickReport::default());
    world.enable_events(true);
    let mut player = Player::new(&replay);
    player.enable_events(true);
    for record in replay.ticks() {
        let _ = world.tick(&record.inputs, &mut report);
        assert_eq!(player.step(), Some(&report));
    }
    assert_eq!(player.step(), None);
    let ticks = replay.ticks().len() as u64;
    assert_eq!(player.tick(), ticks);
    assert_eq!(player.seek(ticks + 1).unwrap_err(), ReplayError::BeyondTheEnd { tick: ticks + 1, ticks });
    assert_eq!(player.tick(), ticks);
}
