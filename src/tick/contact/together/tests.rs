//! Blows that are solved together.

use super::*;
use crate::{
    num::{Rng, Toi, lit},
    shape::Shape,
    state::{Command, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
    tick::{
        TickReport, World,
        bodies::body::{BodyIndex, Partner},
        phases::Step,
    },
};

/// Two of the same that hit a third between them, each pair closing at 2^40, with a push.
fn squeezed(push: i128) -> (Vec<Blow>, Vec<Struck>) {
    let body = |mover, x| Struck { mover, blows: 2, group: 1, velocity: [x, 0, 0], change: [0; 3] };
    let bodies = vec![body(NONE, 0), body(0, 1 << 40), body(1, 0), body(2, -1 << 40)];
    let step = [1 << (STEP_BITS - 1), 0, 0];
    let blow = |tie, sides| Blow {
        tie,
        group: 1,
        sides,
        normal: [1 << Normal::BITS, 0, 0],
        steps: [step; 2],
        mass: 1 << (MASS_BITS - 1),
        weight: 1 << (WEIGHT_BITS - 1),
        wanted: 0,
        is_bound: false,
        pull: 0,
        push,
        before: 0,
        ahead: 0,
    };
    (vec![blow(0, [1, 2]), blow(1, [2, 3])], bodies)
}

#[test]
fn pushes_that_would_gain_energy_are_scaled_to_those_that_keep_it() {
    // The outer ones lose half a push: with 4 times 2^40 they go back as fast as they came.
    for (quarters, kept) in [(4, 4), (8, 8), (15, 15), (16, 16), (17, 16), (20, 16), (40, 16)] {
        let (mut blows, mut bodies) = squeezed(quarters << 38);
        lower_energy(&mut blows, &mut bodies);
        for blow in blows {
            assert!((blow.push - (kept << 38)).abs() <= 8, "{quarters}: {}", blow.push);
        }
    }
}

#[test]
fn a_squeeze_is_solved_to_a_part_of_a_raw() {
    for wanted in [0, 1 << 38, 1 << 40] {
        let (mut blows, mut bodies) = squeezed(0);
        blows.iter_mut().for_each(|blow| blow.wanted = wanted);
        solve_group(&mut blows, &mut bodies);
        for blow in blows {
            assert!((blow.push - 2 * (wanted + (1 << 40))).abs() <= 2 * SOLVED, "{}", blow.push);
        }
    }
}

#[test]
fn pushes_apart_of_what_parts_already_are_none() {
    let (mut blows, mut bodies) = squeezed(1 << 45);
    bodies.iter_mut().for_each(|body| body.velocity[0] *= -1);
    lower_energy(&mut blows, &mut bodies);
    assert!(blows.iter().all(|blow| blow.push == 0), "{blows:?}");
}

#[test]
fn squeezes_whose_blows_take_turns_are_each_solved_as_if_alone() {
    let (blows, bodies) = squeezed(0);
    let mut together = Together { blows: Vec::new(), bodies: vec![bodies[0]] };
    for (group, body) in (1..).zip([&bodies[1..], &bodies[1..]].concat()) {
        together.bodies.push(Struck { mover: group - 1, group, ..body });
    }
    for (tie, (blow, first)) in (0..).zip([(blows[0], 0), (blows[0], 3), (blows[1], 0), (blows[1], 3)]) {
        let sides = blow.sides.map(|side| side + first);
        together.blows.push(Blow { tie, group: NONE, sides, ..blow });
        together.join(sides);
    }
    together.weigh_blows();
    together.solve(true);
    for blow in together.blows {
        // Each pair stops, as in a squeeze alone.
        assert!((blow.push - (2 << 40)).abs() <= 2 * SOLVED, "{}: {}", blow.tie, blow.push);
    }
}

/// From where balls that do not bounce come at one in the middle.
const FROM: [[i64; 3]; 6] = [[3, 4, 0], [-3, 4, 0], [3, -4, 0], [-3, -4, 0], [0, 0, 5], [0, 0, -5]];

/// The first of some balls in the middle, the others on their way to it.
fn who_come_at_one(case: u64) -> World {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::INELASTIC);
    builder.shape(Shape::sphere(lit("0.5")));
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let mut draws = Rng::new(16).at(0, case, 0);
    for from in [[0; 3]].into_iter().chain(FROM) {
        let along = |length: &str| Vec3::from_raw(from.map(|c| c * lit(length).to_bits()));
        let (mass, material) = (draws.between(1, 1_000) as u32, MaterialId(0));
        let spawn = Spawn { mass, material, ..Spawn::new(ShapeId(0), along("0.3")) };
        let spawn = Spawn { velocity: -along("0.1"), ..spawn };
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    }
    world
}

/// Impacts of the first with all others, at once.
fn ties_of_all() -> Vec<Tie> {
    let tie = |(b, from): (u32, [i64; 3])| {
        let [x, y, z] = from.map(|c| (c * (1 << Normal::BITS) / 5) as i32);
        let (b, normal) = (Partner::Body(BodyIndex(b)), Normal::new(x, y, z));
        let event = QueuedImpact {
            toi: Toi::START,
            a: BodyIndex(0),
            b,
            children: [0; 2],
            stamps: [0; 2],
            normal: Some(normal),
        };
        Tie::new(event)
    };
    (1..).zip(FROM).map(tie).collect()
}

#[test]
fn the_mass_of_a_blow_is_that_of_two_as_one() {
    let (mut world, mut report) = (who_come_at_one(0), TickReport::default());
    let World { state, scenery, scratch, .. } = &mut world;
    let mut step = Step { state, scenery, scratch, report: &mut report };
    step.integrate();
    let step = step.contact();
    for tie in ties_of_all() {
        let mass = |index: u32| i128::from(step.sim.all()[index as usize].mass);
        let (a, b) = (mass(0), mass(tie.event.partner_number().unwrap()));
        let expected = ((a * b) << MASS_BITS) / (a + b);
        let found = step.long_meeting(&tie).blow(0, [1, 2]).mass;
        // The normal has its length but for 2^-29 of it.
        assert!((found - expected).abs() <= (expected >> 28) + 1, "{found} instead of {expected}");
    }
}

#[test]
fn all_who_are_struck_together_part_by_the_least_rate_as_their_motions_are_rounded() {
    for case in 0..100 {
        let (mut world, mut report) = (who_come_at_one(case), TickReport::default());
        let World { state, scenery, scratch, .. } = &mut world;
        let mut step = Step { state, scenery, scratch, report: &mut report };
        step.integrate();
        let mut step = step.contact();
        let mut ties = ties_of_all();
        step.gather_blows(&ties);
        step.find_impulses(&mut ties);
        for tie in &ties {
            step.give(&tie.event, tie.impulse);
        }
        step.part_together(&ties);
        for Tie { event, .. } in ties {
            let motion = |index: u32| step.sim.all()[index as usize].path.displacement;
            let apart = event.known_normal().dot_wide(motion(event.partner_number().unwrap()) - motion(0));
            let rate = apart >> Normal::BITS;
            let least = i128::from(PARTING_RAW) * i128::from(event.known_normal().length_up());
            assert!(apart >= least, "{case}: {event:?} part by {rate} raw");
        }
    }
}
