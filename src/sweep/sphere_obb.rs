//! Sphere against oriented box.

use super::{
    Hit, MOTION_MAX, OFFSET_MAX,
    certificate::LinearMotion,
    rounded::{PointObb, first_contact_rounded},
};
use crate::{geom::Vec3, num::Scalar, shape::Obb};

/// The first instant at which a sphere (A) and an oriented box (B) come within `gap` of each other.
///
/// `offset` is the box's center minus the sphere's at the start, `motion` its displacement minus the
/// sphere's, both in the frame of the box's half edges. Starting within the gap is a hit at
/// [`Toi::START`](crate::num::Toi::START) if they approach along the direction to the box's nearest feature
/// (from inside: along the shortest way out), and none otherwise.
///
/// **Rounding**: down, never late. At the returned instant the distance exceeds `gap` by at most 8 raw times
/// the speed in units per tick (at least 1), plus 2^-28 of the box's bounding radius: a normal has 30 bits. A
/// path that passes within as much of the gap may be a hit, and a start that close counts as within the
/// gap: one that slides from there may come nearer by as much. **Range**: `motion` and `offset` within
/// [`MOTION_MAX`] and [`OFFSET_MAX`], `radius + gap` and the box within [`REACH_MAX`](super::REACH_MAX) and
/// [`SIZE_MAX`](crate::shape::SIZE_MAX).
///
/// **Source**: conservative advancement: Mirtich, *Impulse-based Dynamic Simulation* (1996), with support
/// planes as bounds; the derivation is in `docs/numerics/oriented-boxes.md`.
#[must_use]
pub fn sweep_sphere_obb(offset: Vec3, motion: Vec3, radius: Scalar, obb: &Obb, gap: Scalar) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX) && radius >= 0 && gap >= 0);
    first_contact_rounded(LinearMotion { offset, motion }, &PointObb(obb), radius + gap)
}
