//! Sweeps of rotating bodies, by hand and in other sizes; `tests/kernels/turning.rs` has the oracles.

use super::*;
use crate::{
    geom::{Normal, Plane as HalfSpace, Rotation},
    num::lit,
    shape::{Hull as Convex, Obb as OrientedBox},
};

/// Two boxes near each other, of which the first rotates.
fn boxes() -> ([Shape; 2], RelativeMotion) {
    let shape = Shape::obb(Vec3::new(lit("0.5"), lit("0.4"), lit("0.3")), Rotation::IDENTITY);
    let [one, some] = ["1", "0.2"].map(|part| part.parse().unwrap());
    let to = Rotation::from_quaternion(one, some, Scalar::ZERO, some).unwrap();
    let turnings = [Rotation::IDENTITY, to].map(|to| AngularMotion::new(Rotation::IDENTITY, to).unwrap());
    let relative = RelativeMotion {
        offset: Vec3::lit("1.02", "0.1", "0"),
        motion: Vec3::lit("-0.02", "0.3", "0"),
        arms: [Vec3::ZERO; 2],
        turnings: [turnings[1], turnings[0]],
        until: Toi::END,
    };
    ([shape.clone(), shape], relative)
}

#[test]
fn a_sweep_is_the_same_with_known_derivatives() {
    let ([a, b], relative) = boxes();
    let known =
        [(&a, 0), (&b, 1)].map(|(shape, body)| Some(largest_derivatives(shape, &relative.turnings[body])));
    let found = sweep_turning(&a, &b, &relative, Scalar::ZERO);
    assert!(matches!(found, Advance::Hit(_)), "{found:?}");
    assert_eq!(sweep_turning_known([&a, &b], &relative, Scalar::ZERO, known), found);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "the derivatives are of another motion")]
fn derivatives_of_another_motion_are_noticed() {
    let ([a, b], relative) = boxes();
    let _ = sweep_turning_known([&a, &b], &relative, Scalar::ZERO, [Some([0; 2]), None]);
}

fn turn(w: &str, [x, y, z]: [&str; 3]) -> Rotation {
    let [w, x, y, z] = [w, x, y, z].map(|part| part.parse().unwrap());
    Rotation::from_quaternion(w, x, y, z).unwrap()
}

/// A motion in which neither body rotates.
fn unturned(offset: Vec3, motion: Vec3) -> RelativeMotion {
    let turnings = [AngularMotion::still(Rotation::IDENTITY); 2];
    RelativeMotion { offset, motion, arms: [Vec3::ZERO; 2], turnings, until: Toi::END }
}

/// The result, and the parts that are passed: from the start on without a hole, none of them empty.
fn with_parts([a, b]: [&Shape; 2], relative: &RelativeMotion, gap: Scalar) -> (Advance, Vec<Passed>) {
    let mut parts = Vec::new();
    let found = sweep_turning_with(a, b, relative, gap, |part| parts.push(part));
    let mut at = Toi::START;
    for part in &parts {
        assert!(part.from == at && part.until > at, "{part:?}");
        at = part.until;
    }
    let end = match found {
        Advance::Hit(hit) => hit.toi,
        Advance::Clear => relative.until,
        Advance::Unresolved(toi) => toi,
    };
    assert_eq!(at, end, "{parts:?}");
    (found, parts)
}

#[test]
fn every_part_of_the_tick_that_is_passed_is_told() {
    let ([a, b], near) = boxes();
    let told = |relative: &RelativeMotion| with_parts([&a, &b], relative, Scalar::ZERO);
    let (found, parts) = told(&near);
    assert!(matches!(found, Advance::Hit(_)) && !parts.is_empty(), "{found:?} {parts:?}");
    // Far apart; past each other in the middle of the tick; and in no time at all.
    let bounds = |from, until| Passed { from, until, proof: Proof::Bounds };
    let far = RelativeMotion { offset: Vec3::lit("9", "0", "0"), ..near };
    assert_eq!(told(&far), (Advance::Clear, vec![bounds(Toi::START, Toi::END)]));
    let past =
        RelativeMotion { offset: Vec3::lit("1.2", "8", "0"), motion: Vec3::lit("0", "-16", "0"), ..near };
    let (found, parts) = told(&past);
    let [first, last] = [parts.first(), parts.last()].map(Option::unwrap);
    assert_eq!((found, first.proof, last.proof), (Advance::Clear, Proof::Bounds, Proof::Bounds));
    let quarter = Toi::END.raw() / 4;
    assert!(first.until.raw() > quarter && last.from.raw() < 3 * quarter && parts.len() > 2, "{parts:?}");
    assert_eq!(last.until, Toi::END);
    for relative in [near, far, past] {
        let (found, parts) = told(&RelativeMotion { until: Toi::START, ..relative });
        assert_eq!((found, parts.len()), (Advance::Clear, 0));
    }
}

