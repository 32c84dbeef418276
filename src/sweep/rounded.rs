//! First contact of solids with flat sides, one of which has a ball around each of its points.

use super::{
    Hit,
    certificate::{Certificate, LinearMotion},
};
use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi},
    overlap::{
        toward_capsule::{toward_segment, toward_segment_from_obb, toward_segment_from_segment},
        toward_obb::toward_obb,
    },
    shape::Obb,
};

/// Largest number of improvements of the direction. A grazing path converges by halves, all others at once.
const ROUNDS: u32 = 40;

/// Two solids without the balls around them. The differences between their points make a convex solid with
/// flat sides (the Minkowski difference); contact is where it comes near the origin.
pub(super) trait Flat {
    /// The direction from A to B where they are nearest, as exact as a normal can be; any direction is a
    /// valid certificate.
    fn toward(&self, offset: Vec3) -> Option<Normal>;

    /// The sum of both extents along a normal, times its length; exact.
    fn reach_wide(&self, normal: Normal) -> i128;

    /// Half the extent of the differences on each axis; exact.
    fn half_extent(&self) -> Vec3;
}

/// A point and a box.
pub(super) struct PointObb<'a>(pub(super) &'a Obb);

/// A point and a segment, by its half length.
pub(super) struct PointSegment(pub(super) Vec3);

/// Two segments.
pub(super) struct Segments(pub(super) Vec3, pub(super) Vec3);

/// A box and a segment.
pub(super) struct ObbSegment<'a>(pub(super) &'a Obb, pub(super) Vec3);

impl Flat for PointObb<'_> {
    fn toward(&self, offset: Vec3) -> Option<Normal> {
        toward_obb(offset, self.0)
    }

    fn reach_wide(&self, normal: Normal) -> i128 {
        self.0.support_wide(normal)
    }

    fn half_extent(&self) -> Vec3 {
        self.0.half_extent()
    }
}

impl Flat for PointSegment {
    fn toward(&self, offset: Vec3) -> Option<Normal> {
        toward_segment(offset, self.0)
    }

    fn reach_wide(&self, normal: Normal) -> i128 {
        normal.dot_wide(self.0).abs()
    }

    fn half_extent(&self) -> Vec3 {
        self.0.map_raw(i64::abs)
    }
}

impl Flat for Segments {
    fn toward(&self, offset: Vec3) -> Option<Normal> {
        toward_segment_from_segment(offset, self.0, self.1)
    }

    fn reach_wide(&self, normal: Normal) -> i128 {
        normal.dot_wide(self.0).abs() + normal.dot_wide(self.1).abs()
    }

    fn half_extent(&self) -> Vec3 {
        self.0.map_raw(i64::abs) + self.1.map_raw(i64::abs)
    }
}

impl Flat for ObbSegment<'_> {
    fn toward(&self, offset: Vec3) -> Option<Normal> {
        toward_segment_from_obb(offset, self.0, self.1)
    }

    fn reach_wide(&self, normal: Normal) -> i128 {
        self.0.support_wide(normal) + normal.dot_wide(self.1).abs()
    }

    fn half_extent(&self) -> Vec3 {
        self.0.half_extent() + self.1.map_raw(i64::abs)
    }
}

/// The first instant at which two such solids come within `ball` of each other, radii and gap together;
/// `None` if not in the tick.
///
/// From an instant that is not late it advances to the instant at which the direction there, kept fixed,
/// stops proving them apart: never later than contact, and by convexity ever nearer to it.
pub(super) fn first_contact_rounded(relative: LinearMotion, flat: &impl Flat, ball: Scalar) -> Option<Hit> {
    if relative.stays_clear_of(flat.half_extent() + Vec3::splat(ball)) {
        return None;
    }
    first_certified(relative, flat, ball)
}

/// [`first_contact_rounded`] for a relative motion of any length: components of the offset and of the motion
/// below 2^58 raw.
///
/// A certificate then begins below 2^123 and closes by less than 2^91.
pub(super) fn first_certified(relative: LinearMotion, flat: &impl Flat, ball: Scalar) -> Option<Hit> {
    let pair = Pair { relative, flat, ball };
    let first = pair.certify(flat.toward(relative.offset)?);
    if first.closing <= 0 {
        return None;
    }
    let start = Hit { toi: Toi::START, normal: first.normal };
    if first.start <= 0 { Some(start) } else { pair.improve(Hit { toi: first.closed_floor()?, ..start }) }
}

