//! A convex solid and a half-space: first contact.

use super::{Hit, MOTION_MAX, OFFSET_MAX, sphere_plane::crossing_floor};
use crate::{
    geom::{Plane, Vec3},
    num::Scalar,
    overlap::clearance_convex_q32,
    shape::Convex,
};

/// The first instant at which a convex solid (A) and the half-space behind a plane (B) come within `gap` of each other, or `None` if not in
/// this tick.
///
/// `offset` is the plane's placement minus the solid's origin at the start, `motion` the plane's displacement minus the solid's; units and
/// units per tick. The normal is the plane's, reversed. A solid that starts within the gap or behind the plane hits at once if it goes deeper, else
/// not.
///
/// **Rounding**: down; the gap left is at most 1 raw * max(1, |motion|). The plane's length is [`Plane::length_up_q32`], here and in
/// [`overlap_convex_plane`](crate::overlap::overlap_convex_plane) alike. **Range**: [`OFFSET_MAX`] for the offset and the plane's point,
/// [`MOTION_MAX`]; corners within [`SIZE_MAX`](crate::shape::SIZE_MAX), the radius and the gap within [`REACH_MAX`](super::REACH_MAX).
///
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Sphere-Plane Sweep Test", for the lowest corner: it is the same one
/// for the whole tick.
#[must_use]
pub fn sweep_convex_plane(
    offset: Vec3,
    motion: Vec3,
    convex: &Convex<'_>,
    plane: &Plane,
    gap: Scalar,
) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX) && gap >= 0);
    let closing = plane.normal().dot_wide(motion);
    let toi = crossing_floor(clearance_convex_q32(offset, convex, plane, gap), closing)?;
    Some(Hit { toi, normal: -plane.normal() })
}
