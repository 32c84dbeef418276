//! Oriented box against capsule.

use super::{
    Hit, MOTION_MAX, OFFSET_MAX,
    certificate::LinearMotion,
    rounded::{ObbSegment, first_contact_rounded},
};
use crate::{
    geom::Vec3,
    num::Scalar,
    shape::{Capsule, Obb},
};

/// The first instant at which an oriented box (A) and a capsule (B) come within `gap` of each other, or
/// `None` if not in this tick.
///
/// `offset` is the capsule's middle minus the box's center at the start, `motion` its displacement minus that
/// of the box, both in the frame of the box's half edges. The gap is the true distance. The normal points
/// from the box's nearest point to that of the capsule's segment. Starting within the gap is a hit at
/// [`Toi::START`] if they approach along the normal (from inside: along the shortest way out), and none
/// otherwise.
///
/// **Rounding**: down, never late. At the returned instant the distance exceeds `gap` by at most 8 raw times
/// the speed in units per tick (at least 1), plus 2^-28 of the sum of the bounding radii: a normal has 30
/// bits. A path that passes within as much of the gap may be a hit, and a start that close counts as within
/// the gap: one that slides from there may come nearer by as much. **Range**: `motion` and `offset` within
/// [`MOTION_MAX`] and [`OFFSET_MAX`], the gap and the shapes within [`REACH_MAX`](super::REACH_MAX) and
/// [`SIZE_MAX`](crate::shape::SIZE_MAX), boxes of volume above 0.
///
/// **Source**: as [`sweep_sphere_capsule`](super::sweep_sphere_capsule).
///
/// [`Toi::START`]: crate::num::Toi::START
#[must_use]
pub fn sweep_obb_capsule(
    offset: Vec3,
    motion: Vec3,
    obb: &Obb,
    capsule: &Capsule,
    gap: Scalar,
) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX) && gap >= 0);
    let flat = ObbSegment(obb, capsule.half_axis);
    first_contact_rounded(LinearMotion { offset, motion }, &flat, capsule.radius + gap)
}