/// Two solids in relative motion.
struct Pair<'a, F> {
    relative: LinearMotion,
    flat: &'a F,
    /// The radii and the gap.
    ball: Scalar,
}

impl<F: Flat> Pair<'_, F> {
    /// The separation along a normal.
    fn certify(&self, normal: Normal) -> Certificate {
        let ball = i128::from(self.ball.to_bits()) * i128::from(normal.length_up_q32());
        Certificate::new(&self.relative, normal, (self.flat.reach_wide(normal) << 32) + ball)
    }

    /// A step from an instant that is not late to a later one that is not, until the direction there proves no
    /// further advance; `None` once a direction proves a miss.
    fn improve(&self, mut hit: Hit) -> Option<Hit> {
        for _ in 0..ROUNDS {
            let Some(normal) = self.flat.toward(self.relative.at_nearest(hit.toi)) else { break };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    #[test]
    fn the_slowest_approach_within_the_gap_is_a_hit() {
        // A point beyond the end of a rod: the way there has 30 bits, and so has the normal. One raw along y is one along it.
        let (along, nearest) = (Vec3::lit("0", "0", "2"), Vec3::from_raw([1 << 29, 1, 0]));
        let hit = |motion: [i64; 3]| {
            let relative = LinearMotion { offset: nearest + along, motion: Vec3::from_raw(motion) };
            first_contact_rounded(relative, &PointSegment(along), lit("1"))
        };
        let normal = Normal::new(1 << 29, 1, 0);
        assert_eq!(hit([0, -1, 0]), Some(Hit { toi: Toi::START, normal }));
        assert_eq!(hit([0, 1, 0]), None);
        assert_eq!(hit([0, 0, 1]), None);
        assert_eq!(hit([0; 3]), None);
    }

    #[test]
    fn the_slowest_approach_from_outside_is_no_miss() {
        // The normal is as above: the point comes to the ball in the end, and by one along it.
        let (along, radius) = (Vec3::lit("0", "0", "2"), 1 << 29);
        let offset = Vec3::from_raw([radius, 1, 0]) + along;
        let relative = LinearMotion { offset, motion: Vec3::from_raw([0, -1, 0]) };
        let pair = Pair { relative, flat: &PointSegment(along), ball: Scalar::from_bits(radius) };
        let normal = Normal::new(1 << 29, 1, 0);
        let hit = pair.improve(Hit { toi: Toi::START, normal: -normal }).unwrap();
        assert!(hit.normal == normal && hit.toi > Toi::START, "{hit:?}");
    }

    #[test]
    fn a_point_that_touches_a_corner_as_it_passes_is_a_hit() {
        // From over one face of the box to beside the other: both are as near at the corner.
        let cube = Obb::along_axes(Vec3::splat(lit("1")));
        for (x, y) in [(0, 1), (1, 0), (0, 2), (2, 1)] {
            for (side, other) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let mut raw = [[0; 3]; 2];
                (raw[0][y], raw[1][x], raw[1][y]) = (-other << 33, -side << 33, other << 33);
                let [offset, motion] = raw.map(Vec3::from_raw);
                let relative = LinearMotion { offset, motion };
                let hit = first_contact_rounded(relative, &PointObb(&cube), Scalar::ZERO);
                let normal = Normal::from_vector(offset).unwrap().lengthened();
                assert_eq!(
                    hit,
                    Some(Hit { toi: Toi::from_raw(1 << 31).unwrap(), normal }),
                    "{offset} {motion}"
                );
            }
        }
    }

    #[test]
    fn a_rod_of_any_length_is_missed_if_an_axis_of_space_keeps_it_apart() {
        // A rod that rises by little along x passes over a ball. Its lower end, over the ball in the middle of the tick, is a raw out of reach; its normal
        // has 30 bits, and is off by 2^15 raw at the ends.
        let (along, radius) = (Vec3::from_raw([1 << 45, (1 << 20) + 39_322, 0]), 1 << 32);
        let hit = |above: i64| {
            let end = Vec3::from_raw([-1 << 44, radius + above, 0]);
            let relative = LinearMotion { offset: along + end, motion: Vec3::from_raw([1 << 45, 0, 0]) };
            first_contact_rounded(relative, &PointSegment(along), Scalar::from_bits(radius))
        };
        assert_eq!(hit(1), None);
        assert!(hit(0).is_some());
    }
}
