//! Stops by hand, and how far a blow reaches.

use super::*;
use crate::{
    num::lit,
    shape::Shape,
    state::{Command, Limits, Locks, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
    tick::{TickReport, World, phases::Step},
};

/// A lift, a ball that lies on it, and one that falls.
fn lift_with_a_ball(velocity: Vec3, locks: Locks) -> World {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::INELASTIC);
    builder.shape(Shape::sphere(lit("0.5")));
    builder.shape(Shape::aabb(Vec3::new(lit("1"), lit("0.25"), lit("1"))));
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let at = |y: &str| Vec3::new(lit("0"), lit(y), lit("0"));
    let material = MaterialId(0);
    let spawns = [
        Spawn { body_type: BodyType::Kinematic, velocity, material, ..Spawn::new(ShapeId(1), at("0")) },
        Spawn { locks, material, ..Spawn::new(ShapeId(0), at("0.751")) },
        Spawn { locks, material, ..Spawn::new(ShapeId(0), at("5")) },
    ];
    let gravity = world.limits().gravity_nearest_even(at("-9.8"));
    assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
    assert!(world.apply(&spawns.map(Command::Spawn)).outcomes.iter().all(Result::is_ok));
    world
}

#[test]
fn who_finds_no_motion_goes_with_its_ground_and_stands_still_if_that_is_none() {
    let velocity = Vec3::new(lit("0.01"), lit("0.03"), lit("-0.02"));
    let lockeds = [(Locks::NONE, velocity), (Locks::Z, Vec3::new(velocity.x, velocity.y, lit("0")))];
    for (locks, wanted) in lockeds {
        let mut report = TickReport::default();
        let World { state, scenery, scratch, .. } = &mut lift_with_a_ball(velocity, locks);
        let mut step = Step { state, scenery, scratch, report: &mut report };
        step.integrate();
        let mut step = step.contact();
        step.find_contacts();
        step.carry();
        for (index, motions) in [(1, [wanted, Vec3::ZERO]), (2, [Vec3::ZERO; 2])] {
            for motion in motions {
                assert!(step.can_stop(index), "{index}");
                step.stop(index, Toi::START);
                assert_eq!(step.sim.all()[index as usize].path.displacement, motion, "{index}");
                assert!(!step.moves(index, Toi::START), "no push changes it");
                if motion == Vec3::ZERO {
                    assert!(!step.can_stop(index), "{index} stands still for good");
                    break;
                }
            }
        }
    }
}

/// Seven balls that touch in a row on a floor, with a wall behind the first.
fn row_of_balls() -> World {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    let floor = builder.shape(Shape::plane(Vec3::new(lit("0"), lit("1"), lit("0"))).unwrap());
    let wall = builder.shape(Shape::plane(Vec3::new(lit("1"), lit("0"), lit("0"))).unwrap());
    builder.fixed(floor, material, Vec3::ZERO);
    builder.fixed(wall, material, Vec3::ZERO);
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let gravity = world.limits().gravity_nearest_even(Vec3::new(lit("0"), lit("-9.8"), lit("0")));
    assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
    for index in 0..7 {
        let x = lit("0.5005").to_bits() + index * lit("1.0005").to_bits();
        let place = Vec3::from_raw([x, lit("0.5005").to_bits(), 0]);
        assert!(
            world.apply(&[Command::Spawn(Spawn { material, ..Spawn::new(ball, place) })]).outcomes[0].is_ok()
        );
    }
    world
}

