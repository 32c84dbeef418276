//! Contact manifolds: tables worked by hand.

use bitstep::{
    geom::{Normal, Plane, Vec3},
    num::{Scalar, lit},
    overlap::{Manifold, ManifoldPoint, manifold_shapes},
    shape::{Obb, Shape},
};

pub const UP: Normal = Normal::new(0, 0, 1 << 30);

/// Raw, sorted: the place and the gap.
pub fn sorted(manifold: &Manifold) -> Vec<([i64; 3], i64)> {
    let mut rows: Vec<_> =
        manifold.points().iter().map(|point| (point.place.raw(), point.gap.to_bits())).collect();
    rows.sort_unstable();
    rows
}

/// A direction of the length 2^30.
pub fn unit(way: [i64; 3]) -> Normal {
    let square: i128 = way.iter().map(|&c| i128::from(c).pow(2)).sum();
    let length = ((square as u128) << 60).isqrt() as i128; // with 30 more bits
    let [x, y, z] = way.map(|c| {
        let wide = i128::from(c) << 61;
        ((wide / length + i128::from(c.signum())) / 2) as i32
    });
    Normal::new(x, y, z)
}

fn floor() -> Shape {
    Shape::plane(Vec3::lit("0", "0", "1")).unwrap()
}

fn cube() -> Shape {
    Shape::aabb(Vec3::lit("1", "1", "1"))
}

/// An upright box with a square of half diagonal 1.5 for a base.
fn diamond() -> Shape {
    let edges = [Vec3::lit("0.75", "0.75", "0"), Vec3::lit("-0.75", "0.75", "0"), Vec3::lit("0", "0", "1")];
    Shape::Obb(Obb { half_edges: edges })
}

/// A box of half extents (1, 1, 1/2) that rises by `rise` of its run along x.
fn tilted(rise: i64) -> Shape {
    let one = 1 << 32;
    let edges = [[one, 0, one / 1024 * rise], [0, one, 0], [-one / 2048 * rise, 0, one / 2]];
    Shape::Obb(Obb { half_edges: edges.map(Vec3::from_raw) })
}

fn lying(radius: &str) -> Shape {
    Shape::capsule(Vec3::lit("1.5", "0", "0"), radius.parse().unwrap())
}

const SMALL: Scalar = lit("0.001953125"); // 1/512

/// The points that B above A at an offset should have, in units.
#[track_caller]
fn check(a: &Shape, b: &Shape, offset: Vec3, normal: Normal, expected: &[([&str; 3], &str)]) {
    let found = manifold_shapes(a, b, offset, normal, SMALL);
    let mut rows: Vec<_> = expected
        .iter()
        .map(|&([x, y, z], gap)| (Vec3::lit(x, y, z).raw(), gap.parse::<Scalar>().unwrap().to_bits()))
        .collect();
    rows.sort_unstable();
    assert_eq!(sorted(&found), rows, "{found:?}");
    let back = manifold_shapes(b, a, -offset, -normal, SMALL);
    let mut seen: Vec<_> =
        back.points().iter().map(|point| ((point.place + offset).raw(), point.gap.to_bits())).collect();
    seen.sort_unstable();
    assert_eq!(seen, rows, "exchanged");
}

#[test]
fn faces_by_hand() {
    let high = |z: &str| Vec3::lit("0", "0", z);
    let corners =
        |z, gap| [(["1", "1", z], gap), (["1", "-1", z], gap), (["-1", "1", z], gap), (["-1", "-1", z], gap)];
    check(&floor(), &cube(), high("1.25"), UP, &corners("0.125", "0.25"));
    check(&floor(), &cube(), high("0.75"), UP, &corners("-0.125", "-0.25"));
    check(&cube(), &cube(), high("2.5"), UP, &corners("1.25", "0.5"));
    check(&cube(), &cube(), high("1.5"), UP, &corners("0.75", "-0.5"));
    let over_the_edge = [
        (["0.25", "0.5", "1"], "0"),
        (["1", "0.5", "1"], "0"),
        (["0.25", "-1", "1"], "0"),
        (["1", "-1", "1"], "0"),
    ];
    check(&cube(), &cube(), Vec3::lit("1.25", "-0.5", "2"), UP, &over_the_edge);
    let octagon = [
        (["1", "0.5", "1.125"], "0.25"),
        (["1", "-0.5", "1.125"], "0.25"),
        (["-1", "0.5", "1.125"], "0.25"),
        (["-1", "-0.5", "1.125"], "0.25"),
        (["0.5", "1", "1.125"], "0.25"),
        (["-0.5", "1", "1.125"], "0.25"),
        (["0.5", "-1", "1.125"], "0.25"),
        (["-0.5", "-1", "1.125"], "0.25"),
    ];
    check(&cube(), &diamond(), high("2.25"), UP, &octagon);
    let corner_over = [(["0.75", "0.25", "1"], "0"), (["1", "0.5", "1"], "0"), (["1", "0", "1"], "0")];
    check(&cube(), &diamond(), Vec3::lit("2.25", "0.25", "2"), UP, &corner_over);
    // Side by side in sight: nearest points, the ends of the sides in common.
    let beside = [(["1.125", "1", "1"], "0"), (["1.125", "-0.5", "1"], "0")];
    check(&cube(), &cube(), Vec3::lit("2.25", "0.5", "2"), UP, &beside);
    check(&cube(), &cube(), Vec3::lit("2.5", "-2.5", "2.5"), UP, &[(["1.25", "-1.25", "1.25"], "0.5")]);
}

