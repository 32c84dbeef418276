//! Soft crowds: they separate and rest, no side of space and no id is favoured, and walls stay solid.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Normal, Plane, Rotation, Vec3},
    num::{Rng, Scalar, lit, rng::Draws},
    shape::Shape,
    snapshot,
    state::{
        Body, BodyId, BodyType, ChildShape, Command, CompoundId, Limits, Locks, Material, Rule, Scenery,
        SceneryBuilder, ShapeId, Sleep, Spawn,
    },
    tick::TickReport,
};

use crate::{
    shows::{Stage, place},
    soft_by_hand::{apply, body, id, soft},
    support::{change::Change, every, overlaps, s, step, v},
};

const SPEED: Scalar = lit("0.0625");

/// A closed yard for balls, boxes, rods and compounds of two balls.
fn yard(restitution: &str) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(s(restitution)).unwrap());
    let turned = Rotation::from_quaternion(s("4"), s("1"), s("-0.5"), s("0.25")).unwrap();
    let solids = [
        Shape::sphere(s("0.5")),
        Shape::aabb(v("0.4", "0.5", "0.3")),
        Shape::obb(v("0.5", "0.3", "0.4"), turned),
        Shape::capsule(v("0.2", "0.3", "-0.1"), s("0.3")),
    ];
    for solid in &solids {
        builder.shape(solid.clone());
    }
    let offset = v("0.4", "0.1", "0");
    builder.compound(vec![
        ChildShape::new(ShapeId(0)),
        ChildShape { offset, layer: Some(1), ..ChildShape::new(ShapeId(0)) },
    ]);
    for normal in [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)] {
        let (x, y, z) = normal;
        let plane = Plane::from_point_normal(Vec3::ZERO, Normal::new(x, y, z)).unwrap();
        let shape = builder.shape(Shape::Plane(plane));
        builder.fixed(shape, material, Vec3::from_raw([-x, -y, -z].map(|c| i64::from(c) * (5 << 32))));
    }
    builder.build().unwrap()
}

/// A body of any kind, class, mass and layer, with or without locks.
fn any_body(draws: &mut Draws, reach: i64) -> Spawn {
    let shape = [
        ShapeId(0),
        ShapeId(0),
        ShapeId(1),
        ShapeId(2),
        ShapeId(3),
        ShapeId::of_compound(CompoundId(0), false),
    ][draws.below(6) as usize];
    let kind =
        [BodyType::Dynamic, BodyType::Dynamic, BodyType::Dynamic, BodyType::Kinematic, BodyType::Static]
            [draws.below(5) as usize];
    let locks = Locks::try_from([0, 0, 0, 0, 1, 6][draws.below(6) as usize]).unwrap();
    let velocity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 27, 1 << 27)));
    Spawn {
        body_type: kind,
        locks,
        velocity: if kind == BodyType::Dynamic { locks.free_part(velocity) } else { Vec3::ZERO },
        mass: 1 + draws.below(9) as u32,
        layer: draws.below(3) as u8,
        dominance: if kind == BodyType::Dynamic { [0, 0, 1, 255][draws.below(4) as usize] } else { 0 },
        allow_overlap: true,
        ..Spawn::new(shape, Vec3::from_raw([0; 3].map(|_: i32| draws.between(-reach, reach))))
    }
}

/// Layer 0 and 1 are soft to themselves and each other, 2 is solid to all.
fn commands(count: u64, gravity: Vec3, reach: i64) -> Vec<Command> {
    let mut commands = vec![soft(0, 0), soft(0, 1), soft(1, 1), Command::SetGravity { gravity }];
    commands.extend((0..count).map(|index| {
        let mut draws = Rng::new(0x50F).at(1, index, 0);
        Command::Spawn(any_body(&mut draws, reach))
    }));
    commands
}

fn limits() -> Limits {
    Limits::new(60).with_separation_speed(SPEED)
}

fn slanting() -> Vec3 {
    Vec3::from_raw([2_000_000, -9_000_000, 400_000])
}

// ------------------------------------------------------------------------------------- space, ids and
// snapshots

