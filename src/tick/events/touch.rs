//! The gap of a touch.

use crate::{num::Scalar, shape::Shape, state::skin, tick::bodies::gap::rest_gap_at_most};

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
pub(super) fn touch_reach(shape: &Shape) -> Scalar {
    Scalar::from_bits(2 * rest_gap_at_most(shape))
}
