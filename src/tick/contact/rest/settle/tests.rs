//! The ends of ticks by hand: impulses, what is left of a push, and what a push may work.

use super::*;
use crate::{
    num::{Rng, lit},
    shape::Shape,
    state::{Command, Limits, Material, SceneryBuilder, Spawn},
    tick::{
        World,
        contact::rest::{rows::PUSH_MAX, show_contacts},
    },
};

#[test]
fn an_impulse_is_the_push_of_both_masses_up_to_the_largest() {
    let normal = Normal::new(1 << 29, -929_887_697, 0); // of length 2^30: 60 degrees
    for case in 0..20_000 {
        let mut draws = Rng::new(8).at(0, case, 0);
        let mut mass = || draws.between(1, 1 << 16);
        let (a, b) = (mass(), mass());
        let push = PUSH_MAX >> draws.below(46);
        let found = impulse_of(normal, push, a * b, i128::from(a + b) << 60).raw();
        let exact = |n: i32| {
            let along = i128::from(n) * i128::from(push) * i128::from(a * b);
            mul_div_nearest(along, 1, i128::from(a + b) << 30) as i64
        };
        for (found, n) in found.into_iter().zip(normal.components()) {
            assert!((found - exact(n)).abs() <= 1, "{found} {} for {push}, {a}, {b}", exact(n));
        }
    }
}

#[test]
fn a_part_of_works_of_any_size_is_the_same() {
    for bits in 20..126 {
        let (part, whole) = (3 << (bits - 4), (1 << bits) - 1);
        let found = part_q16(part, whole);
        assert!((found - (3 << 12)).abs() <= 1, "{found} of 2^{bits}");
    }
}

/// A look at the contact of a ball before a plane, as a tick finds it.
fn with_a_ball(material: Material, way: Vec3, height: Scalar, look: impl FnOnce(&mut ContactStage)) {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(material);
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    let wall = builder.shape(Shape::plane(way).unwrap());
    builder.fixed(wall, material, Vec3::ZERO);
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let place = way.map_raw(|c| if c == 0 { 0 } else { height.to_bits() });
    let spawn = Spawn { material, ..Spawn::new(ball, place) };
    assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    show_contacts(world, |step| {
        assert_eq!(step.scratch.rest.contacts.len(), 1);
        look(step);
    });
}

#[test]
fn pushes_without_gravity_stop_velocities_by_the_room_that_the_motion_used_up() {
    let height = lit("0.51");
    for (closed, aside) in [
        (0, 0),
        (1 << 20, 0),
        (-(1 << 20), 0),
        (1 << 24, 0),
        (-(1 << 24), 0),
        (1 << 24, -1 << 30),
        (40_000_000, 1 << 30),
    ] {
        with_a_ball(Material::INELASTIC, Vec3::lit("1", "0", "0"), height, |step| {
            let old = step.scratch.rest.contacts[0];
            assert!((1 << 24..40_000_000).contains(&old.room), "{}", old.room);
            step.scratch.rest.contacts[0].push = 1_000;
            let position = &mut step.sim.body_mut(0).path.position;
            *position += Vec3::from_raw([-closed, -aside, 0]);
            step.renew(0);
            let Contact { room, push, dropped, .. } = step.scratch.rest.contacts[0];
            // Nearer than the two rest there is no room left to use.
            let used = closed.clamp(0, old.room);
            assert_eq!((room, push, dropped), (old.room - closed, 1_000 + used, false), "{closed} {aside}");
        });
    }
}

#[test]
fn pushes_at_points_that_would_gain_energy_act_in_part_across_the_normal_as_along_it() {
    let material = Material { friction_q16: 1 << 15, ..Material::INELASTIC };
    with_a_ball(material, Vec3::lit("0", "1", "0"), lit("0.5005"), |step| {
        let rest = &mut step.scratch.rest;
        assert!(rest.touch_of(&rest.contacts[0]).is_some());
        rest.find_islands();
        (rest.spins, rest.spins_before) = (vec![[0; 3]], vec![[0; 3]]);
        let (push, speed) = (3 << 20, 1 << 20);
        // The energy over the part that acts is least where the two do not move, and as before at twice that.
        for (before, after, acting) in [
            (-speed, 0, [push, -9, 5, 0]),
            (-speed, speed, [push, -9, 5, 0]),
            (-speed, 3 * speed, [push / 4, -2, 1, 0]),
            (-speed, 7 * speed, [push / 8, -1, 0, 0]),
            (speed, 2 * speed, [0; 4]),
        ] {
            (rest.before, rest.rates) = (vec![[0, before, 0]], vec![[0, after, 0]]);
            rest.contacts[0].push = push;
            rest.touches[0].rub = [-9, 5, 0];
            rest.lower_energy();
            let [x, y, z] = rest.touches[0].rub;
            assert_eq!([rest.contacts[0].push, x, y, z], acting, "{before} {after}");
        }
    });
}
