//! A box along the axes and a half-space: first contact.

use super::{Hit, MOTION_MAX, OFFSET_MAX, REACH_MAX};
use crate::{
    geom::{Normal, Plane, Vec3},
    num::{
        Scalar, Toi,
        bound::{Bound, Width},
        round::div_floor,
    },
    overlap::reach_wide,
};

pub(crate) const WIDTH: Width = {
    let (normal, point) = (Normal::BOUND, Bound::of(OFFSET_MAX).plus(Bound::of(OFFSET_MAX)));
    let height = normal.dot(point).plus(normal.dot(Bound::of(REACH_MAX)));
    let gap = Bound::of(REACH_MAX).times(Normal::LENGTH_BOUND_Q32);
    Width {
        number: "`height * 2^32` of a box over a plane, behind it too",
        bound: height.shifted(Toi::BITS).plus(gap),
        held_in: 128,
    }
};
const _: () = WIDTH.check();

/// The first time at which a moving box along the axes is `gap` from the half-space behind a plane,
/// or `None`.
///
/// `offset` is the plane's placement minus the box's center at the start, `motion` the plane's
/// displacement minus the box's over the tick, `half` the box's half extents; all in units. The
/// plane is relative to its placement. The normal is the plane's, reversed. A box that starts
/// nearer than `gap`, or behind the plane, hits at the start if it approaches.
///
/// With the normal n out of the half-space, the height of the box's lowest corner is
/// `n . center - sum of half_i |n_i|`, exact and linear in time: `u = (height - gap |n|) / descent`.
///
/// **Rounding**: the time down, `|n|` up by at most 2^-32. At the time, the box is no more than
/// `max(1, |motion|)` raw farther than `gap`, plus `gap / |n|` raw with `gap` in units.
/// **Range**: [`OFFSET_MAX`] (for the plane's point too), [`MOTION_MAX`], [`REACH_MAX`].
///
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Sphere-Plane Sweep Test",
/// with the box's reach along the normal in place of the radius.
#[must_use]
pub fn sweep_aabb_plane(offset: Vec3, motion: Vec3, half: Vec3, plane: &Plane, gap: Scalar) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX));
    debug_assert!((half + Vec3::splat(gap)).within(REACH_MAX) && gap >= 0);
    let height = plane.height_wide(-offset) - reach_wide(half, plane.normal());
    land(height, motion, plane, gap)
}

/// The first instant at which a point at a height over a plane (times the normal's length) is down to `gap`.
///
/// **Range**: `height` below 2^94; a height that the motion can reach is below 2^79, so that `height * 2^32`
/// and `gap * |n| * 2^32` fit.
pub(super) fn land(height: i128, motion: Vec3, plane: &Plane, gap: Scalar) -> Option<Hit> {
    let descent = plane.normal().dot_wide(motion);
    let target_q32 = i128::from(gap.to_bits()) * i128::from(plane.length_up_q32());
    if descent <= 0 || height > descent + (target_q32 >> 32) + 1 {
        return None;
    }
    let way_q32 = (height << 32) - target_q32;
    if way_q32 > descent << 32 {
        return None;
    }
    let toi_q32 = div_floor(way_q32.max(0), descent);
    Some(Hit { toi: Toi::from_raw(toi_q32 as u64)?, normal: -plane.normal() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_that_ends_farther_than_the_gap_by_less_than_a_raw_does_not_hit() {
        // Over this plane a height, times the normal's length, is any integer; its length is none.
        let part = 1_i64 << 29;
        let normal = Normal::new(part as i32 + 1, part as i32, 0);
        let plane = Plane::from_point_normal(Vec3::ZERO, normal).unwrap();
        let (half, gap) = (Vec3::from_raw([1; 3]), Scalar::from_bits(1));
        let motion = Vec3::lit("2", "2", "0");
        let hit = |height: i64| {
            let along = height + 2 * part + 1;
            let x = along % part;
            let end = Vec3::from_raw([x, (along - x) / part - x, 0]);
            assert_eq!(normal.dot_wide(end), i128::from(along));
            sweep_aabb_plane(-end - motion, motion, half, &plane, gap).map(|hit| hit.toi.raw())
        };
        let above = normal.length_up() as i64;
        assert_eq!(hit(above), None);
        assert_eq!(hit(above - 1), Some(Toi::END.raw() - 1));
    }
}
