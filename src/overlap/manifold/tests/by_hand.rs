//! Manifolds and their parts, worked out by hand.

use crate::{
    geom::{Normal, Plane as HalfSpace, Vec3},
    num::{Rng, Scalar, lit},
    overlap::manifold::{
        Figure,
        found::{GAP_BITS, Unit},
        manifold_shapes,
    },
    shape::{Facet, Hull, Mesh, Obb, Shape},
};
use num_bigint::BigInt;

const UP: Normal = Normal::new(0, 1 << 30, 0);

fn v(x: &str, y: &str, z: &str) -> Vec3 {
    Vec3::new(x.parse().unwrap(), y.parse().unwrap(), z.parse().unwrap())
}

fn hull(points: &[Vec3]) -> Shape {
    Shape::hull(Hull::upright(points).unwrap())
}

fn brick(x: &str, y: &str, z: &str) -> Shape {
    hull(&Obb::along_axes(v(x, y, z)).corners())
}

/// A roof with its ridge along z, and its height above the origin.
fn roof() -> (Shape, Scalar) {
    let points = [
        ("-1", "0", "-1"),
        ("1", "0", "-1"),
        ("-1", "0", "1"),
        ("1", "0", "1"),
        ("0", "1", "-1"),
        ("0", "1", "1"),
    ];
    let roof = Hull::upright(&points.map(|(x, y, z)| v(x, y, z))).unwrap();
    let top = lit("1") - roof.center().y;
    (Shape::hull(roof), top)
}

/// A triangle around its centroid.
fn triangle(corners: [Vec3; 3]) -> Shape {
    let mesh = Mesh::new(&corners, &[[0, 1, 2]]).unwrap();
    Facet::new(&mesh.facets()[0]).0.first_piece().shape()
}

/// Twice the places of the points along a normal, and their gaps; in order.
fn points(a: &Shape, b: &Shape, offset: Vec3, normal: Normal, band: Scalar) -> Vec<([i64; 3], i64)> {
    let found = manifold_shapes(a, b, offset, normal, band);
    let mut points: Vec<_> =
        found.points().iter().map(|point| (point.place_twice.raw(), point.gap.to_bits())).collect();
    points.sort_unstable();
    points
}

/// Places in units, and a gap.
fn expected(places: &[(&str, &str, &str)], gap: &str) -> Vec<([i64; 3], i64)> {
    let gap = gap.parse::<Scalar>().unwrap().to_bits();
    let mut all: Vec<_> = places.iter().map(|(x, y, z)| ((v(x, y, z) + v(x, y, z)).raw(), gap)).collect();
    all.sort_unstable();
    all
}

/// The same with gaps of a raw less, which are those of crossings and nearest points: they count as rounded.
fn less(points: Vec<([i64; 3], i64)>) -> Vec<([i64; 3], i64)> {
    points.into_iter().map(|(place, gap)| (place, gap - 1)).collect()
}

const BAND: Scalar = Scalar::lit("0.001");

#[test]
fn the_corners_of_the_smaller_of_two_faces_are_the_points() {
    let (large, small) = (brick("2", "0.5", "2"), brick("1", "0.5", "1"));
    let on_large = expected(
        &[("-0.5", "0.625", "-1"), ("-0.5", "0.625", "1"), ("1.5", "0.625", "-1"), ("1.5", "0.625", "1")],
        "0.25",
    );
    assert_eq!(points(&large, &small, v("0.5", "1.25", "0"), UP, BAND), on_large);
    let on_small = expected(
        &[("-1", "0.625", "-1"), ("-1", "0.625", "1"), ("1", "0.625", "-1"), ("1", "0.625", "1")],
        "0.25",
    );
    assert_eq!(points(&small, &large, v("0.5", "1.25", "0"), UP, BAND), on_small);
}

#[test]
fn gaps_of_faces_with_corners_anywhere_are_exact() {
    let (below, above) = (brick("1.1", "0.3", "0.7"), brick("2.3", "0.7", "1.9"));
    let Shape::Hull(hull) = &below else { unreachable!("a brick is a hull") };
    let top = hull.corners().iter().map(|corner| corner.y).max().unwrap();
    let Shape::Hull(hull) = &above else { unreachable!("a brick is a hull") };
    let bottom = hull.corners().iter().map(|corner| corner.y).min().unwrap();
    for gap in [Scalar::ZERO, lit("0.1"), Scalar::from_bits(12_345), Scalar::from_bits(-77)] {
        let offset = Vec3::new(lit("0.2"), top - bottom + gap, lit("0.3"));
        let found = points(&below, &above, offset, UP, BAND);
        assert!(found.len() == 4 && found.iter().all(|point| point.1 == gap.to_bits()), "{gap}: {found:?}");
    }
}

