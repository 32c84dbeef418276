//! The limit on sizes, and lengths.

use crate::{
    geom::Vec3,
    num::{Scalar, root::sqrt_ceil},
};

/// The largest radius, half extent or half edge component of any shape: 4096 units.
pub const SIZE_MAX: Scalar = Scalar::lit("4096");

/// The largest number of corners of a [`Hull`](super::Hull).
pub const CORNERS_MAX: usize = 64;
/// The largest number of points from which a hull is made.
pub const POINTS_MAX: usize = 4096;

/// The length of a vector, rounded up.
pub(crate) fn length_ceil(vector: Vec3) -> Scalar {
    Scalar::from_bits(sqrt_ceil(vector.length_squared_wide()) as i64)
}
