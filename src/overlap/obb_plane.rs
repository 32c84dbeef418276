//! A box in any orientation and a half-space.

use crate::{
    geom::{Plane, Vec3},
    shape::Obb,
};

/// True if an oriented box and the half-space behind a plane share interior points.
///
/// `offset` is the plane's placement minus the box's center, in units. The plane is relative to its
/// placement. Touching is no overlap.
///
/// **Rounding**: none, exact: the center's height over the plane, times the normal's length, is
/// compared with the box's reach along the normal. **Range**: components below 2^30 units; a dot
/// product is then below 2^95.
///
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Sphere-Plane Sweep Test",
/// with the projection of the box from "An Oriented Bounding Box (OBB) Intersection Test", the sum of
/// `|edge_i . normal|`, in place of the radius.
#[must_use]
pub fn overlap_obb_plane(offset: Vec3, obb: &Obb, plane: &Plane) -> bool {
    plane.height_wide(-offset) < obb.support_wide(plane.normal())
}
