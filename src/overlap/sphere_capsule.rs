//! A ball and a capsule.

use super::gjk::{Feature, SquaredDistance};
use crate::{geom::Vec3, num::Scalar, shape::Capsule};

/// True if a ball and a capsule share interior points; touching is no overlap.
///
/// `offset` is the capsule's middle minus the ball's center, in units. A ball of radius 0 overlaps nothing.
///
/// **Rounding**: none, exact. **Range**: any offset, the radius within [`REACH_MAX`](crate::sweep::REACH_MAX), capsules
/// within [`SIZE_MAX`](crate::shape::SIZE_MAX).
///
/// **Source**: Ericson, *Real-Time Collision Detection* (2005), section 4.5.1.
#[must_use]
pub fn overlap_sphere_capsule(offset: Vec3, radius: Scalar, capsule: &Capsule) -> bool {
    let (axis, reach) = (capsule.half_axis, radius + capsule.radius);
    let far = axis.map_raw(i64::abs) + Vec3::splat(reach);
    let (way, far) = (offset.raw(), far.raw());
    if radius <= 0 || (0..3).any(|i| way[i].unsigned_abs() >= far[i].unsigned_abs()) {
        return false;
    }
    let nearest = Feature::of_segment(offset - axis, offset + axis);
    SquaredDistance::of(&nearest).is_below(reach.to_bits().unsigned_abs().into())
}
