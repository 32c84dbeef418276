//! How far a point is from a solid.

use bitstep::{
    geom::{Normal, Plane, Vec3},
    num::{Scalar, lit},
    overlap::{distance_point_obb_ceil, distance_point_shape_ceil, overlap_sphere_obb, overlap_sphere_plane},
    shape::{Obb, Shape},
};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

use crate::{
    box_oracle::{Big3, Fraction, SIZE, big3, distance_squared, dot, image},
    oracle::{self, Source, Symmetry, big},
};

#[test]
fn distances_as_worked_by_hand() {
    let of = |shape: Shape, point: Vec3| distance_point_shape_ceil(-point, &shape);
    let raw = |n| Scalar::from_bits(n);
    let ball = Shape::sphere(lit("2"));
    assert_eq!(of(ball.clone(), Vec3::lit("3", "4", "0")), lit("3"));
    assert_eq!(of(ball.clone(), Vec3::lit("0", "0", "-2")), lit("0"));
    assert_eq!(of(ball.clone(), Vec3::lit("0", "1", "0")), lit("0"));
    // sqrt 2 = 1.41421356237..., up.
    assert_eq!(
        of(ball, Vec3::lit("3", "3", "0")).to_bits(),
        ((2_u128 << 64) * 9).isqrt() as i64 + 1 - (2 << 32)
    );
    let brick = Shape::aabb(Vec3::lit("1", "2", "3"));
    assert_eq!(of(brick.clone(), Vec3::lit("4", "-6", "3")), lit("5"), "3 and 4 off an edge");
    assert_eq!(of(brick.clone(), Vec3::lit("1", "2", "3.0000000003")), raw(1));
    assert_eq!(of(brick.clone(), Vec3::lit("-1", "2", "3")), lit("0"));
    assert_eq!(of(brick, Vec3::lit("0.5", "1", "-2")), lit("0"));
    // |x| + |y| <= 2: to a corner, an edge of the top, a face.
    let diamond = Shape::Obb(Obb {
        half_edges: [Vec3::lit("1", "1", "0"), Vec3::lit("-1", "1", "0"), Vec3::lit("0", "0", "1")],
    });
    assert_eq!(of(diamond.clone(), Vec3::lit("5", "0", "5")), lit("5"), "3 and 4 off a corner");
    assert_eq!(of(diamond.clone(), Vec3::lit("1", "-1", "1.25")), lit("0.25"));
    assert_eq!(of(diamond.clone(), Vec3::lit("0.25", "0.5", "-1")), lit("0"));
    assert_eq!(of(diamond.clone(), Vec3::lit("0", "0", "0")), lit("0"));
    let off = of(diamond, Vec3::lit("2", "2", "0")).to_bits(); // sqrt 2
    assert_eq!(off, (2_u128 << 64).isqrt() as i64 + 1);
    let slope = Plane::from_point_normal(Vec3::lit("0", "1", "0"), Normal::new(3, 4, 0)).unwrap();
    let slope = Shape::Plane(slope);
    assert_eq!(of(slope.clone(), Vec3::lit("3", "5", "7")), lit("5"), "(3 * 3 + 4 * 4) / 5");
    assert_eq!(of(slope.clone(), Vec3::lit("0", "1", "7")), lit("0"));
    assert_eq!(of(slope, Vec3::lit("0", "-9", "7")), lit("0"));
}

/// The least whole number whose square is not below a fraction.
fn root_ceil(square: &Fraction) -> BigInt {
    let floor = square.sqrt_floor();
    if (&floor * &floor * &square.1) == square.0 { floor } else { floor + 1 }
}

fn normal_of(plane: &Plane) -> Big3 {
    plane.normal().components().map(big)
}

fn obb_case(source: &mut Source, case: u64) -> (Vec3, Obb) {
    let obb = source.obb([256, 1 << 20, 1 << 36, SIZE][(case % 4) as usize]);
    let size = obb.bounding_radius().to_bits();
    let point = match case / 4 % 5 {
        0 => source.vector(size),
        1 => source.any_vector(1 << 57),
        2 => source.any_vector((4 * size).min(1 << 57)),
        _ => {
            let length = source.scaled(1 << 47).max(1);
            let (spot, out) = source.spot(&obb, length);
            if case / 4 % 5 == 3 { spot } else { spot + out }
        }
    };
    (-point, obb)
}

