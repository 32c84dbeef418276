//! Sphere against oriented box.

use super::{closest_point_obb, overlap_convex_convex, toward_obb::toward_obb};
use crate::{
    geom::Vec3,
    num::Scalar,
    shape::{Convex, Obb},
};

/// True if a sphere and an oriented box share interior points; touching is no overlap.
///
/// `offset` is the box's center minus the sphere's, in raw like the half edges. The box counts as
/// the parallelepiped of its integer half edges, rectangular or not; a sphere of radius 0 overlaps
/// nothing.
///
/// A point of the box that is near enough, or a direction along which the shapes are apart, is a proof, and decides nearly all calls;
/// the rest are [`overlap_convex_convex`].
///
/// **Rounding**: exact. **Range**: any offset, radius within [`REACH_MAX`](crate::sweep::REACH_MAX),
/// boxes within [`SIZE_MAX`](crate::shape::SIZE_MAX).
///
/// **Source**: Arvo, *A Simple Method for Box-Sphere Intersection Testing*, Graphics Gems (1990);
/// Gomez, *Simple Intersection Tests for Games* (1999), "A Box-Sphere Intersection Test".
#[must_use]
pub fn overlap_sphere_obb(offset: Vec3, radius: Scalar, obb: &Obb) -> bool {
    let extent = obb.half_extent().raw();
    let apart =
        |axis: usize| offset.raw()[axis].unsigned_abs() >= (extent[axis] + radius.to_bits()).unsigned_abs();
    if radius <= 0 || (0..3).any(apart) {
        return false;
    }
    let point = -offset;
    if near(point, radius, obb) {
        return true;
    }
    if apart_along_nearest(offset, radius, obb) {
        return false;
    }
    let corners = obb.corners();
    let (ball, solid) = (Convex::ball(radius), Convex::around(&corners, Scalar::ZERO));
    overlap_convex_convex(offset, &ball, &solid)
}

/// True if the rounded nearest point is nearer than the radius by more than it was rounded.
fn near(point: Vec3, radius: Scalar, obb: &Obb) -> bool {
    const ROUNDED: Scalar = Scalar::from_bits(1); // half a raw on three axes is less than one
    let distance_squared = (point - closest_point_obb(point, obb)).length_squared_wide();
    radius > ROUNDED && distance_squared < square(radius - ROUNDED)
}

/// True if the direction to the nearest point keeps the shapes apart: an exact certificate.
fn apart_along_nearest(offset: Vec3, radius: Scalar, obb: &Obb) -> bool {
    toward_obb(offset, obb).is_some_and(|normal| {
        let between = normal.dot_wide(offset) - obb.support_wide(normal);
        between << 32 >= i128::from(radius.to_bits()) * i128::from(normal.length_up_q32())
    })
}

/// A length squared, exact.
const fn square(length: Scalar) -> u128 {
    let raw = length.to_bits().unsigned_abs() as u128;
    raw * raw
}
