//! The distance between two shapes along a fixed direction, over the tick.

use super::REACH_MAX;
use crate::{
    geom::{Normal, Vec3},
    num::{
        Toi,
        bound::{Bound, Width},
    },
    shape::SIZE_MAX,
};

pub(crate) const WIDTH: Width = {
    // Of rays: an offset and a displacement of any length.
    let (normal, offset, motion) = (Normal::BOUND, Bound::power(58), Bound::power(58));
    let both = Bound::of(SIZE_MAX).plus(Bound::of(SIZE_MAX));
    let ball = Bound::of(REACH_MAX).plus(both).times(Normal::LENGTH_BOUND_Q32);
    let reach = normal.dot(both).shifted(Toi::BITS).plus(ball);
    let start = normal.dot(offset).shifted(Toi::BITS).plus(reach);
    let closing = normal.dot(motion).shifted(Toi::BITS);
    Width {
        number: "`start - closing * u` along a normal, with 32 fraction bits",
        bound: start.plus(closing),
        held_in: 128,
    }
};
const _: () = WIDTH.check();

/// The relative motion of a sweep: B as seen from A.
#[derive(Clone, Copy)]
pub(super) struct LinearMotion {
    /// B's origin minus A's at the start.
    pub(super) offset: Vec3,
    /// B's displacement minus A's.
    pub(super) motion: Vec3,
}

impl LinearMotion {
    /// True if, on some axis of space, the shapes stay farther apart than their extents and the gap for the
    /// whole tick. `reach` is the sum of those.
    pub(super) fn stays_clear_of(&self, reach: Vec3) -> bool {
        let (offset, motion, reach) = (self.offset.raw(), self.motion.raw(), reach.raw());
        (0..3).any(|axis| offset[axis].abs() > reach[axis] + motion[axis].abs())
    }

    /// The offset at an instant, each component to nearest.
    pub(super) fn at_nearest(&self, toi: Toi) -> Vec3 {
        self.offset + self.motion.map_raw(|length| toi.of_nearest(length))
    }
}

/// The distance between two shapes along a normal as a linear function of the instant, in raw times
/// the normal's length: `start / 2^32 - closing * u`. Wherever it is not negative they do not
/// overlap.
///
/// **Range**: after [`LinearMotion::stays_clear_of`] offsets are below 2^48 raw and extents below 2^47;
/// with components up to 2^30, `start` stays below 2^114 and `closing` below 2^77.
#[derive(Clone, Copy)]
pub(super) struct Certificate {
    pub(super) normal: Normal,
    /// The distance at the start, with 32 fraction bits, rounded down.
    pub(super) start: i128,
    /// The decrease over the tick; exact.
    pub(super) closing: i128,
}

impl Certificate {
    /// The separation along `normal`, given the extents of the shapes and the gap along it, with 32 fraction
    /// bits and rounded up.
    pub(super) fn new(relative: &LinearMotion, normal: Normal, reach_q32_ceil: i128) -> Self {
        Self {
            normal,
            start: (normal.dot_wide(relative.offset) << 32) - reach_q32_ceil,
            closing: -normal.dot_wide(relative.motion),
        }
    }

    /// The separation at an instant, with 32 fraction bits: exact but for the rounding of `start`.
    pub(super) fn at(&self, toi: Toi) -> i128 {
        self.start - self.closing * i128::from(toi.raw())
    }

    /// The last instant up to which the separation is not negative, rounded down; `None` past the
    /// end of the tick. Only for a `start` of at least 0 and a `closing` above 0.
    pub(super) fn closed_floor(&self) -> Option<Toi> {
        debug_assert!(self.start >= 0 && self.closing > 0);
        if self.start > self.closing << 32 {
            return None;
        }
        Toi::from_raw((self.start / self.closing) as u64)
    }
}
