//! The distance of a point from an oriented box.

use super::distance_convex_convex_ceil;
use crate::{
    geom::Vec3,
    num::Scalar,
    shape::{Convex, Obb},
};

/// The distance of a point from an oriented box; zero inside and on its surface.
///
/// `offset` is the box's center minus the point, in raw like the half edges. The box counts as the parallelepiped of its integer half
/// edges.
///
/// **Rounding**, **Range** and **Source**: those of [`distance_convex_convex_ceil`].
#[must_use]
pub fn distance_point_obb_ceil(offset: Vec3, obb: &Obb) -> Scalar {
    distance_convex_convex_ceil(offset, &Convex::POINT, &Convex::around(&obb.corners(), Scalar::ZERO))
}
