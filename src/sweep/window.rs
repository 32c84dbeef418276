//! The part of a tick in which the extents of two boxes overlap on every axis.

use super::ratio::Ratio;
use crate::geom::Vec3;

/// The part of the tick in which the extents overlap or touch on every axis, exactly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub first: Ratio,
    pub last: Ratio,
}

/// The span from the latest entry to the earliest exit over the axes, or `None` where they do not meet
/// between the start and the end of the tick. **Range**: components below 2^61 raw.
pub(super) fn window(offset: Vec3, motion: Vec3, reach: Vec3) -> Option<Window> {
    let (offset, motion, reach) = (offset.raw(), motion.raw(), reach.raw());
    let mut window = Window { first: Ratio::START, last: Ratio::END };
    for axis in 0..3 {
        if offset[axis].abs() > reach[axis] + motion[axis].abs() {
            return None; // out of reach, moving or not
        }
        if motion[axis] != 0 {
            window.first = window.first.max(entry(offset[axis], motion[axis], reach[axis]));
            window.last = window.last.min(exit(offset[axis], motion[axis], reach[axis]));
        }
    }
    (window.first <= window.last).then_some(window)
}

/// The first instant at which a moving coordinate comes within `reach` of the origin; `motion` is not zero.
///
/// The lesser root of `|offset + motion u| = reach`: mirrored so that the motion is positive,
/// `(-reach - offset) / motion`.
pub(super) const fn entry(offset: i64, motion: i64, reach: i64) -> Ratio {
    Ratio { top: -reach - offset * motion.signum(), bottom: motion.abs() }
}

/// The last instant at which a moving coordinate is within `reach` of the origin; `motion` is not zero.
pub(super) const fn exit(offset: i64, motion: i64, reach: i64) -> Ratio {
    Ratio { top: reach - offset * motion.signum(), bottom: motion.abs() }
}
