//! Box along the axes against oriented box.

use super::{Hit, sweep_obb_obb};
use crate::{geom::Vec3, num::Scalar, shape::Obb};

/// The first instant at which a box along the axes (A) and an oriented box (B) come within `gap` of each
/// other, measured along each of the fifteen axes on which boxes can be apart.
///
/// `offset` is the center of B minus the center of A at the start, `motion` its displacement minus that of A;
/// `half` are the half extents of A. All else (sliding within the gap, starts, ties, **Rounding**, **Range**,
/// **Source**) is as in [`sweep_obb_obb`].
#[must_use]
pub fn sweep_aabb_obb(offset: Vec3, motion: Vec3, half: Vec3, obb: &Obb, gap: Scalar) -> Option<Hit> {
    sweep_obb_obb(offset, motion, &Obb::along_axes(half), obb, gap)
}
