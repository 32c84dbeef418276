//! Heaps of rotating bodies with friction: nothing overlaps, the ledger closes, and no energy is gained.

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, Scalar},
    shape::Shape,
    state::ShapeId,
    tick::TickReport,
};

use crate::{
    piles::RATES,
    support::{every, overlaps, step, v},
    tumblers::{CUBE, Scene, any_rotation, heap, room, solids, turned},
};

const FRICTIONS: [&str; 3] = ["0", "0.3", "1"];
const RESTITUTIONS: [&str; 3] = ["0", "0.2", "0.9"];

/// Statistics of a run.
#[derive(Default, Debug)]
pub struct Seen {
    pub impacts: usize,
    pub held: usize,
    pub reverted: usize,
    pub velocity_corrected: usize,
    pub unresolved: u32,
    /// The largest rise of the energy above its minimum, in millionths of the energy of all bodies that fall
    /// as far as the outermost one is from the middle, and of the initial energy where there is no gravity.
    pub gain_ppm: i128,
}

/// Runs a world and checks every tick.
///
/// # Panics
///
/// If a tick breaks a law.
pub fn run(name: &str, world: &mut World, ticks: u64) -> Seen {
    let (mut report, mut seen) = (TickReport::default(), Seen::default());
    let first = world.energy_twice_wide();
    let far = world.bodies().flat_map(|(_, body)| body.position.raw()).map(i64::abs).max().unwrap();
    let pull = world.gravity().raw().map(i64::abs).into_iter().sum::<i64>();
    let fallen = |mass: u32| 2 * i128::from(mass) * i128::from(pull) * i128::from(far);
    let whole = match pull {
        0 => first.max(1),
        _ => world.bodies().map(|(_, body)| fallen(body.mass)).sum(),
    };
    let mut least = first;
    for tick in 0..ticks {
        step(world, &mut report);
        assert_eq!(overlaps(world), 0, "{name}: tick {tick}");
        let nets = (&report.out_of_bounds, report.tick_halted, report.overlapping);
        assert_eq!(nets, (&vec![], None, 0), "{name}: tick {tick}");
        seen.reverted += report.reverted.len();
        let energy = world.energy_twice_wide();
        seen.gain_ppm = seen.gain_ppm.max((energy - least) / (whole / 1_000_000).max(1));
        least = least.min(energy);
        seen.impacts += report.impacts.len();
        seen.held += report.impact_limited.len();
        seen.velocity_corrected += report.velocity_corrected.len();
        seen.unresolved += report.unresolved;
    }
    println!("{name}: {seen:?}");
    seen
}

#[test]
fn nothing_overlaps_in_heaps_at_any_rate() {
    for rate in RATES {
        let mut world = heap(rate, ("0.2", "0.3"), 30, 7).world();
        let seen = run(&format!("{rate} Hz"), &mut world, 120);
        assert!(seen.impacts > 20 && seen.reverted == 0, "{rate} Hz: {seen:?}");
    }
}

#[test]
#[ignore = "a minute when optimised: .ci/full runs it"]
fn shows_that_nothing_overlaps_in_heaps_of_any_material_at_any_rate() {
    let (mut held, mut reverted) = (0, 0);
    for (rate, friction) in RATES.into_iter().flat_map(|rate| FRICTIONS.map(|friction| (rate, friction))) {
        for restitution in RESTITUTIONS {
            let name = format!("{rate} Hz, friction {friction}, restitution {restitution}");
            let mut world = heap(rate, (restitution, friction), 40, 7).world();
            let seen = run(&name, &mut world, 300);
            assert!(seen.impacts > 20, "{name}: {seen:?}");
            held += seen.held;
            reverted += seen.reverted;
        }
    }
    println!("{held} held, {reverted} reverted");
    assert_eq!(reverted, 0);
}

fn scaled(shape: &Shape, by: i64, over: i64) -> Shape {
    let part = |raw: i64| raw * by / over;
    match shape {
        Shape::Sphere { radius } => Shape::sphere(Scalar::from_bits(part(radius.to_bits()))),
        Shape::Capsule(capsule) => {
            Shape::capsule(capsule.half_axis.map_raw(part), Scalar::from_bits(part(capsule.radius.to_bits())))
        }
        Shape::Obb(obb) => {
            let mut obb = *obb;
            obb.half_edges = obb.half_edges.map(|edge| edge.map_raw(part));
            Shape::Obb(obb)
        }
        other => other.clone(),
    }
}

