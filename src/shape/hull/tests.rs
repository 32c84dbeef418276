use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::{
    polyhedron::{Point, volume},
    *,
};
use crate::num::{Draws, Rng, lit};

type Plane = ([i128; 3], i128);

/// The planes that have points of the solid in them that are not on a line, and all points behind them: by trying every three points.
fn planes_by_trial(points: &[Point]) -> BTreeSet<Plane> {
    let mut planes = BTreeSet::new();
    for &a in points {
        for &b in points {
            for &c in points {
                let at = |p: Point, q: Point, i: usize| i128::from(p[i]) - i128::from(q[i]);
                let cross = |i: usize| {
                    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                    at(b, a, j) * at(c, a, k) - at(b, a, k) * at(c, a, j)
                };
                let normal = [cross(0), cross(1), cross(2)];
                let factor = normal.iter().fold(0, |factor: i128, part| gcd(factor, part.abs()));
                if factor == 0 {
                    continue;
                }
                let normal = normal.map(|part| part / factor);
                let along = |p: Point| (0..3).map(|i| normal[i] * i128::from(p[i])).sum::<i128>();
                if points.iter().all(|&p| along(p) <= along(a)) {
                    planes.insert((normal, along(a)));
                }
            }
        }
    }
    planes
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn check(points: &[Point]) -> bool {
    let planes = planes_by_trial(points);
    let found = Polyhedron::around(points.iter().copied());
    if planes.is_empty() || volume_of(points) == 0 {
        assert!(matches!(found, Err(ShapeError::Flat { .. } | ShapeError::NoPoints)), "{points:?}");
        return false;
    }
    let on = |(normal, offset): &Plane, p: Point| {
        (0..3).map(|i| normal[i] * i128::from(p[i])).sum::<i128>() == *offset
    };
    let corners: BTreeSet<Point> =
        points.iter().copied().filter(|&p| planes.iter().filter(|plane| on(plane, p)).count() >= 3).collect();
    let found = found.unwrap_or_else(|error| panic!("{error}: {points:?}"));
    assert_eq!(found.corners, corners.iter().copied().collect::<Vec<_>>(), "{points:?}");
    assert_eq!(found.faces.len(), planes.len());
    let mut edges = BTreeSet::new();
    for face in &found.faces {
        let corner = |place: usize| found.corners[usize::from(face[place % face.len()])];
        assert!(face.len() >= 3 && face[0] == *face.iter().min().unwrap());
        for place in 0..face.len() {
            // Seen from outside all other corners are on the left of each edge, and no corner is in front.
            let triangle = [corner(place), corner(place + 1), corner(place + 2)];
            assert!(found.corners.iter().all(|&other| volume(triangle, other) <= 0), "{points:?}");
            assert!(found.corners.iter().any(|&other| volume(triangle, other) < 0), "{points:?}");
            assert!(edges.insert((corner(place), corner(place + 1))), "an edge has one face on each side");
        }
    }
    assert!(edges.iter().all(|&(from, to)| edges.contains(&(to, from))));
    assert_eq!(found.corners.len() + found.faces.len(), edges.len() / 2 + 2);
    true
}

/// The largest volume of four of the points, one of which is the first: 0 if all are in a plane.
fn volume_of(points: &[Point]) -> i64 {
    let Some(&a) = points.first() else { return 0 };
    let each = points.iter().flat_map(|&b| points.iter().map(move |&c| (b, c)));
    each.flat_map(|(b, c)| points.iter().map(move |&d| volume([a, b, c], d).abs())).max().unwrap_or(0)
}

/// Points of several kinds: few places, so that many are in line and in planes; any; on a sphere; the corners of the grid.
fn drawn(draws: &mut Draws) -> Vec<Point> {
    let count = draws.between(0, 14);
    let most = i64::from(GRID_MAX);
    let kind = draws.below(5);
    let mut point = || match kind {
        0 => [(); 3].map(|()| draws.between(-1, 1) as i32),
        1 => [(); 3].map(|()| draws.between(-3, 3) as i32),
        2 => [(); 3].map(|()| draws.between(-most, most) as i32),
        3 => [(); 3].map(|()| if draws.below(2) == 0 { GRID_MAX - draws.below(3) as i32 } else { -GRID_MAX }),
        _ => [
            draws.between(-most, most) as i32,
            draws.between(-2, 2) as i32,
            draws.between(-most, most) as i32,
        ],
    };
    (0..count).map(|_| point()).collect()
}

#[test]
fn hulls_are_those_of_every_three_points() {
    let mut solid = 0;
    for case in 0..3_000 {
        solid += u32::from(check(&drawn(&mut Rng::new(0x4B11).at(0, case, 0))));
    }
    assert!(solid > 1_000, "{solid}");
}

#[test]
fn points_that_are_no_corners_make_no_difference() {
    let cube: Vec<Point> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|part| 4 * part)).collect();
    let alone = Polyhedron::around(cube.iter().copied()).unwrap();
    assert_eq!((alone.corners.len(), alone.faces.len(), alone.triangles().count()), (8, 6, 12));
    assert_eq!(alone.faces[0], [0, 1, 3, 2]);
    let full = (0..125).map(|i| [i % 5, i / 5 % 5, i / 25]);
    assert_eq!(Polyhedron::around(full.clone()).unwrap(), alone);
    assert_eq!(Polyhedron::around(full.rev()).unwrap(), alone);
}