/// The balls that give way if the first one is struck in the midst of a tick, and begins to move to the right while another one may
/// move to the left.
fn changed_by_a_blow(coming: Option<u32>) -> Vec<u32> {
    let mut report = TickReport::default();
    let World { state, scenery, scratch, .. } = &mut row_of_balls();
    let mut step = Step { state, scenery, scratch, report: &mut report };
    step.integrate();
    let mut step = step.contact();
    step.rest();
    let (half, motion) = (Toi::from_raw(1 << 31).unwrap(), Vec3::new(lit("0.01"), lit("0"), lit("0")));
    step.bodies_mut().advance(BodyIndex(0), half);
    step.bodies_mut().set_unchecked_motion(BodyIndex(0), motion);
    if let Some(index) = coming {
        step.bodies_mut().set_unchecked_motion(BodyIndex(index), -motion);
    }
    let changed = step.rest_again(&[BodyIndex(0)], half);
    for index in 0..step.scratch.rest.contacts.len() as u32 {
        let residual = step.residual(index, half);
        assert!(!residual.is_violated, "{residual:?}");
    }
    assert!(step.scratch.rest.marks.iter().all(|mark| mark.stopped == Stopped::No));
    let mut places: Vec<u32> = changed.iter().map(|&BodyIndex(index)| index).collect();
    places.sort_unstable();
    let is_marked = |index: &u32| step.unproved.bodies[*index as usize];
    let marked: Vec<u32> = (0..step.sim.all().len() as u32).filter(is_marked).collect();
    assert_eq!(marked, places, "their ends are to be checked, and no others");
    places
}

#[test]
fn a_blow_moves_what_is_near_it_and_others_only_where_they_must_give_way() {
    assert_eq!(changed_by_a_blow(None), [0, 1, 2]);
    // The fourth one comes toward the three, which can't evade it: there is a wall behind them.
    assert_eq!(changed_by_a_blow(Some(3)), [0, 1, 2, 3]);
}

#[test]
fn contacts_are_violated_by_motions_that_close_by_more_than_the_room() {
    let mut report = TickReport::default();
    let World { state, scenery, scratch, .. } = &mut lift_with_a_ball(Vec3::ZERO, Locks::NONE);
    let mut step = Step { state, scenery, scratch, report: &mut report };
    step.integrate();
    let mut step = step.contact();
    step.find_contacts();
    let found = step.scratch.rest.contacts[0];
    assert_eq!((found.low_mover(), found.high, found.touch), (Some(0), 1, NONE));
    // A pair that is nearer than it may be need not part, but must not come nearer.
    for (room, [aside, up], is_violated) in [
        (-3, [5, 0], false),
        (-3, [0, -1], true),
        (0, [5, 0], false),
        (0, [5, -1], true),
        (0, [0, -1], true),
        (1, [0, -1], false),
        (1, [0, -2], true),
        (2, [0, -2], false),
    ] {
        step.sim.body_mut(1).path.displacement = Vec3::from_raw([aside, up, 0]);
        step.scratch.rest.contacts[0].room = room + ContactView::least_gap(&found) - found.rest_gap;
        let residual = step.residual(0, Toi::START);
        assert_eq!(residual.is_violated, is_violated, "{room} {aside} {up}");
    }
}

#[test]
fn bodies_that_a_lift_takes_out_of_the_world_are_held_whatever_their_numbers() {
    for number in [0, 1] {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::INELASTIC);
        let ball = builder.shape(Shape::sphere(lit("0.5")));
        let plate = builder.shape(Shape::aabb(Vec3::lit("1", "0.25", "1")));
        let limits = Limits::new(60).with_extent(lit("64"));
        let mut world = World::new(limits, builder.build().unwrap()).unwrap();
        let gravity = world.limits().gravity_nearest_even(Vec3::lit("0", "-9.8", "0"));
        assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
        let (body_type, velocity) = (BodyType::Kinematic, Vec3::lit("0", "0.03", "0"));
        let above = Spawn { material, ..Spawn::new(ball, Vec3::lit("0", "63.99", "0")) };
        let lift = Spawn::new(plate, Vec3::lit("0", "63.2395", "0"));
        let mut spawns = [above, Spawn { body_type, velocity, material, ..lift }];
        spawns.rotate_left(number);
        assert!(world.apply(&spawns.map(Command::Spawn)).outcomes.iter().all(Result::is_ok));
        let mut report = TickReport::default();
        let World { state, scenery, scratch, .. } = &mut world;
        let mut step = Step { state, scenery, scratch, report: &mut report };
        step.integrate();
        let mut step = step.contact();
        step.rest();
        let mover = &step.sim.all()[number];
        assert!(mover.held && mover.path.displacement == Vec3::ZERO, "{number}");
        assert_eq!(step.report.out_of_bounds, [step.state.id_of(mover.slot)], "{number}");
    }
}
