//! A ray against a convex solid.

use super::{Hit, OFFSET_MAX, ray::ray_inside, sweep_convex_convex};
use crate::{geom::Vec3, num::Scalar, overlap::overlap_convex_convex, shape::Convex};

/// The first contact of a segment with a convex solid, or `None` if it does not.
///
/// `offset` is the solid's origin minus the segment's first point, `displacement` the segment's last point minus its
/// first, in units; A is the ray. The hit's time is the fraction of the segment. A ray is a segment as long
/// as it matters: scale its direction.
///
/// A segment that starts inside hits at once, with its own direction for a normal; one that
/// starts on the surface hits at once if it goes in. A tangent may be a hit. A segment of no length hits
/// nothing.
///
/// **Rounding**, **Range**, **Source**: as [`sweep_convex_convex`], with a ball of radius 0; the displacement within [`OFFSET_MAX`] too.
#[must_use]
pub fn sweep_ray_convex(offset: Vec3, displacement: Vec3, convex: &Convex<'_>) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && displacement.within(OFFSET_MAX));
    if overlap_convex_convex(offset, &Convex::POINT, convex) {
        return ray_inside(displacement);
    }
    sweep_convex_convex(offset, -displacement, &Convex::POINT, convex, Scalar::ZERO)
}
