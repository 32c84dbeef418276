//! The distance of a point from a capsule.

use super::features::{Features, Nearest};
use crate::{
    geom::Vec3,
    num::{Scalar, root::sqrt_ceil},
    shape::Capsule,
};

/// The distance of a point from a capsule; zero inside and on its surface.
///
/// `offset` is the capsule's middle minus the point, in units. It is the point's distance from the
/// segment, less the radius.
///
/// **Rounding**: up to the next raw; exact where the distance is a whole number of raw. So the distance
/// is at most `r` raw exactly if the answer is.
/// **Range**: [`OFFSET_MAX`](crate::sweep::OFFSET_MAX), capsules within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX).
///
/// **Source**: Ericson, *Real-Time Collision Detection* (2005), section 5.1.2.
#[must_use]
pub fn distance_point_capsule_ceil(offset: Vec3, capsule: &Capsule) -> Scalar {
    let axis = capsule.half_axis;
    let ends = [offset + axis, offset - axis].map(|way| sqrt_ceil(way.length_squared_wide()));
    let nearer = ends[0].min(ends[1]);
    let mut nearest = Nearest::new(nearer, nearer);
    nearest.offer_edge(offset, axis);
    above(nearest.distance, capsule.radius)
}

/// A distance between segments or points, less the radius around them; not below zero.
pub(super) fn above(distance: u128, radius: Scalar) -> Scalar {
    (Scalar::from_bits(distance as i64) - radius).max(Scalar::ZERO) // distances are below 2^61
}