#[test]
fn points_that_make_no_hull_are_refused_by_name() {
    let of = |points: &[[&str; 3]]| {
        Hull::of(&points.iter().map(|[x, y, z]| Vec3::lit(x, y, z)).collect::<Vec<_>>())
    };
    let words = |points: &[[&str; 3]]| of(points).unwrap_err().to_string();
    assert_eq!(words(&[]), "a hull needs points");
    let flat = ": a hull needs four corners that are not in a plane";
    assert_eq!(words(&[["1", "2", "3"]; 9]), format!("all points are the same{flat}"));
    assert_eq!(
        words(&[["0", "0", "0"], ["1", "1", "1"], ["3", "3", "3"]]),
        format!("all points are on a line{flat}")
    );
    let square = [["0", "0", "0"], ["1", "0", "0"], ["0", "1", "0"], ["1", "1", "0"]];
    assert_eq!(words(&square), format!("all points are in a plane{flat}"));
    let roof = |raw: i64| {
        let corners = [[0, 0, 0], [1000, 0, 0], [0, 1000, 0], [0, 0, raw]];
        Hull::of(&corners.map(Vec3::from_raw)).map(|hull| hull.corners().len())
    };
    assert_eq!(roof(80), Ok(4));
    let thin = "all points are within a few raw of a plane";
    assert_eq!(roof(60), Err(ShapeError::Flat { points: thin }), "15 raw above the base");
    let far = words(&[["0", "-4096.5", "0"], ["1", "4096", "0"], ["0", "0", "1"], ["0", "0", "0"]]);
    assert_eq!(far, "the points are 8192.5 apart along axis 1, at most 8192");
    let corners = Hull::cylinder(lit("1"), lit("1"), 33).unwrap_err();
    assert_eq!(corners.to_string(), "66 corners, at most 64: leave points out, or make several hulls");
    assert!(Hull::cylinder(lit("1"), lit("1"), 32).is_ok());
    assert_eq!(
        Hull::cylinder(lit("1"), lit("1"), u32::MAX).unwrap_err(),
        ShapeError::TooManyPoints { count: 8192 }
    );
    assert_eq!(Hull::cylinder(lit("1"), lit("1"), 0).unwrap_err(), ShapeError::NoPoints);
    assert_eq!(Hull::of(&vec![Vec3::ZERO; 4097]).unwrap_err(), ShapeError::TooManyPoints { count: 4097 });
    for length in [Scalar::MIN, Scalar::MAX] {
        for hull in [
            Hull::cylinder(lit("1"), length, 5),
            Hull::cone(lit("1"), length, 5),
            Hull::cone(length, lit("1"), 5),
        ] {
            assert!(matches!(hull, Err(ShapeError::TooFarApart { .. })), "{hull:?}");
        }
    }
    let extremes = [i64::MIN, i64::MAX].map(|part| Vec3::from_raw([part; 3]));
    assert!(matches!(Hull::of(&extremes), Err(ShapeError::TooFarApart { .. })));
}

