//! First contact of two moving balls.

use super::{
    Hit, MOTION_MAX, OFFSET_MAX, REACH_MAX,
    approach::{Approach, stays_apart},
};
use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi, round::shr_nearest},
};

/// The first instant at which two moving balls come within `gap` of each other, or `None` if not in this
/// tick.
///
/// `offset` is B's center minus A's at the start, `motion` B's displacement minus A's, `reach` the sum of the
/// radii; units and units per tick. The time is the smaller root of `|offset + motion u| = reach + gap`. The
/// normal is the offset at that time; where a graze leaves it at a right angle to the motion, it leans
/// against the motion by 2^-27.
///
/// Balls that start within the gap hit at once if they approach along the normal, else not. Centers that
/// coincide have no normal: `None`. A graze is a hit.
///
/// **Rounding**: never late. Early by less than `max(1, |motion|)` raw of distance, and for small balls on
/// long ways by `(|offset| + |motion|)^2 / reach * 2^-60` more (20 raw at most for a reach of 2^-14 units and
/// above). Balls that pass each other at no more than that may hit, too. **Range**: [`OFFSET_MAX`],
/// [`MOTION_MAX`]; [`REACH_MAX`] for `reach + gap`. **Source**: Gomez, *Simple Intersection Tests for Games*
/// (1999), "A Sphere-Sphere Sweep Test".
#[must_use]
#[inline]
pub fn sweep_sphere_sphere(offset: Vec3, motion: Vec3, reach: Scalar, gap: Scalar) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX));
    debug_assert!(reach >= 0 && gap >= 0 && reach + gap <= REACH_MAX);
    first_contact(offset, motion, (reach + gap).to_bits())
}

/// The sweep without the limits of a body: components of the motion may be those of an offset.
pub(super) fn first_contact(offset: Vec3, motion: Vec3, reach: i64) -> Option<Hit> {
    if stays_apart(offset, motion, reach) {
        return None;
    }
    let approach = Approach::new(offset, motion, reach);
    if approach.starts_within() {
        let normal = Normal::from_vector(offset)?;
        return (normal.dot_wide(motion) < 0).then_some(Hit { toi: Toi::START, normal });
    }
    let toi = approach.first_floor()?;
    Some(Hit { toi, normal: leaning_normal_at(offset, motion, toi)? })
}

/// The direction of the offset at an instant, so that the motion goes against it.
///
/// Up to the nearest point the exact dot product is not above zero, and leaning makes up for the rounding: at
/// least 2 units of the normal where the motion is largest, against half a unit on each of three axes. If
/// that is not enough, the balls have passed each other without contact: `None`. (A box's normal may not
/// lean: its corner must stay the closest one. See `approaching.rs`.)
fn leaning_normal_at(offset: Vec3, motion: Vec3, toi: Toi) -> Option<Normal> {
    let (start, way) = (offset.raw().map(i128::from), motion.raw().map(i128::from));
    let instant = i128::from(toi.raw());
    let exact = [0, 1, 2].map(|axis| (start[axis] << Toi::BITS) + way[axis] * instant); // below 2^92
    let approaches = |normal: &Normal| normal.dot_wide(motion) < 0;
    let upright = Normal::from_wide(exact).filter(approaches);
    upright.or_else(|| leaning_normal(exact, way).filter(approaches))
}

/// The direction of an offset less a vector along the motion, 2^-28 to 2^-26 times as long; against
/// the motion where the offset is zero.
fn leaning_normal(offset: [i128; 3], motion: [i128; 3]) -> Option<Normal> {
    if offset == [0; 3] {
        return Normal::from_wide(motion.map(|c| -c));
    }
    let down = bits(motion) + 27 - bits(offset);
    let lean = motion.map(|c| if down > 0 { shr_nearest(c, down as u32) } else { c << -down });
    Normal::from_wide([0, 1, 2].map(|axis| offset[axis] - lean[axis]))
}

/// The bits of the largest component.
fn bits(vector: [i128; 3]) -> i32 {
    let most = vector.map(i128::unsigned_abs).into_iter().fold(0, u128::max);
    128 - most.leading_zeros() as i32
}
