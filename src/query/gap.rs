//! The distance of two solids, as their sweep measures it, and its direction.

use crate::{
    geom::{Normal, Vec3},
    num::Scalar,
    overlap::{
        closest_point_aabb, distance_shapes_ceil, separating_normal,
        toward_capsule::{toward_segment, toward_segment_from_obb, toward_segment_from_segment},
        toward_obb::toward_obb,
        widest::{Rank, Widest},
    },
    shape::{
        Obb,
        Shape::{self, Aabb, Capsule as Rod, Obb as Oriented, Plane as HalfSpace, Sphere},
    },
    sweep::{axes_toward, farthest_axes},
};

/// The distance between two solids, and the direction from A to B.
#[derive(Clone, Copy)]
pub(super) struct Gap {
    /// [`distance_shapes_ceil`].
    pub(super) distance: Scalar,
    /// The direction, not of unit length; `None` if the centers determine none.
    pub(super) normal: Option<Normal>,
}

/// The gap of two solids, or `None` for two planes; `offset` is B's origin minus A's, in units.
///
/// **Range**: [`OFFSET_MAX`](crate::sweep::OFFSET_MAX), sizes within [`SIZE_MAX`](crate::shape::SIZE_MAX).
pub(super) fn gap_shapes(a: &Shape, b: &Shape, offset: Vec3) -> Option<Gap> {
    Some(Gap { distance: distance_shapes_ceil(a, b, offset)?, normal: normal_shapes(a, b, offset) })
}

/// The direction in which the pair's sweep measures the largest distance.
fn normal_shapes(a: &Shape, b: &Shape, offset: Vec3) -> Option<Normal> {
    match (a, b) {
        (Sphere { .. }, _) => normal_sphere_shape(offset, b),
        (Aabb { half: p }, Aabb { half: q }) => normal_of_axes(offset, *p + *q),
        (Aabb { half }, Oriented(obb)) => normal_of_boxes(offset, &Obb::along_axes(*half), obb),
        (Oriented(p), Oriented(q)) => normal_of_boxes(offset, p, q),
        (Aabb { .. } | Oriented(_), HalfSpace(plane)) => Some(-plane.normal()),
        (HalfSpace(plane), Rod(_)) => Some(plane.normal()),
        (Aabb { half }, Rod(rod)) => toward_segment_from_obb(offset, &Obb::along_axes(*half), rod.half_axis),
        (Oriented(obb), Rod(rod)) => toward_segment_from_obb(offset, obb, rod.half_axis),
        (Rod(p), Rod(q)) => toward_segment_from_segment(offset, p.half_axis, q.half_axis),
        (HalfSpace(_), HalfSpace(_)) => None,
        (Aabb { .. }, Sphere { .. })
        | (Oriented(_), Sphere { .. } | Aabb { .. })
        | (HalfSpace(_), Sphere { .. } | Aabb { .. } | Oriented(_))
        | (Rod(_), Sphere { .. } | Aabb { .. } | Oriented(_) | HalfSpace(_))
        | (_, Sphere { .. }) => normal_shapes(b, a, -offset).map(|normal| -normal),
        (HalfSpace(plane), _) => Some(plane.normal()),
        (_, HalfSpace(plane)) => Some(-plane.normal()),
        _ => separating_normal(a, b, offset),
    }
}

/// The normal from a sphere's center to the nearest point of a solid; from inside, the reverse of the shortest way out.
fn normal_sphere_shape(offset: Vec3, solid: &Shape) -> Option<Normal> {
    match solid {
        Sphere { .. } => Normal::from_vector(offset),
        Aabb { half } => {
            let to_box = closest_point_aabb(-offset, *half) + offset;
            Normal::from_vector(to_box).or_else(|| normal_of_axes(offset, *half))
        }
        Oriented(obb) => toward_obb(offset, obb),
        HalfSpace(plane) => Some(-plane.normal()),
        Rod(rod) => toward_segment(offset, rod.half_axis),
        _ => separating_normal(&Shape::sphere(Scalar::DELTA), solid, offset),
    }
}

/// The axes on which boxes are farthest apart; `None` if their centers have the same coordinate on all of
/// these.
fn normal_of_axes(offset: Vec3, half_sum: Vec3) -> Option<Normal> {
    Some(axes_toward(offset, farthest_axes(offset, half_sum))).filter(|normal| normal.is_valid())
}

/// The axis of the sweep among the fifteen, with 30 bits.
fn normal_of_boxes(offset: Vec3, a: &Obb, b: &Obb) -> Option<Normal> {
    let mut widest = Widest::default();
    let faces = a.face_normals_wide().into_iter().chain(b.face_normals_wide());
    let crossed = (0..9).map(|i| a.half_edges[i / 3].cross_wide(b.half_edges[i % 3]));
    for (axis, rank) in faces.map(|axis| (axis, Rank::Face)).chain(crossed.map(|axis| (axis, Rank::Crossed)))
    {
        let Some(normal) = Normal::from_wide(axis).map(Normal::lengthened) else { continue };
        widest.offer(normal, offset, a.support_wide(normal) + b.support_wide(normal), rank);
    }
    widest.normal()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        num::{Rng, lit},
        shape::Hull,
    };

    /// Centers are outside and inside.
    #[test]
    fn normals_to_a_box_are_those_to_the_hull_of_its_corners() {
        let half = Vec3::new(lit("1"), lit("0.5"), lit("2"));
        let hull = Shape::hull(Hull::upright(&Obb::along_axes(half).corners()).unwrap());
        let solid = Shape::aabb(half);
        let others = [
            Shape::sphere(lit("0.25")),
            Shape::aabb(Vec3::new(lit("0.25"), lit("0.125"), lit("0.5"))),
            Shape::capsule(Vec3::new(lit("0.125"), lit("0.25"), lit("-0.5")), lit("0.125")),
        ];
        let (mut inside, mut outside) = (0, 0);
        for case in 0..9_000_u64 {
            let mut draws = Rng::new(14).at(0, case, 0);
            let other = &others[draws.below(3) as usize];
            let offset = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 33, 1 << 33)));
            let found = gap_shapes(other, &hull, offset).unwrap();
            let expected = gap_shapes(other, &solid, offset).unwrap();
            let back = gap_shapes(&hull, other, -offset).unwrap();
            let negated = back.normal.map(|normal| -normal);
            assert_eq!((back.distance, negated), (found.distance, found.normal), "{other:?} {offset}");
            let both_boxes = matches!(other, Aabb { .. });
            // Boxes measure along axes.
            if both_boxes && found.distance > 0 {
                continue;
            }
            assert_eq!(found.distance, expected.distance, "{other:?} {offset}");
            let [of_hull, of_box] = [found, expected].map(|gap| gap.normal.unwrap().unit_q30().unwrap());
            let off = Vec3::from_raw(
                [0, 1, 2]
                    .map(|i: usize| i64::from(of_hull.components()[i]) - i64::from(of_box.components()[i])),
            );
            assert!(off.within(Scalar::from_bits(4)), "{other:?} {offset} {of_hull:?} {of_box:?}");
            let gone = offset + Vec3::from_raw(of_hull.components().map(|part| i64::from(part) << 2));
            assert!(distance_shapes_ceil(other, &hull, gone).unwrap() >= found.distance);
            (inside, outside) =
                (inside + u32::from(found.distance == 0), outside + u32::from(found.distance > 0));
        }
        assert!(inside > 800 && outside > 2_000, "{inside} {outside}");
    }
}
