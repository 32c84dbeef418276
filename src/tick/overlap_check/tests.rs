//! Bodies that end where no sweep would lead them.

use std::sync::Arc;

use super::*;
use crate::{
    geom::Rotation,
    num::{Scalar, lit},
    shape::Shape,
    state::{BodyType, ChildShape, Command, Limits, Material, SceneryBuilder, ShapeId, Spawn},
    tick::{Cause, TickReport, World, bodies::body::BodyIndex, phases::Step},
};

/// Spheres of diameter 1 on the x axis at 0, 3, 6, 9, and a static from 50 on.
fn four_balls() -> World {
    balls_at(["0", "3", "6", "9"])
}

/// Spheres on the x axis that may overlap, and a static from 50 on.
fn balls_at(places: [&str; 4]) -> World {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    let shape = builder.shape(Shape::sphere(lit("0.5")));
    let block = builder.shape(Shape::aabb(Vec3::splat(lit("1"))));
    builder.fixed(block, material, Vec3::new(lit("51"), lit("0"), lit("0")));
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    for x in places {
        let position = Vec3::new(x.parse().unwrap(), lit("0"), lit("0"));
        let velocity = Vec3::new(lit("0.25"), lit("0"), lit("0"));
        let spawn = Spawn { allow_overlap: true, material, velocity, ..Spawn::new(shape, position) };
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    }
    world
}

/// Ends a tick with the spheres at positions on the x axis that no sweep would lead to; those in
/// `with_impact` are tested.
fn finish_at(world: &mut World, ends: [&str; 4], with_impact: &[usize], report: &mut TickReport) {
    let World { state, scenery, scratch, .. } = world;
    let mut step = Step { state, scenery: &Arc::clone(scenery), scratch, report };
    step.report.begin(1);
    step.integrate();
    for (index, end) in ends.into_iter().enumerate() {
        let body = step.scratch.sim.body_mut(index);
        let end = Vec3::new(end.parse().unwrap(), lit("0"), lit("0"));
        body.path.displacement = end - body.path.position;
        body.impacts = u16::from(with_impact.contains(&index));
    }
    step.find_impacts().unwrap();
    for &index in with_impact {
        step.toi_loop().find_again(&[BodyIndex(index as u32)]);
    }
    step.finish();
}

fn places(world: &World) -> Vec<Scalar> {
    world.bodies().map(|(_, body)| body.position.x).collect()
}

#[test]
fn a_kinematic_body_that_goes_back_keeps_its_velocity() {
    let (mut world, mut report) = (four_balls(), TickReport::default());
    world.state.slots[2].body.as_mut().unwrap().body_type = BodyType::Kinematic;
    finish_at(&mut world, ["0.25", "6.5", "6.25", "9.25"], &[1], &mut report);
    assert_eq!(places(&world), [lit("0.25"), lit("3"), lit("6"), lit("9.25")]);
    let speeds: Vec<_> = world.bodies().map(|(_, body)| body.momentum.x).collect();
    assert_eq!(speeds, [lit("0.25"), lit("0"), lit("0.25"), lit("0.25")]);
    assert_eq!((report.reverted.len(), report.ledger[Cause::Holds]), (2, [-1 << 30, 0, 0]));
}

#[test]
fn a_body_that_overlaps_a_reverted_one_is_reverted() {
    // 1 ends inside 2 and both are reverted; 0 began inside 1 and would be beyond it. Far from it 0
    // stays.
    for (first, end, left) in [("2.5", "4", "2.5"), ("1.5", "4", "4")] {
        let mut world = balls_at([first, "3", "6", "9"]);
        let mut report = TickReport::default();
        finish_at(&mut world, [end, "6.5", "6.25", "9.25"], &[1], &mut report);
        assert_eq!(places(&world), [left, "3", "6", "9.25"].map(|x| x.parse::<Scalar>().unwrap()));
        assert_eq!(report.overlapping, u32::from(left == first));
    }
}

#[test]
fn overlapping_bodies_and_those_they_displace_are_reverted() {
    // 1 ends inside 2, and 0 has moved to the place where 1 began; 3 is apart from all.
    let ends = ["3.2", "6.5", "6.25", "9.25"];
    for with_impact in [&[0, 1, 2, 3][..], &[1, 2], &[1], &[2]] {
        let mut world = four_balls();
        let mut report = TickReport::default();
        finish_at(&mut world, ends, with_impact, &mut report);
        assert_eq!(places(&world), [lit("0"), lit("3"), lit("6"), lit("9.25")]);
        let speeds: Vec<_> = world.bodies().map(|(_, body)| body.momentum.x).collect();
        assert_eq!(speeds, [lit("0"), lit("0"), lit("0"), lit("0.25")]);
        let slots: Vec<_> = report.reverted.iter().map(|id| id.slot()).collect();
        assert_eq!(slots, [0, 1, 2]);
        assert_eq!(report.ledger[Cause::Holds], [-3 << 30, 0, 0]);
        world.step(&mut report);
        assert!(report.reverted.is_empty());
    }
}

#[test]
fn pairs_are_reverted_both_even_if_one_would_be_enough() {
    for with_impact in [[1], [2]] {
        let (mut world, mut report) = (four_balls(), TickReport::default());
        finish_at(&mut world, ["0", "4.5", "4.25", "9"], &with_impact, &mut report);
        assert_eq!(places(&world), [lit("0"), lit("3"), lit("6"), lit("9")]);
    }
}

#[test]
fn a_body_that_ends_inside_one_that_stays_goes_back() {
    for with_impact in [[0], [1]] {
        let (mut world, mut report) = (four_balls(), TickReport::default());
        finish_at(&mut world, ["0", "0.5", "6", "9"], &with_impact, &mut report);
        assert_eq!(places(&world), [lit("0"), lit("3"), lit("6"), lit("9")]);
        assert_eq!(report.reverted.len(), 2);
    }
}

