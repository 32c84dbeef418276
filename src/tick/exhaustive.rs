//! Every pair of bodies swept, whatever the broad phase finds: it must make no difference.

use std::sync::Arc;

use super::TickReport;
use crate::{
    geom::{Normal, Plane, Rotation, Vec3},
    num::{Rng, Scalar, lit},
    shape::{Hull, Obb, Shape},
    state::{
        BodyType, ChildShape, Command, CompoundId, Limits, Locks, Material, MaterialId, Rule, Scenery,
        SceneryBuilder, ShapeId, Spawn, Static,
    },
    tick::World,
};

const UNIT: i64 = 1 << 32;

/// Adds six planes around the origin.
pub(super) fn add_walls(builder: &mut SceneryBuilder, material: MaterialId, half: i64) {
    for (axis, normal) in [Normal::X, Normal::Y, Normal::Z].into_iter().enumerate() {
        for (normal, sign) in [(normal, -1), (-normal, 1)] {
            let wall = builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, normal).unwrap()));
            let mut position = [0; 3];
            position[axis] = half * sign;
            builder.fixed(wall, material, Vec3::from_raw(position));
        }
    }
}

/// A closed box, and shapes for bodies.
fn scenery(half: i64, shapes: &[Shape]) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(lit("0.9")).unwrap());
    for shape in shapes {
        builder.shape(shape.clone());
    }
    add_walls(&mut builder, material, half);
    builder.build().unwrap()
}

/// A world with all bodies that have room, of the first shapes in turn, at up to a speed on each axis.
fn fill(shapes: &[Shape], half: i64, count: u64, speed: i64) -> World {
    let limits = Limits { speed_max: lit("2048"), ..Limits::new(60) };
    let mut world = World::new(limits, scenery(half, shapes)).unwrap();
    world.apply(&[Command::SetGravity { gravity: Vec3::from_raw([0, -(1 << 23), 0]) }]).accepted().unwrap();
    for index in 0..count {
        let mut draws = Rng::new(7).at(1, index, 0);
        let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
        let (position, velocity) = (vector(half), vector(speed));
        let shape = ShapeId((index % shapes.len() as u64) as u16);
        let spawn = Spawn { mass: 1 + index as u32 % 5, velocity, ..Spawn::new(shape, position) };
        let _ = world.apply(&[Command::Spawn(spawn)]);
    }
    world
}

/// Steps two worlds, one of them with all pairs; returns the number of bodies, of impacts, and the most
/// impacts of one tick.
fn compare(mut world: World, ticks: u64) -> [usize; 2] {
    world.enable_events(true);
    let mut slow = world.clone();
    let count = world.bodies().count();
    let mut reports = [TickReport::default(), TickReport::default()];
    let mut impacts = 0;
    for tick in 0..ticks {
        slow.scratch.pairs.regions.exhaustive = Some(count as u32);
        slow.scratch.events.candidates.regions.exhaustive = Some(count as u32);
        world.step(&mut reports[0]);
        slow.step(&mut reports[1]);
        assert_eq!(reports[0], reports[1], "tick {tick}");
        assert!(world.state == slow.state, "tick {tick}");
        assert_eq!(reports[0].tick_halted, None);
        impacts += reports[0].impacts.len();
    }
    [count, impacts]
}

fn ball(radius: &str) -> Shape {
    Shape::sphere(radius.parse().unwrap())
}

#[test]
fn a_gas() {
    let [bodies, impacts] = compare(fill(&[ball("0.25")], 3 * UNIT, 300, UNIT / 5), 60);
    assert!(bodies > 150 && impacts > 1_500, "{bodies} {impacts}");
}

#[test]
fn bullets_among_each_other() {
    let [bodies, impacts] = compare(fill(&[ball("0.05")], 12 * UNIT, 150, 60 * UNIT), 12);
    assert!(bodies > 140 && impacts > 3_000, "{bodies} {impacts}");
    let [_, impacts] = compare(fill(&[ball("0.05")], 200 * UNIT, 150, 1_000 * UNIT), 6);
    assert!(impacts > 2_000, "{impacts}");
}

#[test]
fn bodies_small_and_large_slow_and_fast() {
    let sizes = ["0.05", "0.1", "0.07", "1.5", "0.2"];
    let balls: Vec<Shape> = sizes.iter().map(|radius| ball(radius)).collect();
    let [bodies, impacts] = compare(fill(&balls, 5 * UNIT, 250, UNIT / 3), 30);
    assert!(bodies > 150 && impacts > 400, "{bodies} {impacts}");
    let boxes = [ball("0.3"), Shape::aabb(Vec3::splat(lit("0.2"))), Shape::aabb(Vec3::splat(lit("2")))];
    let [bodies, impacts] = compare(fill(&boxes, 8 * UNIT, 200, 9 * UNIT), 12);
    assert!(bodies > 100 && impacts > 500, "{bodies} {impacts}");
}

