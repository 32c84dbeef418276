//! Two convex solids of any corners: overlap, distance, sweep.

use std::cmp::Ordering;

use bitstep::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi},
    overlap::{
        distance_convex_convex_ceil, distance_shapes_ceil, overlap_convex_convex, overlap_convex_plane,
        overlap_shapes,
    },
    shape::{Convex, Shape},
    sweep::{Hit, sweep_convex_convex, sweep_convex_plane, sweep_ray_convex, sweep_shapes},
};
use num_bigint::BigInt;

use crate::{
    box_oracle::{Big3, fine, fine_at},
    convex_oracle::{bigs, directions, distance_squared, first_touch, overlap, raw, root_ceil},
    oracle::{ONE, Source, Symmetry, big, many_cases},
};

fn solid(corners: &[Vec3], radius: Scalar) -> Convex<'_> {
    Convex::new(corners, radius).expect("corners")
}

#[test]
fn overlap_equals_all_directions() {
    let mut source = Source::new(71);
    let (mut yes, mut touching) = (0, 0);
    let count = many_cases(40_000);
    for case in 0..count {
        let size = [3, 16, 1 << 10, 1 << 18][(case % 4) as usize];
        let (a, b) = (source.corners(6, size), source.corners(6, size));
        let offset = source.vector(size + size / 3);
        let directions: Vec<[i128; 3]> = directions(&a, &b);
        let expected = overlap(offset, &a, &b, &directions);
        // The same at any scale.
        let shift = source.between(0, 24) as u32;
        let scaled = |corners: &[Vec3]| -> Vec<Vec3> {
            corners.iter().map(|corner| corner.map_raw(|part| part << shift)).collect()
        };
        let (large_a, large_b) = (scaled(&a), scaled(&b));
        let (solid_a, solid_b) = (solid(&large_a, Scalar::ZERO), solid(&large_b, Scalar::ZERO));
        let offset = offset.map_raw(|part| part << shift);
        assert_eq!(
            overlap_convex_convex(offset, &solid_a, &solid_b),
            expected,
            "case {case}: {offset:?} {large_a:?} {large_b:?}"
        );
        assert_eq!(overlap_convex_convex(-offset, &solid_b, &solid_a), expected, "case {case} exchanged");
        let distance = distance_convex_convex_ceil(offset, &solid_a, &solid_b);
        assert!(!expected || distance == 0, "case {case}");
        yes += u64::from(expected);
        touching += u64::from(!expected && distance == 0);
    }
    println!("{count} pairs: {yes} overlap, {touching} touch");
    assert!(yes > count / 5 && yes < count * 4 / 5 && touching > count / 200, "{yes} {touching} of {count}");
}

#[test]
fn distance_equals_all_features() {
    let mut source = Source::new(72);
    let mut apart = 0;
    let count = many_cases(1_000);
    for case in 0..count {
        let size = [3, 1 << 10, 1 << 30, 1 << 44][(case % 4) as usize];
        let (a, b) = (source.corners(6, size), source.placed_hull(size.max(1 << 12)));
        let away = [2, 4, 1 << 13][(case / 4 % 3) as usize];
        let offset = source.vector(size * away);
        let radii = [source.between(0, size), 0];
        let (solid_a, solid_b) = (solid(&a, raw(radii[0])), solid(&b, raw(radii[1])));
        let found = distance_convex_convex_ceil(offset, &solid_a, &solid_b);
        let overlaps = overlap_convex_convex(offset, &solid_a, &solid_b);
        let hulls: Vec<[BigInt; 3]> = directions(&a, &b);
        if overlap(offset, &a, &b, &hulls) {
            assert!(found == 0 && overlaps, "case {case}");
            continue;
        }
        apart += 1;
        let exact = distance_squared(&offset.raw().map(big), &bigs(&a), &bigs(&b));
        let expected = (root_ceil(&exact) - radii[0]).max(big(0));
        assert_eq!(big(found.to_bits()), expected, "case {case}: {offset:?} {a:?} {b:?}");
        let nearer = exact.against(&(big(radii[0]) * radii[0])) == Ordering::Less;
        assert_eq!(overlaps, nearer, "case {case}: {offset:?} {radii:?} {a:?} {b:?}");
    }
    assert!(apart > count / 4, "{apart} of {count}");
}

