//! The angular momentum of a world about its origin changes by what the report's lines say, within half a raw
//! for each impulse that turned a body.

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::Rng,
    snapshot,
    state::{Command, Locks, ShapeId, Spawn},
    tick::{Cause, TickReport},
};

use crate::{
    compounds,
    sleeps::{BALL, add_tower, lull, sleepy, stage},
    support::{s, v},
    tumblers::{ROD, Scene, add_paddle, any_rotation, ground, heap, solids},
};

/// Steps a world, and checks the account of the tick; returns the allowed and the actual difference.
fn step(world: &mut World, report: &mut TickReport) -> [i128; 2] {
    let before = world.angular_momentum_wide();
    world.step(report);
    let (after, total) = (world.angular_momentum_wide(), report.angular.total());
    let off = (0..3).map(|axis| (2 * (after[axis] - before[axis]) - total[axis]).abs()).max().unwrap();
    [off, report.angular.slack()]
}

/// Statistics of a run.
#[derive(Default, Debug)]
struct Seen {
    /// Number of impulses that turned a body.
    roundings: u64,
    /// The largest part of the slack used in a tick, in 100.
    most: i128,
    /// The causes whose lines were ever not zero.
    causes: Vec<Cause>,
}

impl Seen {
    /// True if the line of each of these causes was ever not zero.
    fn acted(&self, causes: &[Cause]) -> bool {
        causes.iter().all(|cause| self.causes.contains(cause))
    }
}

fn closes(scene: &Scene, ticks: u64) -> Seen {
    let (mut world, mut report, mut seen) = (scene.world(), TickReport::default(), Seen::default());
    for tick in 0..ticks {
        let [off, slack] = step(&mut world, &mut report);
        assert!(
            off <= slack,
            "tick {tick}: off by {} raw, of {}: {:?}",
            off >> 33,
            slack >> 33,
            report.angular
        );
        if slack > 0 {
            seen.most = seen.most.max(100 * off / slack);
        }
        seen.roundings += report.angular.roundings;
        let acted = Cause::ALL.iter().filter(|&&cause| report.angular[cause] != [0; 3]);
        seen.causes.extend(acted);
        seen.causes.sort_unstable();
        seen.causes.dedup();
    }
    seen
}

#[test]
fn the_ledger_of_a_heap_that_falls_and_comes_to_rest() {
    for (bouncy, seed) in [(("0.5", "0.5"), 1), (("0", "0"), 2), (("0.8", "1"), 3)] {
        let seen = closes(&heap(60, bouncy, 24, seed), 240);
        assert!(seen.acted(&[Cause::VelocityCorrections]) && seen.roundings > 5_000, "{seen:?}");
    }
}

#[test]
fn the_ledger_of_bodies_of_several_shapes() {
    let seen = closes(&compounds::heap(60, ("0.3", "0.5"), 18, 5), 240);
    assert!(seen.roundings > 5_000, "{seen:?}");
}

#[test]
fn the_ledger_of_a_heap_with_a_paddle() {
    let mut scene = heap(60, ("0.5", "0.5"), 16, 4);
    for spawn in &mut scene.spawns {
        spawn.position += v("0", "2", "0");
    }
    add_paddle(&mut scene, "3", v("0", "-2", "0"));
    let seen = closes(&scene, 240);
    assert!(seen.acted(&[Cause::Kinematics]) && seen.roundings > 5_000, "{seen:?}");
}

#[test]
fn the_ledger_with_bodies_that_never_rotate_or_are_locked_or_damped() {
    let mut scene = heap(60, ("0.5", "0.5"), 24, 5);
    for (index, spawn) in scene.spawns.iter_mut().enumerate() {
        match index % 4 {
            0 if spawn.shape != ROD => {
                spawn.rotates = false;
                (spawn.orientation, spawn.angular_velocity) = (Rotation::IDENTITY, Vec3::ZERO);
            }
            1 => {
                spawn.locks = Locks::X.and(Locks::Z);
                spawn.velocity = spawn.locks.free_part(spawn.velocity);
            }
            2 => spawn.damping_q16 = 2000,
            _ => {}
        }
    }
    let seen = closes(&scene, 240);
    assert!(seen.acted(&[Cause::Damping, Cause::Locks, Cause::Unturned]), "{seen:?}");
}

#[test]
fn the_ledger_with_bodies_that_rotate_about_some_axes_only() {
    let mut scene = heap(60, ("0.5", "0.5"), 24, 8);
    for (bits, spawn) in (0..).zip(&mut scene.spawns) {
        spawn.locks = Locks::try_from((bits % 8) << 3).unwrap();
        spawn.angular_velocity = Vec3::ZERO;
    }
    let seen = closes(&scene, 240);
    assert!(seen.acted(&[Cause::Locks]) && seen.roundings > 5_000, "{seen:?}");
}

