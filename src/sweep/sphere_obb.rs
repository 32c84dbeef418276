//! Sphere against oriented box.

use super::{
    Hit, MOTION_MAX, OFFSET_MAX,
    certificate::{Certificate, Course},
};
use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi},
    overlap::toward_obb::toward_obb,
    shape::Obb,
};

/// How often the direction is improved; a glancing course converges by halves, all others at once.
const ROUNDS: u32 = 40;

/// When a sphere (A) and an oriented box (B) first come within `gap` of each other.
///
/// `offset` is the box's center minus the sphere's at the start, `motion` its displacement minus
/// the sphere's, both in the frame of the box's half edges. Starting within the gap is a hit at
/// [`Toi::START`] if they approach along the direction to the box's nearest feature (from inside:
/// along the shortest way out), and none otherwise.
///
/// **Rounding**: down, never late. At the returned instant the distance exceeds `gap` by at most
/// 8 raw times the speed in units per tick (at least 1), plus 2^-29 of the box's bounding radius: a
/// normal has 30 bits. A course that passes within as much of the gap may be a hit, and a start that close
/// counts as within the gap.
/// **Range**: `motion` and `offset` within [`MOTION_MAX`] and [`OFFSET_MAX`], `radius + gap` and the
/// box within [`REACH_MAX`](super::REACH_MAX) and [`SIZE_MAX`](crate::shape::SIZE_MAX).
///
/// **Source**: conservative advancement: Mirtich, *Impulse-based Dynamic Simulation* (1996), with
/// support planes as bounds; the derivation is in `docs/numerics/oriented-boxes.md`.
#[must_use]
pub fn sweep_sphere_obb(offset: Vec3, motion: Vec3, radius: Scalar, obb: &Obb, gap: Scalar) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX) && radius >= 0 && gap >= 0);
    let course = Course { offset, motion };
    let reach = radius + gap;
    if course.stays_clear_of(obb.half_extent() + Vec3::splat(reach)) {
        return None;
    }
    let certify = |normal: Normal| {
        let ball = i128::from(reach.to_bits()) * i128::from(normal.length_up_q32());
        Certificate::new(&course, normal, (obb.support_wide(normal) << 32) + ball)
    };
    let first = certify(toward_obb(offset, obb)?);
    if first.closing <= 0 {
        return None;
    }
    if first.start <= 0 {
        return Some(Hit { toi: Toi::START, normal: first.normal });
    }
    let mut hit = Hit { toi: first.closed_floor()?, normal: first.normal };
    for _ in 0..ROUNDS {
        let Some(normal) = toward_obb(course.at_nearest(hit.toi), obb) else { break };
        let next = certify(normal);
        let apart = next.at(hit.toi) > 0;
        if apart && next.closing <= 0 {
            return None; // apart now, and not approaching from here on
        }
        if !apart {
            break;
        }
        let toi = next.closed_floor()?;
        if toi <= hit.toi {
            break;
        }
        hit = Hit { toi, normal };
    }
    Some(hit)
}