/// Any shape but a half-space.
fn shape(source: &mut Source, size: i64) -> Shape {
    match source.between(0, 3) {
        0 => Shape::sphere(raw(source.between(1, size))),
        1 => Shape::aabb(source.vector(size).map_raw(|part| part.abs() + 1)),
        2 => Shape::Obb(source.obb(size)),
        _ => {
            Shape::capsule(source.any_vector(size) + Vec3::from_raw([1, 0, 0]), raw(source.between(1, size)))
        }
    }
}

/// Of balls and boxes the kernels have other formulas; those of capsules are the same walk, and have oracles of their own in `capsules.rs`.
#[test]
fn shapes_as_corners_overlap_as_their_kernels_say() {
    let mut source = Source::new(73);
    let mut yes = 0;
    let count = many_cases(20_000);
    for case in 0..count {
        let size = [256, 1 << 20, 1 << 34, 1 << 43][(case % 4) as usize];
        let (p, q) = (shape(&mut source, size), shape(&mut source, size));
        let offset = source.any_vector(2 * size);
        let (mut room_p, mut room_q) = ([Vec3::ZERO; 8], [Vec3::ZERO; 8]);
        let a = p.as_convex(&mut room_p).expect("bounded");
        let b = q.as_convex(&mut room_q).expect("bounded");
        let expected = overlap_shapes(&p, &q, offset);
        assert_eq!(overlap_convex_convex(offset, &a, &b), expected, "case {case}: {offset:?} {p:?} {q:?}");
        let has_boxes = a.radius() == 0 && b.radius() == 0;
        if !has_boxes {
            let expected = distance_shapes_ceil(&p, &q, offset).expect("bounded");
            let found = distance_convex_convex_ceil(offset, &a, &b);
            assert_eq!(found, expected, "case {case}: {offset:?} {p:?} {q:?}");
        }
        yes += u64::from(expected);
    }
    assert!(yes > count / 5 && yes < count * 4 / 5, "{yes} of {count}");
}

#[test]
fn shapes_as_corners_meet_planes_as_their_kernels_say() {
    let mut source = Source::new(77);
    let (mut yes, mut hits) = (0, 0);
    let count = many_cases(20_000);
    for case in 0..count {
        let size = [256, 1 << 20, 1 << 34, 1 << 43][(case % 4) as usize];
        let shape = shape(&mut source, size);
        let Some(plane) = Shape::plane(source.any_vector(size)) else { continue };
        let Shape::Plane(half_space) = plane else { panic!("a plane") };
        let (offset, motion) = (source.any_vector(2 * size), source.any_vector(4 * size));
        let gap = raw(source.between(0, size / 64));
        let mut room = [Vec3::ZERO; 8];
        let solid = shape.as_convex(&mut room).expect("bounded");
        let overlaps = overlap_convex_plane(offset, &solid, &half_space);
        assert_eq!(
            overlaps,
            overlap_shapes(&shape, &plane, offset),
            "case {case}: {offset:?} {shape:?} {plane:?}"
        );
        let hit = sweep_convex_plane(offset, motion, &solid, &half_space, gap);
        assert_eq!(
            hit,
            sweep_shapes(&shape, &plane, offset, motion, gap),
            "case {case}: {offset:?} {motion:?} {shape:?}"
        );
        (yes, hits) = (yes + u64::from(overlaps), hits + u64::from(hit.is_some()));
    }
    assert!(yes > count / 5 && hits > count / 5, "{yes} {hits} of {count}");
}

