//! The distance between two convex solids.

use super::gjk::Gjk;
use crate::{geom::Vec3, num::Scalar, shape::Convex};

/// The distance between two convex solids; zero where they touch or overlap.
///
/// `offset` is B's origin minus A's.
///
/// **Rounding**: up to the next raw; exact where the distance is a whole number of raw. **Range**:
/// [`OFFSET_MAX`](crate::sweep::OFFSET_MAX), corners and radii within [`SIZE_MAX`](crate::shape::SIZE_MAX): products stay below 2^305,
/// taken in 320 bits.
///
/// **Source**: as [`overlap_convex_convex`](super::overlap_convex_convex).
#[must_use]
pub fn distance_convex_convex_ceil(offset: Vec3, a: &Convex<'_>, b: &Convex<'_>) -> Scalar {
    let Some(walk) = Gjk::new(a, b, offset).and_then(Gjk::settled) else { return Scalar::ZERO };
    let radii = a.radius() + b.radius();
    Scalar::from_bits((walk.nearest().distance_ceil(offset) as i64 - radii.to_bits()).max(0)) // below 2^60
}