#[test]
fn corners_and_edges_by_hand() {
    let high = |z: &str| Vec3::lit("0", "0", z);
    // Its far end is 1/512 higher than the near one: within the band; or twice as high.
    let lifted = |rise: i64, z: &str| high(z) + Vec3::from_raw([0, 0, (1 << 32) / 1024 * rise]);
    let found = manifold_shapes(&floor(), &tilted(1), lifted(1, "0.5"), UP, SMALL);
    assert_eq!(sorted(&found).len(), 4);
    let gaps: Vec<_> = found.points().iter().map(|point| point.gap).collect();
    assert_eq!(gaps.iter().filter(|&&gap| gap == Scalar::ZERO).count(), 2);
    assert_eq!(gaps.iter().filter(|&&gap| gap == SMALL).count(), 2);
    let found = manifold_shapes(&floor(), &tilted(2), lifted(2, "0.5"), UP, SMALL);
    let ends: Vec<_> = found.points().iter().map(|point| (point.place.y, point.gap)).collect();
    assert_eq!(ends.len(), 2, "{ends:?}");
    assert!(ends.iter().all(|&(y, gap)| (y == lit("1") || y == lit("-1")) && gap == 0));
    // The same on a box: its edge, and all of its face where that is within the band.
    for (rise, count) in [(1, 4), (2, 2)] {
        let found = manifold_shapes(&cube(), &tilted(rise), lifted(rise, "1.5"), UP, SMALL);
        assert_eq!(found.points().len(), count, "{found:?}");
    }
    // A roof across a roof: crossed ridges.
    let ridge = |edges: [Vec3; 3]| Shape::Obb(Obb { half_edges: edges });
    let along_y = ridge([Vec3::lit("1", "0", "1"), Vec3::lit("-1", "0", "1"), Vec3::lit("0", "8", "0")]);
    let along_x = ridge([Vec3::lit("0", "1", "1"), Vec3::lit("0", "-1", "1"), Vec3::lit("8", "0", "0")]);
    check(&along_x, &along_y, Vec3::lit("3", "-2", "4.5"), UP, &[(["3", "0", "2.25"], "0.5")]);
    check(&along_x, &along_y, Vec3::lit("3", "-2", "3.5"), UP, &[(["3", "0", "1.75"], "-0.5")]);
    let along = [(["5", "0", "2"], "0"), (["-8", "0", "2"], "0")];
    check(&along_x, &along_x, Vec3::lit("-3", "0", "4"), UP, &along);
    let across = [(["3", "1", "2.25"], "0.5"), (["3", "-1", "2.25"], "0.5")];
    let slab = Shape::aabb(Vec3::lit("4", "1", "2"));
    check(&slab, &along_y, Vec3::lit("3", "-2", "4.5"), UP, &across);
    // A pyramid of three edges stands on its corner.
    let [p, q, r] = [Vec3::lit("2", "-1", "2"), Vec3::lit("-1", "2", "2"), Vec3::lit("-2", "-2", "1")];
    let on_corner = Shape::Obb(Obb { half_edges: [p, q, r] });
    check(&slab, &on_corner, Vec3::lit("-0.75", "-1", "7.5"), UP, &[(["0.25", "0", "2.25"], "0.5")]);
}

