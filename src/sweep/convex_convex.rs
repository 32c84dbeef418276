//! Two convex solids: first contact.

use super::{
    Hit, MOTION_MAX, OFFSET_MAX,
    certificate::{Certificate, LinearMotion},
};
use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi},
    overlap::gjk::{Gjk, Step},
    shape::Convex,
};

/// Largest number of directions tried. A grazing path converges by halves, all others at once.
const ROUNDS: u32 = 96;

/// The first instant at which two convex solids come within `gap` of each other.
///
/// `offset` is B's origin minus A's at the start, `motion` its displacement minus A's. The gap is the true distance. Starting within it
/// is a hit at [`Toi::START`] if they approach along the direction between their nearest points (those that overlap: along the line between
/// their origins), and none otherwise.
///
/// **Rounding**: down, never late. At the returned instant the distance exceeds `gap` by at most 8 raw times the speed in units per tick
/// (at least 1), plus 2^-28 of the solids' sizes: a normal has 30 bits. A path that passes within as much of the gap may be a hit,
/// and a start that close counts as within the gap: solids that slide from there may come nearer by as much. Corners in another order may give another answer within these bounds. **Range**: `motion` and `offset` within [`MOTION_MAX`] and [`OFFSET_MAX`],
/// corners within [`SIZE_MAX`](crate::shape::SIZE_MAX), the radii and the gap within [`REACH_MAX`](super::REACH_MAX).
///
/// **Source**: conservative advancement: Mirtich, *Impulse-based Dynamic Simulation* (1996), with support planes as bounds, along the
/// directions that Gilbert, Johnson, Keerthi (1988) find.
///
/// ```
/// use bitstep::{geom::Vec3, num::{Scalar, Toi, lit}, shape::{Convex, Hull}, sweep::sweep_convex_convex};
/// let wedge = Hull::prism(&[[lit("-2"), lit("-1")], [lit("2"), lit("-1")], [lit("0"), lit("2")]], lit("1"))?;
/// let wedge = Convex::new(wedge.corners(), Scalar::ZERO).expect("a hull has corners");
/// let ball = Convex::new(&[Vec3::ZERO], lit("0.5")).expect("a ball has a center");
/// let (offset, motion) = (Vec3::lit("1", "-3.5", "0"), Vec3::lit("0", "4", "0"));
/// let hit = sweep_convex_convex(offset, motion, &wedge, &ball, Scalar::ZERO).expect("it meets the lower side");
/// assert_eq!(hit.toi, Toi::from_raw(1 << 31).expect("half a tick"));
/// # Ok::<(), bitstep::shape::ShapeError>(())
/// ```
#[must_use]
pub fn sweep_convex_convex(
    offset: Vec3,
    motion: Vec3,
    a: &Convex<'_>,
    b: &Convex<'_>,
    gap: Scalar,
) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX) && gap >= 0);
    let ball = a.radius() + b.radius() + gap;
    let relative = LinearMotion { offset, motion };
    if relative.stays_clear_of(a.half_extent() + b.half_extent() + Vec3::splat(ball)) {
        return None;
    }
    match Gjk::new(a, b, offset) {
        Some(walk) => {
            let mut sweep = Sweep { relative, ball, walk, toi: Toi::START };
            let hit = sweep.first_contact()?;
            sweep.along_unit(hit)
        }
        // At the same place any direction against the motion is one in which they approach.
        None => Some(Hit { toi: Toi::START, normal: Normal::from_vector(-motion)?.lengthened() }),
    }
}

/// A sweep up to an instant.
struct Sweep<'a> {
    relative: LinearMotion,
    /// The radii and the gap.
    ball: Scalar,
    /// The solids at the instant.
    walk: Gjk<'a>,
    /// The instant until which they are apart.
    toi: Toi,
}

