//! Box along the axes against oriented box.

use super::overlap_obb_obb;
use crate::{geom::Vec3, shape::Obb};

/// True if a box along the axes and an oriented box share interior points; touching is no overlap.
///
/// `offset` is the center of the oriented box minus the center of the other, whose half extents are
/// `half`; all in raw.
///
/// **Rounding**: exact. **Range** and **Source**: those of [`overlap_obb_obb`].
#[must_use]
pub fn overlap_aabb_obb(offset: Vec3, half: Vec3, obb: &Obb) -> bool {
    overlap_obb_obb(offset, &Obb::along_axes(half), obb)
}
