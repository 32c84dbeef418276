//! Two boxes along the axes: first contact.

use super::{
    Hit, MOTION_MAX, OFFSET_MAX, REACH_MAX,
    ratio::Ratio,
    window::{entry, window},
};
use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi},
};

/// The first time at which two moving boxes along the axes are `gap` apart, or `None`.
///
/// `offset` is B's center minus A's at the start, `motion` B's displacement minus A's over the
/// tick, `half_sum` the sum of their half extents on each axis; all in units. Boxes are `gap` apart
/// where the largest of the three distances along the axes is: as if one of them were larger by
/// `gap` on every side, with corners and edges left sharp.
///
/// The normal is the axis on which they meet last, or the sum of the axes that tie. Boxes that are
/// nearer than `gap` at the start have the axis on which they are farthest apart (or the least
/// deep). `None` wherever an axis keeps them apart, touching included, without approaching: a box
/// slides along a floor or stands on it at any distance below `gap`. Boxes that start with their
/// centers level on every axis of the normal have none and do not hit.
///
/// **Rounding**: the time is the exact fraction rounded down; at it the boxes are no more than
/// `max(1, |motion|)` raw farther apart than `gap`. **Range**: [`OFFSET_MAX`], [`MOTION_MAX`],
/// [`REACH_MAX`] for `half_sum + gap`.
///
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999),
/// "An Axis-Aligned Bounding Box (AABB) Sweep Test".
#[must_use]
pub fn sweep_aabb_aabb(offset: Vec3, motion: Vec3, half_sum: Vec3, gap: Scalar) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX) && gap >= 0);
    debug_assert!((half_sum + Vec3::splat(gap)).within(REACH_MAX));
    if is_kept_apart(offset, motion, half_sum) {
        return None;
    }
    let reach = half_sum + Vec3::splat(gap);
    let first = window(offset, motion, reach)?.first;
    let (toi, axes) = if first > Ratio::START {
        (first.toi_floor()?, axes_entered(offset, motion, reach, first))
    } else {
        (Toi::START, farthest_axes(offset, half_sum))
    };
    let normal = axes_toward(offset, axes);
    (normal.dot_wide(motion) < 0).then_some(Hit { toi, normal })
}

/// True if an axis separates the boxes, touching included, and keeps separating them.
fn is_kept_apart(offset: Vec3, motion: Vec3, half_sum: Vec3) -> bool {
    let (offset, motion, reach) = (offset.raw(), motion.raw(), half_sum.raw());
    (0..3).any(|axis| offset[axis].abs() >= reach[axis] && offset[axis].signum() * motion[axis].signum() >= 0)
}

/// The axes whose extents begin to overlap at an instant.
fn axes_entered(offset: Vec3, motion: Vec3, reach: Vec3, instant: Ratio) -> [bool; 3] {
    let (offset, motion, reach) = (offset.raw(), motion.raw(), reach.raw());
    [0, 1, 2].map(|axis| motion[axis] != 0 && entry(offset[axis], motion[axis], reach[axis]) == instant)
}

/// The axes on which the distance, negative where the boxes overlap, is largest.
pub(crate) fn farthest_axes(offset: Vec3, half_sum: Vec3) -> [bool; 3] {
    let (offset, reach) = (offset.raw(), half_sum.raw());
    let distances = [0, 1, 2].map(|axis| offset[axis].abs() - reach[axis]);
    let [x, y, z] = distances;
    distances.map(|distance| distance == x.max(y).max(z))
}

/// The sum of the chosen axes, each on the side to which `offset` points.
pub(crate) fn axes_toward(offset: Vec3, chosen: [bool; 3]) -> Normal {
    let offset = offset.raw();
    let [x, y, z] = [0, 1, 2].map(|axis| if chosen[axis] { offset[axis].signum() as i32 } else { 0 });
    Normal::new(x, y, z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_a_raw_apart_that_move_a_raw_touch_in_the_end() {
        let half_sum = Vec3::lit("2", "3", "4");
        for axis in 0..3 {
            for side in [-1, 1] {
                let along = |raw: i64| {
                    let mut vector = [0; 3];
                    vector[axis] = side * raw;
                    Vec3::from_raw(vector)
                };
                let hit = |apart: i64| {
                    let offset = along(half_sum.raw()[axis] + apart);
                    sweep_aabb_aabb(offset, along(-1), half_sum, Scalar::ZERO)
                };
                let normal = Normal::from_vector(along(1)).unwrap();
                assert_eq!(hit(1), Some(Hit { toi: Toi::END, normal }), "{axis} {side}");
                assert_eq!(hit(0), Some(Hit { toi: Toi::START, normal }), "{axis} {side}");
                assert_eq!(hit(2), None, "{axis} {side}");
            }
        }
    }
}