#[test]
fn tables_by_hand() {
    // Two tetrahedra, one upside down: corner above face, edge across edge, face on face, and the same corner.
    let v = Vec3::lit;
    let up = [v("-2", "-1", "-2"), v("2", "-1", "-2"), v("0", "-1", "2"), v("0", "3", "0")];
    let down = up.map(|corner| -corner);
    let (a, b) = (solid(&up, Scalar::ZERO), solid(&down, Scalar::ZERO));
    let table = [
        (v("0", "6", "0"), "0"),  // tip on tip
        (v("0", "8", "0"), "2"),  // tips apart
        (v("0", "-2", "0"), "0"), // face on face
        (v("0", "-2.5", "0"), "0.5"),
        (v("1", "-7", "-1"), "5"), // still faces, beside each other by less than their size
    ];
    for (offset, distance) in table {
        assert_eq!(distance_convex_convex_ceil(offset, &a, &b).to_string(), distance, "{offset}");
        assert!(!overlap_convex_convex(offset, &a, &b), "{offset}");
    }
    let raw_up = Vec3::from_raw([0, 1, 0]);
    assert!(
        overlap_convex_convex(v("0", "6", "0") - raw_up, &a, &b)
            && overlap_convex_convex(v("0", "-2", "0") + raw_up, &a, &b)
    );
    assert!(overlap_convex_convex(Vec3::ZERO, &a, &b), "at the same place");
    let sweep = |offset, motion, gap| {
        sweep_convex_convex(offset, motion, &a, &b, gap)
            .map(|hit| (hit.toi.raw() >> 22, hit.normal.components().map(i32::signum)))
    };
    let fall = v("0", "-4", "0");
    assert_eq!(sweep(v("0", "8", "0"), fall, Scalar::ZERO), Some((512, [0, 1, 0])), "tip to tip, halfway");
    assert_eq!(sweep(v("0", "8", "0"), fall, Scalar::ONE), Some((256, [0, 1, 0])), "a unit before");
    assert_eq!(sweep(v("0", "-5", "0"), -fall, Scalar::ZERO), Some((768, [0, -1, 0])), "face to face");
    assert_eq!(sweep(v("0", "8", "0"), -fall, Scalar::ZERO), None, "apart and leaving");
    assert_eq!(sweep(v("0", "10.5", "0"), fall, Scalar::ZERO), None, "half a unit short");
    assert_eq!(
        sweep(v("0", "10", "0"), fall, Scalar::ZERO),
        Some((1024, [0, 1, 0])),
        "at the end of the tick"
    );
    assert_eq!(sweep(v("0", "-2", "0"), v("4", "0", "0"), Scalar::ZERO), None, "slides on a face");
    assert_eq!(
        sweep(v("0", "1", "0"), fall, Scalar::ZERO),
        Some((0, [0, 1, 0])),
        "in each other, and deeper"
    );
    assert_eq!(sweep(v("0", "1", "0"), -fall, Scalar::ZERO), None, "in each other, and out");
    assert_eq!((Convex::new(&[], Scalar::ONE), Convex::new(&up, -Scalar::DELTA)), (None, None));
    let far = [Vec3::from_raw([i64::MIN; 3]), Vec3::ZERO];
    assert_eq!(
        solid(&far, Scalar::ZERO).half_extent(),
        Vec3::splat(Scalar::MAX),
        "whatever they are, nothing overflows"
    );
}

/// What a sweep may leave of the gap, in 2^-32 raw: 8 raw times the speed, and 2^-28 of the sizes.
fn loose(motion: Vec3, sizes: i64) -> BigInt {
    let speed = motion.length_squared_wide().isqrt() as i64;
    (big(8) * speed.max(ONE)) + (big(sizes) << 4)
}

/// An offset, and a motion toward a place near the other solid: to its middle, past it, far past, or slow.
fn course(source: &mut Source, size: i64) -> (Vec3, Vec3) {
    let distance = source.between(size, 4 * size);
    let from = source.on_sphere(distance);
    let miss = source.vector(size);
    let times = source.between(1, 64);
    let motion = (miss - from).map_raw(|part| (i128::from(part) * i128::from(times) / 32) as i64);
    (from, motion)
}

#[test]
fn a_sweep_is_never_late_and_misses_nothing() {
    let mut source = Source::new(74);
    let (mut hits, mut misses) = (0, 0);
    let count = many_cases(40_000);
    for case in 0..count {
        let size = [3, 16, 1 << 10, 1 << 17][(case % 4) as usize];
        let (a, b) = (source.corners(6, size), source.corners(6, size));
        let (offset, motion) = course(&mut source, size);
        let directions: Vec<[i128; 3]> = directions(&a, &b);
        if overlap(offset, &a, &b, &directions) {
            continue;
        }
        let expected = first_touch((offset, motion), &a, &b, &directions);
        let shift = source.between(8, 24) as u32;
        let up = |part: i64| part << shift;
        let scaled =
            |corners: &[Vec3]| -> Vec<Vec3> { corners.iter().map(|corner| corner.map_raw(up)).collect() };
        let (a, b) = (scaled(&a), scaled(&b));
        let (a, b) = (solid(&a, Scalar::ZERO), solid(&b, Scalar::ZERO));
        let found = sweep_convex_convex(offset.map_raw(up), motion.map_raw(up), &a, &b, Scalar::ZERO);
        let Some((start, speed)) = expected else {
            misses += 1;
            continue; // a graze may be a hit
        };
        hits += 1;
        let hit = found.unwrap_or_else(|| panic!("case {case} misses: {offset:?} {motion:?} {a:?} {b:?}"));
        let toi = i128::from(hit.toi.raw());
        assert!(toi * speed <= start << 32, "case {case} is late: {offset:?} {motion:?} {a:?} {b:?}");
        assert!(hit.normal.dot_wide(motion) < 0, "case {case} does not approach");
    }
    println!("{count} pairs: {hits} hit, {misses} miss");
    assert!(hits > count / 3 && misses > count / 20, "{hits} {misses} of {count}");
}