#[test]
fn the_ledger_with_bodies_held_and_too_fast() {
    let mut scene = heap(60, ("0.9", "0.5"), 24, 6);
    scene.limits = scene.limits.with_budget(2).with_speed_max(s("0.05"));
    for spawn in &mut scene.spawns {
        spawn.velocity = Vec3::ZERO;
    }
    let seen = closes(&scene, 240);
    assert!(seen.acted(&[Cause::Holds, Cause::Clamps]), "{seen:?}");
}

/// A body in free flight: gravity acts at the middle of each path, and positions are rounded.
#[test]
fn gravity_alone_counts_in_flight() {
    let mut scene = heap(60, ("0.5", "0.5"), 8, 7);
    scene.scenery = ground(("0.5", "0.5"), &solids(), &[]);
    let (mut world, mut report) = (scene.world(), TickReport::default());
    for _ in 0..30 {
        let before = world.angular_momentum_wide();
        let places: Vec<_> = world.bodies().map(|(_, body)| *body).collect();
        assert_eq!(step(&mut world, &mut report), [0, 0]);
        let mut gravity = [0; 3];
        let mut bound = 0;
        for (before, (_, after)) in places.iter().zip(world.bodies()) {
            let middle = before.position + after.position; // twice
            let kick = world.gravity().map_raw(|raw| raw * i64::from(before.mass));
            let more = middle.cross_wide(kick);
            gravity = [0, 1, 2].map(|axis| gravity[axis] + more[axis]);
            let momentum = after.momentum.raw().into_iter().chain(before.momentum.raw());
            // Half a raw of the path on each axis, times twice the momentum in the middle of the tick.
            bound += momentum.map(|raw| i128::from(raw.abs())).sum::<i128>();
        }
        assert_eq!(report.angular[Cause::Gravity], gravity);
        assert!(
            report.angular[Cause::Motions].iter().all(|part| part.abs() <= bound),
            "{:?}",
            report.angular
        );
        let after = world.angular_momentum_wide();
        let off = (0..3).map(|axis| (2 * (after[axis] - before[axis]) - gravity[axis]).abs()).max();
        assert!(off.unwrap() <= bound);
    }
}

/// Bodies in space, without gravity, that fly into each other.
fn cluster(bouncy: (&str, &str), seed: u64) -> Scene {
    let mut scene = Scene::new(60, ground(bouncy, &solids(), &[]));
    scene.gravity = Vec3::ZERO;
    for index in 0..12 {
        let mut draws = Rng::new(seed).at(2, index, 0);
        let cell = [index % 2, index / 2 % 2, index / 4].map(|c| (2 * c as i64 - 1) << 32);
        let position = Vec3::from_raw(cell.map(|c| c + draws.between(-1 << 28, 1 << 28)));
        let orientation = any_rotation(&mut draws);
        let shape = ShapeId(draws.below(4) as u16);
        let spawn = scene.add(shape, 3 + index as u32, position, orientation);
        spawn.velocity = Vec3::from_raw(position.raw().map(|c| -c / 40 + draws.between(-1 << 26, 1 << 26)));
        spawn.angular_velocity = Vec3::from_raw([(); 3].map(|()| draws.between(-1 << 28, 1 << 28)));
    }
    scene
}

#[test]
fn positions_alone_change_the_ledger_in_space() {
    for (bouncy, seed) in [(("0.5", "0.5"), 1), (("0", "0.5"), 2), (("1", "0"), 3)] {
        let seen = closes(&cluster(bouncy, seed), 120);
        assert!(seen.causes.iter().all(|&cause| cause == Cause::Motions), "{seen:?}");
        assert!(seen.roundings > 20);
    }
}

/// Which sleepers a tick leaves out is no part of the state: a fresh world leaves out none at first.
#[test]
fn a_sleeper_that_turns_is_accounted_for_whether_it_is_looked_at_or_not() {
    let mut stage = stage();
    add_tower(&mut stage, 2, (0, 0, 0));
    let mut world = stage.world_within(sleepy(60));
    lull(&mut world, 5);
    let far = Spawn { velocity: v("0.5", "0.1", "0.2"), ..Spawn::new(BALL, v("300", "90", "-20")) };
    world.apply(&[Command::Spawn(far)]).accepted().unwrap();
    let (mut ours, mut theirs) = (TickReport::default(), TickReport::default());
    for tick in 0..60 {
        let mut restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
        world.step(&mut ours);
        restored.step(&mut theirs);
        assert!(ours == theirs && ours.angular.total() != [0; 3], "tick {tick}: {ours:?} {theirs:?}");
    }
}
