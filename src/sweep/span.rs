//! The part of a tick in which two shapes may overlap.

use super::{
    MOTION_MAX, OFFSET_MAX, REACH_MAX,
    approach::{Approach, stays_apart},
};
use crate::{
    geom::Vec3,
    num::{Scalar, Toi},
};

/// A part of a tick, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The first instant, rounded down.
    pub first: Toi,
    /// The last instant, rounded up.
    pub last: Toi,
}

impl Span {
    /// The whole tick.
    pub const WHOLE: Self = Self { first: Toi::START, last: Toi::END };

    /// True if an instant belongs to it.
    #[must_use]
    pub fn contains(&self, toi: Toi) -> bool {
        self.first <= toi && toi <= self.last
    }
}

/// The first and the last time at which two moving balls overlap or touch in this tick, or `None` if
/// they never do.
///
/// `offset` is B's center minus A's at the start, `motion` B's displacement minus A's, `reach` the
/// sum of the radii; units and units per tick. The times are both roots of
/// `|offset + motion u| = reach`, cut to `0..=1`: balls that overlap at the start have the first time
/// 0, and roots that both fall outside are no overlap in this tick.
///
/// **Rounding**: `first` down, `last` up: the span holds the exact one, and is longer by no more than
/// [`sweep_sphere_sphere`](super::sweep_sphere_sphere) is early.
/// **Range**: [`OFFSET_MAX`], [`MOTION_MAX`], [`REACH_MAX`].
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Sphere-Sphere Sweep Test".
#[must_use]
pub fn span_sphere_sphere(offset: Vec3, motion: Vec3, reach: Scalar) -> Option<Span> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX));
    debug_assert!(reach >= 0 && reach <= REACH_MAX);
    if stays_apart(offset, motion, reach.to_bits()) {
        return None;
    }
    let approach = Approach::new(offset, motion, reach.to_bits());
    let first = if approach.starts_within() { Toi::START } else { approach.first_floor()? };
    Some(Span { first, last: approach.last_ceil() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_a_raw_apart_touch_where_they_are_level() {
        // The reach is one raw, and so is the way: level they touch, diagonally they are apart by the root of 2.
        let span = |x, motion| {
            span_sphere_sphere(
                Vec3::from_raw([x, 1, 0]),
                Vec3::from_raw([motion, 0, 0]),
                Scalar::from_bits(1),
            )
        };
        let at = |first, last| Some(Span { first, last });
        assert_eq!(span(0, 1), at(Toi::START, Toi::START));
        assert_eq!(span(1, -1), at(Toi::END, Toi::END));
        assert_eq!(span(0, 0), at(Toi::START, Toi::END));
        assert_eq!(span(1, 0), None);
        assert_eq!(span(2, -1), None);
        assert_eq!(span(1, 1), None);
    }

    #[test]
    fn balls_that_pass_a_raw_apart_never_touch() {
        // Rounded, the square of so long a way is the same with and without a raw beside it.
        let (start, way) = (1 << 44, -1 << 45);
        for axis in [1, 2] {
            let span = |beside: i64| {
                let mut offset = [start, 0, 0];
                offset[axis] = beside;
                span_sphere_sphere(Vec3::from_raw(offset), Vec3::from_raw([way, 0, 0]), Scalar::from_bits(2))
            };
            assert!(span(2).is_some_and(|span| span.contains(Toi::from_raw(1 << 31).unwrap())));
            assert_eq!((span(3), span(-3)), (None, None));
        }
    }
}
