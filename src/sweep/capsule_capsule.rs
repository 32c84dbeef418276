//! Capsule against capsule: first contact.

use super::{
    Hit, MOTION_MAX, OFFSET_MAX,
    certificate::LinearMotion,
    rounded::{Segments, first_contact_rounded},
};
use crate::{geom::Vec3, num::Scalar, shape::Capsule};

/// The first instant at which two capsules come within `gap` of each other, or `None` if not in this tick.
///
/// `offset` is the middle of `b` minus that of `a` at the start, `motion` its displacement minus that of `a`;
/// in units and units per tick. The normal points from the nearest point of the segment of `a` to that of
/// `b`; the same for the whole length of parallel ones. Starting within the gap is a hit at [`Toi::START`] if
/// they approach along the normal (where the segments cross: along the shortest way out), and none otherwise.
///
/// **Rounding**: down, never late. At the returned instant the distance exceeds `gap` by at most 8 raw times
/// the speed in units per tick (at least 1), plus 2^-28 of the sum of the bounding radii: a normal has 30
/// bits. A path that passes within as much of the gap may be a hit, and a start that close counts as within
/// the gap: one that slides from there may come nearer by as much. **Range**: `motion` and `offset` within
/// [`MOTION_MAX`] and [`OFFSET_MAX`], the gap and the capsules within [`REACH_MAX`](super::REACH_MAX) and
/// [`SIZE_MAX`](crate::shape::SIZE_MAX).
///
/// **Source**: as [`sweep_sphere_capsule`](super::sweep_sphere_capsule).
///
/// [`Toi::START`]: crate::num::Toi::START
#[must_use]
pub fn sweep_capsule_capsule(
    offset: Vec3,
    motion: Vec3,
    a: &Capsule,
    b: &Capsule,
    gap: Scalar,
) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX) && gap >= 0);
    let flat = Segments(a.half_axis, b.half_axis);
    first_contact_rounded(LinearMotion { offset, motion }, &flat, a.radius + b.radius + gap)
}
