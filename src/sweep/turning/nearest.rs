//! The direction in which solids are apart, one of which is a hull.

use super::{frame::Frame, solid::Solid};
use crate::{
    geom::{Normal, Vec3},
    num::Scalar,
    overlap::separating_normal_convex,
    shape::Convex,
};

/// The direction in which two bounded solids are farthest apart at an instant, in parts of a raw with so many fraction bits; if there is none, the
/// line between their centers.
pub(super) fn between_hulls(
    solids: &[Solid<'_>; 2],
    frames: &[Frame<'_>; 2],
    offset: Vec3,
    bits: u32,
) -> Option<Normal> {
    let corners = [0, 1].map(|body: usize| solids[body].corners_turned(&frames[body], bits));
    let [a, b] = corners.each_ref().map(|(corners, count)| Convex::around(&corners[..*count], Scalar::ZERO));
    separating_normal_convex(&a, &b, offset).or_else(|| Normal::from_vector(offset)?.unit_q30())
}
