//! Rotating compounds, struck where the result can be worked out by hand.

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Scalar, lit},
    shape::{Obb, Shape},
    state::{BodyId, BodyType, Command, ShapeId, turning_skin},
    tick::{EventKind, TickReport, touch_gap},
};

use crate::{
    compounds::{PAIR, set, with_compounds},
    support::{s, step, v},
    tumblers::{Scene, room, turned},
};

const BALL: ShapeId = ShapeId(0);

/// A pair of balls of radius .25, half a unit each from the middle of a room without gravity, and a ball that
/// flies; either the pair or the ball has the first slot.
fn struck(orientation: Rotation, place: Vec3, velocity: Vec3, pair_is_first: bool) -> (World, [BodyId; 2]) {
    let mut scene = Scene::new(60, with_compounds(&room(("1", "0"), &[Shape::sphere(lit("0.2"))], "3")));
    scene.gravity = Vec3::ZERO;
    let limits = scene.limits;
    for is_pair in [pair_is_first, !pair_is_first] {
        if is_pair {
            scene.add(set(PAIR), 7, Vec3::ZERO, orientation);
        } else {
            scene.add(BALL, 3, place, Rotation::IDENTITY).velocity = limits.velocity_nearest(velocity);
        }
    }
    let ids = [0, 1].map(|slot| BodyId::from_parts(slot, 0));
    (scene.world(), if pair_is_first { ids } else { [ids[1], ids[0]] })
}

#[test]
fn a_body_struck_at_one_end_turns_by_the_impulse_about_its_center() {
    // The orientation of the pair, the start of the ball, and the point off the center where it hits.
    let upright = turned("1", "0", "0", "1");
    let cases = [
        (Rotation::IDENTITY, v("0.5", "1", "0"), v("0", "-3", "0"), v("0.5", "0.25", "0")),
        (Rotation::IDENTITY, v("-0.5", "0", "1"), v("0", "0", "-3"), v("-0.5", "0", "0.25")),
        (upright, v("1", "0.5", "0"), v("-3", "0", "0"), v("0.25", "0.5", "0")),
        (upright, v("0", "-0.5", "-1"), v("0", "0", "3"), v("0", "-0.5", "-0.25")),
    ];
    for ((orientation, place, velocity, arm), pair_is_first) in
        cases.into_iter().flat_map(|case| [(case, false), (case, true)])
    {
        let (mut world, [pair, ball]) = struck(orientation, place, velocity, pair_is_first);
        let (mut report, mut impacts) = (TickReport::default(), 0);
        for _ in 0..20 {
            step(&mut world, &mut report);
            impacts += report.impacts.len();
        }
        let body = world.body(pair).unwrap();
        let blow = arm.cross_wide(body.momentum).map(|part| (part >> 32) as i64);
        let found = body.spin.unwrap().angular_momentum.raw();
        assert_eq!(impacts, 1);
        assert!(blow.iter().any(|part| part.abs() > 1 << 24), "{blow:?}");
        // The point of the impact is within the skin of the exact one, and the orientation rounded.
        assert!((0..3).all(|i| (blow[i] - found[i]).abs() < 1 << 12), "{blow:?} but {found:?}");
        assert_eq!(world.angular_velocity(ball), Some(Vec3::ZERO), "a ball without friction is not turned");
    }
}

#[test]
fn a_ball_flies_between_the_two_of_a_pair_that_stands_still() {
    // The gap is half a unit, and the ball .4 thick.
    for (orientation, place, velocity) in [
        (Rotation::IDENTITY, v("0", "1", "0"), v("0", "-4", "0")),
        (Rotation::IDENTITY, v("0.04", "-1", "0"), v("0", "4", "0")),
        (turned("1", "0", "0", "1"), v("1", "0", "0"), v("-4", "0", "0")),
        (turned("1", "0", "1", "0"), v("1", "0.7", "0"), v("-4", "-2.8", "0")),
    ] {
        for pair_is_first in [false, true] {
            let (mut world, [pair, ball]) = struck(orientation, place, velocity, pair_is_first);
            let mut report = TickReport::default();
            for _ in 0..30 {
                step(&mut world, &mut report);
                assert_eq!((report.impacts.len(), report.reverted.len()), (0, 0));
            }
            let (there, far) = (world.body(ball).unwrap().position, s("0.9"));
            assert!(!there.within(far), "{there:?}: it is through");
            assert_eq!(world.body(pair).unwrap().momentum, Vec3::ZERO);
        }
    }
}

#[test]
fn a_child_shape_touches_as_far_off_as_its_whole_compound_would() {
    let balls = [lit("0.25"), lit("0.2")].map(Shape::sphere);
    let whole = Shape::Obb(Obb::along_axes(v("0.75", "0.25", "0.25") + Vec3::from_raw([8; 3])));
    let gap =
        touch_gap((&balls[0], BodyType::Dynamic), (&balls[1], BodyType::Dynamic)) + turning_skin(&whole);
    assert!(turning_skin(&balls[0]) == 0 && turning_skin(&whole) == Scalar::from_bits(256));
    let touching = Vec3::new(lit("0.95") + gap, lit("0"), lit("0"));
    let one = |raw| Vec3::from_raw([raw, 0, 0]);
    for (place, way, kind) in
        [(touching, one(1), EventKind::End), (touching + one(1), one(-1), EventKind::Begin)]
    {
        for pair_is_first in [false, true] {
            let (mut world, [_, ball]) = struck(Rotation::IDENTITY, place, Vec3::ZERO, pair_is_first);
            world.apply(&[Command::SetVelocity { body: ball, velocity: way }]).accepted().unwrap();
            let mut report = TickReport::default();
            world.enable_events(true);
            world.step(&mut report);
            assert_eq!(report.events.iter().map(|event| event.kind).collect::<Vec<_>>(), [kind], "{way:?}");
        }
    }
}
