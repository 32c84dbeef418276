//! The gaps at which bodies rest on each other and touch, and the room around a shape for its contacts.

use super::limits::{INELASTIC_SHIFT, REST_GAP_MAX, REST_GAP_SHIFT};
use crate::{num::Scalar, shape::Shape, state::skin};

/// The room around a shape in which its contacts are searched, given gravity: a pair that is pulled may be as far
/// apart as it rests. Without gravity only inelastic bodies are in contact.
#[inline]
pub fn rest_room(gravity: i64, shape: &Shape) -> Scalar {
    let inelastic = if gravity == 0 { 1 << INELASTIC_SHIFT } else { 1 };
    Scalar::from_bits(gravity + inelastic * rest_gap_at_most(shape))
}

/// The gap beyond the skin at which two rest, in raw: a part of the smaller one's half extent.
#[inline]
pub fn rest_gap(a: &Shape, b: &Shape) -> i64 {
    rest_gap_at_most(a).min(rest_gap_at_most(b))
}

/// The largest gap beyond the skin at which a shape rests on anything, in raw.
pub fn rest_gap_at_most(shape: &Shape) -> i64 {
    let least = shape.half_extent().map(|half| half.raw().into_iter().fold(i64::MAX, i64::min));
    least.map_or(REST_GAP_MAX, |least| (least >> REST_GAP_SHIFT).min(REST_GAP_MAX))
}

/// The gap up to which a solid pair of shapes counts as touching, in units: the
/// [`skin`], and twice the gap beyond it at which bodies rest on each other, which is 1/256 of the
/// smaller least half extent, and at most 2^-6 unit. Bodies that may turn touch at more: what each one's
/// [`turning_skin`](crate::state::turning_skin) says is added, of a set of shapes that of a box along its axes around all
/// of its child shapes and 8 raw more.
///
/// Bodies at rest touch all the while: no touch begins or ends by a rounding. The touching pairs between ticks are what
/// [`QueryView::contacts`](crate::query::QueryView::contacts) finds within this gap: after a restore a game asks there, and
/// events report the changes from then on.
///
/// Symmetric in its arguments.
#[must_use]
pub fn touch_gap(a: &Shape, b: &Shape) -> Scalar {
    skin(a, b) + Scalar::from_bits(2 * rest_gap_at_most(a).min(rest_gap_at_most(b)))
}

/// The reach of a shape's touch beyond its extent and skin, whatever the other shape is.
pub fn touch_reach(shape: &Shape) -> Scalar {
    Scalar::from_bits(2 * rest_gap_at_most(shape))
}
