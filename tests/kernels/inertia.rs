//! Moments of inertia: a table by hand, exact fractions, symmetries, limits.

use bitstep::{
    geom::{GeomError, Inertia, Rotation, Vec3},
    num::{Scalar, lit},
    shape::{
        Obb, Shape, ShapeError, gyration_nearest, inertia_box, inertia_capsule, inertia_obb, inertia_of,
        inertia_sphere,
    },
};
use num_rational::BigRational;

use crate::oracle::{ONE, Source, Symmetry, big, cases, ratio};

/// One mass unit times units squared.
const WHOLE: u128 = 1 << 64;

#[test]
fn table() {
    let third = WHOLE.div_ceil(3) - 1; // 1/3 is below one half of a least bit
    let sphere = |mass, radius| inertia_sphere(mass, radius).unwrap().moments();
    assert_eq!(sphere(10, lit("1")), [4 * WHOLE; 3]);
    assert_eq!(sphere(5, lit("0.5")), [WHOLE / 2; 3]);
    assert_eq!(sphere(1, lit("1")), [7_378_697_629_483_820_646; 3]); // 2^65 / 5 = ...646.4
    let boxed = |mass, half| inertia_box(mass, half).unwrap().moments();
    assert_eq!(boxed(3, Vec3::lit("1", "2", "3")), [13 * WHOLE, 10 * WHOLE, 5 * WHOLE]);
    assert_eq!(boxed(12, Vec3::lit("0.5", "0.5", "0.5")), [2 * WHOLE; 3]);
    assert_eq!(boxed(1, Vec3::lit("1", "1", "1")), [2 * third + 1; 3]);
    // A ball of half length 0; then r = h = 1: 23/50 and 121/100 of the mass.
    let capsule = |mass, r, h| inertia_capsule(mass, r, h).unwrap().moments();
    assert_eq!(capsule(10, lit("1"), lit("0")), [4 * WHOLE; 3]);
    assert_eq!(capsule(100, lit("1"), lit("1")), [46 * WHOLE, 121 * WHOLE, 121 * WHOLE]);
    // As thin as may be it is a stick: m h² / 3 across.
    let [along, across, _] = capsule(3, lit("1"), lit("50"));
    assert!(along < 3 * WHOLE / 2 && across > 2_500 * WHOLE && across < 2_700 * WHOLE);
}

/// By how much a moment may be off: the difference times two.
fn off_twice(moment: u128, exact: &BigRational) -> BigRational {
    let off = ratio(moment, 1) - exact;
    (if off < ratio(0, 1) { -off } else { off }) * big(2)
}

#[test]
fn moments_are_the_nearest_integers() {
    let mut source = Source::new(61);
    let (mut made, mut refused) = (0, 0);
    for _ in 0..cases(4_000) {
        let mass = source.between(1, 1 << 16) as u32;
        let [a, b, c] = [(); 3].map(|()| source.scaled(4096 * ONE).max(1));
        let square = |n: i64| big(n) * big(n);
        let radius = Scalar::from_bits(a);
        if let Ok(inertia) = inertia_sphere(mass, radius) {
            let exact = ratio(big(2) * big(mass) * square(a), 5);
            assert!(off_twice(inertia.moments()[0], &exact) <= ratio(1, 1));
        }
        match inertia_box(mass, Vec3::from_raw([a, b, c])) {
            Ok(inertia) => {
                let sums = [square(b) + square(c), square(c) + square(a), square(a) + square(b)];
                for (moment, sum) in inertia.moments().into_iter().zip(sums) {
                    assert!(off_twice(moment, &ratio(big(mass) * sum, 3)) <= ratio(1, 1));
                }
                made += 1;
            }
            Err(error) => {
                assert!(
                    matches!(error, ShapeError::Inertia(GeomError::Ratio { .. } | GeomError::Moment { .. })),
                    "{error}"
                );
                refused += 1;
            }
        }
        let Ok(inertia) = inertia_capsule(mass, radius, Scalar::from_bits(b)) else { continue };
        // Cylinder and half balls, each with its own share of the mass, by the parallel axis theorem.
        let (r, h) = (ratio(a, 1), ratio(b, 1));
        let whole = &r * big(2) + &h * big(3);
        let (tube, caps) = (&h * big(3) / &whole, &r * big(2) / &whole);
        let along = &r * &r * (&tube / big(2) + &caps * ratio(2, 5));
        let across_tube = &r * &r / big(4) + &h * &h / big(3);
        let center = &h + &r * ratio(3, 8);
        let across_caps = &r * &r * ratio(83, 320) + &center * &center;
        let across = tube * across_tube + caps * across_caps;
        assert!(off_twice(inertia.moments()[0], &(along * big(mass))) <= ratio(1, 1));
        for moment in &inertia.moments()[1..] {
            assert!(off_twice(*moment, &(&across * big(mass))) <= ratio(2, 1));
        }
    }
    assert!(made > 500 && refused > 500, "{made} {refused}");
}