#[test]
fn capsules_among_each_other() {
    let rod =
        |raw: [i64; 3], radius| Shape::capsule(Vec3::from_raw(raw.map(|c: i64| c * UNIT / 100)), radius);
    let rods =
        [rod([30, 20, -10], lit("0.1")), rod([0, 0, 25], lit("0.25")), rod([-3, 150, 40], lit("0.05"))];
    for (half, speed, ticks, least) in [(4, UNIT / 5, 40, 500), (12, 60 * UNIT, 8, 500)] {
        let [bodies, impacts] = compare(fill(&rods, half * UNIT, 200, speed), ticks);
        println!("{bodies} bodies, {impacts} impacts");
        assert!(bodies > 120 && impacts > least, "{bodies} {impacts}");
    }
}

#[test]
fn two_crowds_in_a_huge_world() {
    let mut world = fill(&[ball("0.25")], 3 * UNIT, 300, UNIT / 4);
    // Without walls they may be far away.
    let mut builder = SceneryBuilder::default();
    builder.material(Material::new(lit("0.9")).unwrap());
    builder.shape(ball("0.25"));
    world.scenery = builder.build().unwrap();
    let leavers: Vec<_> = world.bodies().filter(|(id, _)| id.slot() % 3 == 0).map(|(id, _)| id).collect();
    let out = Vec3::splat(Scalar::from_bits(15_000 * UNIT));
    for body in leavers {
        let position = world.body(body).unwrap().position - out;
        assert!(
            world
                .apply(&[Command::Teleport { body, position, orientation: None, allow_overlap: false }])
                .outcomes[0]
                .is_ok()
        );
    }
    let [bodies, impacts] = compare(world, 40);
    assert!(bodies > 150 && impacts > 80, "{bodies} {impacts}");
}

// ---------------------------------------------------------------- bodies that turn

/// Spheres, bricks and rods with rotation and friction in a closed box, at up to a speed on each axis and
/// spins of up to a number of radians.
fn turning(limits: Limits, bouncy: [&str; 2], shapes: &[Shape], [half, speed, spin]: [i64; 3]) -> World {
    let mut builder = SceneryBuilder::default();
    let [restitution, friction] = bouncy.map(|text| text.parse().unwrap());
    let material = Material::new(restitution).unwrap().with_friction(friction).unwrap();
    let material = builder.material(material);
    for shape in shapes {
        builder.shape(shape.clone());
    }
    add_walls(&mut builder, material, half);
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    for index in 0..160 {
        let mut draws = Rng::new(27).at(1, index, 0);
        let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
        let (position, velocity, angular_velocity) = (vector(half), vector(speed), vector(spin));
        let [[x, y, z], [w, ..]] = [vector(UNIT), vector(UNIT)].map(|vector| [vector.x, vector.y, vector.z]);
        let orientation = Rotation::from_quaternion(w, x, y, z).unwrap();
        let kind = if draws.below(12) == 0 { BodyType::Kinematic } else { BodyType::Dynamic };
        let rotates = draws.below(6) > 0;
        let (mass, shape) = (1 + draws.below(9) as u32, ShapeId(draws.below(shapes.len() as u64) as u16));
        let plain = Spawn { body_type: kind, mass, velocity, ..Spawn::new(shape, position) };
        let spawn = if rotates { Spawn { rotates, orientation, angular_velocity, ..plain } } else { plain };
        let _ = world.apply(&[Command::Spawn(spawn)]);
    }
    world
}

fn tumblers() -> [Shape; 4] {
    let wedge = [[2, -1, 1], [-2, -1, 1], [0, 2, 1], [2, -1, -1], [-2, -1, -1], [0, 2, -1]];
    let wedge = wedge.map(|corner| Vec3::from_raw(corner.map(|c: i64| c * UNIT / 8)));
    [
        ball("0.25"),
        Shape::Obb(Obb::along_axes(Vec3::new(lit("0.4"), lit("0.15"), lit("0.25")))),
        Shape::capsule(Vec3::new(lit("0"), lit("0.3"), lit("0")), lit("0.125")),
        Shape::hull(Hull::of(&wedge).unwrap()),
    ]
}

