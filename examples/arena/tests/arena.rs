//! The rules of the arena, and that they come out the same whatever is rolled back.
#![allow(missing_docs)]

use arena::{FIRE, JUMP_KEY, Keys, PLAYERS, RIGHT, initial_state, script};
use bitstep::{
    num::lit,
    session::{Simulation, determinism_check},
    state::{BodyId, Collider},
    tick::TickReport,
};
use bitstep_rollback::sync_test;

const SEED: u64 = 3;

fn inputs(ticks: u64) -> Vec<Vec<Keys>> {
    (0..ticks).map(|tick| (0..PLAYERS).map(|player| script(SEED, player, tick)).collect()).collect()
}

#[test]
fn a_match_passes_the_sync_test_and_the_determinism_check() {
    let (state, inputs) = (initial_state(SEED).unwrap(), inputs(600));
    let mut straight = state.clone();
    for keys in &inputs {
        straight.tick(keys, &mut TickReport::default());
    }
    assert_eq!(sync_test(state.clone(), &inputs, 8).unwrap().checksum, straight.checksum());
    determinism_check(&state, &inputs[..300]).unwrap();
}

#[test]
fn a_long_match_has_coins_taken_fighters_out_and_nothing_that_overlaps() {
    let mut state = initial_state(SEED).unwrap();
    let mut report = TickReport::default();
    for keys in inputs(3_600) {
        state.tick(&keys, &mut report);
        assert!(report.reverted.is_empty() && report.tick_halted.is_none());
    }
    let points: Vec<u32> = state.game().fighters.iter().map(|fighter| fighter.points).collect();
    assert!(points.iter().sum::<u32>() > 20, "{points:?}");
    assert_eq!(points.iter().map(u32::to_string).collect::<Vec<_>>().join(" "), state.outcome());
}

#[test]
fn a_fighter_jumps_from_ground_once_and_lands() {
    let mut state = initial_state(SEED).unwrap();
    let (mut report, first) = (TickReport::default(), BodyId::from_parts(0, 0));
    let mut heights = Vec::new();
    for tick in 0..100 {
        let mut keys = [0; PLAYERS];
        keys[0] = if tick >= 60 { JUMP_KEY } else { 0 }; // held: it jumps again only when it has landed
        state.tick(&keys, &mut report);
        heights.push(state.world().body(first).unwrap().position.y);
    }
    let (rest, top) = (heights[59], *heights[60..].iter().max().unwrap());
    // 15 units per second against 30 per second squared; past a ledge, which it falls on then.
    assert!((lit("3.5")..lit("3.9")).contains(&(top - rest)), "{}", top - rest);
    assert!(heights[92..].iter().all(|&height| height > rest + lit("2")));
}

#[test]
fn a_bullet_strikes_others_and_not_its_shooter() {
    let mut state = initial_state(SEED).unwrap();
    let mut report = TickReport::default();
    let mut removed = Vec::new();
    for tick in 0..200 {
        let mut keys = [0; PLAYERS];
        keys[0] = if tick == 0 { RIGHT | FIRE } else { FIRE };
        state.tick(&keys, &mut report);
        removed.extend(report.removed.iter().filter_map(|removed| match removed.by {
            Collider::Body(body) if (body.slot() as usize) < PLAYERS => Some((removed.user, body.slot())),
            _ => None, // the stage
        }));
    }
    // The next one to the right, until it is out for the third hit; then the one behind it.
    assert_eq!(removed[..4], [(0, 1), (0, 1), (0, 1), (0, 2)]);
    let outs =
        (0..PLAYERS as u32).map(|slot| removed.iter().filter(|removed| removed.1 == slot).count() as u32 / 3);
    assert_eq!(state.game().fighters[0].points, 3 * outs.sum::<u32>());
}
