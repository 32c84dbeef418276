//! The distance of two solids, as their sweep measures it, and its direction.

use crate::{
    geom::{Normal, Vec3},
    num::Scalar,
    overlap::{
        closest_point_aabb, distance_shapes_ceil,
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
        | (Rod(_), Sphere { .. } | Aabb { .. } | Oriented(_) | HalfSpace(_)) => {
            normal_shapes(b, a, -offset).map(|normal| -normal)
        }
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