#[test]
fn balls_pass_in_a_straight_line_up_to_their_hit() {
    let ball = Shape::sphere(lit("1"));
    let told = |motion| {
        let relative = unturned(Vec3::lit("4", "0", "0"), motion);
        with_parts([&ball, &ball], &relative, Scalar::ZERO)
    };
    let straight = |until| vec![Passed { from: Toi::START, until, proof: Proof::Straight }];
    assert_eq!(told(Vec3::lit("4", "0", "0")), (Advance::Clear, straight(Toi::END)));
    let (found, parts) = told(Vec3::lit("-4", "0", "0"));
    let half = Toi::from_raw(1 << 31).unwrap();
    assert!(matches!(found, Advance::Hit(hit) if hit.toi == half), "{found:?}");
    assert_eq!(parts, straight(half));
}

#[test]
fn planes_pass_each_other_in_a_straight_line() {
    let [up, down] = [Normal::Y, -Normal::Y]
        .map(|normal| Shape::Plane(HalfSpace::from_point_normal(Vec3::ZERO, normal).unwrap()));
    for y in ["4", "-4"] {
        let relative = unturned(Vec3::lit("0", y, "0"), Vec3::lit("0", "-8", "0"));
        let (found, parts) = with_parts([&up, &down], &relative, Scalar::ZERO);
        let whole = Passed { from: Toi::START, until: Toi::END, proof: Proof::Straight };
        assert_eq!((found, parts), (Advance::Clear, vec![whole]), "{y}");
    }
}

/// A box that turns beside one that does not, with a unit of so many raw; as boxes and as hulls.
fn brick_on_slab(unit: i64) -> ([Shape; 2], [Shape; 2], RelativeMotion) {
    let v = |x, y, z| Vec3::from_raw([x, y, z].map(|part: i64| part * unit));
    let halves = [v(32, 26, 19), v(256, 32, 256)].map(OrientedBox::along_axes);
    let hulls = halves.map(|obb| Shape::hull(Convex::upright(&obb.corners()).unwrap()));
    let ends = [["1", "0.3"], ["1", "0.6"]].map(|[w, z]| turn(w, ["0", "0", z]));
    let relative = RelativeMotion {
        turnings: [AngularMotion::new(ends[0], ends[1]).unwrap(), AngularMotion::still(Rotation::IDENTITY)],
        ..unturned(v(-190, -90, 8), v(0, 40, 0))
    };
    (halves.map(Shape::Obb), hulls, relative)
}

#[test]
fn a_scene_of_any_size_is_hit_at_the_same_time() {
    let hit =
        |[a, b]: &[Shape; 2], relative: &RelativeMotion| match sweep_turning(a, b, relative, Scalar::ZERO) {
            Advance::Hit(hit) => hit.toi.raw(),
            other => panic!("{other:?} {relative:?}"),
        };
    let (boxes, ..) = brick_on_slab(1 << 26);
    let expected = hit(&boxes, &brick_on_slab(1 << 26).2);
    assert!(expected > 1 << 30 && expected < 3 << 30, "{expected}");
    for bits in 10..=35 {
        let (boxes, hulls, relative) = brick_on_slab(1 << bits);
        for shapes in [&boxes, &hulls] {
            let found = hit(shapes, &relative);
            // Within 10 raw and more, of sizes of 2^6 units.
            let off = found.abs_diff(expected);
            assert!(off < 1 << (36 - bits).max(18), "{bits}: {found} {expected} {shapes:?}");
        }
        // A ball on an arm away from its body, which starts beyond the other one: 6 units from it, and 12 a tick.
        let v = |x: i64| Vec3::from_raw([x << bits, 0, 0]);
        let ball = Shape::sphere(Scalar::from_bits(10 << bits));
        let relative = RelativeMotion { arms: [Vec3::ZERO, v(64)], ..unturned(v(-38), v(-12)) };
        let found = hit(&[ball.clone(), ball], &relative);
        assert!(found.abs_diff(1 << 31) < 1 << (36 - bits).max(18), "{bits}: {found}");
    }
}

