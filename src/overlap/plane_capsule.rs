//! A half-space and a capsule.

use crate::{
    geom::{Plane, Vec3},
    num::Scalar,
    shape::Capsule,
};

/// True if the half-space behind a plane and a capsule overlap; touching is not overlap.
///
/// `offset` is the capsule's middle minus the plane's placement, in units. The plane's normal is exact; its
/// length is [`Plane::length_up_q32`], so the capsule's radius counts as larger by `2^-32 / |normal|` of
/// itself at most, as in [`overlap_sphere_plane`](super::overlap_sphere_plane). By that definition the answer
/// is exact, and no capsule that overlaps is said to be apart.
///
/// **Range**: components of the offset and of the plane's point up to 2^25 units, capsules within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX). **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A
/// Sphere-Plane Sweep Test", for the lower end.
#[must_use]
pub fn overlap_plane_capsule(offset: Vec3, plane: &Plane, capsule: &Capsule) -> bool {
    clearance_capsule_q32(offset, plane, capsule, Scalar::ZERO) < 0
}

/// Distance of a capsule in front of a plane, less a gap, times the length of the normal and 2^32.
///
/// Below 2^124 in the range of [`overlap_plane_capsule`].
pub(crate) fn clearance_capsule_q32(offset: Vec3, plane: &Plane, capsule: &Capsule, gap: Scalar) -> i128 {
    let normal = plane.normal();
    let lower_end = plane.height_wide(offset) - normal.dot_wide(capsule.half_axis).abs();
    let reach = i128::from((capsule.radius + gap).to_bits());
    (lower_end << 32) - reach * i128::from(plane.length_up_q32())
}
