//! The work of a tick is bounded by its limits: beyond them every body stops at a safe instant, and the
//! report says so.

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3},
    num::{Rng, Toi},
    shape::Shape,
    state::{Body, Limits, Material, SceneryBuilder, ShapeId, Slot, State},
    tick::TickReport,
};

use crate::{
    support::{Start, overlaps, s, shapes, step, world},
    tick_laws::assert_events,
};

/// Balls that fly at each other from all sides, more at a time than the limit allows.
fn crossing(pairs_max: u32) -> World {
    let scenery = shapes("0.5", &[Shape::sphere(s("0.1"))]);
    let starts: Vec<Start> = (0..60)
        .map(|index| {
            let mut draws = Rng::new(4).at(0, index, 0);
            let cell = [index % 4, index / 4 % 4, index / 16].map(|c| 2 * c as i64 - 3);
            let position = Vec3::from_raw(cell.map(|c| (c << 32) + draws.between(-1 << 30, 1 << 30)));
            let velocity = position.map_raw(|raw| -raw);
            Start { shape: ShapeId(0), mass: 1 + index as u32, position, velocity }
        })
        .collect();
    world(Limits::new(60).with_pairs_max(pairs_max), &scenery, &starts)
}

#[test]
fn a_tick_with_too_many_candidates_stops_all_bodies_where_they_are_apart() {
    let mut report = TickReport::default();
    let (mut at_start, mut within, mut told) = (0, 0, 0);
    for pairs_max in (200..40_000).step_by(400) {
        let entry = crossing(pairs_max);
        let mut world = entry.clone();
        world.enable_events(true);
        step(&mut world, &mut report);
        assert_events(&report, &entry, &world);
        told += usize::from(report.tick_halted.is_some_and(|toi| toi > Toi::START) && !report.events_cut);
        assert_eq!(overlaps(&world), 0, "{pairs_max}");
        match report.tick_halted {
            Some(toi) => {
                assert_eq!(report.impact_limited.len(), 60, "{pairs_max}");
                assert!(report.impacts.iter().all(|impact| impact.toi <= toi));
                let stopped = world.bodies().all(|(_, body)| body.velocity() == Vec3::ZERO);
                assert_eq!(
                    stopped,
                    toi == Toi::START,
                    "{pairs_max}: a body that was stopped at once has not moved"
                );
                if toi == Toi::START { at_start += 1 } else { within += 1 }
            }
            None => assert!(report.impacts.len() > 50, "{pairs_max}"),
        }
        // They can continue from where they stopped.
        step(&mut world, &mut report);
    }
    assert!(at_start > 2 && within > 2 && at_start + within < 99, "{at_start} {within}");
    assert!(told > 2, "of {within} ticks that were halted within, {told} had room for all events");
}

#[test]
fn a_heap_of_bodies_inside_each_other_costs_no_more_than_its_limit() {
    let scenery = shapes("0.5", &[Shape::sphere(s("1"))]);
    // The candidates of 5,000 are too many; those of 2,000 are not, but the impacts to come are.
    for count in [2_000, 5_000] {
        let mut state = State::new(Limits::new(60));
        state.slots = (0..count)
            .map(|index| {
                let mut draws = Rng::new(6).at(0, index, 0);
                let mut vector = || Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 29, 1 << 29)));
                let (position, momentum) = (vector(), vector());
                let body = Body { momentum, ..Body::new(ShapeId(0), position) };
                Slot { generation: 0, body: Some(body) }
            })
            .collect();
        let mut world = World::from_state(state, scenery.clone()).unwrap();
        let mut report = TickReport::default();
        world.step(&mut report);
        assert_eq!((report.tick_halted, report.impact_limited.len()), (Some(Toi::START), count as usize));
        assert!(report.impacts.is_empty());
        assert!(world.bodies().all(|(_, body)| body.momentum == Vec3::ZERO));
    }
}

#[test]
fn statics_count_as_candidates() {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    let ball = builder.shape(Shape::sphere(s("0.5")));
    let plane = builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, Normal::Y).unwrap()));
    for _ in 0..50 {
        builder.fixed(plane, material, Vec3::from_raw([0, -9 << 32, 0]));
    }
    let scenery = builder.build().unwrap();
    for (pairs_max, tick_halted) in [(49, Some(Toi::START)), (50, None)] {
        let start = Start { shape: ball, mass: 1, position: Vec3::ZERO, velocity: Vec3::ZERO };
        let mut world = world(Limits::new(60).with_pairs_max(pairs_max), &scenery, &[start]);
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        assert_eq!(report.tick_halted, tick_halted);
    }
}
