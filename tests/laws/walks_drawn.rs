//! Drawn moves of characters through drawn yards: never inside anything, and in a mirror the image.

use std::sync::Arc;

use bitstep::{
    World,
    character::{CharacterMove, CharacterSettings},
    geom::{Normal, Rotation, Vec3},
    num::{Rng, Scalar},
    shape::Shape,
    state::{BodyType, Command, Limits, Scenery, Spawn},
    tick::TickReport,
};

use crate::{
    support::{change::Change, s, v},
    walks::{FALL, Ground, SLAB, WHO, id, is_inside, place},
};

/// A drawn yard: boxes, ramps, stairs, walls in every direction, and lifts that go to and fro.
fn yard(seed: u64) -> Arc<Scenery> {
    let mut ground = Ground::new();
    let rng = Rng::new(seed);
    for number in 0..60 {
        let mut draws = rng.at(0, number, 0);
        let mut raw = |least: i64, most: i64| Scalar::from_bits(draws.between(least, most));
        let at = Vec3::new(raw(-6 << 32, 6 << 32), raw(-1 << 31, 3 << 32), raw(-6 << 32, 6 << 32));
        let half = Vec3::new(raw(1 << 29, 1 << 32), raw(1 << 28, 1 << 31), raw(1 << 29, 1 << 32));
        let turn = Rotation::from_quaternion(
            raw(1 << 31, 1 << 32),
            raw(-1 << 31, 1 << 31),
            raw(-1 << 31, 1 << 31),
            raw(-1 << 31, 1 << 31),
        );
        let shape = match number % 4 {
            0 => Shape::obb(half, turn.unwrap()),
            3 => Shape::aabb(Vec3 { y: half.y / 4, ..half }),
            1 => Shape::capsule(Vec3::new(half.x, Scalar::ZERO, raw(-1 << 30, 1 << 30)), half.y),
            _ => Shape::aabb(half),
        };
        // Some lie on the ground, as steps.
        let at = if number % 4 == 3 { Vec3 { y: half.y / 4, ..at } } else { at };
        ground.solid(shape, at);
    }
    for (x, z) in [(8, 0), (-8, 0), (0, 8), (0, -8)] {
        let half = if x == 0 { v("9", "9", "1") } else { v("1", "9", "9") };
        ground.solid(Shape::aabb(half), Vec3::from_raw([x << 32, 4 << 32, z << 32]));
    }
    ground.builder.build().unwrap()
}

/// The walkers of a yard, and lifts after them.
const WALKERS: u32 = 3;
const LIFTS: u32 = 5;

fn play(seed: u64, change: &Change) -> World {
    let mut world = World::new(Limits::new(60), change.scenery(&yard(seed))).unwrap();
    let rng = Rng::new(seed);
    for number in 0..WALKERS + LIFTS {
        // Where there is room.
        for tries in 0..1_000 {
            let mut draws = rng.at(1, number.into(), tries);
            let mut raw = |least: i64, most: i64| Scalar::from_bits(draws.between(least, most));
            let at = Vec3::new(raw(-6 << 32, 6 << 32), raw(1 << 31, 4 << 32), raw(-6 << 32, 6 << 32));
            let shape = if number < WALKERS { WHO[number as usize % 3] } else { SLAB };
            let probe = Command::Spawn(Spawn::new(WHO[0], change.point(at)));
            let is_free = world.clone().apply(&[probe]).outcomes[0].is_ok();
            let spawn =
                Spawn { body_type: BodyType::Kinematic, mass: 9, ..Spawn::new(shape, change.point(at)) };
            if is_free && world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok() {
                break;
            }
        }
    }
    assert_eq!(world.bodies().count(), (WALKERS + LIFTS) as usize);
    world
}

