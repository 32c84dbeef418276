//! A ball and a half-space.

use crate::{
    geom::{Plane, Vec3},
    num::Scalar,
};

/// True if a ball and the half-space behind a plane overlap; touching is not overlap.
///
/// `offset` is the plane's placement minus the ball's center, in units. The plane's normal is exact;
/// its length is [`Plane::length_up_q32`], so the ball counts as larger by `2^-32 / |normal|` of
/// itself at most (not at all where the length is a whole number). By that definition the answer is
/// exact, and no ball that overlaps is said to be apart.
///
/// **Range**: components of the offset and of the plane's point up to 2^25 units, radius up to 2^14.
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Sphere-Plane Sweep Test".
#[must_use]
pub fn overlap_sphere_plane(offset: Vec3, radius: Scalar, plane: &Plane) -> bool {
    clearance_q32(offset, radius, plane) < 0
}

/// Distance of a ball in front of a plane, times the length of the normal and 2^32.
///
/// Below 2^123 in the range of [`overlap_sphere_plane`]: heights are below 2^90, extents below 2^109.
pub(crate) fn clearance_q32(offset: Vec3, radius: Scalar, plane: &Plane) -> i128 {
    let extent = i128::from(radius.to_bits()) * i128::from(plane.length_up_q32());
    (plane.height_wide(-offset) << 32) - extent
}
