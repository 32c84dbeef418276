//! The distance of a point from a capsule.

use super::gjk::Feature;
use crate::{geom::Vec3, num::Scalar, shape::Capsule};

/// The distance of a point from a capsule; zero inside and on its surface.
///
/// `offset` is the capsule's middle minus the point, in units. It is the point's distance from the segment, less the radius.
///
/// **Rounding** and **Range**: those of [`distance_convex_convex_ceil`](super::distance_convex_convex_ceil). **Source**: Ericson,
/// *Real-Time Collision Detection* (2005), section 5.1.2.
#[must_use]
pub fn distance_point_capsule_ceil(offset: Vec3, capsule: &Capsule) -> Scalar {
    let nearest = Feature::of_segment(offset - capsule.half_axis, offset + capsule.half_axis);
    Scalar::from_bits((nearest.distance_ceil(offset) as i64 - capsule.radius.to_bits()).max(0)) // below 2^60
}
