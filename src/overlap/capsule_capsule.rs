//! Capsule against capsule.

use super::overlap_convex_convex;
use crate::{
    geom::Vec3,
    shape::{Capsule, Convex},
};

/// True if two capsules share interior points; touching is no overlap.
///
/// `offset` is the middle of `b` minus that of `a`, in units.
///
/// **Rounding**: none, exact. **Range**: any offset, capsules within [`SIZE_MAX`](crate::shape::SIZE_MAX).
///
/// **Source**: as [`overlap_convex_convex`].
#[must_use]
pub fn overlap_capsule_capsule(offset: Vec3, a: &Capsule, b: &Capsule) -> bool {
    let (p, q) = (a.ends(), b.ends());
    overlap_convex_convex(offset, &Convex::around(&p, a.radius), &Convex::around(&q, b.radius))
}