#[test]
fn faces_that_lie_across_each_other_meet_at_the_crossings_of_their_sides() {
    let (a, b) = (brick("2", "0.5", "0.5"), brick("0.5", "0.5", "2"));
    let corners = [
        ("-0.5", "0.625", "-0.5"),
        ("-0.5", "0.625", "0.5"),
        ("0.5", "0.625", "-0.5"),
        ("0.5", "0.625", "0.5"),
    ];
    assert_eq!(points(&a, &b, v("0", "1.25", "0"), UP, BAND), less(expected(&corners, "0.25")));
}

#[test]
fn the_point_of_a_ball_on_a_face_is_between_the_surfaces() {
    let (brick, ball) = (brick("2", "0.5", "2"), Shape::sphere(lit("0.25")));
    let at = ("0.25", "0.625", "-0.25");
    assert_eq!(points(&brick, &ball, v("0.25", "1", "-0.25"), UP, BAND), expected(&[at], "0.25"));
    let at = ("0", "0.375", "0");
    assert_eq!(points(&ball, &brick, v("0.25", "1", "-0.25"), UP, BAND), expected(&[at], "0.25"));
}

#[test]
fn faces_beside_each_other_have_the_ends_of_what_they_have_in_common() {
    let (a, long) = (brick("1", "0.5", "1"), brick("1", "0.5", "2"));
    // The sides are at 1 and 2; a point of A at a corner of B and the other way round.
    let beside = |b: &Shape, z: &str| points(&a, b, v("3", "1.25", z), UP, lit("0.0001"));
    let ends =
        |low: &str, high: &str| less(expected(&[("1.5", "0.625", low), ("1.5", "0.625", high)], "0.25"));
    assert_eq!(beside(&a, "0"), ends("-1", "1"));
    assert_eq!(beside(&long, "1"), ends("-1", "1"));
    assert_eq!(beside(&long, "0.25"), ends("-1", "1"));
    // The ends are nearly at the same height along the sides, so their distance is within the band.
    assert_eq!(beside(&a, "0.00390625"), ends("-0.99609375", "1"));
    assert_eq!(beside(&a, "1.5"), ends("0.5", "1"));
}

#[test]
fn a_ridge_has_the_ends_of_a_rod_along_it_and_the_crossing_of_one_across() {
    let (roof, top) = roof();
    let rod = |x: &str, z: &str| Shape::capsule(v(x, "0", z), lit("0.25"));
    let at = |x: &str, z: &str| v(x, "1", z) + Vec3::new(Scalar::ZERO, top, Scalar::ZERO);
    // Its ends are off the ridge by half a band.
    let along = points(&roof, &rod("0.0005", "1"), at("0.00025", "1"), UP, BAND);
    let [(first, _), (second, _)] = along[..] else { panic!("{along:?}") };
    assert!(first[2].abs() < 1 << 12 && (second[2] - (2 << 32)).abs() < 1 << 12, "{along:?}");
    let across = points(&roof, &rod("1", "0.5"), at("0", "0.25"), UP, BAND);
    assert_eq!(across.len(), 1, "{across:?}");
    let ([x, y, z], gap) = across[0];
    assert_eq!([x, z], [0, 1 << 31]);
    assert_eq!(y, 2 * top.to_bits() + (3 << 30), "from the ridge to three quarters above it");
    assert!((-1..=0).contains(&(gap - (3 << 30))), "{gap}");
}

#[test]
fn a_face_of_three_corners_has_three_points() {
    let points_of = |z: &'static str| [("-1", "-1", z), ("1", "-1", z), ("0", "1", z)];
    let wedge: Vec<Vec3> =
        ["-0.5", "0.5"].into_iter().flat_map(points_of).map(|(x, y, z)| v(x, y, z)).collect();
    let (wedge, floor) = (hull(&wedge), brick("3", "3", "0.5"));
    let along_z = Normal::new(0, 0, 1 << 30);
    let found = points(&floor, &wedge, v("0", "0", "1.25"), along_z, BAND);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().all(|(place, gap)| (place[2], *gap) == (5 << 30, 1 << 30)), "{found:?}");
    let flat = triangle([v("-1", "0", "-1"), v("0", "0", "2"), v("1", "0", "-1")]);
    let found = points(&flat, &brick("3", "0.5", "3"), v("0", "0.75", "0"), UP, BAND);
    assert!(found.len() == 3 && found.iter().all(|(_, gap)| *gap == 1 << 30), "{found:?}");
}