#[test]
fn rotating_bodies_in_flight() {
    let rods = [
        Shape::capsule(Vec3::new(lit("2"), lit("0"), lit("0")), lit("0.0625")),
        Shape::Obb(Obb::along_axes(Vec3::new(lit("0.03125"), lit("0.0625"), lit("1.5")))),
    ];
    let limits = Limits { speed_max: lit("2048"), ..Limits::new(60) };
    let cases = [
        (&tumblers()[..], 4, UNIT / 8, UNIT / 4, 30),
        (&rods[..], 8, UNIT / 4, 9 * UNIT / 10, 16),
        (&rods[..], 20, 30 * UNIT, UNIT / 2, 6),
    ];
    for (shapes, half, speed, spin, ticks) in cases {
        let world = turning(limits, ["0.9", "0.5"], shapes, [half * UNIT, speed, spin]);
        let [bodies, impacts] = compare(world, ticks);
        println!("{bodies} bodies, {impacts} impacts");
        assert!(bodies > 60 && impacts > 120, "{bodies} {impacts}");
    }
}

#[test]
fn rotating_bodies_that_come_to_rest() {
    for rate in [10, 20, 60, 120_u32] {
        let limits = Limits::new(rate);
        let per_tick = UNIT / i64::from(rate);
        let mut world = turning(limits, ["0.2", "0.5"], &tumblers(), [5 * UNIT / 2, per_tick, per_tick]);
        let gravity = 9 * UNIT / i64::from(rate * rate) / 2 * 2;
        world
            .apply(&[Command::SetGravity { gravity: Vec3::from_raw([gravity / 8 * 2, -gravity, 0]) }])
            .accepted()
            .unwrap();
        let [bodies, impacts] = compare(world, u64::from(rate));
        println!("{rate} Hz: {bodies} bodies, {impacts} impacts");
        assert!(bodies > 50 && impacts > 20, "{bodies} {impacts}");
    }
}

// ---------------------------------------------------------------- every kind of body, at rest and in flight

/// A yard with blocks along the axes and slanted ones.
fn yard(restitution: &str) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(restitution.parse().unwrap()).unwrap());
    for shape in [ball("0.3"), Shape::aabb(Vec3::splat(lit("0.25"))), ball("1.2"), ball("0.05")] {
        builder.shape(shape);
    }
    for (normal, y) in [(Normal::Y, -4), (Normal::new(1, 4, 1), -5)] {
        let floor = builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, normal).unwrap()));
        builder.fixed(floor, material, Vec3::from_raw([0, y * UNIT, 0]));
    }
    let turn = Rotation::from_quaternion(lit("3"), lit("1"), lit("-1"), lit("0.5")).unwrap();
    let half = Vec3::new(lit("0.75"), lit("0.25"), lit("0.5"));
    let blocks = [builder.shape(Shape::aabb(half)), builder.shape(Shape::Obb(Obb::new(half, turn)))];
    for index in 0..60_i64 {
        let mut draws = Rng::new(8).at(1, index as u64, 0);
        let position = [(); 3].map(|()| draws.between(-5 * UNIT, 5 * UNIT));
        let layer = draws.below(3) as u8;
        builder.add(Static {
            shape: blocks[index as usize % 2],
            material,
            position: Vec3::from_raw(position),
            layer,
        });
    }
    builder.build().unwrap()
}

/// Bodies of every type in the yard, at up to a speed on each axis; some begin inside others.
fn mixed(limits: Limits, restitution: &str, speed: i64, gravity: i64) -> World {
    let mut world = World::new(limits, yard(restitution)).unwrap();
    world
        .apply(&[
            Command::SetLayers { a: 1, b: 2, rule: Rule::Ignore, allow_overlap: false },
            Command::SetGravity { gravity: Vec3::from_raw([gravity / 8 * 2, -gravity, 0]) },
        ])
        .accepted()
        .unwrap();
    for index in 0..260 {
        let mut draws = Rng::new(17).at(1, index, 0);
        let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
        let (position, velocity) = (vector(5 * UNIT), vector(speed));
        let kind =
            [BodyType::Kinematic, BodyType::Static, BodyType::Dynamic][draws.below(12).min(2) as usize];
        let locks = Locks::try_from([0, 0, 0, 0, 0, 1, 2, 4, 5, 7][draws.below(10) as usize]).unwrap();
        let velocity = if kind == BodyType::Static { Vec3::ZERO } else { locks.free_part(velocity) };
        let (layer, group) = (draws.below(4) as u8, draws.below(9).saturating_sub(5) as u16);
        let (mass, damping_q16) = (1 + draws.below(20) as u32, draws.below(200) as u16);
        let shape = ShapeId([0, 0, 0, 1, 1, 1, 2, 3][draws.below(8) as usize]);
        let allow_overlap = draws.below(16) == 0;
        let plain = Spawn { body_type: kind, locks, velocity, layer, group, ..Spawn::new(shape, position) };
        let _ = world.apply(&[Command::Spawn(Spawn { mass, damping_q16, allow_overlap, ..plain })]);
    }
    world
}

