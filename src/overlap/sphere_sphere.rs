//! Two balls.

use crate::{geom::Vec3, num::Scalar};

/// True if two balls overlap; touching is not overlap.
///
/// `offset` is B's center minus A's and `reach` the sum of the radii, in units. Exact: the squares
/// are compared.
///
/// **Range**: components of the offset below 2^30 units, `reach` not below zero.
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Sphere-Sphere Sweep Test".
#[must_use]
pub fn overlap_sphere_sphere(offset: Vec3, reach: Scalar) -> bool {
    let reach = u128::from(reach.to_bits().unsigned_abs());
    offset.length_squared_wide() < reach * reach
}
