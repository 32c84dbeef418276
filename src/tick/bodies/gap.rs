//! The gaps at which bodies rest on each other, and the room around a shape for its contacts.

use super::limits::{INELASTIC_SHIFT, REST_GAP_MAX, REST_GAP_SHIFT};
use crate::{num::Scalar, shape::Shape};

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
