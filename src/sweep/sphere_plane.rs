//! First contact of a moving ball and a half-space.

use super::{Hit, MOTION_MAX, OFFSET_MAX, REACH_MAX};
use crate::{
    geom::{Normal, Plane, Vec3},
    num::{
        Scalar, Toi,
        bound::{Bound, Width},
    },
    overlap::clearance_q32,
};

pub(crate) const WIDTH: Width = {
    let (normal, point) = (Normal::BOUND, Bound::of(OFFSET_MAX).plus(Bound::of(OFFSET_MAX)));
    let reach = Bound::of(REACH_MAX).times(Normal::LENGTH_BOUND_Q32);
    Width {
        number: "`clearance * 2^32` over a plane",
        bound: normal.dot(point).shifted(Toi::BITS).plus(reach),
        held_in: 128,
    }
};
const _: () = WIDTH.check();

/// The first instant at which a moving ball comes within `gap` of the half-space behind a plane, or `None` if
/// not in this tick.
///
/// `offset` is the plane's placement minus the ball's center at the start, `motion` the plane's displacement
/// minus the ball's; units and units per tick. With `d0` and `d1` the center's heights above the plane at the
/// start and the end, the time is `(d0 - radius) / (d0 - d1)`. A radius of 0 makes it the end point of a
/// segment. The normal is the plane's, turned to point into it.
///
/// A ball that starts within the gap or behind the plane hits at once if it goes deeper, else not. It comes
/// from behind as from the front: the half-space is solid.
///
/// **Rounding**: down; the gap left is at most 1 raw * max(1, |motion|). The plane's normal is exact and its
/// length is [`Plane::length_up_q32`], so the ball is larger by `2^-32 / |normal|` of itself at most, here
/// and in [`overlap_sphere_plane`](crate::overlap::overlap_sphere_plane) alike. **Range**: [`OFFSET_MAX`] for
/// the offset and the plane's point, [`MOTION_MAX`]; [`REACH_MAX`] for `radius + gap`. **Source**: Gomez,
/// *Simple Intersection Tests for Games* (1999), "A Sphere-Plane Sweep Test".
#[must_use]
pub fn sweep_sphere_plane(
    offset: Vec3,
    motion: Vec3,
    radius: Scalar,
    plane: &Plane,
    gap: Scalar,
) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX));
    debug_assert!(radius >= 0 && gap >= 0 && radius + gap <= REACH_MAX);
    let closing = plane.normal().dot_wide(motion);
    let toi = crossing_floor(clearance_q32(offset, radius + gap, plane), closing)?;
    Some(Hit { toi, normal: -plane.normal() })
}

/// The instant at which a clearance, times 2^32, is used up at a closing speed; at once where there is none.
///
/// **Range**: the clearance below 2^124, the speed below 2^92.
pub(super) fn crossing_floor(clearance_q32: i128, closing: i128) -> Option<Toi> {
    if closing <= 0 || clearance_q32 > closing << Toi::BITS {
        return None;
    }
    Toi::from_raw((clearance_q32.max(0) / closing) as u64) // at most 2^32 by the line above
}
