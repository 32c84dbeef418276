//! Piles of rotating bodies with friction: their final state, and that no body is in another.

use bitstep::{
    World,
    num::Rng,
    shape::Shape,
    state::{Limits, Spawn},
};

use crate::{
    shows::{Stage, Verdict, Watch, milli, motion_twice, paced, turned},
    support::{s, v},
};

/// Some bodies over a well of a width: balls, or balls, cubes, rods and slabs.
fn pile(count: i64, mixed: bool, limits: Limits) -> World {
    let (cells, half) = if count > 500 { (8, "3.35") } else { (4, "1.75") };
    let mut stage = Stage::well("0.2", "0.5", half);
    let ball = stage.shape(Shape::sphere(s("0.25")));
    let rod = stage.shape(Shape::capsule(v("0.2", "0", "0"), s("0.12")));
    let others = [stage.block("0.2", "0.2", "0.2"), rod, stage.block("0.3", "0.1", "0.2")];
    for index in 0..count {
        let mut draws = Rng::new(11).at(7, index as u64, 0);
        let kind = if mixed { index % 4 } else { 0 };
        let shape = if kind == 0 { ball } else { others[kind as usize - 1] };
        let [x, z] = [index % cells, index / cells % cells]
            .map(|cell| milli(800 * cell - 400 * (cells - 1) + draws.between(-40, 40)));
        let y = milli(450 + 800 * (index / (cells * cells)) + draws.between(-20, 20));
        let orientation = turned([0; 4].map(|_: i64| draws.between(-1_000, 1_000)));
        stage.add(Spawn { orientation, ..Spawn::new(shape, bitstep::geom::Vec3::new(x, y, z)) });
    }
    stage.world_within(limits)
}

/// The energy of motion in millionths of a unit of mass times (unit per second) squared.
fn motion(world: &World) -> i128 {
    let rate = i128::from(world.limits().steps_per_second());
    (((motion_twice(world) / 2 * rate * rate) >> 32) * 1_000_000) >> 32
}

fn settles(count: i64, mixed: bool, limits: Limits, ticks: u64) -> (Watch, i128) {
    let (mut world, mut watch) = (pile(count, mixed, limits), Watch::default());
    let quarter = ticks / 4;
    for _ in 0..4 {
        watch.run(&mut world, quarter);
        println!(
            "pile of {count}, mixed {mixed}, at {} Hz in {}, tick {}: motion {} millionths, {}",
            limits.tick_rate,
            limits.substeps,
            watch.ticks,
            motion(&world),
            watch.nets()
        );
    }
    let left = motion(&world);
    (watch, left)
}

/// At 60 ticks per second and above for 900 ticks, below for 15 seconds: the largest motion that may be left,
/// by pace.
fn assert_settles(mixed: bool, bounds: [((u32, u8), i128); 2]) {
    let mut verdict = Verdict::default();
    for (pace, most) in bounds {
        let (limits, (rate, steps)) = (paced(pace), pace);
        let ticks = if rate < 60 { 15 * u64::from(rate) } else { 900 };
        let (mut watch, left) = settles(200, mixed, limits, ticks);
        let name = format!("pile, mixed {mixed}, {rate} Hz in {steps}");
        // A small ball that rolls fast would rotate by more than a quarter in a long tick.
        verdict.expect(
            watch.clamped == 0 || limits.steps_per_second() < 60,
            format!("{name}: {} clamped", watch.clamped),
        );
        watch.clamped = 0;
        // In a mixed pile that lands in the longest ticks, a body may have more impacts in a tick than the
        // budget.
        let held = std::mem::take(&mut watch.held);
        verdict.expect(
            held <= usize::from(mixed && limits.steps_per_second() < 20),
            format!("{name}: {held} held"),
        );
        verdict.clean(&watch, &name);
        verdict.expect(left < most, format!("{name}: {left} millionths"));
    }
    verdict.close();
}

#[test]
#[ignore = "minutes when optimised: .ci/full runs it"]
fn two_hundred_balls_settle() {
    assert_settles(false, [((60, 1), 1_000), ((120, 1), 1_000)]);
}

#[test]
#[ignore = "minutes when optimised: .ci/full runs it"]
fn two_hundred_balls_in_long_ticks() {
    assert_settles(false, [((10, 1), 5_000_000), ((20, 1), 1_000)]);
}

#[test]
#[ignore = "minutes when optimised: .ci/full runs it"]
fn two_hundred_balls_settle_in_long_ticks_of_several_steps() {
    assert_settles(false, [((10, 6), 1_000), ((20, 3), 1_000)]);
}

#[test]
#[ignore = "minutes when optimised: .ci/full runs it"]
fn two_hundred_bodies_of_four_shapes_settle() {
    assert_settles(true, [((60, 1), 10_000), ((120, 1), 10_000)]);
}

#[test]
#[ignore = "minutes when optimised: .ci/full runs it"]
fn two_hundred_bodies_of_four_shapes_in_long_ticks() {
    assert_settles(true, [((10, 1), 80_000_000), ((20, 1), 15_000_000)]);
}

#[test]
#[ignore = "minutes when optimised: .ci/full runs it"]
fn two_hundred_bodies_of_four_shapes_settle_in_long_ticks_of_several_steps() {
    assert_settles(true, [((10, 6), 10_000), ((20, 3), 10_000)]);
}

/// A thousand at 60 ticks per second: hardly anything moves by tick 900, and no bit of balls changes by tick
/// 750.
fn assert_thousand_settle(mixed: bool, most: i128) {
    let (watch, left) = settles(1_000, mixed, Limits::new(60), 900);
    let mut verdict = Verdict::default();
    verdict.clean(&watch, "a thousand");
    verdict.expect(left < most, format!("{left} millionths"));
    // A pile that flickers needs another solution of the whole heap in each tick.
    verdict.expect(mixed || watch.still() < 750, format!("still from tick {}", watch.still()));
    verdict.close();
}

#[test]
#[ignore = "a minute when optimised: .ci/full runs it"]
fn a_thousand_balls_settle() {
    assert_thousand_settle(false, 1);
}

#[test]
#[ignore = "minutes when optimised: .ci/full runs it"]
fn a_thousand_bodies_of_four_shapes_settle() {
    assert_thousand_settle(true, 10_000_000);
}
