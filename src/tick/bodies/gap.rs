//! The gaps at which bodies rest on each other, and the room around a shape for its contacts.

use crate::{num::Scalar, shape::Shape};

/// The part of the smaller body's half extent that is the gap at which a pair rests: 2^-8.
const REST_GAP_SHIFT: u32 = 8;

/// The largest such gap, in raw: 2^-6 unit.
const REST_GAP_MAX: i64 = 1 << 26;

/// The range of contacts without gravity, 2^6 rest gaps: a quarter of the smaller body's least half extent. Inelastic bodies
/// within it are pressed together from the start of the tick in which they collide.
pub const DEAD_SHIFT: u32 = 6;

/// The room around a shape in which its contacts are searched, given gravity: a pair that is pulled may be as far
/// apart as it rests. Without gravity only inelastic bodies are in contact.
#[inline]
pub fn rest_room(gravity: i64, shape: &Shape) -> Scalar {
    let dead = if gravity == 0 { 1 << DEAD_SHIFT } else { 1 };
    Scalar::from_bits(gravity + dead * rest_gap_at_most(shape))
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
