//! Worlds at the corners of their limits: the largest extent, the largest and the smallest bodies, of the largest and the least mass, at the
//! largest speeds. Nothing overflows, nothing overlaps, and momentum is accounted for.

use bitstep::{
    World,
    geom::{ANGULAR_SPEED_MAX, Normal, Plane, Vec3},
    num::{Draws, Rng, Scalar},
    shape::{Hull, Obb, SIZE_MAX, Shape},
    state::{BodyId, BodyType, Command, Limits, Material, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};

use crate::support::{overlaps, s, step};

/// The largest coordinate of a world, in units.
const EXTENT: i64 = 1 << 24;
/// Half of the room's width: eight times the largest body.
const HALF: i64 = 1 << 15;
const SPEED: i64 = 2048;
const ONE: i64 = 1 << 32;

/// The largest limits, at some ticks per second and some substeps.
fn limits(rate: u32, substeps: u8, budget: u32) -> Limits {
    let mut limits = Limits::new(rate)
        .with_substeps(substeps)
        .with_extent(s("16777216"))
        .with_speed_max(s("2048"))
        .with_size_max(SIZE_MAX)
        .with_budget(budget)
        .with_separation_speed(Limits::SEPARATION_SPEED_MAX);
    limits.mass_max = 1 << 16;
    limits
}

/// Shapes of the largest size, then of about the least: a ball, a box along the axes, a box that rotates, a rod, and a hull.
fn shapes() -> Vec<Shape> {
    let of_size = |size: i64| {
        let half = Scalar::from_bits(size);
        let thin = Scalar::from_bits((size >> 5).max(Obb::EDGE_LEAST_RAW));
        let corner = |number: u8| {
            let part = |bit: u8| Scalar::from_bits(if number & bit == 0 { -size / 2 } else { size / 2 });
            Vec3::new(part(1), part(2), part(4))
        };
        // A cube without one of its corners, which has its mass off the middle.
        let corners: Vec<Vec3> = (0..7).map(corner).collect();
        vec![
            Shape::sphere(half),
            Shape::aabb(Vec3::new(half, thin, half)),
            Shape::Obb(Obb::along_axes(Vec3::splat(Scalar::from_bits(size >> 1)))),
            Shape::capsule(Vec3::new(Scalar::from_bits(size / 2), Scalar::ZERO, Scalar::ZERO), thin),
            Shape::hull(Hull::of(&corners).unwrap()),
        ]
    };
    [of_size(SIZE_MAX.to_bits()), of_size(1 << 12)].concat()
}

/// A room in a corner of the world, whose signs are the bits of a number, with bodies of all shapes far apart in it.
fn world(corner: u8, limits: Limits, restitution: &str) -> World {
    let mut builder = SceneryBuilder::default();
    let material = Material::new(s(restitution)).unwrap().with_friction(Material::FRICTION_MAX).unwrap();
    let material = builder.material(material);
    let shapes = shapes();
    let ids: Vec<ShapeId> = shapes.iter().map(|shape| builder.shape(shape.clone())).collect();
    let far = EXTENT - HALF - SIZE_MAX.to_bits() / ONE;
    let middle = [1, 2, 4].map(|bit| if corner & bit == 0 { -far } else { far } * ONE);
    for (axis, normal) in [Normal::X, Normal::Y, Normal::Z].into_iter().enumerate() {
        for (normal, sign) in [(normal, -1), (-normal, 1)] {
            let wall = builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, normal).unwrap()));
            let mut position = middle;
            position[axis] += HALF * ONE * sign;
            builder.fixed(wall, material, Vec3::from_raw(position));
        }
    }
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let spacing = HALF / 2 * ONE;
    for (number, (shape, id)) in (0..).zip(shapes.iter().zip(ids)) {
        let cell = [number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1];
        let position = Vec3::from_raw([0, 1, 2].map(|axis: usize| middle[axis] + cell[axis] * spacing));
        let rotates = !matches!(shape, Shape::Aabb { .. });
        // The largest mass of which it can have the moments of inertia, or the least.
        let masses = (0..=16).rev().map(|bits| 1 << bits).skip(if number % 3 == 2 { 16 } else { 0 });
        let spawn = |mass| Command::Spawn(Spawn { material, mass, rotates, ..Spawn::new(id, position) });
        let spawned = masses.into_iter().any(|mass| world.apply(&[spawn(mass)]).accepted().is_ok());
        assert!(spawned, "{shape:?}");
    }
    // A piston that is as heavy and as fast as may be.
    let position = Vec3::from_raw([0, 1, 2].map(|axis: usize| middle[axis] + spacing));
    let piston = Spawn { material, body_type: BodyType::Kinematic, ..Spawn::new(ShapeId(1), position) };
    world.apply(&[Command::Spawn(piston)]).accepted().unwrap();
    world
}

/// The largest velocity in a direction, and the largest angular velocity about another one.
fn hurl(draws: &mut Draws, body: BodyId, rotates: bool) -> Vec<Command> {
    let along = |draws: &mut Draws, most: i64| {
        let mut vector = [0; 3];
        vector[draws.below(3) as usize] = if draws.below(2) == 0 { -most } else { most };
        Vec3::from_raw(vector)
    };
    let mut commands = vec![Command::SetVelocity { body, velocity: along(draws, SPEED * ONE) }];
    if rotates {
        let angular_velocity = along(draws, ANGULAR_SPEED_MAX.to_bits());
        commands.push(Command::SetAngularVelocity { body, angular_velocity });
    }
    commands
}

fn check(ticks: u32) {
    let cases = [(20, 1, 16, "1"), (1_000, 1, 1, "0"), (60, 16, 16, "0.5"), (240, 4, 4, "1")];
    let mut impacts = 0;
    for (number, (rate, substeps, budget, restitution)) in cases.into_iter().enumerate() {
        let corner = [0, 7, 2, 5][number];
        let mut world = world(corner, limits(rate, substeps, budget), restitution);
        let gravity = Scalar::from_bits(SPEED * ONE / 64);
        let gravity = Vec3::new(gravity, -gravity, gravity);
        world.apply(&[Command::SetGravity { gravity }]).accepted().unwrap();
        let mut draws = Rng::new(number as u64).at(0, 0, 0);
        let mut report = TickReport::default();
        for tick in 0..ticks {
            if tick % 50 == 0 {
                let bodies: Vec<_> = world.bodies().map(|(id, body)| (id, body.spin.is_some())).collect();
                let commands: Vec<_> =
                    bodies.iter().flat_map(|&(id, rotates)| hurl(&mut draws, id, rotates)).collect();
                world.apply(&commands).accepted().unwrap();
            }
            step(&mut world, &mut report);
            impacts += report.impacts.len();
            assert!(tick % 100 != 0 || overlaps(&world) == 0, "case {number}, tick {tick}");
        }
        assert_eq!(overlaps(&world), 0, "case {number}");
    }
    assert!(impacts > ticks as usize, "{impacts}");
}

#[test]
fn bodies_at_the_corners_of_all_limits_overflow_nothing() {
    check(if cfg!(debug_assertions) { 120 } else { 300 });
}

#[test]
#[ignore = "minutes: .ci/full runs it"]
fn bodies_at_the_corners_of_all_limits_overflow_nothing_for_long() {
    check(10_000);
}
