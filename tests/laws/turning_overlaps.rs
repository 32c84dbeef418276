//! A rotating body placed a little inside another solid is carried by it nevertheless: it gets no deeper, and
//! has no downward momentum left at the end of a tick.

use bitstep::{
    World,
    geom::{Normal, Plane, Rotation, Vec3},
    num::Scalar,
    shape::Shape,
    state::{BodyId, BodyType, Command, Limits, Material, SceneryBuilder, Spawn},
    tick::TickReport,
};

use crate::{
    shows::{Stage, place},
    support::s,
};

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

/// A ball, and a cube on a block that never moves, each 50 thousandths inside what is under it.
fn sunk(friction: &str, rate: u32) -> World {
    let mut stage = Stage::floor("0", friction);
    let ball = stage.shape(Shape::sphere(s("0.5")));
    let cube = stage.block("0.5", "0.5", "0.5");
    stage.add(Spawn { mass: 5, allow_overlap: true, ..Spawn::new(ball, place(0, 450, 0)) });
    stage.add(Spawn { body_type: BodyType::Static, ..Spawn::new(cube, place(5_000, 1_000, 0)) });
    stage.add(Spawn { mass: 5, allow_overlap: true, ..Spawn::new(cube, place(5_000, 1_950, 0)) });
    stage.world_within(Limits::new(rate))
}

#[test]
fn overlapping_rotating_bodies_are_carried() {
    for friction in ["0", "0.5"] {
        for rate in [20, 60] {
            let mut world = sunk(friction, rate);
            let (mut report, gravity) = (TickReport::default(), world.gravity().y);
            let first: Vec<Vec3> = world.bodies().map(|(_, body)| body.position).collect();
            for tick in 0..rate {
                world.step(&mut report);
                assert_eq!(
                    (report.overlapping, report.impact_limited.len(), report.reverted.len()),
                    (2, 0, 0)
                );
                for slot in [0, 2] {
                    let body = world.body(id(slot)).unwrap();
                    let moved = body.position - first[slot as usize];
                    let at = format!("friction {friction}, {rate} Hz, tick {tick}: {slot} moved {moved}");
                    assert!(moved.within(Scalar::from_bits(1 << 12)), "{at}");
                    let fall = -body.momentum.y.to_bits() / 5;
                    assert!(fall <= -gravity.to_bits() / 64, "{at}, falls by {fall} raw per tick");
                }
            }
        }
    }
}

/// A rotating body some units behind a plane, on its way out.
fn behind(shape: &Shape, normal: Normal, depth: i64, rate: u32) -> World {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    let plane = builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, normal).unwrap()));
    builder.fixed(plane, material, Vec3::ZERO);
    let shape = builder.shape(shape.clone());
    let out = Vec3::from_raw(normal.components().map(i64::from));
    let spawn = Spawn {
        velocity: out,
        mass: 3,
        rotates: true,
        angular_velocity: Vec3::lit("0.1", "0.2", "-0.1"),
        allow_overlap: true,
        ..Spawn::new(shape, Vec3::from_raw(normal.components().map(|c| -(i64::from(c) << 2) * depth)))
    };
    let limits = Limits::new(rate).with_extent(s("16777216"));
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    world.apply(&[Command::Spawn(spawn)]).accepted().unwrap();
    world
}

/// Bodies that a command has put far behind a plane leave it as they do from near: at some 2^16 units a separation no longer
/// fitted its number, and they were stopped.
#[test]
fn rotating_bodies_leave_any_depth_behind_a_plane_alike() {
    let ball = Shape::capsule(Vec3::lit("0.5", "0", "0"), s("0.2"));
    let shapes = [Shape::obb(Vec3::lit("0.5", "0.4", "0.3"), Rotation::IDENTITY), ball];
    let normals = [
        Normal::new(0, 0, 1 << 30),
        Normal::new(1 << 29, 1 << 29, (1 << 29) + 1),
        Normal::new(-1 << 29, 3, 1 << 30),
    ];
    for rate in [20, 60, 240] {
        for (shape, normal) in shapes.iter().flat_map(|shape| normals.map(|normal| (shape, normal))) {
            for depth in [1_000, 50_000, 100_000, 1_000_000, 8_000_000] {
                let mut world = behind(shape, normal, depth, rate);
                let (first, mut report) = (world.body(id(0)).unwrap().position, TickReport::default());
                for _ in 0..5 {
                    let velocity = world.body(id(0)).unwrap().velocity();
                    let before = world.body(id(0)).unwrap().position;
                    world.step(&mut report);
                    assert_eq!(
                        (report.impacts.len(), report.impact_limited.len()),
                        (0, 0),
                        "{depth} {normal:?}"
                    );
                    assert_eq!(world.body(id(0)).unwrap().position - before, velocity, "{depth} {normal:?}");
                }
                assert_ne!(world.body(id(0)).unwrap().position, first);
            }
        }
    }
}