#[test]
fn the_distance_from_an_oriented_box_is_the_exact_one_rounded_up() {
    let (mut source, mut outside, mut inside, mut whole, mut far) = (Source::new(61), 0, 0, 0, 0);
    for case in 0..oracle::many_cases(12_000) {
        let (offset, obb) = obb_case(&mut source, case);
        let square = distance_squared(&big3(-offset), &obb.half_edges.map(big3));
        let expected = root_ceil(&square);
        let answer = distance_point_obb_ceil(offset, &obb);
        assert_eq!(big(answer.to_bits()), expected, "{offset:?} {obb:?}");
        if expected.is_zero() {
            inside += 1
        } else {
            outside += 1
        }
        whole += u64::from(!expected.is_zero() && &expected * &expected * &square.1 == square.0);
        far += u64::from(expected > big(1_i64 << 48));
        // The exact predicate says the same where it is defined.
        for (radius, overlaps) in [(answer - Scalar::DELTA, false), (answer + Scalar::DELTA, true)] {
            if radius > 0 && radius < lit("16384") {
                assert_eq!(overlap_sphere_obb(offset, radius, &obb), overlaps, "{offset:?} {radius} {obb:?}");
            }
        }
    }
    println!("{outside} {inside} {whole} {far}");
    let least = [7_000, 1_500, 100, 500].map(oracle::many_cases);
    assert!([outside, inside, whole, far].iter().zip(least).all(|(&count, least)| count > least));
}

#[test]
fn the_other_distances_are_the_exact_ones_rounded_up() {
    let (mut source, mut found) = (Source::new(62), [0; 3]);
    for case in 0..oracle::cases(20_000) {
        let offset = source.any_vector([12, 1 << 33, 1 << 57][(case % 3) as usize]);
        let half = source.any_vector(1 << 44).map_raw(|c| c.abs().max(1));
        let box_answer = distance_point_shape_ceil(offset, &Shape::aabb(half));
        let way = [0, 1, 2].map(|axis: usize| (offset.raw()[axis].abs() - half.raw()[axis]).max(0));
        let square = way.map(|c| big(c) * c).into_iter().sum::<BigInt>();
        assert_eq!(big(box_answer.to_bits()), root_ceil(&Fraction(square, big(1))), "{offset:?} {half:?}");
        let ball_answer = distance_point_shape_ceil(offset, &Shape::sphere(half.x));
        let square = offset.raw().map(|c| big(c) * c).into_iter().sum::<BigInt>();
        let expected = (root_ceil(&Fraction(square, big(1))) - half.x.to_bits()).max(big(0));
        assert_eq!(big(ball_answer.to_bits()), expected, "{offset:?} {half:?}");
        let normal = Normal::from_vector(source.any_vector(1 << 40)).unwrap_or(Normal::Z);
        let plane = Plane::from_point_normal(source.any_vector(1 << 56), normal).unwrap();
        let plane_answer = distance_point_shape_ceil(offset, &Shape::Plane(plane));
        let height: BigInt = dot(&normal_of(&plane), &big3(-offset - plane.point())) << 32;
        let expected = -(-height).div_floor(&big(plane.length_up_q32()));
        assert_eq!(big(plane_answer.to_bits()), expected.max(big(0)), "{offset:?} {plane:?}");
        assert!(overlap_sphere_plane(offset, plane_answer + Scalar::DELTA, &plane));
        assert!(plane_answer == 0 || !overlap_sphere_plane(offset, plane_answer - Scalar::DELTA, &plane));
        for (count, answer) in found.iter_mut().zip([box_answer, ball_answer, plane_answer]) {
            *count += i32::from(answer > 0);
        }
    }
    assert!(found.iter().all(|&count| count > 4_000), "{found:?}");
}

#[test]
fn mirrored_and_permuted_solids_are_as_far() {
    let mut source = Source::new(63);
    for case in 0..oracle::cases(1_000) {
        let (offset, obb) = obb_case(&mut source, case);
        let half = obb.half_extent();
        for symmetry in Symmetry::all() {
            let image_offset = symmetry.of(offset);
            assert_eq!(
                distance_point_obb_ceil(image_offset, &image(&symmetry, &obb)),
                distance_point_obb_ceil(offset, &obb)
            );
            assert_eq!(
                distance_point_shape_ceil(image_offset, &Shape::aabb(symmetry.of_extent(half))),
                distance_point_shape_ceil(offset, &Shape::aabb(half))
            );
        }
    }
}
