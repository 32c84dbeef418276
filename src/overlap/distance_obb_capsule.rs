//! The distance between a capsule and an oriented box.

use super::{
    distance_point_capsule::above,
    features::Nearest,
    obb_capsule::{enters, offer_box_segment},
};
use crate::{
    geom::Vec3,
    num::{Scalar, root::sqrt_ceil},
    shape::{Capsule, Obb},
};

/// The distance of a capsule from an oriented box; zero where they touch or overlap.
///
/// `offset` is the capsule's middle minus the box's center, in raw like the half edges. It is the
/// distance of the segment from the parallelepiped of the half edges, less the radius.
///
/// **Rounding**: up to the next raw; exact where the distance is a whole number of raw.
/// **Range**: [`OFFSET_MAX`](crate::sweep::OFFSET_MAX), shapes within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX), boxes of volume above 0: products stay below 2^304, taken in 320
/// bits.
///
/// **Source**: Ericson, *Real-Time Collision Detection* (2005), sections 5.1.4 and 5.1.9.
#[must_use]
pub fn distance_obb_capsule_ceil(offset: Vec3, obb: &Obb, capsule: &Capsule) -> Scalar {
    let axis = capsule.half_axis;
    if enters(offset, obb, axis) {
        return Scalar::ZERO;
    }
    let [x, y, z] = obb.half_edges;
    let corner = sqrt_ceil((offset + axis + x + y + z).length_squared_wide());
    let mut nearest = Nearest::new(corner, corner);
    offer_box_segment(offset, obb, axis, &mut nearest);
    above(nearest.distance, capsule.radius)
}
