//! The duration of a tick of a soft crowd. Quote the "fastest" column, and compare only within one run:
//! `cargo bench --bench soft`.
#![allow(missing_docs)]

#[path = "../tests/support/mod.rs"]
#[allow(dead_code)]
mod support;

use bitstep::{
    World,
    geom::{Vec3, normalise},
    num::{Rng, Scalar},
    shape::Shape,
    state::{BodyId, Command, Limits, Rule, ShapeId, Spawn},
    tick::TickReport,
};
use divan::Bencher;

use support::{s, shapes, v};

/// Number on a side: 2,025 in all.
const SIDE: i64 = 45;

/// In units per tick; they separate at up to twice as much.
const SPEED: Scalar = Scalar::from_bits((1 << 32) / 20);

fn main() {
    divan::main();
}

/// Discs of radius 1/2 in a flat world, soft to each other, in rows so far apart; `restitution` 0 has
/// contacts at rest.
fn crowd(restitution: &str, spacing: i64, velocity: Vec3) -> World {
    let limits = Limits::new(60).with_flat(true).with_separation_speed(SPEED * 2);
    let mut world = World::new(limits, shapes(restitution, &[Shape::sphere(s("0.5"))])).unwrap();
    let mut commands = vec![Command::SetLayers { a: 0, b: 0, rule: Rule::Soft, allow_overlap: false }];
    for index in 0..SIDE * SIDE {
        let mut draws = Rng::new(1).at(0, index as u64, 0);
        let mut place = |cell: i64| (cell - SIDE / 2) * spacing + draws.between(-1 << 24, 1 << 24);
        let position = Vec3::from_raw([place(index % SIDE), place(index / SIDE), 0]);
        commands.push(Command::Spawn(Spawn { velocity, ..Spawn::new(ShapeId(0), position) }));
        let body = BodyId::from_parts(index as u32, 0);
        commands.push(Command::Drive { body, velocity, accel_max: SPEED });
    }
    assert!(world.apply(&commands).outcomes.iter().all(Result::is_ok));
    world
}

/// Drives every body straight to one point, by a command in each tick.
fn drive_to_the_middle(world: &mut World) {
    let commands: Vec<Command> = world
        .bodies()
        .map(|(body, it)| {
            let way = normalise(-it.position).unwrap_or_default();
            let velocity = way.map_raw(|raw| ((i128::from(raw) * i128::from(SPEED.to_bits())) >> 32) as i64);
            Command::Drive { body, velocity, accel_max: SPEED }
        })
        .collect();
    let _ = world.apply(&commands);
}

fn run(bencher: Bencher, world: &World) {
    let mut report = TickReport::default();
    bencher.with_inputs(|| world.clone()).bench_local_refs(|world| world.step(&mut report));
}

/// In rows 9/8 apart: no overlap.
#[divan::bench(args = ["0", "1"])]
fn march(bencher: Bencher, restitution: &str) {
    let mut world = crowd(restitution, 9 << 29, v("0.05", "0", "0"));
    (0..10).for_each(|_| world.step(&mut TickReport::default()));
    run(bencher, &world);
}

/// Ordered to one point, after so many ticks.
#[divan::bench(args = [150, 300, 600])]
fn to_one_point(bencher: Bencher, ticks: u32) {
    let mut world = crowd("0", 9 << 29, Vec3::ZERO);
    for _ in 0..ticks {
        drive_to_the_middle(&mut world);
        world.step(&mut TickReport::default());
    }
    run(bencher, &world);
}

/// In rows 3/4 apart, as they begin to separate.
#[divan::bench(args = ["0", "1"])]
fn parting(bencher: Bencher, restitution: &str) {
    let mut world = crowd(restitution, 3 << 30, Vec3::ZERO);
    (0..10).for_each(|_| world.step(&mut TickReport::default()));
    run(bencher, &world);
}
