//! Vectors of length one, for code outside the simulation.

use super::{Normal, Vec3};
use crate::num::round::div_nearest;

/// The vector of length one in the direction of a vector, or `None` for zero.
///
/// The simulation itself keeps integer directions ([`Normal`]) and does not divide by lengths; this is
/// for game code.
///
/// **Rounding**: each component to nearest, off by no more than 0.5 + 2^-28 raw; mirrored vectors give
/// mirrored results, and a vector along an axis an exact one.
/// **Range**: components below 2^30 units.
///
/// ```
/// use bitstep::{geom::{Vec3, normalise}, num::lit};
/// let unit = normalise(Vec3::new(lit("-7"), lit("0"), lit("0"))).unwrap();
/// assert_eq!(unit, Vec3::new(lit("-1"), lit("0"), lit("0")));
/// assert_eq!(normalise(Vec3::ZERO), None);
/// ```
#[must_use]
pub fn normalise(vector: Vec3) -> Option<Vec3> {
    let square = vector.length_squared_wide();
    if square == 0 {
        return None;
    }
    // Even, so that the root is scaled by a whole power of two: to 62 bits and more.
    let bits = (square.leading_zeros() - 2) / 2;
    let length = (square << (2 * bits)).isqrt() as i128;
    Some(vector.map_raw(|c| div_nearest(i128::from(c) << (bits + 32), length) as i64)) // below 2^96
}

impl Normal {
    /// The vector of length one in this direction, or `None` for zero; rounds as [`normalise`].
    #[must_use]
    pub fn unit(self) -> Option<Vec3> {
        normalise(Vec3::from_raw(self.components().map(i64::from)))
    }
}
