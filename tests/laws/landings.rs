//! A thousand bodies that fall into a box and come to rest there.

use bitstep::{
    geom::Vec3,
    num::{Rng, Scalar},
    shape::Shape,
    tick::TickReport,
    world::World,
};

use crate::{
    piles::{Scene, milli},
    support::{assert_clean, overlaps, s, step},
};

/// Balls of radius .25 and mass 1, or of three sizes with the masses of their volumes, on a lattice over a
/// box that is ten of them wide; as many as there are in so many layers.
fn landing(mixed: bool, layers: i64, seed: u64) -> World {
    let solids: &[_] = if mixed { &[("0.15", 3), ("0.2", 8), ("0.3", 27)] } else { &[("0.25", 1)] };
    let mut scene = Scene::well("0.2", if mixed { "3.5" } else { "3" });
    let kinds: Vec<_> =
        solids.iter().map(|&(radius, mass)| (scene.shape(Shape::sphere(s(radius))), mass)).collect();
    let cell = if mixed { 690 } else { 600 };
    for index in 0..100 * layers {
        let mut draws = Rng::new(seed).at(5, index as u64, 0);
        let (shape, mass) = kinds[draws.below(kinds.len() as u64) as usize];
        let [x, z] = [index % 10, index / 10 % 10].map(|c| (2 * c - 9) * cell / 2 + draws.between(-40, 40));
        let place = Vec3::new(milli(x), milli(500 + cell * (index / 100) + draws.between(-40, 40)), milli(z));
        scene.add(shape, mass, place, Vec3::ZERO);
    }
    scene.world(60)
}

/// What a landing came to.
struct Landed {
    /// The most bodies that were held in a tick.
    held: usize,
    /// Bodies that were braced, summed over the ticks.
    braced: usize,
    /// The mean of how far bodies moved in the last tick, in units per second.
    motion: Scalar,
}

/// Runs for so many seconds; in the last of them nothing is held.
fn land(world: &mut World, seconds: u64) -> Landed {
    let (count, rate) = (world.bodies().count(), u64::from(world.limits().tick_rate));
    let mut report = TickReport::default();
    let mut seen = Landed { held: 0, braced: 0, motion: s("0") };
    for tick in 1..=seconds * rate {
        let before: Vec<Vec3> = world.bodies().map(|(_, body)| body.position).collect();
        step(world, &mut report);
        assert_eq!(overlaps(world), 0, "tick {tick}");
        seen.held = seen.held.max(report.held.len());
        seen.braced += report.braced.len();
        report.held.truncate(if tick > (seconds - 1) * rate { usize::MAX } else { 0 });
        assert_clean(&report);
        let moved = world.bodies().zip(&before).map(|((_, body), before)| {
            (body.position - *before).raw().into_iter().map(i64::abs).fold(0, i64::max)
        });
        seen.motion = Scalar::from_bits(moved.sum::<i64>() * rate as i64 / count as i64);
    }
    println!(
        "{count} bodies: {} held in a tick at most, {} braced, motion {}",
        seen.held, seen.braced, seen.motion
    );
    seen
}

/// Nobody is held while they land, or two in a hundred at most, and then all lie still.
fn assert_lands(mixed: bool, layers: i64, seed: u64, seconds: u64) {
    let landed = land(&mut landing(mixed, layers, seed), seconds);
    assert!(landed.held as i64 <= 2 * layers, "seed {seed}: {} held", landed.held);
    assert!(landed.motion < s("0.001"), "seed {seed}: {}", landed.motion);
}

/// There is no friction: who lies on others stands still only because a slow one is brought to rest.
#[test]
fn three_hundred_balls_that_fall_into_a_box_lie_still() {
    assert_lands(false, 3, 1, 10);
}

/// Three seeds of each; in the tests of an optimised build, since it takes a minute.
#[test]
#[ignore = "a minute when optimised: .ci/run runs it"]
fn a_thousand_equal_balls_that_fall_into_a_box_lie_still() {
    (1..=3).for_each(|seed| assert_lands(false, 10, seed, 15));
}

#[test]
#[ignore = "a minute when optimised: .ci/run runs it"]
fn a_thousand_mixed_balls_that_fall_into_a_box_lie_still() {
    (1..=3).for_each(|seed| assert_lands(true, 10, seed, 15));
}