#[test]
fn a_mirrored_or_permuted_crowd_is_the_image_bit_for_bit() {
    for (restitution, gravity) in [("0", Vec3::ZERO), ("0.5", Vec3::ZERO), ("0", slanting())] {
        let scenery = yard(restitution);
        let world = |change: &Change| {
            let mut world = World::new(limits(), change.scenery_with_compounds(&scenery)).unwrap();
            let changed = commands(60, gravity, 4 << 32).into_iter().map(|command| match command {
                Command::Spawn(spawn) => Command::Spawn(Spawn {
                    position: change.point(spawn.position),
                    velocity: change.vector(spawn.velocity),
                    locks: change.locks(spawn.locks),
                    ..spawn
                }),
                Command::SetGravity { gravity } => Command::SetGravity { gravity: change.vector(gravity) },
                other => other,
            });
            apply(&mut world, &changed.collect::<Vec<_>>());
            world
        };
        for mirrors in 0..8 {
            let shift = if mirrors == 3 { v("1000", "-0.0000000003", "7") } else { Vec3::ZERO };
            let change = Change { shift, ..Change::mirrored(Change::ORDERS[mirrors % 6], mirrors) };
            let (mut here, mut there) = (world(&Change::NONE), world(&change));
            let mut report = TickReport::default();
            for tick in 0..40 {
                here.step(&mut report);
                there.step(&mut report);
                for ((id, ours), (_, theirs)) in here.bodies().zip(there.bodies()) {
                    assert_eq!(
                        theirs.position,
                        change.point(ours.position),
                        "{id}, tick {tick} of {change:?}"
                    );
                    assert_eq!(
                        theirs.momentum,
                        change.vector(ours.momentum),
                        "{id}, tick {tick} of {change:?}"
                    );
                }
            }
        }
    }
}

/// The same bodies in another order: each behaves as before.
#[test]
fn ids_do_not_decide() {
    // In the smaller heap there are so many overlaps that they are looked at once.
    for (restitution, reach) in [("0", 3 << 32), ("1", 3 << 32), ("0", 1 << 29)] {
        let spawns: Vec<Spawn> = (0..80)
            .map(|index| {
                let mut draws = Rng::new(4).at(2, index, 0);
                // All soft to each other: the result of solids may depend on ids where they tie.
                let layer = draws.below(2) as u8;
                Spawn { layer, ..any_body(&mut draws, reach) }
            })
            .collect();
        let run = |order: &[usize]| {
            let mut world = World::new(limits(), yard(restitution)).unwrap();
            apply(&mut world, &[soft(0, 0), soft(0, 1), soft(1, 1)]);
            let commands: Vec<_> = order.iter().map(|&index| Command::Spawn(spawns[index])).collect();
            apply(&mut world, &commands);
            let mut report = TickReport::default();
            (0..60).for_each(|_| step(&mut world, &mut report));
            let mut ends = vec![(Vec3::ZERO, Vec3::ZERO); spawns.len()];
            for (&index, (_, body)) in order.iter().zip(world.bodies()) {
                ends[index] = (body.position, body.momentum);
            }
            ends
        };
        let order: Vec<usize> = (0..80).collect();
        let (mut back, mut mixed) = (order.clone(), order.clone());
        back.reverse();
        mixed.sort_by_key(|index| index * 37 % 80);
        let ends = run(&order);
        assert_eq!(run(&back), ends);
        assert_eq!(run(&mixed), ends);
    }
}

#[test]
fn a_restored_crowd_goes_on_the_same() {
    for (sleep_after, reach) in [(0, 4 << 32), (5, 4 << 32), (0, 1 << 29)].into_iter().skip(every(2) - 1) {
        let mut world = World::new(limits().with_sleep_after(sleep_after), yard("0.5")).unwrap();
        apply(&mut world, &commands(80, slanting(), reach));
        let (mut report, mut again) = (TickReport::default(), TickReport::default());
        world.enable_events(true);
        for _ in 0..60 {
            let bytes = snapshot::encode(&world);
            let mut restored = snapshot::decode(&bytes, world.scenery()).unwrap();
            restored.enable_events(true);
            world.step(&mut report);
            restored.step(&mut again);
            assert_eq!((&again, restored.state()), (&report, world.state()));
        }
    }
}

/// The method of finding pairs and the margins of their boxes decide nothing: a heap of solids falls as in a
/// world without anything soft.
#[test]
fn soft_layers_of_other_bodies_change_nothing() {
    let heap = |speed: Option<Scalar>| {
        let mut stage = Stage::well("0.2", "0.5", "1.5");
        let shapes = [stage.shape(Shape::sphere(s("0.25"))), stage.block("0.2", "0.2", "0.2")];
        for index in 0..24_i64 {
            let mut draws = Rng::new(8).at(9, index as u64, 0);
            let [x, z] = [index % 3, index / 3 % 3].map(|cell| 800 * (cell - 1) + draws.between(-40, 40));
            let shape = shapes[index as usize % 2];
            stage.add(Spawn {
                mass: 1 + index as u32,
                ..Spawn::new(shape, place(x, 450 + 700 * (index / 9), z))
            });
        }
        let separation_speed = speed.unwrap_or(Scalar::ZERO);
        let mut world = stage.world_within(Limits::new(60).with_separation_speed(separation_speed));
        if speed.is_some() {
            apply(&mut world, &[soft(14, 15)]);
        }
        world
    };
    let mut plain = heap(None);
    let mut worlds = [Scalar::from_bits(1), lit("0.001"), SPEED].map(|speed| heap(Some(speed)));
    let mut report = TickReport::default();
    for tick in 0..150 {
        step(&mut plain, &mut report);
        for world in &mut worlds {
            let mut theirs = TickReport::default();
            step(world, &mut theirs);
            assert_eq!((&world.state().slots, &theirs), (&plain.state().slots, &report), "tick {tick}");
        }
    }
}

