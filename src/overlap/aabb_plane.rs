//! A box along the axes and a half-space.

use crate::geom::{Normal, Plane, Vec3};

/// True if a box along the axes and the half-space behind a plane share interior points.
///
/// `offset` is the plane's placement minus the box's center, `half` the box's half extents; both in
/// units. The plane is relative to its placement. Touching is no overlap.
///
/// **Rounding**: none, exact: the center's height over the plane, times the normal's length, is
/// compared with the box's reach along the normal. **Range**: components below 2^30 units; a dot
/// product is then below 2^95.
///
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Sphere-Plane Sweep Test",
/// with the reach of the box along the normal, the sum of `half_i * |normal_i|`, in place of the radius.
#[must_use]
pub fn overlap_aabb_plane(offset: Vec3, half: Vec3, plane: &Plane) -> bool {
    plane.height_wide(-offset) < reach_wide(half, plane.normal())
}

/// Extent of a box along a normal, times the normal's length; exact.
pub(crate) fn reach_wide(half: Vec3, normal: Normal) -> i128 {
    let [x, y, z] = normal.components().map(i32::abs);
    Normal::new(x, y, z).dot_wide(half)
}