#[test]
fn a_face_holds_what_is_within_all_of_its_sides() {
    let corners = [v("-1", "0", "-1"), v("0", "0", "2"), v("1", "0", "-1")];
    let shape = triangle(corners);
    let figure = Figure::new(&shape, v("5", "1", "7"), UP, UP, BAND).unwrap();
    let holds = |x: &str, z: &str| figure.holds(v("5", "9", "7") + v(x, "0", z), UP);
    assert!(
        holds("0", "0") && holds("0", "1.875") && holds("-0.875", "-0.9375") && holds("0.875", "-0.9375")
    );
    assert!(holds("0", "-1") && holds("0", "2") && holds("1", "-1"), "borders");
    assert!(!holds("0", "-1.125") && !holds("0.75", "0.5") && !holds("-0.75", "0.5"));
    assert_eq!(figure.sides().count(), 3);
    let ball = Figure::new(&Shape::sphere(lit("1")), Vec3::ZERO, UP, UP, BAND).unwrap();
    assert!(ball.sides().count() == 0 && !ball.holds(Vec3::ZERO, UP));
}

#[test]
fn the_figure_of_a_triangle_has_the_corners_within_the_band() {
    for (depth, count) in [("0.75", 3), ("1", 3), ("1.25", 2)] {
        let down: Scalar = -depth.parse::<Scalar>().unwrap();
        let corners = [v("-1", "0", "-1"), v("0", "0", "2"), Vec3::new(lit("1"), down, lit("-1"))];
        let figure = Figure::new(&triangle(corners), Vec3::ZERO, UP, UP, lit("1.0001")).unwrap();
        assert_eq!(figure.corners().len(), count, "{depth}");
    }
}

#[test]
fn the_figure_of_a_hull_is_what_the_largest_faces_share_or_a_corner() {
    let (roof, top) = roof();
    let figure =
        |shape: &Shape, band| Figure::new(shape, Vec3::ZERO, UP, UP, band).unwrap().corners().to_vec();
    let ridge = figure(&roof, BAND);
    assert!(
        ridge.len() == 2 && ridge.iter().all(|corner| (corner.x, corner.y) == (Scalar::ZERO, top)),
        "{ridge:?}"
    );
    // Both slopes are within the band, and as large: they share the ridge.
    assert_eq!(figure(&roof, lit("2")).len(), 2);
    // The slopes of a roof with a flat top are larger than that, and share nothing.
    let points = [("-3", "0"), ("3", "0"), ("0.25", "1"), ("-0.25", "1")];
    let points: Vec<Vec3> = points.iter().flat_map(|(x, y)| ["-1", "1"].map(|z| v(x, y, z))).collect();
    let flat = hull(&points);
    assert_eq!(figure(&flat, lit("2")).len(), 1);
    assert_eq!(figure(&flat, BAND).len(), 4);
}

#[test]
fn a_triangle_seen_from_its_edge_has_a_point_before_it() {
    let upright = triangle([v("0", "0", "-1"), v("0", "0", "1"), v("0", "0.00390625", "0")]);
    let found = points(&upright, &Shape::sphere(lit("0.5")), v("0", "1", "0"), UP, lit("0.0625"));
    assert!(!found.is_empty() && found.iter().all(|(place, _)| place[0] == 0 && place[2] == 0), "{found:?}");
}

#[test]
fn the_gap_of_rods_is_that_where_they_cross() {
    let level = Shape::capsule(v("1", "0", "0"), lit("0.25"));
    let tilted = Shape::capsule(v("0", "0.0009765625", "1"), lit("0.25"));
    let found = points(&level, &tilted, v("0", "1", "-0.5"), UP, lit("0.00390625"));
    // Halfway along the half axis of the tilted one.
    let height = (1_i64 << 32) + (1 << 21);
    let [([x, y, z], gap)] = found[..] else { panic!("{found:?}") };
    assert_eq!([x, y, z], [0, height, 0]);
    assert!((-1..=0).contains(&(gap - (height - (1 << 31)))), "{gap}");
}

#[test]
fn rods_along_each_other_have_two_points_and_rods_farther_off_their_crossing() {
    let (long, short) = (Shape::capsule(v("1", "0", "0"), lit("0.25")), |off: i64| {
        let half_axis = v("0.5", "0", "0") + Vec3::from_raw([0, 0, off]);
        Shape::capsule(half_axis, lit("0.25"))
    });
    for (off, count) in [(99, 2), (100, 2), (101, 1), (200, 1)] {
        let found = points(&long, &short(off), v("0", "1", "0"), UP, Scalar::from_bits(100));
        assert_eq!(found.len(), count, "{off}: {found:?}");
    }
}

