//! The nearest point of any shape, and the distance of any two.

use bitstep::{
    geom::{Normal, Plane, Rotation, Vec3},
    num::{Scalar, Toi, lit},
    overlap::{closest_point_shape, distance_point_shape_ceil, distance_shapes_ceil, overlap_shapes},
    shape::{Capsule, Obb, Shape},
    sweep::{
        Span, span_shapes, sweep_ray_aabb, sweep_ray_capsule, sweep_ray_obb, sweep_ray_plane,
        sweep_ray_sphere, sweep_shapes,
    },
};

use crate::oracle::{self, ONE, Source, Symmetry};

/// A shape of any kind, up to a size.
fn shape(source: &mut Source, size: i64) -> Shape {
    let length = |source: &mut Source| Scalar::from_bits(source.between(64, size));
    match source.between(0, 4) {
        0 => Shape::sphere(length(source)),
        1 => Shape::aabb(Vec3::new(length(source), length(source), length(source))),
        2 => Shape::Obb(source.obb(size)),
        3 => {
            let [x, y, z] = [(); 3].map(|()| source.between(-(1 << 30), 1 << 30) as i32);
            Plane::from_point_normal(source.vector(size), Normal::new(x, y, z))
                .map_or(Shape::sphere(lit("1")), Shape::Plane)
        }
        _ => Shape::Capsule(Capsule::new(source.vector(size) + Vec3::from_raw([64, 0, 0]), length(source))),
    }
}

#[test]
fn nearest_points_worked_by_hand() {
    let ball = Shape::sphere(lit("5"));
    assert_eq!(closest_point_shape(Vec3::lit("0", "6", "8"), &ball), Vec3::lit("0", "3", "4"));
    assert_eq!(closest_point_shape(Vec3::lit("0", "3", "4"), &ball), Vec3::lit("0", "3", "4"));
    assert_eq!(closest_point_shape(Vec3::lit("1", "1", "-1"), &ball), Vec3::lit("1", "1", "-1"));
    assert_eq!(
        closest_point_shape(Vec3::lit("131072", "0", "0"), &Shape::sphere(lit("4096"))),
        Vec3::lit("4096", "0", "0")
    );
    let brick = Shape::aabb(Vec3::lit("1", "2", "3"));
    assert_eq!(closest_point_shape(Vec3::lit("4", "-6", "1"), &brick), Vec3::lit("1", "-2", "1"));
    let turned = Shape::Obb(Obb::new(
        Vec3::lit("2", "1", "1"),
        Rotation::from_quaternion(lit("1"), lit("0"), lit("0"), lit("1")).unwrap(),
    ));
    assert_eq!(closest_point_shape(Vec3::lit("3", "3", "0.5"), &turned), Vec3::lit("1", "2", "0.5"));
    let slope =
        Shape::Plane(Plane::from_point_normal(Vec3::lit("0", "1", "0"), Normal::new(3, 4, 0)).unwrap());
    // 5 above, along (3, 4, 0) / 5.
    assert_eq!(closest_point_shape(Vec3::lit("3", "5", "7"), &slope), Vec3::lit("0", "1", "7"));
    assert_eq!(closest_point_shape(Vec3::lit("-3", "-5", "7"), &slope), Vec3::lit("-3", "-5", "7"));
    let rod = Shape::capsule(Vec3::lit("0", "2", "0"), lit("1"));
    assert_eq!(closest_point_shape(Vec3::lit("3", "0.5", "4"), &rod), Vec3::lit("0.6", "0.5", "0.8"));
    assert_eq!(closest_point_shape(Vec3::lit("3", "-6", "0"), &rod), Vec3::lit("0.6", "-2.8", "0"));
    assert_eq!(closest_point_shape(Vec3::lit("0.25", "1", "0"), &rod), Vec3::lit("0.25", "1", "0"));
}

