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
/// 8 raw times the speed in units per tick (at least 1), plus 2^-28 of the box's bounding radius: a
/// normal has 30 bits. A course that passes within as much of the gap may be a hit, and a start that close
/// counts as within the gap: one that slides from there may come nearer by as much.
/// **Range**: `motion` and `offset` within [`MOTION_MAX`] and [`OFFSET_MAX`], `radius + gap` and the
/// box within [`REACH_MAX`](super::REACH_MAX) and [`SIZE_MAX`](crate::shape::SIZE_MAX).
///
/// **Source**: conservative advancement: Mirtich, *Impulse-based Dynamic Simulation* (1996), with
/// support planes as bounds; the derivation is in `docs/numerics/oriented-boxes.md`.
#[must_use]
pub fn sweep_sphere_obb(offset: Vec3, motion: Vec3, radius: Scalar, obb: &Obb, gap: Scalar) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX) && radius >= 0 && gap >= 0);
    let pair = Pair { course: Course { offset, motion }, reach: radius + gap, obb };
    if pair.course.stays_clear_of(obb.half_extent() + Vec3::splat(pair.reach)) {
        return None;
    }
    let first = pair.certify(toward_obb(offset, obb)?);
    if first.closing <= 0 {
        return None;
    }
    let start = Hit { toi: Toi::START, normal: first.normal };
    if first.start <= 0 { Some(start) } else { pair.improve(Hit { toi: first.closed_floor()?, ..start }) }
}

/// A ball and a box on their course.
struct Pair<'a> {
    course: Course,
    /// The radius and the gap.
    reach: Scalar,
    obb: &'a Obb,
}

impl Pair<'_> {
    /// The separation along a normal.
    fn certify(&self, normal: Normal) -> Certificate {
        let ball = i128::from(self.reach.to_bits()) * i128::from(normal.length_up_q32());
        Certificate::new(&self.course, normal, (self.obb.support_wide(normal) << 32) + ball)
    }

    /// From an instant that is not late to a later one that is not, until the direction there no
    /// longer shows any way to go; `None` once a direction proves a miss.
    fn improve(&self, mut hit: Hit) -> Option<Hit> {
        for _ in 0..ROUNDS {
            let Some(normal) = toward_obb(self.course.at_nearest(hit.toi), self.obb) else { break };
            let next = self.certify(normal);
            if next.at(hit.toi) <= 0 {
                break;
            }
            if next.closing <= 0 {
                return None; // apart now, and not approaching from here on
            }
            let toi = next.closed_floor()?;
            if toi <= hit.toi {
                break;
            }
            hit = Hit { toi, normal };
        }
        Some(hit)
    }
}