/// Drives the lifts for a tick, which may go through walls, and moves all characters; returns the moves.
fn step(world: &mut World, seed: u64, change: &Change) -> Vec<CharacterMove> {
    let (tick, rng) = (world.tick_count(), Rng::new(seed));
    for lift in WALKERS..WALKERS + LIFTS {
        let mut draws = rng.at(2, lift.into(), tick / 50 / 2);
        let way = Vec3::from_raw([(); 3].map(|()| draws.between(-1 << 27, 1 << 27)));
        let way = if tick / 50 % 2 == 0 { way } else { -way };
        world
            .apply(&[Command::SetVelocity { body: id(lift), velocity: change.vector(way) }])
            .accepted()
            .unwrap();
    }
    let up = change.normal(Normal::Y);
    let mut walks = Vec::new();
    for number in 0..WALKERS {
        let mut draws = rng.at(3, number.into(), tick / 20);
        let mut raw = || Scalar::from_bits(draws.between(-1 << 28, 1 << 28));
        let (x, z, y) = (raw(), raw(), raw());
        // Mostly it falls; now and then it jumps.
        let way = Vec3::new(x, if y.to_bits() > 3 << 26 { y } else { s(FALL) }, z);
        let way = if draws.below(6) == 0 { Vec3::new(Scalar::ZERO, s(FALL), Scalar::ZERO) } else { way };
        let walk = world
            .move_character(
                id(number),
                change.vector(way),
                &CharacterSettings { up, ..CharacterSettings::USUAL },
            )
            .unwrap();
        world.apply(&[walk.command(id(number))]).accepted().unwrap();
        walks.push(walk);
    }
    world.step(&mut TickReport::default());
    walks
}

#[test]
fn characters_are_never_inside_anything() {
    let (mut steps, mut grounds, mut walls, mut carried, mut crushed) = (0, 0, 0, 0, 0);
    for seed in 0..10 {
        let mut world = play(seed, &Change::NONE);
        let mut was_crushed = [false; WALKERS as usize];
        for tick in 0..1_000 {
            for (number, walk) in (0..).zip(step(&mut world, seed, &Change::NONE)) {
                let is_inside = is_inside(&world, number);
                assert!(!is_inside || walk.is_crushed, "seed {seed}, tick {tick}, {number}: {walk:?}");
                assert_eq!(walk.position, place(&world, number), "nothing stops it");
                was_crushed[number as usize] = walk.is_crushed;
                steps += usize::from(walk.step > Scalar::ZERO);
                grounds += usize::from(walk.ground.is_some());
                walls += walk.walls.len();
                let mut met: Vec<_> = walk.walls.iter().map(|wall| (wall.collider, wall.child)).collect();
                met.sort_unstable();
                met.dedup();
                assert_eq!(met.len(), walk.walls.len(), "each wall once");
                carried += usize::from(walk.carried_by.is_some());
                crushed += usize::from(walk.is_crushed);
            }
        }
    }
    println!("{steps} steps, {grounds} grounds, {walls} walls, carried {carried}, crushed {crushed}");
    assert!(
        steps > 100 && grounds > 10_000 && walls > 1_000 && carried > 100,
        "{steps} {grounds} {walls} {carried}"
    );
    assert!(crushed < 3_000, "{crushed}");
}

#[test]
fn a_walk_in_a_mirror_is_the_mirror_image() {
    for change in Change::all(Change::KINDS) {
        let mut here = play(3, &Change::NONE);
        let mut there = play(3, &change);
        for tick in 0..150 {
            let (ours, theirs) = (step(&mut here, 3, &Change::NONE), step(&mut there, 3, &change));
            for (ours, theirs) in ours.iter().zip(&theirs) {
                let image = |met: &bitstep::character::CharacterHit| bitstep::character::CharacterHit {
                    normal: change.normal(met.normal),
                    ..*met
                };
                let expected = CharacterMove {
                    position: change.point(ours.position),
                    ground: ours.ground.as_ref().map(image),
                    walls: ours.walls.iter().map(image).collect(),
                    ceiling: ours.ceiling.as_ref().map(image),
                    ..ours.clone()
                };
                assert_eq!(*theirs, expected, "tick {tick}, {change:?}");
            }
        }
    }
}