/// The point is on the shape, and as far from the other as the exact distance says, within the stated rounding.
#[test]
fn nearest_points_are_as_near_as_the_distance() {
    let (mut source, mut outside, mut inside) = (Source::new(81), 0, 0);
    for case in 0..oracle::cases(60_000) {
        let size = [1 << 12, ONE, 1 << 40, 1 << 44][(case % 4) as usize];
        let solid = shape(&mut source, size);
        let point = source.any_vector((8 * size).min(1 << 48));
        let found = closest_point_shape(point, &solid);
        let distance = distance_point_shape_ceil(-point, &solid).to_bits();
        // Rounding of the nearest point of an oriented box depends on its size, and edges lean by their rounding.
        let slack = if matches!(solid, Shape::Obb(_)) { 8 + (size >> 28) } else { 4 };
        let way = found - point;
        let length = way.length_squared_wide();
        let (low, high) = ((distance - slack).max(0) as u128, (distance + slack) as u128);
        assert!(low * low <= length && length <= high * high, "{solid:?} {point:?}: {found:?} {distance}");
        assert!(
            distance_point_shape_ceil(-found, &solid).to_bits() <= slack,
            "{solid:?} {point:?}: {found:?}"
        );
        if distance == 0 && !matches!(solid, Shape::Obb(_)) {
            assert_eq!(found, point, "{solid:?}");
        }
        outside += i32::from(distance > 0);
        inside += i32::from(distance == 0);
    }
    assert!(outside > 20_000 && inside > 2_000, "{outside} {inside}");
}

#[test]
fn mirrored_shapes_have_mirrored_nearest_points() {
    let (mut source, mut moved) = (Source::new(82), 0);
    for _ in 0..oracle::cases(4_000) {
        let (radius, along) =
            (Scalar::from_bits(source.between(1, ONE)), source.vector(ONE) + Vec3::from_raw([1, 0, 0]));
        let (half, point) = (source.vector(ONE).map_raw(|raw| raw.abs() + 1), source.any_vector(8 * ONE));
        for symmetry in Symmetry::all() {
            let images = [
                (Shape::sphere(radius), Shape::sphere(radius)),
                (Shape::aabb(half), Shape::aabb(symmetry.of(half).map_raw(i64::abs))),
                (Shape::capsule(along, radius), Shape::capsule(symmetry.of(along), radius)),
            ];
            for (solid, image) in images {
                let found = closest_point_shape(point, &solid);
                assert_eq!(closest_point_shape(symmetry.of(point), &image), symmetry.of(found), "{solid:?}");
                moved += i32::from(found != point);
            }
        }
    }
    assert!(moved > 100_000, "{moved}");
}

/// A pair's distance is that at which growing one of both by it makes them overlap, and by a raw less does not; of spheres and
/// capsules, which can be grown exactly.
#[test]
fn distances_are_those_at_which_grown_shapes_overlap() {
    let (mut source, mut apart, mut touching) = (Source::new(83), 0, 0);
    for case in 0..oracle::cases(40_000) {
        let size = [1 << 12, ONE, 1 << 40][(case % 3) as usize];
        let solid = shape(&mut source, size);
        let offset = source.any_vector(8 * size);
        let radius = Scalar::from_bits(source.between(1, size));
        let axis = source.vector(size) + Vec3::from_raw([64, 0, 0]);
        let make =
            |radius: Scalar| if case % 2 == 0 { Shape::sphere(radius) } else { Shape::capsule(axis, radius) };
        let found = distance_shapes_ceil(&make(radius), &solid, offset).unwrap();
        assert_eq!(distance_shapes_ceil(&solid, &make(radius), -offset), Some(found));
        let overlaps = |more: i64| overlap_shapes(&make(radius + Scalar::from_bits(more)), &solid, offset);
        if found > 0 {
            // Overlap is of interiors, and the distance is rounded up: by as much they overlap or touch.
            assert!(overlaps(found.to_bits() + 1), "{solid:?} {offset:?} {radius} {axis:?}: {found}");
            assert!(!overlaps(found.to_bits() - 1), "{solid:?} {offset:?} {radius} {axis:?}: {found}");
            apart += 1;
        } else {
            assert!(overlaps(1), "{solid:?} {offset:?} {radius} {axis:?}");
            touching += 1;
        }
    }
    assert!(apart > 8_000 && touching > 8_000, "{apart} {touching}");
}

