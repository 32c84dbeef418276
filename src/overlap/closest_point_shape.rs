//! The point of any shape that is nearest to another point: the one table.

use super::{closest_point_aabb, closest_point_obb};
use crate::{
    geom::{Plane, Vec3},
    num::{Scalar, mul_div::mul_div_nearest, root::sqrt_floor},
    shape::{Capsule, Shape},
};

/// The point of a solid that is nearest to `point`, both relative to the shape's origin, in units. A point
/// inside is its own nearest point.
///
/// **Rounding**: to nearest, halves away from zero, so mirrored shapes give mirrored points. For a box along
/// the axes exact; for an oriented box as [`closest_point_obb`]; for a sphere or a plane each component
/// within one raw of the exact nearest point, for a capsule within two. **Range**: `point` up to 2^17 units
/// along each axis, for a plane's point too; sizes within [`SIZE_MAX`](crate::shape::SIZE_MAX).
#[must_use]
pub fn closest_point_shape(point: Vec3, shape: &Shape) -> Vec3 {
    match shape {
        Shape::Sphere { radius } => closest_on_ball(point, *radius),
        Shape::Aabb { half } => closest_point_aabb(point, *half),
        Shape::Obb(obb) => closest_point_obb(point, obb),
        Shape::Plane(plane) => closest_on_plane(point, plane),
        Shape::Capsule(capsule) => closest_on_capsule(point, capsule),
    }
}

fn closest_on_ball(point: Vec3, radius: Scalar) -> Vec3 {
    let (square, radius) = (point.length_squared_wide(), i128::from(radius.to_bits()));
    if square <= (radius * radius) as u128 {
        return point;
    }
    // The length with as many fraction bits as its square has room for, so that its rounding is far below a
    // raw.
    let shift = square.leading_zeros() / 2 - 1;
    let length = sqrt_floor(square << (2 * shift)) as i128;
    point.map_raw(|c| mul_div_nearest(i128::from(c) << shift, radius, length) as i64)
}

fn closest_on_plane(point: Vec3, plane: &Plane) -> Vec3 {
    let height = plane.height_wide(point);
    if height <= 0 {
        return point;
    }
    let (normal, square) = (plane.normal().components(), i128::from(plane.normal().length_squared()));
    let [x, y, z] = normal.map(|c| mul_div_nearest(height, c.into(), square) as i64);
    point - Vec3::from_raw([x, y, z])
}

fn closest_on_capsule(point: Vec3, capsule: &Capsule) -> Vec3 {
    let axis = capsule.half_axis;
    let (share, square) = (point.dot_wide(axis), axis.dot_wide(axis));
    let share = share.clamp(-square, square);
    let spine = axis.map_raw(|c| mul_div_nearest(c.into(), share, square) as i64);
    spine + closest_on_ball(point - spine, capsule.radius)
}
