//! The distance between a capsule and an oriented box.

use super::distance_convex_convex_ceil;
use crate::{
    geom::Vec3,
    num::Scalar,
    shape::{Capsule, Convex, Obb},
};

/// The distance of a capsule from an oriented box; zero where they touch or overlap.
///
/// `offset` is the capsule's middle minus the box's center, in raw like the half edges. The box counts as the parallelepiped of its
/// integer half edges.
///
/// **Rounding**, **Range** and **Source**: those of [`distance_convex_convex_ceil`].
#[must_use]
pub fn distance_obb_capsule_ceil(offset: Vec3, obb: &Obb, capsule: &Capsule) -> Scalar {
    let (corners, ends) = (obb.corners(), capsule.ends());
    let (a, b) = (Convex::around(&corners, Scalar::ZERO), Convex::around(&ends, capsule.radius));
    distance_convex_convex_ceil(offset, &a, &b)
}
