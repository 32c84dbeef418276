//! How far two shapes reach toward each other along a direction.

use crate::{
    geom::{Normal, Plane},
    num::Scalar,
    shape::Shape::{self, Capsule, Sphere},
};

/// A direction and the sum of both shapes' extents along it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Separation {
    /// The direction from A to B, of length 2^30 up to its rounding.
    pub normal: Normal,
    /// The extents of both along the normal, times its length, rounded up: the shapes are apart
    /// while `normal . offset` is no less.
    pub reach: i128,
}

/// The plane of a half-space, from which a bounded shape is apart.
pub(super) fn against_plane(plane: &Plane, other: &Shape) -> Option<Separation> {
    let normal = plane.normal().unit_q30()?;
    Some(Separation { normal, reach: reach_of_plane(plane, other, normal)? })
}

/// The reach of a half-space and another shape along a normal from the half-space.
pub(super) fn reach_of_plane(plane: &Plane, other: &Shape, normal: Normal) -> Option<i128> {
    Some(normal.dot_wide(plane.point()) + extent(other, -normal)?)
}

/// The extent of a shape along a normal of length 2^30, times that length, rounded up.
///
/// For a ball the length is taken from `sqrt(1 + d) <= 1 + d / 2`.
pub(super) fn extent(shape: &Shape, normal: Normal) -> Option<i128> {
    let ball = |radius: &Scalar| {
        let over = normal.length_squared() as i64 - (1 << 60); // some 2^32 at most
        i128::from(radius.to_bits()) * i128::from((1 << 62) + 2 * over + 1)
    };
    let q32 = match shape {
        Sphere { radius } => ball(radius),
        Capsule(capsule) => (normal.dot_wide(capsule.half_axis).abs() << 32) + ball(&capsule.radius),
        _ => shape.support_q32_ceil(normal)?,
    };
    Some(-(-q32 >> 32)) // rounded up, since the shift rounds down
}
