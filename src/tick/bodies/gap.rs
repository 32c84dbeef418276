//! The gaps at which bodies rest on each other, and the room around a shape for its contacts.

use crate::{num::Scalar, shape::Shape};

/// How small a part of the smaller body's half extent the gap is at which it rests: 2^-8.
const REST_GAP_SHIFT: u32 = 8;

/// The largest such gap, in raw: 2^-6 unit.
const REST_GAP_MAX: i64 = 1 << 26;

/// Where there is no gravity, bodies that do not bounce are pressed together from the beginning of the tick in
/// which they meet if they are no farther apart than 2^6 gaps at which they rest: a quarter of the smaller one's least half extent.
pub const DEAD_SHIFT: u32 = 6;

/// How much room around a shape its contacts are looked for in, given gravity: a pair that is pulled may be as far
/// apart as it rests. Without gravity only what does not bounce is in contact.
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
