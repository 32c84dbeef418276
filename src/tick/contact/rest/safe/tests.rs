//! A brick just above a floor, by hand: one edge touches and the other does not.

use super::*;
use crate::{
    geom::Rotation,
    shape::{Obb, Shape},
    state::{Command, Limits, Material, SceneryBuilder, Spawn},
    tick::{TickReport, World, bodies::body::BodyIndex, phases::Step},
};

fn vec3(x: &str, y: &str, z: &str) -> Vec3 {
    Vec3::new(x.parse().unwrap(), y.parse().unwrap(), z.parse().unwrap())
}

/// It leans by a part in 256, so that its right edge is about as much above the other one.
fn leaning_with(rate: u32, restitution: &str) -> World {
    let mut builder = SceneryBuilder::default();
    let restitution_q16 = (restitution.parse::<Scalar>().unwrap().to_bits() >> 16) as u32;
    let material = builder.material(Material { restitution_q16, ..Material::INELASTIC });
    let brick = builder.shape(Shape::Obb(Obb::along_axes(vec3("0.5", "0.125", "0.5"))));
    let floor = builder.shape(Shape::plane(vec3("0", "1", "0")).unwrap());
    builder.fixed(floor, material, Vec3::ZERO);
    let mut world = World::new(Limits::new(rate), builder.build().unwrap()).unwrap();
    let gravity = world.limits().gravity_nearest_even(vec3("0", "-9.8", "0"));
    let [w, z] = ["512", "1"].map(|part| part.parse().unwrap());
    let orientation = Rotation::from_quaternion(w, Scalar::ZERO, Scalar::ZERO, z).unwrap();
    let position = vec3("0", "0.12705", "0");
    let spawn = Spawn { material, rotates: true, orientation, ..Spawn::new(brick, position) };
    let commands = [Command::SetGravity { gravity }, Command::Spawn(spawn)];
    assert!(world.apply(&commands).outcomes.iter().all(Result::is_ok));
    world
}

/// What is so when the contacts of a tick are found, so many of them, between bodies without restitution.
fn with_contacts(rate: u32, count: usize, look: impl FnOnce(&mut ContactStage)) {
    with_contacts_of(&mut leaning_with(rate, "0"), count, look);
}

fn with_contacts_of(world: &mut World, count: usize, look: impl FnOnce(&mut ContactStage)) {
    let mut report = TickReport::default();
    let World { state, scenery, scratch, .. } = world;
    let mut step = Step { state, scenery, scratch, report: &mut report };
    step.integrate();
    let mut step = step.contact();
    step.find_contacts();
    assert_eq!(step.scratch.rest.contacts.len(), count);
    look(&mut step);
}

/// Gives the brick an angular velocity about z, in 2^-32 radians per tick.
fn turn(step: &mut ContactStage, velocity: i64) {
    let spinner = step.sim.first_rotation_mut();
    let moment = spinner.inertia.moments()[2] as i128;
    spinner.angular_momentum.z = Scalar::from_bits(((moment * i128::from(velocity)) >> 64) as i64);
    assert!(!spinner.free_step());
}

fn event(step: &ContactStage) -> QueuedImpact {
    let normal = -step.scratch.rest.contacts[0].normal;
    QueuedImpact {
        toi: Toi::START,
        a: BodyIndex(0),
        b: step.scratch.rest.contacts[0].low,
        children: [0; 2],
        stamps: [0; 2],
        normal: Some(normal),
    }
}

#[test]
fn in_a_long_tick_who_meets_in_spite_of_its_contact_goes_half_as_far_and_then_turns_no_more() {
    with_contacts(10, 4, |step| {
        turn(step, 1 << 24);
        step.sim.body_mut(0).path.displacement = Vec3::from_raw([4_000, -2_001, 0]);
        step.scratch.rest.grounds = vec![Some([1_000, 0, 0])];
        let (event, turning) = (event(step), step.bodies().rotation_of(BodyIndex(0)).unwrap().turning);
        let half = turning.at(Toi::from_raw(1 << (Toi::BITS - 1)).unwrap());
        assert!(
            step.join(&event, false) && !step.bodies().rotation_of(BodyIndex(0)).unwrap().turning.is_still()
        );
        assert_eq!(step.sim.all()[0].path.displacement, Vec3::from_raw([2_500, -1_000, 0]));
        assert_eq!(step.bodies().rotation_of(BodyIndex(0)).unwrap().turning.at(Toi::END), half);
        assert!(step.bodies().rotation_of(BodyIndex(0)).unwrap().is_slowed);
        assert_eq!(step.scratch.rest.contacts.iter().filter(|contact| contact.dropped).count(), 0);
    });
    for (rate, loses) in [(10, true), (60, false)] {
        with_contacts(rate, 4, |step| {
            turn(step, 1 << 24);
            let event = event(step);
            assert!(
                step.join(&event, true)
                    && step.bodies().rotation_of(BodyIndex(0)).unwrap().turning.is_still()
            );
            assert_eq!(step.bodies().rotation_of(BodyIndex(0)).unwrap().is_slowed, loses, "{rate} Hz");
        });
    }
}

#[test]
fn points_that_a_body_turns_down_are_looked_for_afresh_and_end_where_they_would_bounce() {
    // In so short a tick only its left edge is near. The last one turns the right edge down, by 1/128 in the tick.
    for (velocity, bounces) in [(0, false), (1 << 22, false), (-(1 << 22), false), (-(1 << 26), true)] {
        // The edge closes at 2.9 times the speed of rest, so from a restitution of .35 on it would rebound faster than that.
        for (restitution, is_high) in [("0", false), ("0.2", false), ("0.4", true), ("1", true)] {
            let look = |step: &mut ContactStage| {
                step.sim.body_mut(0).momentum = Vec3::ZERO;
                turn(step, velocity);
                let drops = step.drop_fast_points(0, Toi::START);
                assert_eq!(drops, bounces && is_high, "{velocity} {restitution}");
            };
            with_contacts_of(&mut leaning_with(120, restitution), 2, look);
        }
    }
}

#[test]
fn the_plane_at_the_end_is_that_of_how_the_two_turn_now() {
    with_contacts(60, 4, |step| {
        let renewed = |step: &mut ContactStage| {
            step.renew_end(0);
            let contact = step.scratch.rest.contacts[0];
            let touch = *step.scratch.rest.touch_of(&contact).unwrap();
            assert_eq!(
                (touch.end, touch.turns),
                (step.contacts().end_plane(&contact), step.contacts().turns_of(&contact))
            );
            step.residual_of_points(&contact, Toi::START)
        };
        step.sim.body_mut(0).path.displacement = Vec3::ZERO;
        turn(step, 1 << 12);
        assert!(!renewed(step).is_violated);
        turn(step, 1 << 20);
        let contact = step.scratch.rest.contacts[0];
        let residual = step.residual_of_points(&contact, Toi::START);
        assert!(residual.is_violated, "the left edge dips, though the plane is still the old one");
        assert_eq!(renewed(step), residual);
    });
}
