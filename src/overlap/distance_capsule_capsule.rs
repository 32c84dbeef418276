//! The distance between two capsules.

use super::{capsule_capsule::offer_segments, distance_point_capsule::above, features::Nearest};
use crate::{
    geom::Vec3,
    num::{Scalar, root::sqrt_ceil},
    shape::Capsule,
};

/// The distance of two capsules; zero where they touch or overlap.
///
/// `offset` is the middle of `b` minus that of `a`, in units. It is the distance of their segments, less
/// both radii.
///
/// **Rounding**: up to the next raw; exact where the distance is a whole number of raw.
/// **Range**: [`OFFSET_MAX`](crate::sweep::OFFSET_MAX), capsules within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX): products stay below 2^304, taken in 320 bits.
///
/// **Source**: Ericson, *Real-Time Collision Detection* (2005), section 5.1.9.
#[must_use]
pub fn distance_capsule_capsule_ceil(offset: Vec3, a: &Capsule, b: &Capsule) -> Scalar {
    let corner = sqrt_ceil((offset + a.half_axis + b.half_axis).length_squared_wide());
    let mut nearest = Nearest::new(corner, corner);
    offer_segments(offset, a.half_axis, b.half_axis, &mut nearest);
    above(nearest.distance, a.radius + b.radius)
}
