//! Two boxes along the axes.

use crate::geom::Vec3;

/// True if two boxes along the axes share interior points.
///
/// `offset` is B's center minus A's, `half_sum` the sum of their half extents on each axis; both in
/// units. Touching faces, edges or corners are no overlap. A box without volume overlaps another
/// where it lies inside of it.
///
/// **Rounding**: none, exact. **Range**: every vector.
///
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999),
/// "An Axis-Aligned Bounding Box (AABB) Sweep Test".
#[must_use]
pub fn overlap_aabb_aabb(offset: Vec3, half_sum: Vec3) -> bool {
    let (offset, reach) = (offset.raw(), half_sum.raw());
    (0..3).all(|axis| i128::from(offset[axis]).abs() < i128::from(reach[axis]))
}
