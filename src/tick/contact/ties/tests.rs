//! Impacts at one instant.

use super::*;
use crate::{
    geom::Normal,
    num::{Scalar, Toi, lit},
    shape::Shape,
    state::{BodyType, Command, Limits, Material, SceneryBuilder, ShapeId, Spawn},
    tick::{TickReport, World, phases::Step},
};

/// A kinematic ball that turns, one to its left that blocks it, and a free one that comes from the right. All rub.
fn balls() -> World {
    let mut builder = SceneryBuilder::default();
    builder.material(Material { restitution_q16: 0, friction_q16: 1 << 16 });
    builder.shape(Shape::sphere(lit("0.5")));
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let along_x = |x: &str| Vec3::new(lit(x), Scalar::ZERO, Scalar::ZERO);
    let at = |x: &str| Spawn::new(ShapeId(0), along_x(x));
    let angular_velocity = Vec3::new(Scalar::ZERO, Scalar::ZERO, lit("0.1"));
    let body_type = BodyType::Kinematic;
    for spawn in [
        Spawn { body_type, rotates: true, angular_velocity, ..at("0") },
        Spawn { body_type, ..at("-1.00001") },
        Spawn { rotates: true, velocity: along_x("-0.1"), ..at("1.00001") },
    ] {
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    }
    world
}

/// An impact of the first of them with another one.
fn impact(other: u32, normal: Normal) -> QueuedImpact {
    let (a, b) = (BodyIndex(0), Partner::Body(BodyIndex(other)));
    QueuedImpact { toi: Toi::START, a, b, children: [0; 2], stamps: [0; 2], normal: Some(normal) }
}

#[test]
fn a_ball_is_turned_by_what_it_meets_unless_that_is_blocked_at_the_same_instant() {
    let [blocks, meets] = [impact(1, Normal::new(-1, 0, 0)), impact(2, Normal::new(1, 0, 0))];
    for (events, is_turned) in
        [(&[meets][..], true), (&[blocks, meets][..], false), (&[meets, blocks][..], false)]
    {
        let (mut world, mut report) = (balls(), TickReport::default());
        let World { state, scenery, scratch, .. } = &mut world;
        let mut step = Step { state, scenery, scratch, report: &mut report };
        step.integrate();
        let mut step = step.contact();
        step.respond_together(events);
        assert_eq!(step.sim.all()[0].held, !is_turned);
        let motion = step.sim.all()[2].path.displacement;
        let turning = step.bodies().rotation_of(BodyIndex(2)).unwrap().angular_momentum;
        assert_eq!(
            [motion.y != Scalar::ZERO, turning != Vec3::ZERO],
            [is_turned; 2],
            "{motion:?} {turning:?}"
        );
    }
}
