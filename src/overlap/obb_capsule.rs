//! Oriented box against capsule.

use super::overlap_convex_convex;
use crate::{
    geom::Vec3,
    num::Scalar,
    shape::{Capsule, Convex, Obb},
};

/// True if an oriented box and a capsule share interior points; touching is no overlap.
///
/// `offset` is the capsule's middle minus the box's center, in raw like the half edges. The box counts as the
/// parallelepiped of its integer half edges, rectangular or not.
///
/// **Rounding**: none, exact. **Range**: any offset, shapes within [`SIZE_MAX`](crate::shape::SIZE_MAX),
/// boxes of volume above 0.
///
/// **Source**: as [`overlap_convex_convex`].
#[must_use]
pub fn overlap_obb_capsule(offset: Vec3, obb: &Obb, capsule: &Capsule) -> bool {
    let (corners, ends) = (obb.corners(), capsule.ends());
    let (a, b) = (Convex::around(&corners, Scalar::ZERO), Convex::around(&ends, capsule.radius));
    overlap_convex_convex(offset, &a, &b)
}