/// The heap in another size.
fn scaled_heap(rate: u32, bouncy: (&str, &str), (by, over): (i64, i64), half: &str) -> Scene {
    let mut scene = heap(rate, bouncy, 40, 9);
    let shapes: Vec<Shape> = solids().iter().map(|shape| scaled(shape, by, over)).collect();
    scene.scenery = room(bouncy, &shapes, half);
    for spawn in &mut scene.spawns {
        spawn.position = spawn.position.map_raw(|raw| raw * by / over);
        spawn.velocity = spawn.velocity.map_raw(|raw| raw * by / over);
    }
    scene
}

#[test]
fn nothing_overlaps_in_tiny_and_large_heaps() {
    for rate in [20, 60].into_iter().step_by(every(2)) {
        for bouncy in [("0.2", "0.3")] {
            // Half extents of a hundredth, and of a hundred.
            for (name, scale, half) in [("tiny", (1, 30), "0.1"), ("large", (250, 1), "750")] {
                let mut world = scaled_heap(rate, bouncy, scale, half).world();
                run(&format!("{name}, {rate} Hz, {bouncy:?}"), &mut world, 60);
            }
        }
    }
}

#[test]
fn nothing_overlaps_where_the_small_lie_with_the_large_and_the_light_with_the_heavy() {
    for rate in RATES {
        for bouncy in [("0.2", "0.3"), ("0.9", "1"), ("0", "0")].into_iter().step_by(every(2)) {
            let small = solids();
            let shapes: Vec<Shape> =
                small.iter().map(|shape| scaled(shape, 1, 20)).chain(small.iter().cloned()).collect();
            let mut scene = heap(rate, bouncy, 24, 11);
            scene.scenery = room(bouncy, &shapes, "3");
            for (index, spawn) in scene.spawns.iter_mut().enumerate() {
                let large = index % 3 != 0;
                spawn.shape = ShapeId(spawn.shape.0 + if large { 5 } else { 0 });
                spawn.mass = if large == (index % 2 == 0) { 1_000 } else { 1 };
            }
            run(&format!("unequal, {rate} Hz, {bouncy:?}"), &mut scene.world(), 200);
        }
    }
}

#[test]
fn towers_stand_and_lie_still() {
    for rate in RATES {
        let mut scene = Scene::new(rate, room(("0", "0.6"), &solids(), "4"));
        for (mass, y) in (1..).zip(["-3.69", "-3.08", "-2.47", "-1.86"]) {
            scene.add(CUBE, mass, v("0.1", y, "0.2"), turned("9", "0", "2", "0"));
        }
        let mut world = scene.world();
        run(&format!("a tower at {rate} Hz"), &mut world, u64::from(4 * rate));
        let before: Vec<_> = world.bodies().map(|(_, body)| *body).collect();
        run("later", &mut world, u64::from(rate));
        let after: Vec<_> = world.bodies().map(|(_, body)| *body).collect();
        assert_eq!(before, after, "{rate} Hz");
        assert!(world.bodies().all(|(_, body)| body.momentum == Vec3::ZERO));
    }
}

/// Bodies that fly about and bounce gain nothing. Without loss and without friction they keep their energy,
/// except for the difference between the straight rotation of a tick and the true one where an impact ends
/// it: it goes with the third power of the rotation in a tick.
#[test]
fn a_gas_of_what_turns_gains_nothing() {
    let lossless = [(20, 100_000), (60, 5_000), (120, 500)].map(|(rate, least)| (rate, ("1", "0"), least));
    let lossy = [(60, ("0.9", "0.5"), 1_000_000), (60, ("1", "1"), 1_000_000)];
    for (rate, bouncy, least) in lossless.into_iter().chain(lossy) {
        let mut scene = heap(rate, bouncy, 40, 13);
        scene.gravity = Vec3::ZERO;
        for (index, spawn) in scene.spawns.iter_mut().enumerate() {
            let mut draws = Rng::new(14).at(0, index as u64, 0);
            let most = 3 * (1_i64 << 32) / i64::from(rate);
            spawn.velocity = Vec3::from_raw([(); 3].map(|()| draws.between(-most, most)));
            spawn.orientation = any_rotation(&mut draws);
        }
        let mut world = scene.world();
        let first = world.energy_twice_wide();
        let seen = run(&format!("a gas at {rate} Hz, {bouncy:?}"), &mut world, 300);
        let last = world.energy_twice_wide();
        let drift = (last - first) * 1_000_000 / first;
        println!("{} impacts, drift {drift} in a million", seen.impacts);
        assert!((-least..=100).contains(&drift), "{drift} at {rate} Hz");
    }
}
