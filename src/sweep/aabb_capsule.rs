//! Box along the axes against capsule.

use super::{Hit, sweep_obb_capsule};
use crate::{
    geom::Vec3,
    num::Scalar,
    shape::{Capsule, Obb},
};

/// The first instant at which a box along the axes (A) and a capsule (B) come within `gap` of each other, or
/// `None` if not in this tick.
///
/// `offset` is the capsule's middle minus the box's center at the start, `motion` its displacement minus that
/// of the box, whose half extents are `half`. All else (starts, **Rounding**, **Range**, **Source**) is as in
/// [`sweep_obb_capsule`].
#[must_use]
pub fn sweep_aabb_capsule(
    offset: Vec3,
    motion: Vec3,
    half: Vec3,
    capsule: &Capsule,
    gap: Scalar,
) -> Option<Hit> {
    sweep_obb_capsule(offset, motion, &Obb::along_axes(half), capsule, gap)
}
