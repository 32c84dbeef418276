//! Two boxes along the axes: from first to last contact.

use super::{
    MOTION_MAX, OFFSET_MAX, REACH_MAX, Span,
    window::{Window, window},
};
use crate::geom::Vec3;

/// The first and the last time at which two moving boxes along the axes overlap or touch, or `None`
/// where they do not within the tick.
///
/// `offset` is B's center minus A's at the start, `motion` B's displacement minus A's over the
/// tick, `half_sum` the sum of their half extents on each axis; all in units. Overlap at the start
/// gives a first time of 0, overlap at the end a last time of 1. Boxes that only touch, or slide
/// along each other, count.
///
/// On each axis the extents overlap for one interval of time, `(-h - w) / v` to `(h - w) / v` where
/// `v > 0`; the boxes overlap in the intersection: from the latest entry to the earliest exit.
///
/// **Rounding**: the first time down, the last up, each within 2^-32; whether there is one is
/// exact. **Range**: [`OFFSET_MAX`], [`MOTION_MAX`], [`REACH_MAX`].
///
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999),
/// "An Axis-Aligned Bounding Box (AABB) Sweep Test".
#[must_use]
pub fn span_aabb_aabb(offset: Vec3, motion: Vec3, half_sum: Vec3) -> Option<Span> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX) && half_sum.within(REACH_MAX));
    let Window { first, last } = window(offset, motion, half_sum)?;
    Some(Span { first: first.toi_floor()?, last: last.toi_ceil()? })
}
