//! The distance of a point from any shape: the one table.

use super::{
    closest_point_aabb, distance_convex_convex_ceil, distance_point_capsule_ceil, distance_point_obb_ceil,
    facet::piece_nearest_to,
};
use crate::{
    geom::{Plane, Vec3},
    num::{Scalar, root::sqrt_ceil, round::div_ceil},
    shape::{Convex, Shape},
};

/// The distance of a point from a solid; zero inside and on its surface.
///
/// `offset` is the shape's origin minus the point, in units.
///
/// **Rounding**: up to the next raw; exact where the distance is a whole number of raw. So the distance
/// is at most `r` raw exactly if the answer is. A plane's normal has the length
/// [`Plane::length_up_q32`], as in [`overlap_sphere_plane`](super::overlap_sphere_plane).
/// **Range**: [`OFFSET_MAX`](crate::sweep::OFFSET_MAX), for a plane's point too; sizes within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX).
#[must_use]
pub fn distance_point_shape_ceil(offset: Vec3, shape: &Shape) -> Scalar {
    match shape {
        Shape::Sphere { radius } => (length_ceil(offset) - *radius).max(Scalar::ZERO),
        Shape::Aabb { half } => length_ceil(closest_point_aabb(-offset, *half) + offset),
        Shape::Obb(obb) => distance_point_obb_ceil(offset, obb),
        Shape::Plane(plane) => height_ceil(-offset, plane).max(Scalar::ZERO),
        Shape::Capsule(capsule) => distance_point_capsule_ceil(offset, capsule),
        Shape::Hull(hull) => distance_convex_convex_ceil(offset, &Convex::POINT, &hull.as_convex()),
        Shape::Mesh(_) => Scalar::MAX, // its facets are asked
        Shape::Triangle(triangle) => distance_convex_convex_ceil(
            offset,
            &Convex::POINT,
            &Convex::around(triangle.corners(), Scalar::ZERO),
        ),
        Shape::Facet(facet) => piece_nearest_to(facet, -offset)
            .map_or(Scalar::MAX, |piece| distance_point_shape_ceil(offset + piece.place, &piece.shape())),
    }
}

fn length_ceil(vector: Vec3) -> Scalar {
    Scalar::from_bits(sqrt_ceil(vector.length_squared_wide()) as i64)
}

/// The height of a point over a plane: below 2^90 times the normal's length, before it is divided.
fn height_ceil(point: Vec3, plane: &Plane) -> Scalar {
    let height_q32 = plane.height_wide(point) << 32;
    Scalar::from_bits(div_ceil(height_q32, i128::from(plane.length_up_q32())) as i64)
}
