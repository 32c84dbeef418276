//! The boxes and the order of contacts, by hand.

use super::*;
use crate::{
    geom::Rotation,
    num::lit,
    shape::{Obb, Shape},
    state::{Command, Limits, Material, SceneryBuilder, Spawn, StaticId},
    tick::{World, contact::rest::show_contacts},
};

/// A static body of a shape far from a static of the same shape at the center, when contacts are found.
fn with_statics(shape: Shape, place: Vec3, look: impl FnOnce(&mut ContactStage)) {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    let shape = builder.shape(shape);
    builder.fixed(shape, material, Vec3::ZERO);
    let mut world = World::new(Limits::new(60), builder.build().expect("a scenery")).expect("limits");
    let gravity = world.limits().gravity_nearest_even(Vec3::lit("0", "-9.8", "0"));
    let fixed = Spawn { body_type: BodyType::Static, ..Spawn::new(shape, place) };
    let above = Spawn::new(ball, Vec3::lit("0", "1.001", "0"));
    let commands = [Command::SetGravity { gravity }, Command::Spawn(fixed), Command::Spawn(above)];
    world.apply(&commands).accepted().expect("commands");
    show_contacts(world, look);
}

#[test]
fn a_static_body_has_the_box_of_a_static_of_the_scenery() {
    let [w, z] = ["16", "1"].map(lit);
    let slanting = Rotation::from_quaternion(w, Scalar::ZERO, Scalar::ZERO, z).expect("a rotation");
    let half = Vec3::lit("0.5", "0.4", "0.3");
    let place = Vec3::lit("16", "2", "-3");
    for shape in [
        Shape::sphere(lit("0.5")),
        Shape::aabb(half),
        Shape::Obb(Obb::along_axes(half)),
        Shape::obb(half, slanting),
    ] {
        with_statics(shape.clone(), place, |step| {
            let bounds = step.bounds_of(0);
            for axis in 0..3 {
                for (end, out) in [(bounds.min, -1), (bounds.max, 1)] {
                    for (beyond, touches) in [(0, true), (1, false)] {
                        let mut point = place.raw();
                        point[axis] = end.raw()[axis] + out * beyond;
                        let point = Vec3::from_raw(point);
                        let [here, there] =
                            [point, point - place].map(|point| Aabb { min: point, max: point });
                        assert_eq!(bounds.touches(&here), touches);
                        assert_eq!(step.scenery.may_touch(StaticId(0), &there), touches, "{shape:?} {axis}");
                    }
                }
            }
        });
    }
}

#[test]
fn contacts_are_ordered_by_their_upper_bodies_and_then_by_their_lower_ones() {
    let body = |index: u32| Partner::Body(BodyIndex(index));
    with_statics(Shape::sphere(lit("0.5")), Vec3::lit("16", "0", "0"), |step| {
        let rest = &mut step.scratch.rest;
        let contact = rest.contacts[0];
        let pairs = [
            (2, Partner::Static(StaticId(1))),
            (0, body(2)),
            (2, body(1)),
            (2, Partner::Static(StaticId(0))),
            (0, body(1)),
            (2, body(0)),
            (2, body(1)),
        ];
        rest.contacts = pairs.map(|(rank, low)| Contact { rank, low, ..contact }).to_vec();
        rest.order_by_height(3);
        // Statics come last, and of the same two the one that was found first is the first.
        let found: Vec<u32> = rest.order.iter().map(|&key| key as u32).collect();
        assert_eq!(found, [4, 1, 5, 2, 6, 3, 0]);
    });
}
