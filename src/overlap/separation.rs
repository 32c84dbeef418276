//! A plane between two shapes: the direction that keeps them apart, and their extents along it.

use super::{
    closest_point_aabb,
    facet::{reach_of_facet, separation_facet},
    reach::{Separation, against_plane, extent, reach_of_plane},
    toward_capsule::{toward_segment, toward_segment_from_obb, toward_segment_from_segment},
    toward_convex::separating_normal_convex,
    toward_obb::toward_obb,
    widest::{Rank, Widest},
};
use crate::{
    geom::{Normal, Vec3},
    shape::{
        Obb as ObbShape,
        Shape::{self, Aabb, Capsule, Facet, Obb, Plane, Sphere},
    },
};

/// The plane between the closest points of two shapes that are apart.
pub(crate) fn separation_shapes(a: &Shape, b: &Shape, offset: Vec3) -> Option<Separation> {
    match (a, b) {
        (Facet(facet), _) => separation_facet(facet, b, offset),
        (_, Facet(facet)) => {
            let found = separation_facet(facet, a, -offset)?;
            Some(Separation { normal: -found.normal, ..found })
        }
        (Plane(plane), _) => against_plane(plane, b),
        (_, Plane(plane)) => {
            let found = against_plane(plane, a)?;
            Some(Separation { normal: -found.normal, ..found })
        }
        _ => {
            let normal = separating_normal(a, b, offset)?;
            Some(Separation { normal, reach: extent(a, normal)? + extent(b, -normal)? })
        }
    }
}

/// The direction from A to B in which two bounded shapes are farthest apart, of length 2^30 up to its
/// rounding.
pub(crate) fn separating_normal(a: &Shape, b: &Shape, offset: Vec3) -> Option<Normal> {
    let direction = match (a, b) {
        (Sphere { .. }, Sphere { .. }) => Normal::from_vector(offset),
        (Sphere { .. }, Aabb { half }) => Normal::from_vector(offset + closest_point_aabb(-offset, *half)),
        (Aabb { half }, Sphere { .. }) => Normal::from_vector(offset - closest_point_aabb(offset, *half)),
        (Sphere { .. }, Obb(obb)) => toward_obb(offset, obb),
        (Obb(obb), Sphere { .. }) => toward_obb(-offset, obb).map(|n| -n),
        (Aabb { half: p }, Aabb { half: q }) => {
            let mut widest = Widest::default();
            let reach = (*p + *q).raw();
            for (axis, normal) in [Normal::X, Normal::Y, Normal::Z].into_iter().enumerate() {
                widest.offer(normal, offset, reach[axis].into(), Rank::Face);
            }
            widest.normal()
        }
        (Obb(p), Obb(q)) => across_boxes(p, q, offset),
        (Obb(p), Aabb { half }) => across_boxes(p, &ObbShape::along_axes(*half), offset),
        (Aabb { half }, Obb(q)) => across_boxes(&ObbShape::along_axes(*half), q, offset),
        (Sphere { .. }, Capsule(q)) => toward_segment(offset, q.half_axis),
        (Aabb { half }, Capsule(q)) => {
            toward_segment_from_obb(offset, &ObbShape::along_axes(*half), q.half_axis)
        }
        (Obb(p), Capsule(q)) => toward_segment_from_obb(offset, p, q.half_axis),
        (Capsule(p), Capsule(q)) => toward_segment_from_segment(offset, p.half_axis, q.half_axis),
        (Capsule(_), Sphere { .. } | Aabb { .. } | Obb(_)) => {
            return separating_normal(b, a, -offset).map(|normal| -normal);
        }
        (Facet(_), _) | (_, Facet(_)) => return Some(separation_shapes(a, b, offset)?.normal),
        (Plane(_), _) | (_, Plane(_)) => None,
        _ => return Shape::both_as_convex(a, b, |a, b| separating_normal_convex(a, b, offset))?,
    }?;
    direction.unit_q30()
}

/// The axis that keeps two oriented boxes farthest apart, of the faces of both and all crossed edges.
fn across_boxes(a: &ObbShape, b: &ObbShape, offset: Vec3) -> Option<Normal> {
    let mut widest = Widest::default();
    let mut offer = |direction: [i128; 3], rank: Rank| {
        if let Some(normal) = Normal::from_wide(direction) {
            widest.offer(normal, offset, a.support_wide(normal) + b.support_wide(normal), rank);
        }
    };
    let faces = a.face_normals_wide().into_iter().chain(b.face_normals_wide());
    faces.for_each(|direction| offer(direction, Rank::Face));
    for edge in a.half_edges {
        b.half_edges.iter().for_each(|other| offer(edge.cross_wide(*other), Rank::Crossed));
    }
    widest.normal()
}

