//! A brick that lies flat on the ground, by hand.

use super::*;
use crate::{
    num::lit,
    shape::{Obb, Shape},
    state::{Command, Limits, Material, SceneryBuilder, Spawn},
    tick::{World, contact::rest::show_contacts},
};

/// The contacts at the four corners of a brick of mass 3, when those of a tick are found.
fn with_brick(look: impl FnOnce(&mut ContactStage)) {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC.with_friction(lit("0.5")).expect("in 0..=16"));
    let brick = builder.shape(Shape::Obb(Obb::along_axes(Vec3::lit("0.5", "0.125", "0.5"))));
    let floor = builder.shape(Shape::plane(Vec3::lit("0", "1", "0")).expect("a normal"));
    builder.fixed(floor, material, Vec3::ZERO);
    let mut world = World::new(Limits::new(60), builder.build().expect("a scenery")).expect("limits");
    let gravity = world.limits().gravity_nearest_even(Vec3::lit("0", "-9.8", "0"));
    let place = Vec3::lit("0", "0.1255", "0");
    let spawn = Spawn { material, mass: 3, rotates: true, ..Spawn::new(brick, place) };
    world.apply(&[Command::SetGravity { gravity }, Command::Spawn(spawn)]).accepted().expect("commands");
    show_contacts(world, |step| {
        let rest = &step.scratch.rest;
        assert_eq!((rest.contacts.len(), rest.touches.len()), (4, 4));
        look(step);
    });
}

#[test]
fn each_point_that_closes_by_more_than_its_room_and_the_slack_marks_its_body() {
    const SLACK: i64 = 40;
    let table = [
        (100, 60, false),
        (101, 60, true),
        (40, 0, false),
        (41, 0, true),
        (40, -60, false),
        (41, -60, true),
        (-200, 0, false),
    ];
    with_brick(|step| {
        for (index, (closing, room, closes)) in (0..4).flat_map(|index| table.map(|row| (index, row))) {
            let rest = &mut step.scratch.rest;
            rest.rates = vec![[0, -closing, 0]];
            rest.marks[0].closes = false;
            for (place, contact) in rest.contacts.iter_mut().enumerate() {
                contact.room = if place == index { room } else { 1 << 40 };
            }
            step.mark_closing_points(SLACK);
            assert_eq!(step.scratch.rest.marks[0].closes, closes, "point {index}: {closing} {room}");
        }
    });
}

#[test]
fn pushes_at_a_point_that_would_gain_energy_are_scaled_to_those_that_take_the_most() {
    // With twice the push that stops it a body goes back as fast as it came. Beyond that it would be faster.
    for (times, kept) in [(1, 1), (2, 2), (4, 1), (8, 1), (16, 1)] {
        with_brick(|step| {
            let rest = &mut step.scratch.rest;
            let (closing, slip) = (1 << 30, 1 << 28);
            rest.contacts.truncate(1);
            rest.contacts[0].push = times * closing;
            rest.touches[0].rub = [0, 0, times * slip];
            rest.find_islands();
            rest.before = vec![[0, -closing, -slip]];
            rest.rates = vec![[0, (times - 1) * closing, (times - 1) * slip]];
            (rest.spins_before, rest.spins) = (vec![[0; 3]], vec![[0; 3]]);
            rest.lower_energy();
            assert_eq!(rest.contacts[0].push, kept * closing, "{times}");
            assert_eq!(rest.touches[0].rub, [0, 0, kept * slip], "{times}");
        });
    }
}