#[test]
fn the_end_of_a_rod_beside_another_one_is_its_only_point() {
    let long = Shape::capsule(v("1", "0", "0"), lit("0.25"));
    let away = Shape::capsule(v("0.5", "0", "1"), lit("0.25"));
    // The end is beside the long one, and nearly as far from the end of that.
    let offset = v("0.99609375", "1", "1") + v("0.5", "0", "1");
    let found = points(&long, &away, offset, UP, lit("0.001"));
    let [([x, ..], _)] = found[..] else { panic!("{found:?}") };
    assert_eq!(x, 2 * lit("0.99609375").to_bits());
}

#[test]
fn points_before_a_plane_are_halfway_to_it() {
    let plane = HalfSpace::from_point_normal(Vec3::ZERO, Normal::new(3, 4, 0)).unwrap();
    let (normal, radius) = (plane.normal().unit_q30().unwrap(), 7);
    let ball = Shape::sphere(Scalar::from_bits(radius));
    for (x, y) in (0..12).flat_map(|x| (900..912).map(move |y| (x, y))) {
        let place = Vec3::from_raw([x, y, 0]);
        let found = points(&Shape::Plane(plane), &ball, place, normal, Scalar::ZERO);
        let [([px, py, _], gap)] = found[..] else { panic!("{found:?}") };
        // The height is five times less.
        let height = 3 * x + 4 * y;
        assert_eq!(gap, height / 5 - radius);
        for (twice, own, part) in [(px, x, 3), (py, y, 4)] {
            let off = 25 * (twice - 2 * own) + part * (height + 5 * radius);
            assert!(4 * off.abs() <= 3 * 25, "{x} {y}: {off}");
        }
    }
    // As far away as a plane may be.
    let ground = Shape::plane(v("0", "1", "0")).unwrap();
    for height in [1 << 50, (1 << 53) + 1, 1 << 56] {
        let found = points(&ground, &ball, Vec3::from_raw([5, height, 5]), UP, Scalar::ZERO);
        assert_eq!(found[0].1, height - radius);
    }
}

#[test]
fn lengths_along_a_rounded_direction_are_rounded_down_by_little() {
    let mut draws = Rng::new(6).at(0, 0, 0);
    let (mut close, mut count) = (0, 0);
    for case in 0..3_000 {
        let way = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 32, 1 << 32)));
        let normal = Normal::from_vector(way).and_then(Normal::unit_q30).unwrap();
        let most = 1 << [20, 34, 44][case % 3];
        let height = normal.dot_wide(Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most))));
        let found = Unit::new(normal).length_floor(height);
        // The square of the length with so many bits, times that of the normal.
        let square = normal.length_squared();
        let signed = |number: i128| BigInt::from(number) * number.abs();
        let truth = signed(height) << (2 * GAP_BITS);
        assert!(signed(found) * square <= truth, "{height} {normal:?}");
        assert!(signed(found + 3) * square > truth, "{height} {normal:?}");
        close += u32::from(signed(found + 1) * square <= truth);
        count += 1;
    }
    assert!(close > 300 && count == 3_000, "{close}");
}

#[test]
fn gaps_are_exact_where_corners_lie_on_sides() {
    let (brick, shifted) = (brick("1", "0.5", "1"), v("0", "1.25", "1"));
    let corners = [("-1", "0.625", "0"), ("-1", "0.625", "1"), ("1", "0.625", "0"), ("1", "0.625", "1")];
    assert_eq!(points(&brick, &brick, shifted, UP, BAND), expected(&corners, "0.25"));
}

/// A slope that rises by a raw in a little more than 2^16, so that heights may be less than a whole raw by a little.
#[test]
fn a_gap_that_falls_short_of_a_raw_is_rounded_down() {
    const RUN: i64 = 100_003;
    let raw = |x: i64, y: i64, z: i64| Vec3::from_raw([x << 16, y << 16, z << 16]);
    let slope = triangle([raw(0, 0, 0), raw(0, 0, RUN), raw(RUN, 1, 0)]);
    let room = &mut [Vec3::ZERO; 8];
    let corners = slope.as_convex(room).unwrap().corners();
    let lowest = *corners.iter().min_by_key(|corner| (corner.x, corner.z)).unwrap();
    let (ball, radius, height) = (Shape::sphere(Scalar::from_bits(9)), 9, 1_000);
    for off in [1, 2, RUN / 2, RUN - 100] {
        // Seen from the lowest corner the slope is at five raw here, and at `off` parts of a raw.
        let place = lowest + Vec3::from_raw([5 * RUN + off, height, 1 << 16]);
        let (down, band) = (Normal::new(0, -1 << 30, 0), Scalar::from_bits(1 << 17));
        let found =
            [points(&slope, &ball, place, UP, band), points(&ball, &slope, -place, down, band)].concat();
        let gaps: Vec<i64> = found.iter().map(|point| point.1).collect();
        assert_eq!(gaps, [height - 6 - radius; 2], "{off}");
    }
}
