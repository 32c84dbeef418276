//! A half-space and a capsule: first contact.

use super::{Hit, MOTION_MAX, OFFSET_MAX, sphere_plane::crossing_floor};
use crate::{
    geom::{Plane, Vec3},
    num::Scalar,
    overlap::clearance_capsule_q32,
    shape::Capsule,
};

/// The first instant at which the half-space behind a plane (A) and a capsule (B) come within `gap` of each
/// other, or `None` if not in this tick.
///
/// `offset` is the capsule's middle minus the plane's placement at the start, `motion` its displacement minus
/// the plane's; units and units per tick. The normal is the plane's. A capsule that starts within the gap or
/// behind the plane hits at once if it goes deeper, else not.
///
/// With the normal n, the height of the lower end is `n . middle - |n . half_axis|`, exact and linear in
/// time: `u = (height - (radius + gap) |n|) / descent`.
///
/// **Rounding**: down; the gap left is at most 1 raw * max(1, |motion|). The plane's length is
/// [`Plane::length_up_q32`], so the radius is larger by `2^-32 / |normal|` of itself at most, here and in
/// [`overlap_plane_capsule`](crate::overlap::overlap_plane_capsule) alike. **Range**: [`OFFSET_MAX`] for the
/// offset and the plane's point, [`MOTION_MAX`]; the gap and the capsule within
/// [`REACH_MAX`](super::REACH_MAX) and [`SIZE_MAX`](crate::shape::SIZE_MAX). **Source**: Gomez, *Simple
/// Intersection Tests for Games* (1999), "A Sphere-Plane Sweep Test", for the lower end.
#[must_use]
pub fn sweep_plane_capsule(
    offset: Vec3,
    motion: Vec3,
    plane: &Plane,
    capsule: &Capsule,
    gap: Scalar,
) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX) && gap >= 0);
    let closing = -plane.normal().dot_wide(motion);
    let toi = crossing_floor(clearance_capsule_q32(offset, plane, capsule, gap), closing)?;
    Some(Hit { toi, normal: plane.normal() })
}
