//! A ray against a capsule.

use super::{
    Hit, OFFSET_MAX,
    certificate::LinearMotion,
    ray::ray_inside,
    rounded::{PointSegment, first_certified},
};
use crate::{geom::Vec3, num::Scalar, overlap::overlap_sphere_capsule, shape::Capsule};

/// The first contact of a segment with a capsule, or `None` if it does not.
///
/// `offset` is the capsule's middle minus the segment's first point, `displacement` the segment's last point minus its
/// first, in units; A is the ray. The hit's time is the fraction of the segment. A ray is a segment as long
/// as it matters: scale its direction.
///
/// A segment that starts inside the capsule hits at once, with its own direction for a normal; one that
/// starts on the surface hits at once if it goes in. A tangent may be a hit. A segment of no length hits
/// nothing.
///
/// **Rounding**: the time down: the point is not inside the capsule, and off it by at most 8 raw times the
/// length of the way in units (at least 1), plus 2^-28 of the capsule's bounding radius. A ray that passes
/// within as much may be a hit. **Range**: [`OFFSET_MAX`] for the offset and for the way, capsules within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX). **Source**: as
/// [`sweep_sphere_capsule`](super::sweep_sphere_capsule), with a sphere of radius 0.
#[must_use]
pub fn sweep_ray_capsule(offset: Vec3, displacement: Vec3, capsule: &Capsule) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && displacement.within(OFFSET_MAX));
    // A point inside is a ball of one raw that overlaps a capsule smaller by one raw.
    let inner = Capsule { radius: capsule.radius - Scalar::DELTA, ..*capsule };
    if overlap_sphere_capsule(offset, Scalar::DELTA, &inner) {
        return ray_inside(displacement);
    }
    let flat = PointSegment(capsule.half_axis);
    first_certified(LinearMotion { offset, motion: -displacement }, &flat, capsule.radius)
}
