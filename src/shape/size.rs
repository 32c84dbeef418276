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

/// The largest number of points, and of triangles, of a [`Mesh`](super::Mesh).
pub(crate) const MESH_COUNT_MAX: usize = 1 << 22;
/// The largest coordinate of a point of a mesh: in its grid it has 31 bits.
pub(crate) const MESH_EXTENT_MAX: Scalar = Scalar::lit("16384");

/// The length of a vector, rounded up.
pub(crate) fn length_ceil(vector: Vec3) -> Scalar {
    Scalar::from_bits(sqrt_ceil(vector.length_squared_wide()) as i64)
}
