//! A sphere and a capsule: first contact.

use super::{
    Hit, MOTION_MAX, OFFSET_MAX,
    certificate::LinearMotion,
    rounded::{PointSegment, first_contact_rounded},
};
use crate::{geom::Vec3, num::Scalar, shape::Capsule};

/// The first instant at which a sphere (A) and a capsule (B) come within `gap` of each other, or `None` if
/// not in this tick.
///
/// `offset` is the capsule's middle minus the sphere's center at the start, `motion` its displacement minus
/// the sphere's; in units and units per tick. The normal points from the sphere's center to the nearest point
/// of the capsule's segment. Starting within the gap is a hit at [`Toi::START`] if they approach along the
/// normal, and none otherwise. A center on the segment has no normal: `None`.
///
/// **Rounding**: down, never late. At the returned instant the distance exceeds `gap` by at most 8 raw times
/// the speed in units per tick (at least 1), plus 2^-28 of the capsule's bounding radius: a normal has 30
/// bits. A path that passes within as much of the gap may be a hit, and a start that close counts as within
/// the gap: one that slides from there may come nearer by as much. **Range**: `motion` and `offset` within
/// [`MOTION_MAX`] and [`OFFSET_MAX`], `radius + gap` and the capsule within [`REACH_MAX`](super::REACH_MAX)
/// and [`SIZE_MAX`](crate::shape::SIZE_MAX).
///
/// **Source**: conservative advancement: Mirtich, *Impulse-based Dynamic Simulation* (1996), with support
/// planes as bounds; the derivation is in `docs/numerics/capsules.md`.
///
/// [`Toi::START`]: crate::num::Toi::START
#[must_use]
pub fn sweep_sphere_capsule(
    offset: Vec3,
    motion: Vec3,
    radius: Scalar,
    capsule: &Capsule,
    gap: Scalar,
) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX) && radius >= 0 && gap >= 0);
    let ball = radius + capsule.radius + gap;
    first_contact_rounded(LinearMotion { offset, motion }, &PointSegment(capsule.half_axis), ball)
}