#[test]
fn a_body_that_turns_into_another_one_where_it_is_turns_back() {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::INELASTIC);
    let half = Vec3::new(lit("2"), lit("0.125"), lit("0.125"));
    let plate = builder.shape(Shape::obb(half, Rotation::IDENTITY));
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let angular_velocity = Vec3::new(lit("0"), lit("0"), lit("0.5")); // its end turns up by .8
    let turning = Spawn { rotates: true, angular_velocity, ..Spawn::new(plate, Vec3::ZERO) };
    let above = Spawn::new(ball, Vec3::new(lit("1.5"), lit("0.75"), lit("0")));
    assert!(world.apply(&[turning, above].map(Command::Spawn)).accepted().is_ok());
    let mut report = TickReport::default();
    let World { state, scenery, scratch, .. } = &mut world;
    let mut step = Step { state, scenery: &Arc::clone(scenery), scratch, report: &mut report };
    step.report.begin(1);
    step.integrate();
    step.find_impacts().unwrap();
    step.scratch.sim.body_mut(0).impacts = 1;
    step.toi_loop().find_again(&[BodyIndex(0)]);
    step.finish(); // without the impact
    let orientations: Vec<_> = world.bodies().map(|(_, body)| body.pose().orientation).collect();
    assert_eq!((orientations[0], report.reverted.len()), (Rotation::IDENTITY, 2));
}

#[test]
fn a_body_inside_a_static_goes_back() {
    let mut world = four_balls();
    let mut report = TickReport::default();
    finish_at(&mut world, ["0", "3", "6", "49.75"], &[3], &mut report);
    assert_eq!(places(&world)[3], lit("9"));
    assert_eq!(report.reverted.len(), 1);
    finish_at(&mut world, ["0", "3", "6", "49.5"], &[3], &mut report);
    assert_eq!((places(&world)[3], report.reverted.len()), (lit("49.5"), 0), "touching is apart");
}

/// A compound of two child shapes three units apart along x at the origin, and a sphere on the x axis.
fn a_thing_and_a_ball(child: Shape, x: &str) -> World {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::INELASTIC);
    let shape = builder.shape(child);
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    let offset = Vec3::new(lit("3"), lit("0"), lit("0"));
    let set = builder.compound(vec![ChildShape::new(shape), ChildShape { offset, ..ChildShape::new(shape) }]);
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let position = Vec3::new(x.parse().unwrap(), lit("0"), lit("0"));
    for spawn in [Spawn::new(ShapeId::of_compound(set, false), Vec3::ZERO), Spawn::new(ball, position)] {
        let spawn = Spawn { allow_overlap: true, ..spawn };
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    }
    world
}

#[test]
fn a_body_inside_one_child_shape_may_not_enter_another() {
    let ball = Shape::sphere(lit("0.5"));
    // It began inside the first child shape, or apart from both; it ends there, deeper, or inside the
    // second.
    for (begin, end, goes_back) in [
        ("0.5", "2.75", true),
        ("0.5", "0.25", false),
        ("0.5", "1.5", false),
        ("1.5", "0.75", true),
        ("3.25", "0.5", true),
    ] {
        let (mut world, mut report) = (a_thing_and_a_ball(ball.clone(), begin), TickReport::default());
        let World { state, scenery, scratch, .. } = &mut world;
        let mut step = Step { state, scenery: &Arc::clone(scenery), scratch, report: &mut report };
        step.report.begin(1);
        step.integrate();
        let body = step.scratch.sim.body_mut(1);
        let end: Scalar = end.parse().unwrap();
        body.path.displacement.x = end - body.path.position.x;
        body.impacts = 1;
        step.find_impacts().unwrap();
        step.toi_loop().find_again(&[BodyIndex(1)]);
        step.finish();
        let expected = if goes_back { begin.parse().unwrap() } else { end };
        assert_eq!(places(&world), [lit("0"), expected], "from {begin} to {end}");
        assert_eq!(report.reverted.len(), if goes_back { 2 } else { 0 });
    }
}

#[test]
fn a_body_without_impacts_is_checked_beside_a_leaning_child_shape() {
    let rod = Shape::capsule(Vec3::new(lit("0.25"), lit("0.25"), lit("0")), lit("0.25"));
    for (child, is_doubtful) in [(rod, true), (Shape::sphere(lit("0.5")), false)] {
        // At the corner of the box around the second child shape, moving away from it.
        let (mut world, mut report) = (a_thing_and_a_ball(child, "3.75"), TickReport::default());
        let ball = world.state.slots[1].body.as_mut().unwrap();
        (ball.position.y, ball.momentum.y) = (lit("-0.75"), lit("-0.0625"));
        let World { state, scenery, scratch, .. } = &mut world;
        let mut step = Step { state, scenery: &Arc::clone(scenery), scratch, report: &mut report };
        step.report.begin(1);
        step.integrate();
        step.find_impacts().unwrap();
        assert!(step.scratch.queue.impacts().next().is_none());
        assert_eq!(step.scratch.unproved.bodies.contains(&true), is_doubtful);
    }
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "a body has no mark of doubt")]
fn a_body_without_a_mark_of_doubt_is_noticed() {
    let (mut world, mut report) = (four_balls(), TickReport::default());
    let World { state, scenery, scratch, .. } = &mut world;
    let mut step = Step { state, scenery, scratch, report: &mut report };
    step.integrate();
    step.find_impacts().unwrap();
    step.scratch.unproved.bodies.pop();
    step.finish();
}