#[test]
fn distances_of_boxes_worked_by_hand() {
    let cube = Shape::aabb(Vec3::lit("1", "1", "1"));
    let turned = |shape: Shape| {
        if let Shape::Aabb { half } = shape { Shape::Obb(Obb::along_axes(half)) } else { shape }
    };
    for (a, b) in [
        (cube.clone(), cube.clone()),
        (cube.clone(), turned(cube.clone())),
        (turned(cube.clone()), cube.clone()),
        (turned(cube.clone()), turned(cube.clone())),
    ] {
        // The largest separation along an axis: not the distance of the edges.
        assert_eq!(distance_shapes_ceil(&a, &b, Vec3::lit("5", "-6", "0")), Some(lit("4")));
        assert_eq!(distance_shapes_ceil(&a, &b, Vec3::lit("2", "1", "0")), Some(lit("0")));
        assert_eq!(
            distance_shapes_ceil(&a, &b, Vec3::lit("2.0000000003", "1", "0")),
            Some(Scalar::from_bits(1))
        );
    }
    // A diamond |x| + |y| <= 2 beside a cube: along the diagonal (7 + 1 - 4) / sqrt 2 apart, along x 2.
    let diamond = Shape::Obb(Obb {
        half_edges: [Vec3::lit("1", "1", "0"), Vec3::lit("-1", "1", "0"), Vec3::lit("0", "0", "1")],
    });
    let found = distance_shapes_ceil(&cube, &diamond, Vec3::lit("5", "3", "0")).unwrap();
    assert_eq!(found.to_bits(), (8_u128 << 64).isqrt() as i64 + 1);
    let floor = Shape::Plane(Plane::from_point_normal(Vec3::ZERO, Normal::new(3, 4, 0)).unwrap());
    assert_eq!(distance_shapes_ceil(&floor, &floor, Vec3::lit("0", "9", "0")), None);
    // Up by (3, 4) times 2 is 10; the cube reaches 7 / 5.
    for solid in [cube.clone(), turned(cube)] {
        assert_eq!(distance_shapes_ceil(&floor, &solid, Vec3::lit("6", "8", "1")), Some(lit("8.6")));
        assert_eq!(distance_shapes_ceil(&solid, &floor, Vec3::lit("-6", "-8", "1")), Some(lit("8.6")));
    }
}

#[test]
fn distances_of_boxes_have_their_images() {
    let (mut source, mut apart) = (Source::new(84), 0);
    for _ in 0..oracle::cases(3_000) {
        let (p, q) = (source.obb(ONE), source.obb(ONE));
        let offset = source.vector(4 * ONE);
        let found = distance_shapes_ceil(&Shape::Obb(p), &Shape::Obb(q), offset).unwrap();
        assert!(found > 0 || overlap_shapes(&Shape::Obb(p), &Shape::Obb(q), offset));
        let image = |obb: Obb, symmetry: &Symmetry| {
            Shape::Obb(Obb { half_edges: obb.half_edges.map(|edge| symmetry.of(edge)) })
        };
        for symmetry in Symmetry::all() {
            let of_image =
                distance_shapes_ceil(&image(p, &symmetry), &image(q, &symmetry), symmetry.of(offset));
            assert_eq!(of_image, Some(found));
        }
        // Along the way from one to the other by the distance they meet, up to the rounding of the fifteen axes.
        apart += i32::from(found > 0);
    }
    assert!(apart > 1_000, "{apart}");
}

// ---------------------------------------------------------------- spans

fn span(a: &Shape, b: &Shape, [x, speed]: [&str; 2], gap: &str) -> Option<[u64; 2]> {
    let along = |length: &str| Vec3::new(length.parse().unwrap(), lit("0"), lit("0"));
    let found = span_shapes(a, b, along(x), along(speed), gap.parse().unwrap())?;
    let swapped = span_shapes(b, a, -along(x), -along(speed), gap.parse().unwrap());
    assert_eq!(swapped, Some(found));
    Some([found.first.raw() << 4 >> 32, found.last.raw() << 4 >> 32])
}

#[test]
fn spans_worked_by_hand() {
    let (ball, cube) = (Shape::sphere(lit("1")), Shape::aabb(Vec3::splat(lit("1"))));
    let rod = Shape::capsule(Vec3::lit("0", "3", "-2"), lit("1"));
    let wall = Shape::Plane(Plane::from_point_normal(Vec3::ZERO, Normal::X).unwrap());
    for (a, b) in [(&ball, &ball), (&ball, &cube), (&cube, &cube), (&rod, &rod), (&ball, &rod), (&cube, &rod)]
    {
        // B comes from 9 to -7 in sixteen parts: with a gap of 1 they are near from 3 to -3.
        assert_eq!(span(a, b, ["9", "-16"], "1"), Some([6, 12]), "{a:?} {b:?}");
        assert_eq!(span(a, b, ["2", "-16"], "1"), Some([0, 5]), "{a:?} {b:?}");
        assert_eq!(span(a, b, ["9", "16"], "1"), None, "{a:?} {b:?}");
    }
    assert_eq!(span(&ball, &wall, ["-9", "16"], "1"), Some([7, 16]));
    assert_eq!(span(&wall, &wall, ["-9", "16"], "1"), None);
}

