//! The bracket of any two shapes, and vectors of length one.

use bitstep::{
    geom::{Normal, Plane, Rotation, Vec3, normalise},
    num::{Scalar, Toi, lit, root::sqrt},
    overlap::overlap_sphere_sphere,
    shape::{Obb, Shape},
    sweep::{Span, bracket_shapes, contact_center, span_sphere_sphere},
};

use crate::oracle::{self, Source, Symmetry, big};

#[test]
fn brackets_worked_by_hand() {
    // Half extents 2, 3, 6: a ball of 7 around the box. With the ball of 1: from 16 - 8 to 16 + 8 of 32.
    let (ball, cuboid) = (Shape::sphere(lit("1")), Shape::aabb(Vec3::lit("2", "3", "6")));
    let (offset, motion) = (Vec3::lit("16", "0", "0"), Vec3::lit("-32", "0", "0"));
    let span = bracket_shapes(&ball, &cuboid, offset, motion).unwrap();
    assert_eq!((span.first.raw(), span.last.raw()), (1 << 30, 3 << 30));
    assert!(span.contains(span.first) && span.contains(span.last) && !span.contains(Toi::END));
    assert_eq!(bracket_shapes(&cuboid, &ball, Vec3::lit("0", "9", "0"), motion), None);
    let floor = Shape::Plane(Plane::from_point_normal(Vec3::ZERO, Normal::Z).unwrap());
    assert_eq!(bracket_shapes(&floor, &ball, offset, motion), Some(Span::WHOLE));
    assert_eq!(bracket_shapes(&ball, &floor, offset, motion), Some(Span::WHOLE));
}

/// Outside the bracket the corners of two boxes are nowhere near: a point of one is in the other only
/// within it.
#[test]
fn shapes_touch_within_the_bracket_or_not_at_all() {
    let (mut source, mut inside, mut narrow) = (Source::new(41), 0, 0);
    for _ in 0..oracle::cases(20_000) {
        let half = source.vector(1 << 34).map_raw(|c| c.abs() + 1);
        let [x, y, z, w] = [(); 4].map(|()| Scalar::from_bits(source.between(-(1 << 32), 1 << 32)));
        let Some(turn) = Rotation::from_quaternion(w, x, y, z) else { continue };
        let obb = Obb::new(half, turn);
        let radius = Scalar::from_bits(source.between(1, 1 << 33));
        let (offset, motion) = (source.vector(1 << 34), source.vector(1 << 36));
        let span = bracket_shapes(&Shape::Obb(obb), &Shape::sphere(radius), offset, motion);
        let [a, b, c] = obb.half_edges;
        let corner = a + b + c;
        narrow += i32::from(span.is_some_and(|span| span != Span::WHOLE));
        for step in 0..=16_u64 {
            let toi = Toi::from_raw(step << 28).unwrap();
            if overlap_sphere_sphere(contact_center(offset, motion, toi) - corner, radius) {
                inside += 1;
                assert!(
                    span.is_some_and(|span| span.contains(toi)),
                    "{obb:?} {radius} {offset:?} {motion:?}"
                );
            }
        }
    }
    assert!(inside > 100 && narrow > 3_000, "{inside} {narrow}");
}

#[test]
fn the_bracket_of_two_balls_is_their_span() {
    let (mut source, mut some) = (Source::new(42), 0);
    for _ in 0..5_000 {
        let [a, b] = [(); 2].map(|()| Scalar::from_bits(source.between(1, 1 << 40)));
        let (offset, motion) = (source.vector(1 << 41), source.vector(1 << 42));
        let span = bracket_shapes(&Shape::sphere(a), &Shape::sphere(b), offset, motion);
        assert_eq!(span, span_sphere_sphere(offset, motion, a + b));
        some += i32::from(span.is_some());
    }
    assert!(some > 300, "{some}");
}

// ---------------------------------------------------------------- length one

/// Each component within 0.5 + 2^-28 raw of the exact quotient: the square of the component's exact
/// value lies between the squares of the bounds.
#[test]
fn unit_vectors_are_the_nearest() {
    const FINE: u32 = 28;
    let mut source = Source::new(43);
    for _ in 0..oracle::many_cases(40_000) {
        let vector = source.any_vector((1 << 62) - 1);
        let Some(unit) = normalise(vector) else {
            assert_eq!(vector, Vec3::ZERO);
            continue;
        };
        let square = big(vector.length_squared_wide());
        for (c, u) in vector.raw().into_iter().zip(unit.raw()) {
            assert!(i128::from(c) * i128::from(u) >= 0 && u.abs() <= 1 << 32);
            let exact = big(c).pow(2) << (64 + 2 * FINE); // over `square`
            let near = |half: i64| (big(u.abs()) << FINE) + half;
            let reach = (1 << (FINE - 1)) + 1;
            assert!(near(reach).pow(2) * &square >= exact, "{vector:?} {unit:?}");
            let low = near(-reach).max(big(0));
            assert!(low.pow(2) * &square <= exact, "{vector:?} {unit:?}");
        }
        for symmetry in Symmetry::all() {
            assert_eq!(normalise(symmetry.of(vector)), Some(symmetry.of(unit)));
        }
    }
}

#[test]
fn unit_vectors_worked_by_hand() {
    assert_eq!(normalise(Vec3::lit("0", "-0.0000000003", "0")), Some(Vec3::lit("0", "-1", "0")));
    assert_eq!(normalise(Vec3::lit("3", "0", "-4")), Some(Vec3::lit("0.6", "0", "-0.8")));
    assert_eq!(Normal::new(0, 12, 5).unit().map(|unit| unit.y), Some(lit("0.9230769231")));
    assert_eq!(Normal::new(0, 0, 0).unit(), None);
    let third = sqrt(lit("0.3333333333")).unwrap();
    let unit = normalise(Vec3::lit("1", "1", "1")).unwrap();
    assert!(unit.x == unit.y && (unit.x - third).abs() < lit("0.000000001"));
}