#[test]
fn a_ray_is_a_point_on_its_way_and_starts_where_it_is() {
    let mut source = Source::new(78);
    let (mut hits, mut within, mut misses) = (0, 0, 0);
    let count = many_cases(20_000);
    for case in 0..count {
        let size = [3, 16, 1 << 10, 1 << 17][(case % 4) as usize];
        let (point, corners) = ([Vec3::ZERO], source.corners(8, size));
        let (offset, motion) = course(&mut source, size);
        let offset = if case % 8 == 7 { offset.map_raw(|part| part / 8) } else { offset };
        let directions: Vec<[i128; 3]> = directions(&point, &corners);
        let up = |part: i64| part << 16;
        let (long, way) = (offset.map_raw(up), motion.map_raw(up));
        let scaled: Vec<Vec3> = corners.iter().map(|corner| corner.map_raw(up)).collect();
        let found = sweep_ray_convex(long, -way, &solid(&scaled, Scalar::ZERO));
        if overlap(offset, &point, &corners, &directions) {
            within += 1;
            let along = Normal::from_vector(-way).map(|normal| Hit { toi: Toi::START, normal });
            assert_eq!(found, along, "case {case}");
            continue;
        }
        let Some((start, speed)) = first_touch((offset, motion), &point, &corners, &directions) else {
            misses += 1;
            continue; // a graze may be a hit
        };
        hits += 1;
        let hit = found.unwrap_or_else(|| panic!("case {case} misses: {offset:?} {motion:?} {corners:?}"));
        assert!(i128::from(hit.toi.raw()) * speed <= start << 32, "case {case} is late");
    }
    println!("{count} rays: {hits} hit, {within} start within, {misses} miss");
    assert!(hits > count / 4 && within > count / 50 && misses > count / 20, "{hits} {within} {misses}");
}

/// A square prism and a rod half a mile long in one plane, one deep in the other: no direction found may leave the plane.
#[test]
fn solids_of_a_flat_world_meet_in_its_plane() {
    let mut source = Source::new(79);
    let (mut hits, count) = (0, many_cases(2_000));
    for case in 0..count {
        let half = if case == 0 { 4_352_416 } else { source.between(1 << 12, 1 << 26) };
        let prism = [1_i64, -1]
            .map(|x| [1, -1].map(|y| [1, -1].map(|z| Vec3::from_raw([x * half, y * half, z * half]))));
        let prism = prism.as_flattened().as_flattened();
        let (mut axis, mut way) = (
            Vec3::lit("-2804.0863048711", "-2333.3287167242", "0"),
            Vec3::from_raw([16_397_766, 32_467_378, 0]),
        );
        let mut motion = Vec3::lit("-0.0000362277", "0.0000441654", "0");
        if case > 0 {
            (axis, way, motion) = (source.vector(1 << 43), source.vector(1 << 26), source.vector(1 << 18));
        }
        let flat = |vector: Vec3| Vec3 { z: Scalar::ZERO, ..vector };
        let ends = [flat(axis), -flat(axis)];
        let (prism, rod) = (solid(prism, Scalar::ZERO), solid(&ends, raw(1 << 24)));
        for motion in [motion, -motion] {
            let Some(hit) = sweep_convex_convex(flat(way), flat(motion), &prism, &rod, Scalar::ZERO) else {
                continue;
            };
            hits += 1;
            assert_eq!(hit.normal.components()[2], 0, "case {case}: {hit:?}");
        }
    }
    assert!(hits > count / 8, "{hits} of {count}");
}

#[test]
fn farthest_corners_are_so_for_any_normal_and_size() {
    let mut source = Source::new(80);
    for case in 0..many_cases(2_000) {
        let size = [1 << 12, 1 << 33, (1 << 44) - 1][(case % 3) as usize];
        let corners: Vec<Vec3> = (0..12).map(|_| source.vector(size)).collect();
        let parts = [0; 3].map(|_: i32| {
            [i32::MAX, -i32::MAX, source.between(-1 << 30, 1 << 30) as i32][source.between(0, 2) as usize]
        });
        let normal = Normal::new(parts[0], parts[1], parts[2]);
        let along = |corner: &Vec3| normal.dot_wide(*corner);
        let most = corners.iter().map(along).max().expect("corners");
        assert_eq!(along(&solid(&corners, Scalar::ZERO).farthest(normal)), most, "case {case}");
    }
}