// ------------------------------------------------------------------------------------- crowds

/// Balls in a flat yard with solid walls, in a heap without room.
fn heap(restitution: &str, count: i64, spacing: i64, room: i64) -> World {
    heap_under(limits(), restitution, count, spacing, room)
}

fn heap_under(limits: Limits, restitution: &str, count: i64, spacing: i64, room: i64) -> World {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(s(restitution)).unwrap());
    let ball = builder.shape(Shape::sphere(s("0.5")));
    for (x, y) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let plane = Plane::from_point_normal(Vec3::ZERO, Normal::new(x, y, 0)).unwrap();
        let shape = builder.shape(Shape::Plane(plane));
        let wall = [-i64::from(x) * (room << 32), -i64::from(y) * (room << 32), 0];
        builder.fixed(shape, material, Vec3::from_raw(wall));
    }
    let mut world = World::new(limits.with_flat(true), builder.build().unwrap()).unwrap();
    apply(&mut world, &[soft(0, 0)]);
    for index in 0..count * count {
        let mut draws = Rng::new(12).at(0, index as u64, 0);
        let place = [index % count - count / 2, index / count - count / 2];
        let [x, y] = place.map(|c| c * spacing + draws.between(-1 << 26, 1 << 26));
        apply(&mut world, &[Command::Spawn(Spawn::new(ball, Vec3::from_raw([x, y, 0])))]);
    }
    world
}

/// The depth of the two deepest balls of radius 1/2 in each other.
fn deepest(world: &World) -> Scalar {
    let places: Vec<Vec3> = world.bodies().map(|(_, body)| body.position).collect();
    let pairs = places.iter().enumerate().flat_map(|(index, a)| places[..index].iter().map(move |b| *b - *a));
    let least = pairs.map(|way| way.length_squared_wide().isqrt()).min().unwrap();
    lit("1") - Scalar::from_bits(least as i64)
}

/// Runs until no body moves; no body ever gets a speed.
fn run_until_still(world: &mut World, ticks: u32) {
    let mut report = TickReport::default();
    for tick in 0..ticks {
        let before = world.clone();
        step(world, &mut report);
        assert!(
            report.impact_limited.is_empty() && report.tick_halted.is_none() && report.reverted.is_empty()
        );
        assert!(world.bodies().all(|(_, body)| body.momentum == Vec3::ZERO), "never launched");
        for ((_, before), (id, after)) in before.bodies().zip(world.bodies()) {
            let way = after.position - before.position;
            assert!(way.length_squared_wide() <= (SPEED.to_bits() as u128).pow(2), "{id} goes {way}");
        }
        assert_eq!(overlaps(world), 0, "walls are solid");
        if before.bodies().zip(world.bodies()).all(|((_, before), (_, after))| before == after) {
            println!("still after {tick} ticks, {} deep", deepest(world));
            return;
        }
    }
    panic!("a body still moves, {} deep", deepest(world));
}

#[test]
fn a_heap_with_room_parts_and_lies_still() {
    for restitution in ["0", "1"] {
        let mut world = heap(restitution, 12, 1 << 30, 40);
        run_until_still(&mut world, 1_500);
        assert!(deepest(&world) < lit("0.006"), "{}", deepest(&world));
    }
}

/// Twelve by twelve balls where eight by eight fit: they stay overlapped, and rest nevertheless.
#[test]
fn a_heap_without_room_lies_still_and_in_no_wall() {
    for restitution in ["0", "1"] {
        let mut world = heap(restitution, 12, 5 << 29, 4);
        run_until_still(&mut world, 6_000);
        assert!(deepest(&world) > lit("0.1"));
    }
}