fn box_of(half: [&str; 3], rotation: Rotation, at: Vec3) -> Vec<Vec3> {
    let [x, y, z] = half.map(|text| text.parse::<Scalar>().unwrap());
    let signs = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| 2 * bit - 1));
    signs.map(|[a, b, c]| at + rotation.turn_nearest(Vec3::new(x * a, y * b, z * c))).collect()
}

#[test]
fn a_box_has_the_mass_of_a_box() {
    let at = Vec3::lit("100", "-7.5", "0.125");
    let hull = Hull::of(&box_of(["0.5", "1", "2"], Rotation::IDENTITY, at)).unwrap();
    assert_eq!((hull.center(), hull.axes(), hull.volume_q64()), (at, Rotation::IDENTITY, 8 << 64));
    assert_eq!(hull.corners()[0], Vec3::lit("-0.5", "-1", "-2"));
    let expected = super::super::inertia_box(12, Vec3::lit("0.5", "1", "2")).unwrap();
    assert_eq!(hull.inertia(12).unwrap(), expected);
}

/// Sums by big rationals over the same triangles, from another origin.
#[test]
fn mass_is_that_of_exact_sums() {
    for case in 0..500 {
        let points = drawn(&mut Rng::new(0x4B12).at(0, case, 0));
        let Ok(polyhedron) = Polyhedron::around(points.iter().copied()) else { continue };
        let mass = Mass::of(&polyhedron);
        let origin = polyhedron.corners[0];
        let ratio = |number: i128, by: i128| BigRational::new(number.into(), by.into());
        let (mut volumes, mut place) = (BigInt::ZERO, [(); 3].map(|()| ratio(0, 1)));
        let mut square = [(); 3].map(|()| [(); 3].map(|()| ratio(0, 1)));
        let tetrahedra =
            polyhedron.triangles().map(|triangle| (triangle, -i128::from(volume(triangle, origin))));
        for (triangle, weight) in tetrahedra {
            let at = |corner: usize, i: usize| i128::from(triangle[corner][i]) - i128::from(origin[i]);
            volumes += weight;
            for i in 0..3_usize {
                place[i] += ratio(weight * (0..3).map(|corner| at(corner, i)).sum::<i128>(), 24);
                for (j, cell) in square[i].iter_mut().enumerate() {
                    let pairs = (0..3).flat_map(|k| (0..3).map(move |l| (k, l)));
                    let sum =
                        pairs.map(|(k, l)| at(k, i) * at(l, j) * if k == l { 2 } else { 1 }).sum::<i128>();
                    *cell += ratio(weight, 1) * ratio(sum, 120);
                }
            }
        }
        assert_eq!(BigInt::from(mass.six_volumes()), volumes);
        let whole = BigRational::new(volumes, 6.into());
        let center = place.map(|place| place / &whole);
        let spread = mass.spread(40);
        for i in 0..3 {
            let off = ratio(mass.center(20)[i], 1 << 20) - ratio(origin[i].into(), 1) - &center[i];
            assert!(off <= ratio(1, 1 << 21) && off >= ratio(-1, 1 << 21));
            for j in 0..3 {
                let exact = &square[i][j] / &whole - &center[i] * &center[j];
                let off = ratio(spread[i][j], 1 << 40) - exact;
                assert!(off <= ratio(1, 1 << 38) && off >= ratio(-1, 1 << 38), "{off}");
            }
        }
    }
}

