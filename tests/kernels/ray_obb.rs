//! Rays against oriented boxes.

use std::cmp::Ordering;

use bitstep::{
    geom::{Normal, Vec3},
    num::{Toi, lit},
    shape::Obb,
    sweep::{Hit, sweep_ray_aabb, sweep_ray_obb},
};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::{
    box_oracle::{Fraction, SIZE, big3, cross, dot, image},
    oracle::{self, Source, Symmetry, big},
};

fn toi(fraction: &str) -> Toi {
    Toi::from_raw(lit(fraction).to_bits() as u64).unwrap()
}

/// The points with |x| + |y| <= 2 and |z| <= 1: a box of edges 2 sqrt 2, turned by 45 degrees.
fn diamond() -> Obb {
    Obb { half_edges: [Vec3::lit("1", "1", "0"), Vec3::lit("-1", "1", "0"), Vec3::lit("0", "0", "1")] }
}

#[test]
fn rays_meet_oriented_boxes_as_worked_by_hand() {
    let hit = |from: Vec3, way| sweep_ray_obb(-from, way, &diamond());
    let direction = |hit: Hit| hit.normal.components().map(i32::signum);
    // Into the corner, where two faces meet: a quarter of the way; through a face: three eighths.
    let corner = hit(Vec3::lit("-4", "0", "0"), Vec3::lit("8", "0", "0")).unwrap();
    assert_eq!((corner.toi, direction(corner)), (toi("0.25"), [1, 0, 0]));
    let face = hit(Vec3::lit("-4", "1", "0"), Vec3::lit("8", "0", "0")).unwrap();
    assert_eq!((face.toi, direction(face)), (toi("0.375"), [1, -1, 0]));
    assert_eq!(face.normal.x, -face.normal.y);
    let top = hit(Vec3::lit("0.5", "-0.5", "3"), Vec3::lit("0", "0", "-4")).unwrap();
    assert_eq!((top.toi, direction(top)), (toi("0.5"), [0, 0, -1]));
    // Ends on the face, ends a raw before it, goes the other way, is behind it.
    assert_eq!(hit(Vec3::lit("-4", "1", "0"), Vec3::lit("3", "0", "0")).unwrap().toi, Toi::END);
    assert_eq!(hit(Vec3::lit("-4", "1", "0"), Vec3::lit("2.9999999998", "0", "0")), None);
    assert_eq!(hit(Vec3::lit("-4", "1", "0"), Vec3::lit("-8", "0", "0")), None);
    assert_eq!(hit(Vec3::lit("4", "1", "0"), Vec3::lit("8", "0", "0")), None);
    // Beside it; past an edge by a hair, over it by a hair; through the very edge.
    assert_eq!(hit(Vec3::lit("-4", "2.1", "0"), Vec3::lit("8", "0", "0")), None);
    assert_eq!(hit(Vec3::lit("-4", "2.0000000003", "0"), Vec3::lit("8", "0", "0")), None);
    assert!(hit(Vec3::lit("-4", "1.9999999997", "0"), Vec3::lit("8", "0", "0")).is_some());
    let edge = hit(Vec3::lit("-4", "2", "0"), Vec3::lit("8", "0", "0")).unwrap();
    assert_eq!((edge.toi, edge.normal.dot_wide(Vec3::lit("1", "0", "0")) > 0), (toi("0.5"), true));
    // Sliding along a face, and along an edge that is parallel to it.
    assert_eq!(hit(Vec3::lit("-3", "-1", "0"), Vec3::lit("4", "4", "0")).map(|hit| hit.toi), None);
    assert_eq!(hit(Vec3::lit("2", "0", "-3"), Vec3::lit("0", "0", "6")), None);
}