/// A body that lies in another one presses it: they fall asleep together, or one would wake the other for
/// ever.
#[test]
fn a_heap_that_lies_still_sleeps_and_no_body_wakes() {
    for room in [40, 4] {
        let mut world = heap_under(limits().with_sleep_after(10), "0", 12, 5 << 29, room);
        let (mut report, mut woke) = (TickReport::default(), Vec::new());
        for _ in 0..6_000 {
            step(&mut world, &mut report);
            woke.push(report.woke.len());
        }
        assert_eq!(world.sleepers().count(), 144, "in {room}");
        assert_eq!(woke.iter().rev().take(1_000).sum::<usize>(), 0, "in {room}");
    }
}

/// Two at rest apart from each other sleep; a body that comes upon one of them wakes it and not the other.
#[test]
fn a_displaced_body_wakes_and_others_sleep_on() {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::INELASTIC);
    let ball = builder.shape(Shape::sphere(s("0.5")));
    let mut world = World::new(limits().with_sleep_after(5), builder.build().unwrap()).unwrap();
    let at = |x| Spawn::new(ball, v(x, "0", "0"));
    apply(
        &mut world,
        &[soft(0, 0), Command::Spawn(at("0")), Command::Spawn(at("0.96875")), Command::Spawn(at("9"))],
    );
    let mut report = TickReport::default();
    let asleep = |world: &World, slot: u32| world.state().sleep[slot as usize] == Sleep::Asleep;
    (0..10).for_each(|_| step(&mut world, &mut report));
    assert!((0..3).all(|slot| asleep(&world, slot)));
    let before: Vec<Body> = (0..3).map(|slot| body(&world, slot)).collect();
    let twin = world.clone();
    let guest = Spawn { dominance: 3, ..at("1.5") };
    apply(&mut world, &[Command::Spawn(guest)]);
    step(&mut world, &mut report);
    assert_eq!(report.woke, [id(1)]);
    assert_eq!([0, 2].map(|slot| body(&world, slot as u32)), [before[0], before[2]]);
    assert!(body(&world, 1).position.x < before[1].position.x);
    step(&mut world, &mut report);
    assert_eq!(report.woke, [id(0)], "the body that it is pushed into");
    (0..60).for_each(|_| step(&mut world, &mut report));
    assert!((0..4).all(|slot| asleep(&world, slot)));
    // A body that does not yield to its class wakes none.
    let mut world = twin;
    apply(&mut world, &[Command::SetDominance { body: id(1), dominance: 9 }]);
    (0..10).for_each(|_| step(&mut world, &mut report));
    assert!(asleep(&world, 1));
    apply(&mut world, &[Command::Spawn(guest)]);
    step(&mut world, &mut report);
    assert!(report.woke.is_empty() && asleep(&world, 0) && asleep(&world, 1));
    // A kinematic body that moves into one wakes it, though no other is awake.
    (0..60).for_each(|_| step(&mut world, &mut report));
    let post = Spawn { body_type: BodyType::Kinematic, ..at("-0.75") };
    apply(&mut world, &[Command::Spawn(post)]);
    step(&mut world, &mut report);
    assert!(body(&world, 0).position.x > before[0].position.x, "it is moved");
}

/// Two armies cross: each is soft to its own, and solid to the other.
#[test]
fn friend_and_foe_are_a_matter_of_layers() {
    for restitution in ["0", "0.5"] {
        let mut world = heap(restitution, 0, 0, 30);
        let foes = Command::SetLayers { a: 1, b: 2, rule: Rule::Solid, allow_overlap: false };
        apply(&mut world, &[soft(1, 1), soft(2, 2), foes]);
        for index in 0..120_i64 {
            let (layer, side) = if index % 2 == 0 { (1, -1) } else { (2, 1) };
            let row = index / 2;
            let position =
                Vec3::from_raw([side * ((4 << 32) + (row / 10) * (3 << 30)), (row % 10 - 5) * (7 << 29), 0]);
            let slot = index as u32;
            let velocity = v("0.05", "0", "0").map_raw(|raw| -side * raw);
            apply(
                &mut world,
                &[
                    Command::Spawn(Spawn { layer, ..Spawn::new(ShapeId(0), position) }),
                    Command::Drive { body: BodyId::from_parts(slot, 0), velocity, accel_max: s("0.01") },
                ],
            );
        }
        let (mut report, mut impacts) = (TickReport::default(), 0);
        for _ in 0..200 {
            step(&mut world, &mut report);
            assert_eq!((overlaps(&world), report.reverted.len(), report.tick_halted), (0, 0, None));
            impacts += report.impacts.len();
            let layer = |id: BodyId| body(&world, id.slot()).layer;
            for impact in &report.impacts {
                if let bitstep::state::Collider::Body(b) = impact.b {
                    assert_ne!(layer(impact.a), layer(b), "friends never meet");
                }
            }
        }
        assert!(impacts > 100, "{impacts}");
    }
}
