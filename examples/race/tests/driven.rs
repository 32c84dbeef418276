//! The autopilot on the track: it comes round, stays above the ground, and is the same however it is played.
#![allow(missing_docs)]

use bitstep::{
    geom::Vec3,
    num::{Rng, Scalar, lit},
    session::{Session, determinism_check},
    tick::TickReport,
};
use race::{
    Input, Race,
    autopilot::autopilot,
    car::{Chassis, HALF},
    course::{GROUND, Place},
    initial_state, initial_state_at,
};

fn chassis(state: &Session<Race>) -> Chassis {
    Chassis::of(state.world(), state.game().car.body).unwrap()
}

fn corners(chassis: &Chassis) -> impl Iterator<Item = Vec3> + '_ {
    (0..8).map(|corner| {
        let sign = |bit: i32| 1 - 2 * (corner >> bit & 1);
        let offset = Vec3::new(HALF.x * sign(0), HALF.y * sign(1), HALF.z * sign(2));
        chassis.position + chassis.orientation.turn_nearest(offset)
    })
}

/// The least height of the body's corners above the road.
fn clearance(chassis: &Chassis) -> Scalar {
    corners(chassis).map(|corner| corner.y - Place::of(corner).point().y).min().unwrap()
}

/// Drives for some laps, and returns the lap times in ticks.
fn laps(rate: u32, count: u16) -> Vec<u32> {
    let (mut state, mut report) = (initial_state_at(rate).unwrap(), TickReport::default());
    let (mut times, mut least) = (Vec::new(), Scalar::MAX);
    while times.len() < usize::from(count) {
        let input = autopilot(&state);
        state.tick(&[input], &mut report);
        let (chassis, place) = (chassis(&state), Place::of(chassis(&state).position));
        let tick = report.tick;
        assert!(place.left.abs() < 6, "{rate} Hz, tick {tick}: {place:?}");
        assert!(chassis.up().y > lit("0.95"), "{rate} Hz, tick {tick}: {:?}", chassis.up());
        least = least.min(clearance(&chassis));
        let nets = [report.reverted.len(), report.impact_limited.len(), report.out_of_bounds.len()];
        assert_eq!(
            (nets, report.speed_clamped, report.overlapping),
            ([0; 3], 0, 0),
            "{rate} Hz, tick {tick}"
        );
        assert!(tick < u64::from(rate) * 60 * u64::from(count), "{rate} Hz: not a lap a minute");
        let laps = state.game().laps;
        if usize::from(laps.done) > times.len() {
            times.push(laps.last);
        }
    }
    assert!(least > 0, "{rate} Hz: {least}");
    times
}

#[test]
fn the_autopilot_comes_round_at_every_rate() {
    for rate in [30, 60, 120] {
        let times = laps(rate, 2);
        let seconds: Vec<u32> = times.iter().map(|ticks| ticks / rate).collect();
        assert!(seconds[0] > 25 && seconds[0] < 32 && seconds[1] < seconds[0], "{seconds:?}");
    }
}

/// A driver that cares for nothing: it holds drawn controls for a while.
fn careless(seed: u64, tick: u64) -> Input {
    let mut draws = Rng::new(seed).at(0, 0, tick / 40);
    let throttle = if draws.below(5) == 0 { -127 } else { 127 };
    let steer = draws.between(-127, 127) as i8;
    Input { throttle, steer, brake: draws.below(9) == 0, reset: tick % 1_500 == 1_499 }
}

#[test]
fn a_careless_driver_breaks_nothing() {
    for (seed, rate) in [(1, 60), (2, 60), (3, 60), (4, 30), (5, 120)] {
        let (mut state, mut report) = (initial_state_at(rate).unwrap(), TickReport::default());
        let mut least = Scalar::MAX;
        for tick in 0..6_000 {
            state.tick(&[careless(seed, tick)], &mut report);
            let chassis = chassis(&state);
            least = least.min(corners(&chassis).map(|corner| corner.y).min().unwrap());
            let nets = [report.reverted.len(), report.impact_limited.len(), report.out_of_bounds.len()];
            assert_eq!((nets, report.speed_clamped), ([0; 3], 0), "{rate} Hz, tick {tick}");
        }
        assert!(least > GROUND - lit("0.01"), "{rate} Hz: {least}");
    }
}

/// The inputs of the autopilot, with some that are bad.
fn inputs(ticks: usize) -> Vec<Vec<Input>> {
    let (mut state, mut report) = (initial_state().unwrap(), TickReport::default());
    (0..ticks)
        .map(|tick| {
            let mut input = autopilot(&state);
            if tick % 400 > 350 {
                input = Input { throttle: i8::MIN, steer: i8::MIN, ..input };
            }
            input.reset = tick % 700 == 699;
            state.tick(&[input], &mut report);
            vec![input]
        })
        .collect()
}

#[test]
fn a_race_is_the_same_from_a_snapshot_before_any_tick() {
    determinism_check(&initial_state().unwrap(), &inputs(900)).unwrap();
}