#[test]
fn rays_that_start_in_or_on_an_oriented_box() {
    for way in [Vec3::lit("1", "0", "0"), Vec3::lit("-0.1", "0.2", "9"), Vec3::lit("0", "0", "-1")] {
        let hit = sweep_ray_obb(Vec3::lit("0.5", "-0.5", "0"), way, &diamond());
        assert_eq!(hit, Some(Hit { toi: Toi::START, normal: Normal::from_vector(way).unwrap() }));
    }
    assert_eq!(sweep_ray_obb(Vec3::ZERO, Vec3::ZERO, &diamond()), None);
    assert_eq!(sweep_ray_obb(Vec3::lit("3", "0", "0"), Vec3::ZERO, &diamond()), None);
    // From the middle of a face: in, along, out.
    let face = Vec3::lit("1", "1", "0");
    let entering = sweep_ray_obb(face, Vec3::lit("0.25", "0", "0.5"), &diamond()).unwrap();
    assert_eq!((entering.toi, entering.normal.components().map(i32::signum)), (Toi::START, [1, 1, 0]));
    assert_eq!(sweep_ray_obb(face, Vec3::lit("1", "-1", "0"), &diamond()), None);
    assert_eq!(sweep_ray_obb(face, Vec3::lit("-1", "0", "0"), &diamond()), None);
}

/// Entry, exit and speed across each pair of faces, and the face normals that the ray goes into.
fn slabs(offset: Vec3, way: Vec3, obb: &Obb) -> [(BigInt, BigInt, BigInt, [BigInt; 3]); 3] {
    let edges = obb.half_edges.map(big3);
    let volume = dot(&edges[0], &cross(&edges[1], &edges[2])).abs();
    [0, 1, 2].map(|i: usize| {
        let mut face = cross(&edges[(i + 1) % 3], &edges[(i + 2) % 3]);
        if dot(&face, &big3(way)).is_negative() {
            face = face.map(|c| -c);
        }
        let center = dot(&face, &big3(offset));
        (&center - &volume, center + &volume, dot(&face, &big3(way)), face)
    })
}

/// What the exact slabs say: nothing, a start inside, or the instant and the faces entered.
enum Exact {
    Miss,
    Inside,
    Entry(BigInt, Vec<[BigInt; 3]>),
}

fn exact(offset: Vec3, way: Vec3, obb: &Obb) -> Exact {
    let slabs = slabs(offset, way, obb);
    let zero = big(0);
    let outside = |(enter, exit, speed, _): &(BigInt, BigInt, BigInt, _)| {
        *exit <= zero || (speed.is_zero() && *enter >= zero) || (!speed.is_zero() && enter > speed)
    };
    if slabs.iter().any(outside) {
        return Exact::Miss;
    }
    if slabs.iter().all(|(enter, ..)| enter.is_negative()) {
        return if way == Vec3::ZERO { Exact::Miss } else { Exact::Inside };
    }
    let moving: Vec<_> = slabs.iter().filter(|slab| !slab.2.is_zero()).collect();
    let entry = |slab: &(BigInt, BigInt, BigInt, _)| Fraction(slab.0.clone(), slab.2.clone());
    let latest =
        moving.iter().map(|s| entry(s)).reduce(|a, b| if b.compare(&a).is_gt() { b } else { a }).unwrap();
    if moving.iter().any(|s| Fraction(s.1.clone(), s.2.clone()).compare(&latest) == Ordering::Less) {
        return Exact::Miss;
    }
    let faces = moving.iter().filter(|s| entry(s).compare(&latest).is_eq()).map(|s| s.3.clone());
    Exact::Entry((&latest.0 << 32) / &latest.1, faces.collect())
}

fn case(source: &mut Source, case: u64) -> (Vec3, Vec3, Obb) {
    let obb = source.obb([256, 1 << 20, 1 << 36, SIZE][(case % 4) as usize]);
    let size = obb.bounding_radius().to_bits();
    let far = [size, 8 * size, 1 << 57][(case / 4 % 3) as usize].min(1 << 57);
    let offset = match case / 12 % 3 {
        0 => source.any_vector(far),
        1 => -source.spot(&obb, 1).0, // on the surface, or nearly
        _ => source.vector(size),
    };
    let way = match case / 36 % 4 {
        0 => source.any_vector(far),
        // Along an edge or a face; to a corner or a point of the surface, over it or short of it.
        1 => {
            let times = source.between(-4, 4);
            obb.half_edges[source.between(0, 2) as usize].map_raw(|c| c * times)
        }
        2 => offset + obb.half_edges[0] + obb.half_edges[1] - obb.half_edges[2],
        _ => {
            let (spot, _) = source.spot(&obb, 1);
            let times = i128::from(source.between(0, 4));
            (offset + spot).map_raw(|c| (i128::from(c) * times / 2).clamp(-(1 << 57), 1 << 57) as i64)
        }
    };
    let clamp = |vector: Vec3| vector.map_raw(|c| c.clamp(-(1 << 57), 1 << 57));
    (clamp(offset), clamp(way), obb)
}

