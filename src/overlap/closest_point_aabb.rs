//! The point of a box that is nearest to another point.

use crate::geom::Vec3;

/// The point of a box along the axes that is closest to a point.
///
/// `offset_to_point` is the point minus the box's center, `half` the box's half extents, none
/// negative; both in units. The answer is relative to the box's center. A point in the box is its
/// own closest point.
///
/// **Rounding**: none, exact. **Range**: every vector.
///
/// # Panics
///
/// If a half extent is negative.
///
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Box-Sphere Intersection Test", after
/// Arvo, *A Simple Method for Box-Sphere Intersection Testing* (1990).
#[must_use]
pub fn closest_point_aabb(offset_to_point: Vec3, half: Vec3) -> Vec3 {
    offset_to_point.max(-half).min(half)
}
