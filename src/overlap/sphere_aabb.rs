//! A sphere and a box along the axes.

use super::closest_point_aabb;
use crate::{geom::Vec3, num::Scalar};

/// True if a sphere and a box along the axes share interior points.
///
/// `offset` is the box's center minus the sphere's, `half` the box's half extents; all in units.
/// They overlap where the box's closest point is nearer to the center than `radius`; touching is no
/// overlap, so a sphere of radius 0 overlaps nothing.
///
/// **Rounding**: none, exact. **Range**: offsets and half extents below 2^30 units, none of the
/// half extents negative; three squares of raw lengths below 2^62.6 fit an `i128`.
///
/// **Source**: Arvo, *A Simple Method for Box-Sphere Intersection Testing*, Graphics Gems (1990);
/// Gomez, *Simple Intersection Tests for Games* (1999), "A Box-Sphere Intersection Test".
#[must_use]
pub fn overlap_sphere_aabb(offset: Vec3, radius: Scalar, half: Vec3) -> bool {
    let to_closest = closest_point_aabb(-offset, half) + offset;
    let reach = i128::from(radius.to_bits());
    to_closest.length_squared_wide() < (reach * reach).unsigned_abs()
}