#[test]
fn the_largest_and_the_least_have_moments() {
    let most = lit("4096");
    let largest = inertia_box(1 << 16, Vec3::splat(most)).unwrap().moments()[0];
    assert_eq!(largest, 2 * (1_u128 << 104) / 3 + 1); // 2/3 of 2^16 (2^44)^2, up
    assert!(inertia_capsule(1 << 16, most, most).is_ok());
    assert!(inertia_sphere(1 << 16, most).is_ok());
    assert_eq!(inertia_sphere(1, Scalar::from_bits(2)).unwrap().moments(), [2; 3]); // 8/5
    let nothing = inertia_sphere(1, Scalar::DELTA).map(|inertia| inertia.moments());
    assert!(matches!(nothing, Err(ShapeError::Inertia(GeomError::Moment { axis: 0, value: 0, .. }))));
}

#[test]
fn long_and_thin_is_refused_with_the_ratio_and_flat_is_not() {
    assert!(inertia_box(7, Vec3::lit("45", "0.5", "0.5")).is_ok());
    let Err(ShapeError::Inertia(GeomError::Ratio { ratio, limit })) =
        inertia_box(7, Vec3::lit("46", "0.5", "0.5"))
    else {
        panic!()
    };
    assert_eq!((ratio, limit), (4233, 4096)); // (92² + 1) / 2, up
    assert!(inertia_box(7, Vec3::lit("45", "45", "0.000001")).is_ok());
    assert!(inertia_capsule(7, lit("1"), lit("77")).is_ok());
    assert!(matches!(
        inertia_capsule(7, lit("1"), lit("78")),
        Err(ShapeError::Inertia(GeomError::Ratio { .. }))
    ));
}

#[test]
fn a_box_is_the_same_however_it_lies() {
    let mut source = Source::new(62);
    let mut made = 0;
    for _ in 0..cases(500) {
        let half = Vec3::from_raw([(); 3].map(|()| source.between(ONE / 16, 64 * ONE)));
        let Ok(inertia) = inertia_box(9, half) else { continue };
        made += 1;
        for symmetry in Symmetry::all() {
            let image = inertia_box(9, symmetry.of_extent(half)).unwrap().moments();
            let moments = inertia
                .moments()
                .map(|moment| Vec3::splat(Scalar::from_bits((moment >> 32) as i64)).raw()[0]);
            let permuted = symmetry.of_extent(Vec3::from_raw(moments)).raw();
            assert_eq!(image.map(|moment| (moment >> 32) as i64), permuted);
        }
        assert_eq!(inertia_obb(9, &Obb::along_axes(half)), Ok(inertia));
        // Turned, its edges are rounded to raw: the moments hardly change.
        let [w, x, y, z] = [(); 4].map(|()| Scalar::from_bits(source.between(1, ONE)));
        let turned = Obb::new(half, Rotation::from_quaternion(w, x, y, z).unwrap());
        for (moment, other) in inertia_obb(9, &turned).unwrap().moments().into_iter().zip(inertia.moments()) {
            assert!(moment.abs_diff(other) < other >> 26, "{moment} {other}");
        }
    }
    assert!(made > 400, "{made}");
}

