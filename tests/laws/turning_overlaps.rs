//! A rotating body placed a little inside another solid is carried by it nevertheless: it gets no deeper, and
//! has no downward momentum left at the end of a tick.

use bitstep::{
    World,
    geom::Vec3,
    num::Scalar,
    shape::Shape,
    state::{BodyId, BodyType, Limits, Spawn},
    tick::TickReport,
};

use crate::{
    shows::{Stage, place},
    support::s,
};

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

/// A ball, and a cube on a block that never moves, each 50 thousandths inside what is under it.
fn sunk(friction: &str, rate: u32) -> World {
    let mut stage = Stage::floor("0", friction);
    let ball = stage.shape(Shape::sphere(s("0.5")));
    let cube = stage.block("0.5", "0.5", "0.5");
    stage.add(Spawn { mass: 5, allow_overlap: true, ..Spawn::new(ball, place(0, 450, 0)) });
    stage.add(Spawn { body_type: BodyType::Static, ..Spawn::new(cube, place(5_000, 1_000, 0)) });
    stage.add(Spawn { mass: 5, allow_overlap: true, ..Spawn::new(cube, place(5_000, 1_950, 0)) });
    stage.world_within(Limits::new(rate))
}

#[test]
fn overlapping_rotating_bodies_are_carried() {
    for friction in ["0", "0.5"] {
        for rate in [20, 60] {
            let mut world = sunk(friction, rate);
            let (mut report, gravity) = (TickReport::default(), world.gravity().y);
            let first: Vec<Vec3> = world.bodies().map(|(_, body)| body.position).collect();
            for tick in 0..rate {
                world.step(&mut report);
                assert_eq!(
                    (report.overlapping, report.impact_limited.len(), report.reverted.len()),
                    (2, 0, 0)
                );
                for slot in [0, 2] {
                    let body = world.body(id(slot)).unwrap();
                    let moved = body.position - first[slot as usize];
                    let at = format!("friction {friction}, {rate} Hz, tick {tick}: {slot} moved {moved}");
                    assert!(moved.within(Scalar::from_bits(1 << 12)), "{at}");
                    let fall = -body.momentum.y.to_bits() / 5;
                    assert!(fall <= -gravity.to_bits() / 64, "{at}, falls by {fall} raw per tick");
                }
            }
        }
    }
}
