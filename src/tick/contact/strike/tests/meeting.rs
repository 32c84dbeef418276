//! Lone strikes of bodies that do not turn are what they are in `respond.rs`.

use super::*;
use crate::{
    geom::Normal,
    num::{Rng, Toi, lit},
    shape::Shape,
    state::{Command, Limits, Locks, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
    tick::{
        TickReport, World,
        bodies::body::{BodyIndex, Partner},
        contact::respond::Meeting,
        phases::Step,
        queue::QueuedImpact,
    },
};

/// A meeting of two balls somewhere, and what its strike is.
fn meeting(case: u64) -> (Meeting, Vec3, Strike, Vec<Party>) {
    let mut draws = Rng::new(31).at(0, case, 0);
    let mut builder = SceneryBuilder::default();
    let restitution = draws.between(0, 1 << 16);
    builder.material(Material { restitution_q16: restitution as u32, friction_q16: 0 });
    builder.shape(Shape::sphere(lit("0.5")));
    let limits = Limits { rest_speed: lit("0.01"), ..Limits::new(60) };
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let mut parties = Vec::new();
    let fast = if case % 3 == 0 { 1 << 22 } else { 1 << 33 };
    for place in [-1, 1] {
        let position = Vec3::from_raw([place * (1_i64 << 32), 0, 0]);
        let velocity = [(); 3].map(|()| draws.between(-fast, fast));
        let mass = draws.between(1, 1 << 16) as u32;
        let locks = [Locks::NONE, Locks::X, Locks::Y.and(Locks::Z)][draws.below(3) as usize];
        let velocity = locks.free_part(Vec3::from_raw(velocity));
        let spawn =
            Spawn { mass, locks, velocity, material: MaterialId(0), ..Spawn::new(ShapeId(0), position) };
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
        parties.push(Party { locks, ..body(mass, velocity.raw(), [0; 3]) });
    }
    let mut report = TickReport::default();
    let World { state, scenery, scratch, .. } = &mut world;
    let mut step = Step { state, scenery, scratch, report: &mut report };
    step.integrate();
    let step = step.contact();
    let [x, y, z] = [(); 3].map(|()| draws.between(-(1 << 29), 1 << 29) as i32);
    let normal = Normal::new(x, y, z | 1 << 28).lengthened();
    let event = QueuedImpact {
        toi: Toi::START,
        a: BodyIndex(0),
        b: Partner::Body(BodyIndex(1)),
        children: [0; 2],
        stamps: [0; 2],
        normal: Some(normal),
    };
    let meeting = step.meeting(&event);
    let rest_speed = step.bodies().rest_speed();
    let strike = Strike {
        sides: [0, 1],
        normal: normal.components(),
        restitution_q16: meeting.restitution_q16,
        is_slow: meeting.is_slow(rest_speed),
        pull: (meeting.end - meeting.now).min(0),
        ..Strike::default()
    };
    let impulse = meeting.impulse(rest_speed);
    (meeting, impulse, strike, parties)
}

#[test]
fn what_does_not_turn_takes_the_same_impulse_to_the_bit() {
    let (mut slow, mut closing) = (0, 0);
    for case in 0..600 {
        let (meeting, impulse, mut strike, mut parties) = meeting(case);
        if meeting.now >= 0 {
            continue;
        }
        (slow, closing) = (slow + i32::from(strike.is_slow), closing + 1);
        find_impulses(std::slice::from_mut(&mut strike), &mut parties);
        assert_eq!(strike.impulse, impulse, "{case}");
    }
    assert!(slow > 50 && closing - slow > 100, "{slow} of {closing}");
}
