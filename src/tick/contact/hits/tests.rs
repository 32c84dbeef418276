//! Points of impacts between two balls, by hand.

use super::*;
use crate::{
    geom::Normal,
    num::lit,
    shape::Shape,
    state::{BodyType, Command, Limits, Material, SceneryBuilder, ShapeId, Spawn},
    tick::{TickReport, World, phases::Step},
};

/// A ball but for its place.
fn ball(rotates: bool, angular_velocity: Vec3, velocity: Vec3) -> Spawn {
    Spawn { rotates, angular_velocity, velocity, ..Spawn::new(ShapeId(0), Vec3::ZERO) }
}

/// The beginning of a tick with two balls side by side along x, and an impact between them at an instant.
fn with_balls(balls: [Spawn; 2], toi: Toi, look: impl FnOnce(&mut ContactStage, QueuedImpact)) {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::new(lit("1")).expect("in 0..=1"));
    builder.shape(Shape::sphere(lit("0.5")));
    let mut world = World::new(Limits::new(60), builder.build().expect("a scenery")).expect("limits");
    for (x, spawn) in ["0", "1.125"].into_iter().zip(balls) {
        let spawn = Spawn { position: Vec3::lit(x, "0", "0"), ..spawn };
        world.apply(&[Command::Spawn(spawn)]).accepted().expect("a spawn");
    }
    let mut report = TickReport::default();
    let World { state, scenery, scratch, .. } = &mut world;
    let mut step = Step { state, scenery, scratch, report: &mut report };
    step.integrate();
    let event = QueuedImpact {
        toi,
        a: BodyIndex(0),
        b: Partner::Body(BodyIndex(1)),
        children: [0; 2],
        stamps: [0; 2],
        normal: Some(Normal::new(1 << Normal::BITS, 0, 0)),
    };
    look(&mut step.contact(), event);
}

/// The beginning of a tick, and its middle.
fn instants() -> [Toi; 2] {
    [Toi::START, Toi::from_raw(1 << (Toi::BITS - 1)).expect("an instant")]
}

#[test]
fn balls_close_as_their_centers_do_however_they_turn() {
    let turns = [(false, Vec3::ZERO), (true, Vec3::ZERO), (true, Vec3::lit("0.1", "-0.2", "0.3"))];
    let speed = Vec3::lit("0.25", "0", "0");
    for (a, b) in turns.into_iter().flat_map(|a| turns.map(|b| (a, b))) {
        for toi in instants() {
            for [first, second] in [[speed, Vec3::ZERO], [Vec3::ZERO, -speed]] {
                with_balls([ball(a.0, a.1, first), ball(b.0, b.1, second)], toi, |step, event| {
                    step.find_knocks(&[event]);
                    assert_eq!(step.scratch.hits.knocks.len(), usize::from(a.0 || b.0));
                    let meeting = step.meeting_at_points(&event, 0);
                    let rate = -i128::from(speed.x.to_bits()) << Normal::BITS;
                    assert_eq!((meeting.now, meeting.end), (rate, rate), "{a:?} {b:?}");
                });
            }
        }
    }
}

#[test]
fn a_body_that_is_held_does_not_turn_at_its_points() {
    let platform = ball(true, Vec3::lit("0", "0.1", "0.1"), Vec3::ZERO);
    let platform = Spawn { body_type: BodyType::Kinematic, ..platform };
    for toi in instants() {
        with_balls([platform, ball(false, Vec3::ZERO, Vec3::ZERO)], toi, |step, event| {
            let spin = |step: &mut ContactStage| {
                step.find_knocks(&[event]);
                step.scratch.hits.knocks[0].spins[0]
            };
            assert!(spin(step).is_some_and(|spin| spin != [0; 3]));
            step.bodies_mut().hold(BodyIndex(0));
            assert_eq!(spin(step), Some([0; 3]));
            // Its angular momentum is the game's, and stays.
            let rotation = step.bodies().rotation_of(BodyIndex(0)).expect("it rotates");
            assert!(rotation.turning.is_still() && rotation.angular_momentum != Vec3::ZERO);
        });
    }
}
