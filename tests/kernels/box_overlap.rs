//! Boxes along the axes: overlap with boxes and spheres, and the closest point.

use bitstep::{
    geom::Vec3,
    num::Scalar,
    overlap::{closest_point_aabb, overlap_aabb_aabb, overlap_sphere_aabb},
};
use num_rational::BigRational;
use num_traits::{Signed, Zero};

use crate::{
    boxes::{box_pair, unit},
    oracle::{Source, Symmetry, cases, exact, ratio},
};

#[test]
fn closest_points_worked_by_hand() {
    let half = Vec3::lit("1", "2", "3");
    let table = [
        (Vec3::lit("5", "0", "0"), Vec3::lit("1", "0", "0")),
        (Vec3::lit("-5", "-2.5", "0.5"), Vec3::lit("-1", "-2", "0.5")),
        (Vec3::lit("-5", "9", "-9"), Vec3::lit("-1", "2", "-3")),
        (Vec3::lit("0.5", "-1", "2"), Vec3::lit("0.5", "-1", "2")),
        (Vec3::lit("1", "2", "3"), Vec3::lit("1", "2", "3")),
    ];
    for (point, want) in table {
        assert_eq!(closest_point_aabb(point, half), want, "{point:?}");
    }
}

#[test]
fn boxes_that_touch_do_not_overlap() {
    let half = Vec3::lit("1", "2", "3");
    let table = [
        (Vec3::lit("0", "0", "0"), true),
        (Vec3::lit("0.9999999998", "-1.9999999998", "2.9999999998"), true),
        (Vec3::lit("1", "0", "0"), false),
        (Vec3::lit("0", "-2", "0"), false),
        (Vec3::lit("0", "0", "3.5"), false),
        (Vec3::lit("-1", "2", "-3"), false),
    ];
    for (offset, want) in table {
        assert_eq!(overlap_aabb_aabb(offset, half), want, "{offset:?}");
    }
    assert!(!overlap_aabb_aabb(Vec3::ZERO, Vec3::lit("1", "0", "1")), "no interior is shared");
    assert!(!overlap_aabb_aabb(Vec3::from_raw([-i64::MAX, 0, 0]), Vec3::from_raw([i64::MAX; 3])));
}

#[test]
fn spheres_that_touch_do_not_overlap() {
    let half = Vec3::lit("1", "2", "3");
    let table = [
        (Vec3::lit("3", "0", "0"), "2", false), // face
        (Vec3::lit("2.9999999998", "0", "0"), "2", true),
        (Vec3::lit("-4", "6", "1"), "5", false), // edge: 3 and 4 away
        (Vec3::lit("-4", "5.9999999998", "1"), "5", true),
        (Vec3::lit("2", "4", "5"), "3", false), // corner: 1, 2 and 2 away
        (Vec3::lit("2", "4", "4.9999999998"), "3", true),
        (Vec3::lit("0", "0", "0"), "0.5", true), // inside
        (Vec3::lit("0", "0", "0"), "0", false),  // a point has no interior
    ];
    for (offset, radius, want) in table {
        assert_eq!(overlap_sphere_aabb(offset, unit(radius), half), want, "{offset:?} {radius}");
    }
}

/// The exact squared distance of the origin from the box, and whether the boxes' interiors meet.
fn judge(offset: Vec3, half: Vec3) -> (BigRational, bool) {
    let (offset, half) = (exact(offset), exact(half));
    let excess = [0, 1, 2].map(|i: usize| offset[i].abs() - &half[i]);
    let meet = excess.iter().all(BigRational::is_negative);
    (excess.iter().filter(|e| e.is_positive()).map(|e| e * e).sum(), meet)
}

#[test]
fn overlaps_equal_the_exact_distances() {
    let mut source = Source::new(0x0FE);
    let (mut met, mut round) = (0_u32, 0_u32);
    let count = cases(6_000);
    for case in 0..count {
        let pair = box_pair(&mut source, case, true);
        let (square, meet) = judge(pair.offset, pair.half);
        let radius = ratio(pair.radius, 1);
        let within = square < &radius * &radius;
        assert_eq!(overlap_aabb_aabb(pair.offset, pair.half), meet, "{pair:?}");
        assert_eq!(overlap_sphere_aabb(pair.offset, pair.radius(), pair.half), within, "{pair:?}");
        let closest = closest_point_aabb(-pair.offset, pair.half) + pair.offset;
        assert_eq!(exact(closest).iter().map(|c| c * c).sum::<BigRational>(), square);
        (met, round) = (met + u32::from(meet), round + u32::from(within && !meet));
        // A radius that just touches, where the distance is whole, and one raw more.
        let root = closest.length_squared_wide().isqrt() as i64;
        let whole = ratio(root, 1);
        let touches = &whole * &whole == square && !square.is_zero();
        assert!(!touches || !overlap_sphere_aabb(pair.offset, Scalar::from_bits(root), pair.half));
        assert!(overlap_sphere_aabb(pair.offset, Scalar::from_bits(root + 1), pair.half));
        for symmetry in &Symmetry::all()[..if case % 16 == 0 { 48 } else { 1 }] {
            let (offset, half) = (symmetry.of(pair.offset), symmetry.of_extent(pair.half));
            assert_eq!(overlap_aabb_aabb(offset, half), meet);
            assert_eq!(overlap_sphere_aabb(offset, pair.radius(), half), within);
        }
    }
    assert!(met > 500 && round > 200, "{met} {round} of {count}");
}