/// At instants all over the tick: inside where they overlap, outside where they are farther apart than the rounding.
#[test]
fn a_span_holds_every_instant_of_contact() {
    let (mut source, mut near, mut far) = (Source::new(85), 0, 0);
    for case in 0..oracle::cases(8_000) {
        let (a, b) = (shape(&mut source, 2 * ONE), shape(&mut source, 2 * ONE));
        let (offset, motion) = (source.vector(4 * ONE), source.vector(ONE << (1 + case % 4)));
        let found = span_shapes(&a, &b, offset, motion, Scalar::ZERO);
        let slack = Scalar::from_bits(64 + 64 * 16);
        for step in 0..=16_u64 {
            let toi = Toi::from_raw(step << 28).unwrap();
            let place = offset + motion.map_raw(|raw| toi.of_nearest(raw));
            let is_inside = found.is_some_and(|span: Span| span.contains(toi));
            if overlap_shapes(&a, &b, place) {
                near += 1;
                assert!(is_inside, "{a:?} {b:?} {offset} {motion} at {toi}: {found:?}");
            }
            if distance_shapes_ceil(&a, &b, place).is_some_and(|distance| distance > slack) {
                far += 1;
                assert!(!is_inside, "{a:?} {b:?} {offset} {motion} at {toi}: {found:?}");
            }
        }
    }
    assert!(near > 20_000 && far > 40_000, "{near} {far}");
}

// ---------------------------------------------------------------- points

/// A sphere of radius zero is a point, its motion a segment: it meets what a ray meets, at the same instant within the
/// rounding of the sweep.
#[test]
fn spheres_of_radius_zero_meet_what_rays_meet() {
    let (mut source, mut hits, mut misses) = (Source::new(86), 0, 0);
    for case in 0..oracle::cases(20_000) {
        let solid = shape(&mut source, [1 << 20, ONE, 1 << 38][(case % 3) as usize]);
        let size = [1 << 20, ONE, 1 << 38][(case % 3) as usize];
        let offset = source.vector(4 * size);
        let way = if case % 2 == 0 { source.vector(8 * size) } else { -offset.map_raw(|raw| 2 * raw) };
        let point = Shape::sphere(Scalar::ZERO);
        if distance_shapes_ceil(&point, &solid, offset).is_some_and(|distance| distance <= 64) {
            continue; // a start in contact is another question
        }
        let swept = sweep_shapes(&point, &solid, offset, way, Scalar::ZERO);
        // The point goes along -way, seen from the solid.
        let ray = match &solid {
            Shape::Sphere { radius } => sweep_ray_sphere(offset, -way, *radius),
            Shape::Aabb { half } => sweep_ray_aabb(offset, -way, *half),
            Shape::Obb(obb) => sweep_ray_obb(offset, -way, obb),
            Shape::Plane(plane) => sweep_ray_plane(offset, -way, plane),
            Shape::Capsule(capsule) => sweep_ray_capsule(offset, -way, capsule),
            _ => unreachable!("no hull or mesh is drawn"),
        };
        let speed = way.raw().into_iter().map(|c| u128::from(c.unsigned_abs())).max().unwrap().max(1);
        let place = |toi: Toi| offset + way.map_raw(|raw| toi.of_nearest(raw));
        // Early by at most this much of a distance; only a graze tells them apart.
        let slack = Scalar::from_bits((64 + 64 * (speed >> 32)) as i64 + (size >> 26));
        let is_near =
            |toi: Toi| distance_shapes_ceil(&point, &solid, place(toi)).is_some_and(|gap| gap <= slack);
        match (swept, ray) {
            (Some(a), Some(b)) => {
                assert!(is_near(a.toi) && is_near(b.toi), "{solid:?} {offset} {way}: {a:?} {b:?}");
                hits += 1;
            }
            (None, None) => misses += 1,
            (Some(hit), None) | (None, Some(hit)) => {
                assert!(is_near(hit.toi), "{solid:?} {offset} {way}: {hit:?}")
            }
        }
    }
    assert!(hits > 2_000 && misses > 2_000, "{hits} {misses}");
}
