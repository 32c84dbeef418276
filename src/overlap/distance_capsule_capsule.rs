//! The distance between two capsules.

use super::distance_convex_convex_ceil;
use crate::{
    geom::Vec3,
    num::Scalar,
    shape::{Capsule, Convex},
};

/// The distance between two capsules; zero where they touch or overlap.
///
/// `offset` is the middle of `b` minus that of `a`, in units.
///
/// **Rounding**, **Range** and **Source**: those of [`distance_convex_convex_ceil`].
#[must_use]
pub fn distance_capsule_capsule_ceil(offset: Vec3, a: &Capsule, b: &Capsule) -> Scalar {
    let (p, q) = (a.ends(), b.ends());
    distance_convex_convex_ceil(offset, &Convex::around(&p, a.radius), &Convex::around(&q, b.radius))
}
