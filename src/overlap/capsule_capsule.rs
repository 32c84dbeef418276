//! Capsule against capsule.

use super::{
    features::{Features, Within},
    toward_capsule::toward_segment_from_segment,
};
use crate::{geom::Vec3, shape::Capsule};

/// True if two capsules share interior points; touching is no overlap.
///
/// `offset` is the middle of `b` minus that of `a`, in units. The differences between points of both segments
/// make a parallelogram. The capsules overlap exactly if a side, a corner or the inside of it is nearer to
/// the origin than the sum of the radii.
///
/// **Rounding**: none, exact. **Range**: any offset, capsules within [`SIZE_MAX`](crate::shape::SIZE_MAX):
/// products stay below 2^304, taken in 320 bits.
///
/// **Source**: Ericson, *Real-Time Collision Detection* (2005), section 4.5.1.
#[must_use]
pub fn overlap_capsule_capsule(offset: Vec3, a: &Capsule, b: &Capsule) -> bool {
    let (way, far) = (offset.raw(), (a.half_extent() + b.half_extent()).raw());
    if (0..3).any(|i| way[i].unsigned_abs() >= far[i].unsigned_abs()) {
        return false;
    }
    let reach = a.radius + b.radius;
    // Any direction along which they are apart is a proof, and the nearest one mostly is one.
    let apart = toward_segment_from_segment(offset, a.half_axis, b.half_axis).is_some_and(|normal| {
        let supports = normal.dot_wide(a.half_axis).abs() + normal.dot_wide(b.half_axis).abs();
        let between = normal.dot_wide(offset) - supports;
        between << 32 >= i128::from(reach.to_bits()) * i128::from(normal.length_up_q32())
    });
    !apart && {
        let mut within = Within::new(reach.to_bits().unsigned_abs().into());
        offer_segments(offset, a.half_axis, b.half_axis, &mut within);
        within.found
    }
}

/// Offers the features of the parallelogram of differences between a segment around the origin and one at
/// `offset`.
pub(super) fn offer_segments(offset: Vec3, a: Vec3, b: Vec3, features: &mut impl Features) {
    if a.cross_wide(b) != [0; 3] {
        features.offer_face(offset, a, b);
    }
    for (side, along) in [(a, b), (b, a)] {
        features.offer_edge(offset + side, along);
        features.offer_edge(offset - side, along);
    }
    for corner in [a + b, a - b] {
        features.offer_point(offset + corner);
        features.offer_point(offset - corner);
    }
}