#[test]
fn round_shapes_by_hand() {
    let high = |z: &str| Vec3::lit("0", "0", z);
    let ball = Shape::sphere(lit("0.5"));
    check(&floor(), &ball, Vec3::lit("3", "1", "0.75"), UP, &[(["3", "1", "0.125"], "0.25")]);
    check(&cube(), &ball, Vec3::lit("0.5", "1", "1.25"), UP, &[(["0.5", "1", "0.875"], "-0.25")]);
    check(&ball, &Shape::sphere(lit("1")), high("2"), UP, &[(["0", "0", "0.75"], "0.5")]);
    let east = Normal::new(1 << 30, 0, 0);
    let beside = Vec3::lit("2", "1.5", "3");
    check(
        &ball,
        &Shape::capsule(Vec3::lit("0", "0", "4"), lit("1")),
        beside,
        east,
        &[(["0.75", "0.75", "0"], "0.5")],
    );
    let two = |z, gap| [(["1", "0", z], gap), (["-1", "0", z], gap)];
    check(&cube(), &lying("0.25"), high("1.5"), UP, &two("1.125", "0.25"));
    let short = [(["1", "0.5", "1"], "0"), (["0", "0.5", "1"], "0")];
    check(&cube(), &lying("0.25"), Vec3::lit("1.5", "0.5", "1.25"), UP, &short);
    let standing = Shape::capsule(Vec3::lit("0", "0", "1.5"), lit("0.25"));
    check(&cube(), &standing, Vec3::lit("0.5", "0", "2.75"), UP, &[(["0.5", "0", "1"], "0")]);
    let ends = [(["2.5", "0", "0"], "0"), (["-0.5", "0", "0"], "0")];
    check(&floor(), &lying("0.25"), Vec3::lit("1", "0", "0.25"), UP, &ends);
    let common = [(["0.5", "0", "0.5"], "0.5"), (["1.5", "0", "0.5"], "0.5")];
    check(&lying("0.25"), &lying("0.5"), Vec3::lit("2", "0", "1.25"), UP, &common[..]);
    let crossed = Shape::capsule(Vec3::lit("0", "2", "0"), lit("0.25"));
    check(&lying("0.25"), &crossed, Vec3::lit("0.5", "1", "0.75"), UP, &[(["0.5", "0", "0.375"], "0.25")]);
}

/// By rounding no two rods are quite parallel: their ends count while they are aside of each other within the band.
#[test]
fn rods_that_are_nearly_parallel_touch_at_both_ends() {
    let count = |aside: i64| {
        let other = Vec3::from_raw([3 << 31, aside, 0]);
        let rod = Shape::capsule(other, lit("0.25"));
        let offset = Vec3::lit("0.25", "0", "0.5");
        let found = manifold_shapes(&lying("0.25"), &rod, offset, UP, SMALL);
        assert!(found.points().iter().all(|point| (-1..=0).contains(&point.gap.to_bits())), "{found:?}");
        found
            .points()
            .iter()
            .map(|point| point.place.x)
            .max()
            .map(|x| (found.points().len(), x >= lit("1.49")))
    };
    let band = SMALL.to_bits();
    assert_eq!([0, 1, -1000, band].map(count), [Some((2, true)); 4]);
    assert_eq!([2 * band, -4 * band, 1 << 32].map(count), [Some((1, false)); 3]);
}

#[test]
fn planes_have_no_corners() {
    let found = manifold_shapes(&floor(), &floor(), Vec3::ZERO, UP, SMALL);
    assert!(found.points().is_empty());
    assert_eq!(ManifoldPoint::default().gap, 0);
}

/// The plane's own normal is what counts, however far away its point is.
#[test]
fn a_far_point_of_a_plane_does_no_harm() {
    let normal = Normal::new(3, 4, 12);
    let far = Plane::from_point_normal(Vec3::lit("12000000", "-9000000", "0"), normal).unwrap();
    let ball = Shape::sphere(lit("0.5"));
    let found =
        manifold_shapes(&Shape::Plane(far), &ball, Vec3::lit("3", "4", "12"), unit([3, 4, 12]), SMALL);
    let [point] = found.points() else { panic!("{found:?}") };
    assert_eq!(point.gap, lit("12.5"));
    let off = (point.place - Vec3::lit("1.5", "2", "6")).raw();
    // 6.25 along the normal: halfway from 12.5 to 0, where the ball is at 13; the normal has 30 bits.
    let expected = unit([3, 4, 12]).components().map(|c| -i64::from(c));
    assert!(off.iter().zip(expected).all(|(got, want)| (got - want).abs() <= 16), "{off:?} {expected:?}");
}