#[test]
fn a_sweep_stops_at_the_gap() {
    let mut source = Source::new(75);
    let (mut hits, mut misses, mut worst) = (0, 0, big(0));
    let count = many_cases(1_000);
    for case in 0..count {
        let size = [1 << 12, 1 << 20, 1 << 33, 1 << 41][(case % 4) as usize];
        let (a, b) = (source.corners(6, size), source.placed_hull(size));
        let (offset, motion) = course(&mut source, size);
        let (radius, gap) = (source.between(0, size / 2), source.between(0, size / 64));
        let radius = if case % 3 == 0 { 0 } else { radius };
        let (solid_a, solid_b) = (solid(&a, raw(radius)), solid(&b, Scalar::ZERO));
        let found = sweep_convex_convex(offset, motion, &solid_a, &solid_b, raw(gap));
        if distance_convex_convex_ceil(offset, &solid_a, &solid_b) <= raw(gap) {
            assert!(found.is_none_or(|hit| hit.toi == Toi::START), "case {case}");
            continue;
        }
        let Some(hit) = found else {
            misses += 1;
            // All places of the course are one solid: it never comes within the gap.
            let swept: Vec<Vec3> = b.iter().flat_map(|&corner| [corner, corner + motion]).collect();
            let meets =
                overlap_convex_convex(offset, &solid(&a, raw(radius + gap)), &solid(&swept, Scalar::ZERO));
            assert!(!meets, "case {case} misses: {offset:?} {motion:?} {radius} {gap} {a:?} {b:?}");
            continue;
        };
        hits += 1;
        let fine = |corners: &[Vec3]| -> Vec<Big3> { corners.iter().copied().map(fine).collect() };
        let square = distance_squared(&fine_at(offset, motion, hit.toi), &fine(&a), &fine(&b));
        let reach = big(radius + gap) << 32;
        assert!(square.against(&(&reach * &reach)).is_ge(), "case {case} is late");
        let left = square.sqrt_floor() - &reach;
        let bound = loose(motion, 4 * size + radius + gap);
        assert!(
            left <= bound,
            "case {case}: {left} of {bound}: {offset:?} {motion:?} {radius} {gap} {a:?} {b:?}"
        );
        worst = worst.max((left << 10) / bound);
    }
    println!("{hits} sweeps within the bound, at most {worst} / 1024 of it");
    assert!(hits > count / 5 && misses > count / 10 && worst > big(0), "{hits} {misses} of {count}, {worst}");
}

#[test]
fn images_of_a_pair_have_the_image_of_the_answer() {
    let mut source = Source::new(76);
    for case in 0..many_cases(1_000) {
        let size = [1 << 12, 1 << 33][(case % 2) as usize];
        let (a, b) = (source.corners(8, size), source.corners(8, size));
        let (offset, motion) = course(&mut source, size);
        let gap = raw(source.between(0, size / 64));
        let sweep = |symmetry: &Symmetry| {
            let image = |corners: &[Vec3]| -> Vec<Vec3> {
                corners.iter().map(|&corner| symmetry.of(corner)).collect()
            };
            let (a, b) = (image(&a), image(&b));
            let (a, b) = (solid(&a, Scalar::ZERO), solid(&b, Scalar::ZERO));
            sweep_convex_convex(symmetry.of(offset), symmetry.of(motion), &a, &b, gap)
        };
        let (solid_a, solid_b) = (solid(&a, Scalar::ZERO), solid(&b, Scalar::ZERO));
        let hit = sweep_convex_convex(offset, motion, &solid_a, &solid_b, gap);
        for symmetry in Symmetry::all() {
            let image = hit.map(|hit| Hit { normal: symmetry.of_normal(hit.normal), ..hit });
            assert_eq!(sweep(&symmetry), image, "case {case}");
        }
        let exchanged = hit.map(|hit| Hit { normal: -hit.normal, ..hit });
        assert_eq!(sweep_convex_convex(-offset, -motion, &solid_b, &solid_a, gap), exchanged, "case {case}");
    }
}