/// The extents of two shapes toward each other along a normal from A to B of length 2^30, times that length
/// and rounded up, as in [`Separation::reach`]; a plane's along its own normal, a facet's as `offset` has it.
pub(crate) fn reach_along(a: &Shape, b: &Shape, offset: Vec3, normal: Normal) -> Option<i128> {
    match (a, b) {
        (Facet(facet), _) => reach_of_facet(facet, b, offset, normal),
        (_, Facet(facet)) => reach_of_facet(facet, a, -offset, -normal),
        (Plane(plane), _) => reach_of_plane(plane, b, normal),
        (_, Plane(plane)) => reach_of_plane(plane, a, -normal),
        _ => Some(extent(a, normal)? + extent(b, -normal)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::{Plane as HalfSpace, Rotation},
        num::{Rng, Scalar, lit},
        overlap::{overlap_shapes, sample_hulls::hulls},
        shape::{Facet as FlatPart, Heights, Mesh},
    };

    fn shapes() -> Vec<Shape> {
        let half = Vec3::new(lit("0.75"), lit("0.25"), lit("1.5"));
        let turned = Rotation::from_quaternion(lit("0.9"), lit("0.3"), lit("-0.2"), lit("0.5")).unwrap();
        let slope = HalfSpace::from_point_normal(Vec3::splat(lit("0.125")), Normal::new(3, 4, -1)).unwrap();
        let (ball, speck) = (Shape::sphere(lit("0.5")), Shape::sphere(Scalar::DELTA));
        let (rod, needle) = (Shape::capsule(half, lit("0.375")), Shape::capsule(half, Scalar::DELTA));
        let others =
            vec![ball, speck, Shape::aabb(half), Shape::obb(half, turned), Plane(slope), rod, needle];
        others.into_iter().chain(hulls()).collect()
    }

    /// The gap that the plane leaves: B moved toward A by more than it may overlap A.
    fn gap(found: &Separation, offset: Vec3) -> i64 {
        ((found.normal.dot_wide(offset) - found.reach) >> Normal::BITS) as i64
    }

    #[test]
    fn a_plane_with_room_proves_that_shapes_are_apart() {
        let shapes = shapes();
        let (mut apart, mut close) = (0, 0);
        for case in 0..60_000_u64 {
            let mut draws = Rng::new(11).at(0, case, 0);
            let mut pick = || &shapes[draws.below(shapes.len() as u64) as usize];
            let (a, b) = (pick(), pick());
            if matches!((a, b), (Plane(_), Plane(_))) {
                continue;
            }
            let mut vector =
                |bits: u32| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << bits, 1 << bits)));
            let offset = vector(33) + vector(20);
            let Some(found) = separation_shapes(a, b, offset) else { continue };
            let length = i128::from(found.normal.length_up());
            assert!((length - (1 << 30)).abs() <= 2, "{length}");
            let room = gap(&found, offset);
            if room >= 0 {
                apart += 1;
                assert!(!overlap_shapes(a, b, offset), "{a:?} {b:?} {offset}");
            }
            // Shapes that are apart by more than a few raw in every direction have a plane that says so.
            if !overlap_shapes(a, b, offset) && room < -16 {
                close += 1;
            }
            let back = separation_shapes(b, a, -offset).unwrap();
            assert_eq!((back.normal, back.reach), (-found.normal, found.reach));
        }
        assert!(apart > 30_000 && close == 0, "{apart} {close}");
    }

    #[test]
    fn the_gap_of_balls_is_their_distance() {
        let (a, b) = (Shape::sphere(lit("0.5")), Shape::sphere(lit("0.25")));
        let offset = Vec3::new(lit("3"), lit("-4"), lit("0"));
        let found = separation_shapes(&a, &b, offset).unwrap();
        let exact = lit("4.25").to_bits();
        assert!((exact - 16..=exact).contains(&gap(&found, offset)), "{}", gap(&found, offset));
    }

    /// A slope of several triangles in no plane that 30 bits have.
    fn slope() -> Shape {
        let heights: Vec<i16> = (0..16).map(|place| 3 * (place % 4) + 5 * (place / 4)).collect();
        let mesh = Mesh::of_heights(Heights::new(4, lit("1"), lit("0.03125"), heights).unwrap()).unwrap();
        Facet(FlatPart::of_ground(&mesh, 0).unwrap().0)
    }

    #[test]
    fn the_reach_along_a_normal_that_was_found_is_what_was_found() {
        let (slope, solids) = (slope(), shapes());
        let Facet(facet) = &slope else { unreachable!("a slope is a facet") };
        let is_plane = |normal| facet.planes().iter().any(|plane| plane.normal().unit_q30() == Some(normal));
        let (mut on_plane, mut beside) = (0, 0);
        for case in 0..600_usize {
            let mut draws = Rng::new(14).at(0, case as u64, 0);
            let solid = &solids[case % solids.len()];
            if matches!(solid, Plane(_)) {
                continue;
            }
            let offset = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-3 << 32, 3 << 32)));
            let Some(found) = separation_shapes(&slope, solid, offset) else { continue };
            assert_eq!(separating_normal(&slope, solid, offset), Some(found.normal));
            assert_eq!(separating_normal(solid, &slope, -offset), Some(-found.normal));
            let reach = [
                reach_along(&slope, solid, offset, found.normal),
                reach_along(solid, &slope, -offset, -found.normal),
            ];
            assert_eq!(reach, [Some(found.reach); 2], "{case}: {solid:?} {offset}");
            on_plane += u32::from(is_plane(found.normal));
            beside += u32::from(!is_plane(found.normal));
        }
        assert!(on_plane > 100 && beside > 100, "{on_plane} {beside}");
    }
}