#[test]
fn rays_meet_oriented_boxes_at_the_floor_of_the_exact_time() {
    let (mut source, mut hits, mut inside, mut ties, mut misses) = (Source::new(51), 0, 0, 0, 0);
    for number in 0..oracle::many_cases(60_000) {
        let (offset, way, obb) = case(&mut source, number);
        let answer = sweep_ray_obb(offset, way, &obb);
        let shown = format!("{offset:?} {way:?} {obb:?} {answer:?}");
        match exact(offset, way, &obb) {
            Exact::Miss => {
                assert_eq!(answer, None, "{shown}");
                misses += 1;
            }
            Exact::Inside => {
                let normal = Normal::from_vector(way).unwrap();
                assert_eq!(answer, Some(Hit { toi: Toi::START, normal }), "{shown}");
                inside += 1;
            }
            Exact::Entry(raw, faces) => {
                let Hit { toi, normal } = answer.unwrap_or_else(|| panic!("missed: {shown}"));
                assert_eq!(big(toi.raw()), raw, "{shown}");
                assert!(normal.is_valid() && normal.dot_wide(way) > 0, "{shown}");
                if faces.len() == 1 {
                    // Across the face to 30 bits: |n x f| is below 2^-28 of |n| |f|.
                    let n = normal.components().map(big);
                    let off = cross(&n, &faces[0]);
                    let lengths = dot(&n, &n) * dot(&faces[0], &faces[0]);
                    assert!(dot(&n, &faces[0]).is_positive(), "{shown}");
                    assert!(dot(&off, &off) << 56 <= lengths, "{shown}");
                }
                ties += u64::from(faces.len() > 1);
                hits += 1;
            }
        }
    }
    println!("{hits} {inside} {ties} {misses}");
    let least = [15_000, 5_000, 500, 10_000].map(oracle::many_cases);
    assert!([hits, inside, ties, misses].iter().zip(least).all(|(&count, least)| count > least));
}

#[test]
fn a_box_along_the_axes_is_one_either_way() {
    let (mut source, mut hits) = (Source::new(52), 0);
    for number in 0..oracle::cases(20_000) {
        let (offset, way, obb) = case(&mut source, number);
        let half = obb.half_extent();
        let (turned, straight) =
            (sweep_ray_obb(offset, way, &Obb::along_axes(half)), sweep_ray_aabb(offset, way, half));
        assert_eq!(turned.map(|hit| hit.toi), straight.map(|hit| hit.toi), "{offset:?} {way:?} {half:?}");
        if let (Some(turned), Some(straight)) = (turned, straight) {
            let signs = |hit: Hit| hit.normal.components().map(i32::signum);
            assert_eq!(signs(turned), signs(straight), "{offset:?} {way:?} {half:?}");
            hits += 1;
        }
    }
    assert!(hits > 5_000, "{hits}");
}

#[test]
fn mirrored_and_permuted_rays_hit_alike() {
    let (mut source, mut hits) = (Source::new(53), 0);
    for number in 0..oracle::cases(3_000) {
        let (offset, way, obb) = case(&mut source, number);
        let expected = sweep_ray_obb(offset, way, &obb);
        hits += usize::from(expected.is_some());
        for symmetry in Symmetry::all() {
            let answer = sweep_ray_obb(symmetry.of(offset), symmetry.of(way), &image(&symmetry, &obb));
            let turn = |hit: Hit| Hit { normal: symmetry.of_normal(hit.normal), ..hit };
            assert_eq!(answer, expected.map(turn), "{offset:?} {way:?} {obb:?} {symmetry:?}");
        }
    }
    assert!(hits > 1_000, "{hits}");
}
