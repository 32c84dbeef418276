//! The two tables of pairs: each entry is the pair's own kernel, and the other order its mirror image.

use bitstep::{
    geom::{Normal, Plane, Vec3},
    num::Scalar,
    overlap::{
        overlap_aabb_aabb, overlap_aabb_capsule, overlap_aabb_obb, overlap_aabb_plane,
        overlap_capsule_capsule, overlap_obb_capsule, overlap_obb_obb, overlap_obb_plane,
        overlap_plane_capsule, overlap_shapes, overlap_sphere_aabb, overlap_sphere_capsule,
        overlap_sphere_obb, overlap_sphere_plane, overlap_sphere_sphere,
    },
    shape::{Capsule, Obb, Shape},
    sweep::{
        Hit, sweep_aabb_aabb, sweep_aabb_capsule, sweep_aabb_obb, sweep_aabb_plane, sweep_capsule_capsule,
        sweep_obb_capsule, sweep_obb_obb, sweep_obb_plane, sweep_plane_capsule, sweep_shapes,
        sweep_sphere_aabb, sweep_sphere_capsule, sweep_sphere_obb, sweep_sphere_plane, sweep_sphere_sphere,
    },
};

use crate::oracle::{ONE, Source};

/// Arguments for every pair.
struct Case {
    offset: Vec3,
    motion: Vec3,
    gap: Scalar,
    radius: Scalar,
    half: Vec3,
    obb: Obb,
    plane: Plane,
    rod: Capsule,
}

/// Every unordered pair once, with what its own kernels say.
fn pairs(case: &Case) -> Vec<([Shape; 2], Option<Hit>, bool)> {
    let Case { offset: w, motion: v, gap: g, radius: r, half: h, obb, plane, rod } = *case;
    let (o, p, c) = (&obb, &plane, &rod);
    let [ball, aabb, turned, ground, round] =
        [Shape::sphere(r), Shape::aabb(h), Shape::Obb(obb), Shape::Plane(plane), Shape::Capsule(rod)];
    vec![
        ([ball.clone(), ball.clone()], sweep_sphere_sphere(w, v, r + r, g), overlap_sphere_sphere(w, r + r)),
        ([ball.clone(), aabb.clone()], sweep_sphere_aabb(w, v, r, h, g), overlap_sphere_aabb(w, r, h)),
        ([ball.clone(), turned.clone()], sweep_sphere_obb(w, v, r, o, g), overlap_sphere_obb(w, r, o)),
        ([ball.clone(), ground.clone()], sweep_sphere_plane(w, v, r, p, g), overlap_sphere_plane(w, r, p)),
        ([aabb.clone(), aabb.clone()], sweep_aabb_aabb(w, v, h + h, g), overlap_aabb_aabb(w, h + h)),
        ([aabb.clone(), turned.clone()], sweep_aabb_obb(w, v, h, o, g), overlap_aabb_obb(w, h, o)),
        ([aabb.clone(), ground.clone()], sweep_aabb_plane(w, v, h, p, g), overlap_aabb_plane(w, h, p)),
        ([turned.clone(), turned.clone()], sweep_obb_obb(w, v, o, o, g), overlap_obb_obb(w, o, o)),
        ([turned.clone(), ground.clone()], sweep_obb_plane(w, v, o, p, g), overlap_obb_plane(w, o, p)),
        ([ground.clone(), ground.clone()], None, false),
        ([ball, round.clone()], sweep_sphere_capsule(w, v, r, c, g), overlap_sphere_capsule(w, r, c)),
        ([aabb, round.clone()], sweep_aabb_capsule(w, v, h, c, g), overlap_aabb_capsule(w, h, c)),
        ([turned, round.clone()], sweep_obb_capsule(w, v, o, c, g), overlap_obb_capsule(w, o, c)),
        ([ground, round.clone()], sweep_plane_capsule(w, v, p, c, g), overlap_plane_capsule(w, p, c)),
        ([round.clone(), round], sweep_capsule_capsule(w, v, c, c, g), overlap_capsule_capsule(w, c, c)),
    ]
}

fn case(source: &mut Source) -> Case {
    let half = Vec3::from_raw([(); 3].map(|()| source.between(ONE / 8, 2 * ONE)));
    let turn = [(); 4].map(|()| Scalar::from_bits(source.between(1, ONE)));
    let rotation = bitstep::geom::Rotation::from_quaternion(turn[0], turn[1], turn[2], turn[3]).unwrap();
    let normal = Normal::new(source.between(-99, 99) as i32, 7, source.between(-99, 99) as i32);
    Case {
        offset: source.vector(4 * ONE),
        motion: source.vector(8 * ONE),
        gap: Scalar::from_bits(source.between(0, ONE / 8)),
        radius: Scalar::from_bits(source.between(ONE / 8, 2 * ONE)),
        half,
        obb: Obb::new(half, rotation),
        plane: Plane::from_point_normal(source.vector(ONE), normal).unwrap(),
        rod: Capsule::new(source.vector(2 * ONE), Scalar::from_bits(source.between(ONE / 8, ONE))),
    }
}

#[test]
fn every_entry_is_the_pairs_own_kernel_and_the_other_order_its_mirror_image() {
    let mut source = Source::new(11);
    let (mut hits, mut overlaps) = ([0; 15], [0; 15]);
    for _ in 0..500 {
        let case = case(&mut source);
        for (index, ([a, b], hit, is_overlap)) in pairs(&case).into_iter().enumerate() {
            let Case { offset, motion, gap, .. } = case;
            assert_eq!(sweep_shapes(&a, &b, offset, motion, gap), hit, "{a:?} {b:?}");
            assert_eq!(overlap_shapes(&a, &b, offset), is_overlap, "{a:?} {b:?}");
            let mirrored = hit.map(|hit| Hit { normal: -hit.normal, ..hit });
            assert_eq!(sweep_shapes(&b, &a, -offset, -motion, gap), mirrored, "{b:?} {a:?}");
            assert_eq!(overlap_shapes(&b, &a, -offset), is_overlap, "{b:?} {a:?}");
            hits[index] += u32::from(hit.is_some());
            overlaps[index] += u32::from(is_overlap);
        }
    }
    // All but the two planes, which are the tenth.
    let solid = |counts: &[u32; 15]| counts[..9].iter().chain(&counts[10..]).all(|&count| count > 20);
    assert!(solid(&hits) && solid(&overlaps), "{hits:?} {overlaps:?}");
}

/// Apart, within the gap or in each other: the tick does not ask about two that both stand still.
#[test]
fn resting_pairs_do_not_hit() {
    let mut source = Source::new(12);
    let (mut apart, mut within, mut overlaps) = (0, 0, 0);
    for _ in 0..2_000 {
        let case = Case { motion: Vec3::ZERO, ..case(&mut source) };
        for ([a, b], _, is_overlap) in pairs(&case) {
            let Case { offset, gap, .. } = case;
            assert_eq!(sweep_shapes(&a, &b, offset, Vec3::ZERO, gap), None, "{a:?} {b:?} {offset}");
            let nearer = overlap_shapes(&a, &b, offset - Vec3::from_raw(offset.raw().map(|c| c / 32)));
            overlaps += u32::from(is_overlap);
            within += u32::from(nearer && !is_overlap);
            apart += u32::from(!nearer);
        }
    }
    assert!(apart > 5_000 && within > 200 && overlaps > 5_000, "{apart} {within} {overlaps}");
}
