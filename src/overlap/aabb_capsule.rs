//! Box along the axes against capsule.

use super::overlap_obb_capsule;
use crate::{
    geom::Vec3,
    shape::{Capsule, Obb},
};

/// True if a box along the axes and a capsule share interior points; touching is no overlap.
///
/// `offset` is the capsule's middle minus the box's center, whose half extents are `half`; in units.
///
/// **Rounding**: none, exact. **Range** and **Source**: those of [`overlap_obb_capsule`].
#[must_use]
pub fn overlap_aabb_capsule(offset: Vec3, half: Vec3, capsule: &Capsule) -> bool {
    overlap_obb_capsule(offset, &Obb::along_axes(half), capsule)
}