#[test]
fn every_shape_has_the_moments_of_its_own_frame() {
    let (r, half) = (lit("0.5"), Vec3::lit("1", "2", "3"));
    assert_eq!(inertia_of(&Shape::sphere(r), 7), inertia_sphere(7, r));
    assert_eq!(inertia_of(&Shape::aabb(half), 7), inertia_box(7, half));
    assert_eq!(
        inertia_of(&Shape::Obb(Obb::along_axes(half)), 3).unwrap().moments(),
        [13, 10, 5].map(|n| n * WHOLE)
    );
    let [along, across, _] = inertia_capsule(7, r, lit("2")).unwrap().moments();
    for (axis, way) in [Vec3::lit("2", "0", "0"), Vec3::lit("0", "-2", "0"), Vec3::lit("0", "0", "2")]
        .into_iter()
        .enumerate()
    {
        let mut expected = [across; 3];
        expected[axis] = along;
        assert_eq!(inertia_of(&Shape::capsule(way, r), 7).unwrap().moments(), expected);
    }
    // Whichever edge of a box comes first, and whichever way it points.
    for map in Symmetry::all() {
        let along_axes = Obb::along_axes(half).half_edges;
        for half_edges in
            [along_axes.map(|edge| map.of(edge)), [along_axes[2], -along_axes[0], along_axes[1]]]
        {
            let box_of = Obb { half_edges };
            let same = inertia_box(7, box_of.half_extent());
            assert_eq!(inertia_of(&Shape::Obb(box_of), 7), same);
        }
    }
}

#[test]
fn shapes_not_along_the_axes_and_planes_have_no_moments() {
    let turned = Rotation::from_quaternion(lit("1"), lit("0.001"), lit("0"), lit("0")).unwrap();
    let [a, b, _] = Obb::along_axes(Vec3::lit("1", "2", "3")).half_edges;
    for askew in [
        Shape::obb(Vec3::lit("1", "2", "3"), turned),
        Shape::Obb(Obb { half_edges: [a, b, a] }),
        Shape::Obb(Obb { half_edges: [a, b, Vec3::ZERO] }),
        Shape::capsule(Vec3::lit("1", "0", "0.0000001"), lit("1")),
        Shape::capsule(Vec3::lit("0", "-1", "1"), lit("1")),
        Shape::capsule(Vec3::ZERO, lit("1")),
    ] {
        assert_eq!(inertia_of(&askew, 7), Err(ShapeError::NotAxisAligned), "{askew:?}");
    }
    let plane = Shape::plane(Vec3::lit("0", "1", "0")).unwrap();
    assert_eq!(inertia_of(&plane, 7), Err(ShapeError::Plane));
    let rod = Shape::aabb(Vec3::lit("46", "0.5", "0.5"));
    assert!(matches!(inertia_of(&rod, 7), Err(ShapeError::Inertia(GeomError::Ratio { ratio: 4233, .. }))));
}

#[test]
fn radii_of_gyration_are_the_nearest() {
    // A ball's is sqrt(2/5) of its radius: 0.632455532 * 2^32.
    let ball = inertia_sphere(10, lit("1")).unwrap();
    assert_eq!(gyration_nearest(&ball, 10), [2_716_375_826; 3]);
    let brick = inertia_box(3, Vec3::lit("1", "1", "1")).unwrap();
    assert_eq!(gyration_nearest(&brick, 2), [ONE; 3]);
    assert_eq!(gyration_nearest(&Inertia::new([1; 3]).unwrap(), 65_536), [1; 3]);
    let mut source = Source::new(63);
    for case in 0..cases(4_000) {
        let mass = source.between(1, 1 << 16) as u32;
        let size = [1 << 44, ONE, 1 << 8][case as usize % 3];
        let half = Vec3::from_raw([(); 3].map(|()| source.between(size / 40, size)));
        let Ok(inertia) = inertia_box(mass, half) else { continue };
        for (moment, radius) in inertia.moments().into_iter().zip(gyration_nearest(&inertia, mass)) {
            let four = big(4) * big(moment);
            let bound = |twice: i64| big(twice) * big(twice) * big(mass);
            assert!(
                bound(2 * radius - 1) <= four && four < bound(2 * radius + 1),
                "{moment} {mass} {radius}"
            );
        }
    }
}

#[test]
#[should_panic(expected = "mass out of range")]
fn too_heavy_is_a_mistake_of_the_caller() {
    let _ = inertia_sphere((1 << 16) + 1, lit("1"));
}