impl Sweep<'_> {
    /// Goes on to the instant at which a direction stops proving the solids apart, as soon as one does for longer: any direction is a
    /// proof, and where the walk has settled there is no better one.
    fn first_contact(&mut self) -> Option<Hit> {
        let mut last = None;
        for _ in 0..ROUNDS {
            let Some(normal) = self.walk.normal() else { break };
            let corner = self.walk.corner_toward(normal);
            let certificate = self.certify(normal, corner);
            if certificate.at(self.toi) > 0 {
                if certificate.closing <= 0 {
                    return None; // apart now, and not approaching from here on
                }
                let toi = certificate.closed_floor()?;
                if toi > self.toi {
                    last = Some(Hit { toi, normal });
                    self.advance(toi, corner);
                    continue;
                }
            }
            match self.walk.add(corner) {
                Step::Closer => {}
                Step::Settled => break,
                Step::Inside => {
                    return last.or_else(|| self.within(Normal::from_vector(self.relative.offset)?));
                }
            }
        }
        last.or_else(|| self.within(self.walk.normal()?))
    }

    /// The hit along the direction of what is nearest, whatever corners it was found by: features that lie in one plane have one direction.
    ///
    /// The walk goes to its exact end for that: a rounded direction may have settled it beside what is nearest.
    fn along_unit(&self, hit: Hit) -> Option<Hit> {
        let settled = self.walk.settled().and_then(|walk| Some((walk.unit_normal()?, walk)));
        let Some((normal, walk)) = settled else { return Some(hit) };
        let certificate = self.certify(normal, walk.corner_toward(normal));
        if hit.toi == Toi::START && certificate.start <= 0 {
            return (certificate.closing > 0).then_some(Hit { normal, ..hit });
        }
        if certificate.start < 0 || certificate.closing <= 0 {
            return Some(hit);
        }
        Some(Hit { toi: certificate.closed_floor()?, normal })
    }

    /// The separation along a normal, on which a corner of the difference at the instant is the nearest.
    fn certify(&self, normal: Normal, corner: Vec3) -> Certificate {
        let reach = normal.dot_wide(self.walk.offset() - corner) << 32;
        let ball = i128::from(self.ball.to_bits()) * i128::from(normal.length_up_q32());
        Certificate::new(&self.relative, normal, reach + ball)
    }

    fn advance(&mut self, toi: Toi, corner: Vec3) {
        let offset = self.relative.at_nearest(toi);
        let corner = corner + (offset - self.walk.offset());
        (self.toi, self.walk) = (toi, self.walk.moved_to(offset));
        self.walk.add(corner);
    }

    /// Solids that start within the gap.
    fn within(&self, normal: Normal) -> Option<Hit> {
        let approaches = normal.dot_wide(self.relative.motion) < 0;
        approaches.then_some(Hit { toi: self.toi, normal: normal.lengthened() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{num::Rng, overlap::overlap_convex_convex};

    #[test]
    fn solids_at_the_same_place_hit_against_their_motion() {
        let corners = [Vec3::lit("1", "0", "0"), Vec3::lit("-1", "1", "0"), Vec3::lit("0", "-1", "1")];
        let solid = Convex::new(&corners, Scalar::ZERO).unwrap();
        for motion in [Vec3::lit("1", "-2", "3"), Vec3::lit("-1", "2", "-3"), Vec3::lit("0", "4", "0")] {
            let hit = sweep_convex_convex(Vec3::ZERO, motion, &solid, &solid, Scalar::ZERO).unwrap();
            assert_eq!(
                hit,
                Hit { toi: Toi::START, normal: Normal::from_vector(-motion).unwrap().lengthened() }
            );
        }
        assert_eq!(sweep_convex_convex(Vec3::ZERO, Vec3::ZERO, &solid, &solid, Scalar::ZERO), None);
    }

    /// The hit of a point with a ball that moves along the third axis.
    fn hit_of_point(offset: [i64; 3], motion: i64, radius: i64) -> Option<Hit> {
        let ball = Convex::ball(Scalar::from_bits(radius));
        let motion = Vec3::from_raw([0, 0, motion]);
        sweep_convex_convex(Vec3::from_raw(offset), motion, &Convex::POINT, &ball, Scalar::ZERO)
    }

    #[test]
    fn the_slowest_approach_is_a_hit() {
        // Along a normal of 30 bits it is one. A ball that is touched in the end.
        let far = 1 << 29;
        let hit = hit_of_point([far, 0, 1], -1, far).unwrap();
        assert!(hit.normal.z > 0, "{hit:?}");
        assert_eq!(hit_of_point([far, 0, 1], 1, far), None);
        assert_eq!(hit_of_point([far + 1, 0, 1], -1, far), None);
        // From within the ball; that normal has the length 2^30.
        let far = (1 << 30) - 1;
        let normal = Normal::new(1 << 30, 0, 1);
        assert_eq!(hit_of_point([far, 0, 1], -1, far + 1), Some(Hit { toi: Toi::START, normal }));
        assert_eq!(hit_of_point([far, 0, 1], 1, far + 1), None);
    }

    /// The distance of the way, the root of 2 times 7,645,370,045, is the radius of the ball and 2^-34 more.
    #[test]
    fn grazes_of_which_the_unit_normal_does_not_approach_are_hits() {
        let (part, radius) = (7_645_370_045, 10_812_186_007);
        let mut met = 0;
        for start in 1..=64 {
            for motion in 1..=96 {
                let Some(hit) = hit_of_point([part, part, start], -motion, radius) else { continue };
                assert!(hit.normal.z > 0, "{start} {motion}: {hit:?}");
                met += 1;
            }
        }
        assert!(met > 1_000, "{met}");
    }

    #[test]
    fn solids_at_opposite_ends_of_the_world_do_not_meet() {
        let corners =
            [Vec3::lit("4000", "1", "0"), Vec3::lit("-1", "4000", "0"), Vec3::lit("0", "-1", "-4000")];
        let solid = Convex::new(&corners, Scalar::ZERO).unwrap();
        let [far, way] = [OFFSET_MAX, MOTION_MAX].map(Scalar::to_bits);
        for axis in 0..3 {
            for side in [-1, 1] {
                let along = |length: i64| {
                    let mut raw = [length / 2; 3];
                    raw[axis] = side * length;
                    Vec3::from_raw(raw)
                };
                let hit = sweep_convex_convex(along(far), along(-way), &solid, &solid, Scalar::ZERO);
                assert_eq!(hit, None, "{axis} {side}");
            }
        }
    }

    /// Solids so large that a rounded direction is off by more than they move.
    #[test]
    fn slow_giants_that_overlap_in_the_end_have_hit() {
        let mut met = 0;
        for case in 0..400_u64 {
            let mut draws = Rng::new(23).at(0, case, 0);
            let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
            let [a, b] = [0; 2].map(|_: i32| [0; 8].map(|_: i32| vector(1 << 43)));
            let [a, b] = [&a, &b].map(|corners| Convex::new(corners, Scalar::ZERO).unwrap());
            let way = vector(1 << 9);
            let offset = |steps: i64| way.map_raw(|part| part * steps);
            let overlap = |steps: i64| overlap_convex_convex(offset(steps), &a, &b);
            let (mut inside, mut outside) = (1, 1 << 36);
            if !overlap(inside) || overlap(outside) {
                continue;
            }
            while outside - inside > 1 {
                let middle = (inside + outside) / 2;
                if overlap(middle) { inside = middle } else { outside = middle }
            }
            for (start, end) in [(0, 1), (1, 2), (0, 9), (5, 9), (40, 60)] {
                let motion = offset(inside + 1 - end) - offset(outside + start);
                let hit = sweep_convex_convex(offset(outside + start), motion, &a, &b, Scalar::ZERO);
                let hit = hit.unwrap_or_else(|| panic!("case {case}: {start} {end}"));
                assert!(hit.normal.dot_wide(motion) < 0, "case {case}: {hit:?}");
                met += 1;
            }
        }
        assert!(met > 1_000, "{met}");
    }
}