#[test]
fn bodies_of_every_kind_in_flight() {
    let limits = Limits { speed_max: lit("2048"), ..Limits::new(60) };
    for (speed, ticks, least) in [(UNIT / 8, 60, 500), (8 * UNIT, 12, 200), (300 * UNIT, 6, 50)] {
        let [bodies, impacts] = compare(mixed(limits, "0.9", speed, 0), ticks);
        println!("{speed}: {bodies} bodies, {impacts} impacts");
        assert!(bodies > 100 && impacts > least, "{bodies} {impacts}");
    }
}

#[test]
fn bodies_of_every_kind_that_come_to_rest() {
    for rate in [10, 20, 60, 120_u32] {
        let gravity = 9 * UNIT / i64::from(rate * rate) / 2 * 2;
        let world = mixed(Limits::new(rate), "0.2", UNIT / i64::from(rate), gravity);
        let [bodies, impacts] = compare(world, u64::from(2 * rate));
        println!("{rate} Hz: {bodies} bodies, {impacts} impacts");
        assert!(bodies > 100 && impacts > 300, "{bodies} {impacts}");
    }
}

// ---------------------------------------------------------------- bodies of several shapes

/// The solids of the rotating crowd in compounds of two and three, with a child shape that is a sensor.
fn compounds(shapes: &[Shape], walls: i64) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(lit("0.5")).unwrap().with_friction(lit("0.25")).unwrap());
    for shape in shapes {
        builder.shape(shape.clone());
    }
    add_walls(&mut builder, material, walls);
    let child = |shape, raw: [i64; 3]| {
        let offset = Vec3::from_raw(raw.map(|c| c * UNIT / 16));
        ChildShape { shape: ShapeId(shape), offset, layer: (shape == 2).then_some(2) }
    };
    builder.compound(vec![child(0, [5, 0, 1]), child(1, [-4, 3, 0]), child(2, [0, -9, 0])]);
    builder.compound(vec![child(1, [-7, 0, 0]), child(1, [7, 1, -1])]);
    builder.compound(vec![child(0, [0, 0, 24]), child(0, [0, 0, -24])]);
    builder.build().unwrap()
}

#[test]
fn bodies_that_overlap_and_separate() {
    for (restitution, gravity) in [("0", 0), ("0.5", 0), ("0", 1_000_000)] {
        let limits = Limits { separation_speed: lit("0.0625"), ..Limits::new(60) };
        let mut world = mixed(limits, restitution, UNIT / 8, gravity);
        let soft = |a, b| Command::SetLayers { a, b, rule: Rule::Soft, allow_overlap: false };
        world.apply(&[soft(0, 0), soft(0, 3), soft(1, 3)]).accepted().unwrap();
        let [bodies, impacts] = compare(world, 40);
        println!("{bodies} bodies, {impacts} impacts");
        assert!(bodies > 60 && impacts > 100, "{bodies} {impacts}");
    }
}

#[test]
fn bodies_of_several_shapes() {
    for (speed, gravity, ticks, least) in
        [(UNIT / 8, 0, 40, 300), (20 * UNIT, 0, 8, 200), (UNIT / 60, 10, 90, 200)]
    {
        let limits = Limits { speed_max: lit("2048"), ..Limits::new(60) };
        let half = if speed > UNIT { 16 } else { 5 };
        let mut world = World::new(limits, compounds(&tumblers(), half * UNIT)).unwrap();
        let gravity = Vec3::from_raw([gravity * UNIT / 32_000 / 2 * 2, -gravity * UNIT / 4_000 / 2 * 2, 0]);
        world
            .apply(&[
                Command::SetGravity { gravity },
                Command::SetLayers { a: 0, b: 2, rule: Rule::Sensor, allow_overlap: false },
            ])
            .accepted()
            .unwrap();
        for index in 0..200 {
            let mut draws = Rng::new(41).at(1, index, 0);
            let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
            let (position, velocity) = (vector((half - 1) * UNIT), vector(speed));
            let shape = match draws.below(5) {
                3 => ShapeId(draws.below(3) as u16),
                set => ShapeId::of_compound(CompoundId(set as u16 % 3), draws.below(2) == 0),
            };
            let kind = if draws.below(9) == 0 { BodyType::Kinematic } else { BodyType::Dynamic };
            let (mass, allow_overlap) = (1 + index as u32 % 5, draws.below(20) == 0);
            let _ = world.apply(&[Command::Spawn(Spawn {
                body_type: kind,
                mass,
                velocity,
                allow_overlap,
                ..Spawn::new(shape, position)
            })]);
        }
        let [bodies, impacts] = compare(world, ticks);
        println!("{bodies} bodies, {impacts} impacts");
        assert!(bodies > 60 && impacts > least, "{bodies} {impacts}");
    }
}
