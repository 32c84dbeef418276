//! A box on a slope of 3/4: it holds or slides as its friction determines, whatever the heading of the slope.

use std::sync::Arc;

use super::TickReport;
use crate::{
    geom::{Normal, Plane, Rotation, Vec3},
    num::{Scalar, lit},
    shape::{Obb, Shape},
    state::{Body, Limits, Material, Scenery, SceneryBuilder, ShapeId, Slot, Spin, State},
    tick::World,
};

const RATES: [u32; 4] = [10, 20, 60, 120];

/// The headings of slopes: whole numbers on a circle of radius 5.
const HEADINGS: [[i32; 2]; 12] = [
    [5, 0],
    [4, 3],
    [3, 4],
    [0, 5],
    [-3, 4],
    [-4, 3],
    [-5, 0],
    [-4, -3],
    [-3, -4],
    [0, -5],
    [3, -4],
    [4, -3],
];

fn slope([x, z]: [i32; 2], friction: Scalar) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(lit("0.2")).unwrap().with_friction(friction).unwrap());
    builder.shape(Shape::Obb(Obb::along_axes(Vec3::splat(lit("0.5")))));
    let plane = Plane::from_point_normal(Vec3::ZERO, Normal::new(3 * x, 20, 3 * z)).unwrap();
    let plane = builder.shape(Shape::Plane(plane));
    builder.fixed(plane, material, Vec3::ZERO);
    builder.build().unwrap()
}

/// A box just above the slope, in the orientation of the slope.
fn world([x, z]: [i32; 2], friction: Scalar, rate: u32) -> World {
    let limits = Limits::new(rate);
    let mut state = State::new(limits);
    state.gravity = limits.gravity_nearest_even(Vec3::new(lit("0"), lit("-9.8"), lit("0")));
    let orientation = Rotation::from_quaternion(
        Scalar::from_bits(15 << 24),
        Scalar::from_bits(i64::from(z) << 24),
        Scalar::ZERO,
        Scalar::from_bits(i64::from(-x) << 24),
    )
    .unwrap();
    let along = |c: i32| (lit("0.302").to_bits() * i64::from(c)) / 5;
    let position = Vec3::from_raw([along(x), lit("0.403").to_bits(), along(z)]);
    let spin = Some(Spin { orientation, angular_momentum: Vec3::ZERO });
    state.slots = vec![Slot { generation: 0, body: Some(Body { spin, ..Body::new(ShapeId(0), position) }) }];
    World::from_state(state, slope([x, z], friction)).unwrap()
}

fn play(world: &mut World, ticks: u64) -> Body {
    let mut report = TickReport::default();
    for _ in 0..ticks {
        world.step(&mut report);
    }
    *world.bodies().next().unwrap().1
}

#[test]
fn a_box_that_its_friction_holds_does_not_move_at_all() {
    for (rate, heading) in RATES.into_iter().flat_map(|rate| HEADINGS.map(|heading| (rate, heading))) {
        let mut world = world(heading, lit("0.76"), rate);
        let first = play(&mut world, 100);
        // A world at rest stays as it is: one of each rate shows that for longer.
        let last = play(&mut world, if heading == HEADINGS[1] { 9_900 } else { 400 });
        assert_eq!(first, last, "{rate}, {heading:?}");
        assert_eq!(last.momentum, Vec3::ZERO);
    }
}

#[test]
fn a_box_that_its_friction_does_not_hold_slides_as_it_must() {
    for (rate, [x, z]) in RATES.into_iter().flat_map(|rate| HEADINGS.map(|heading| (rate, heading))) {
        let mut world = world([x, z], lit("0.74"), rate);
        let [first, last] = [play(&mut world, 100), play(&mut world, 200)];
        // Down the slope, times 25; its share of gravity is 3/5 - 4/5 * 0.74 = 0.008.
        let down = |body: &Body| {
            let [a, b, c] = body.momentum.raw();
            4 * (i64::from(x) * a + i64::from(z) * c) - 15 * b
        };
        let gravity = -world.gravity().y.to_bits();
        let [gained, due] = [down(&last) - down(&first), 200 * 25 * gravity / 125];
        assert!((gained - due).abs() <= due / 200, "{rate}, {x} {z}: {gained} of {due}");
    }
}