/// Any rotation, or a small one.
fn rotation(draws: &mut Draws) -> Rotation {
    let most = 1 << if draws.below(2) == 0 { 32 } else { 20 };
    let part = |draws: &mut Draws| Scalar::from_bits(draws.between(-most, most));
    let w = Scalar::from_bits(draws.between(1 << 20, 1 << 32));
    Rotation::from_quaternion(w, part(draws), part(draws), part(draws)).unwrap_or(Rotation::IDENTITY)
}

/// A box in any direction is that box along axes of its own, in one of their orders.
#[test]
fn axes_are_those_of_a_rotated_box() {
    let upright = Hull::of(&box_of(["0.5", "1", "2"], Rotation::IDENTITY, Vec3::ZERO)).unwrap();
    let sorted = |hull: &Hull| {
        let mut moments = hull.inertia(1_000).unwrap().moments();
        moments.sort_unstable();
        moments
    };
    let expected = sorted(&upright);
    for case in 0..400 {
        let mut draws = Rng::new(0x4B13).at(0, case, 0);
        let hull =
            Hull::of(&box_of(["0.5", "1", "2"], rotation(&mut draws), Vec3::lit("3", "4", "5"))).unwrap();
        // The grid has cells of 2^-18 of a unit and less.
        for (moment, expected) in sorted(&hull).into_iter().zip(expected) {
            assert!(moment.abs_diff(expected) < expected >> 17, "{moment} {expected}");
        }
        for corner in hull.corners() {
            let mut sizes = corner.raw().map(i64::abs);
            sizes.sort_unstable();
            for (size, expected) in sizes.into_iter().zip([1_i64 << 31, 1 << 32, 1 << 33]) {
                assert!((size - expected).abs() < 1 << 16, "{size} {expected}");
            }
        }
        assert!((hull.center() - Vec3::lit("3", "4", "5")).within(Scalar::from_bits(1 << 15)));
        // Back in the space of the points they are where they were put.
        let back = hull.corners().iter().map(|corner| hull.center() + hull.axes().turn_nearest(*corner));
        assert!(back.count() == 8);
    }
}

#[test]
fn products_of_inertia_are_gone_in_the_frame_of_the_axes() {
    let mut solid = 0;
    for case in 0..400 {
        let mut draws = Rng::new(0x4B14).at(0, case, 0);
        let points: Vec<Vec3> = (0..draws.between(4, 20))
            .map(|_| Vec3::from_raw([(); 3].map(|()| draws.between(-(1 << 33), 1 << 33))))
            .collect();
        let Ok(hull) = Hull::of(&points) else { continue };
        solid += 1;
        // The corners in the frame of the body are the points of another hull: it is where it should be, and needs no rotation.
        let again = Hull::of(hull.corners()).unwrap();
        assert!(again.center().within(Scalar::from_bits(1 << 16)), "{:?}", again.center());
        let [w, x, y, z] = again.axes().components();
        assert!(
            w > (1 << 30) - (1 << 12) && [x, y, z].iter().all(|part| part.abs() < 1 << 16),
            "{:?}",
            again.axes()
        );
        assert_eq!(hull.faces().len(), again.faces().len());
    }
    assert!(solid > 300);
}

#[test]
fn cones_and_prisms_have_their_corners_and_centers() {
    let cone = Hull::cone(lit("1"), lit("2"), 12).unwrap();
    assert_eq!((cone.corners().len(), cone.faces().len()), (13, 13));
    assert!(
        (cone.center() - Vec3::lit("0", "0", "-1")).within(Scalar::from_bits(1 << 14)),
        "{:?}",
        cone.center()
    );
    let triangle = [["0", "0"], ["3", "0"], ["0", "3"]].map(|point| point.map(|text| text.parse().unwrap()));
    let prism = Hull::prism(&triangle, lit("0.5")).unwrap();
    assert_eq!((prism.corners().len(), prism.faces().len()), (6, 5));
    assert!((prism.center() - Vec3::lit("1", "1", "0")).within(Scalar::from_bits(1 << 14)));
    assert!(prism.volume_q64().abs_diff(9 << 63) < 1 << 48, "{}", prism.volume_q64());
}