#[test]
fn a_body_that_touches_and_leaves_does_not_hit() {
    let plane = Shape::Plane(HalfSpace::from_point_normal(Vec3::ZERO, Normal::Y).unwrap());
    let brick = Shape::Obb(OrientedBox::along_axes(Vec3::lit("1", "0.25", "0.5")));
    // On the ground, turning about the vertical; up by less than the tolerance at first, and at once.
    let to = turn("1", ["0", "0.0875", "0"]);
    for up in [1_500, 1 << 20, 1 << 32] {
        let relative = RelativeMotion {
            turnings: [
                AngularMotion::still(Rotation::IDENTITY),
                AngularMotion::new(Rotation::IDENTITY, to).unwrap(),
            ],
            ..unturned(Vec3::lit("0", "0.25", "0"), Vec3::from_raw([0, up, 0]))
        };
        let (found, parts) = with_parts([&plane, &brick], &relative, Scalar::ZERO);
        assert_eq!(found, Advance::Clear, "{up}: {} parts", parts.len());
        let (exchanged, _) = with_parts([&brick, &plane], &relative.from_b(), Scalar::ZERO);
        assert_eq!(exchanged, found, "{up}");
        assert!(up > 1_500 || parts.len() > 2, "{parts:?}");
    }
}

#[test]
fn bodies_that_turn_as_one_are_apart_by_one_direction() {
    // Two boxes on arms of one body that turns by 14 degrees, 0.06 from each other.
    let brick = OrientedBox::along_axes(Vec3::lit("0.97", "1", "1"));
    let hull = Shape::hull(Convex::upright(&brick.corners()).unwrap());
    let turning = AngularMotion::new(Rotation::IDENTITY, turn("1", ["0", "0", "0.125"])).unwrap();
    let relative = RelativeMotion {
        arms: [Vec3::lit("-1", "0", "0"), Vec3::lit("1", "0", "0")],
        turnings: [turning; 2],
        ..unturned(Vec3::ZERO, Vec3::ZERO)
    };
    for shape in [Shape::Obb(brick), hull] {
        let (found, parts) = with_parts([&shape, &shape], &relative, Scalar::ZERO);
        assert_eq!((found, parts.len()), (Advance::Clear, 1), "{parts:?}");
    }
}

#[test]
fn boxes_that_an_axis_keeps_apart_are_apart_by_it() {
    // Apart by 0.5 along x, within the balls around both.
    let cube = Shape::Obb(OrientedBox::along_axes(Vec3::splat(lit("1"))));
    let relative = unturned(Vec3::lit("2.5", "0", "0"), Vec3::ZERO);
    let (found, parts) = with_parts([&cube, &cube], &relative, Scalar::ZERO);
    assert_eq!((found, parts.len()), (Advance::Clear, 1));
    let Proof::Normal { normal, rate } = parts[0].proof else { panic!("{parts:?}") };
    assert_eq!((normal.axis(), rate), (Some(0), [0; 3]));
    assert!(normal.x > 0);
}

#[test]
fn a_body_at_the_highest_speed_hits_where_a_step_is_longer_than_the_tolerance() {
    // By 2^13 raw in the least time: the last step before contact ends farther from it than 8 raw and a part of the sizes.
    let cube = Shape::Obb(OrientedBox::along_axes(Vec3::splat(lit("1"))));
    let still = AngularMotion::still(Rotation::IDENTITY);
    let turning = AngularMotion::new(Rotation::IDENTITY, turn("1", ["0", "0.0625", "0"])).unwrap();
    for apart in 1..40 {
        let relative = RelativeMotion {
            turnings: [still, turning],
            ..unturned(Vec3::from_raw([(100 << 32) + (apart << 20) + 77, 0, 0]), Vec3::lit("-8000", "0", "0"))
        };
        let found = sweep_turning(&cube, &cube, &relative, Scalar::ZERO);
        let Advance::Hit(hit) = found else { panic!("{apart}: {found:?}") };
        // After 98 of 8000 units, and the turned box reaches as far to within .01.
        assert!(hit.toi.raw().abs_diff((98 << 32) / 8_000) < (1 << 32) / 400_000, "{apart}: {hit:?}");
    }
}
