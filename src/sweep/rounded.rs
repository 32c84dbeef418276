//! First contact of solids with flat sides, of which one has a ball around each of its points.

use super::{
    Hit,
    certificate::{Certificate, Course},
};
use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi},
    overlap::{toward_capsule, toward_obb::toward_obb},
    shape::Obb,
};

/// How often the direction is improved; a glancing course converges by halves, all others at once.
const ROUNDS: u32 = 40;

/// Two solids without the balls around them: the ways from the points of A to those of B make a convex
/// solid with flat sides, and contact is where it comes near to the origin.
pub(super) enum Flat<'a> {
    /// A point and a box.
    PointObb(&'a Obb),
    /// A point and a segment, by its half length.
    PointSegment(Vec3),
    /// Two segments.
    Segments(Vec3, Vec3),
    /// A box and a segment.
    ObbSegment(&'a Obb, Vec3),
}

impl Flat<'_> {
    /// The direction from A to B where they are nearest, as good as a normal can be; any is a valid
    /// certificate.
    fn toward(&self, offset: Vec3) -> Option<Normal> {
        match *self {
            Self::PointObb(obb) => toward_obb(offset, obb),
            Self::PointSegment(along) => toward_capsule::toward_segment(offset, along),
            Self::Segments(a, b) => toward_capsule::toward_segment_from_segment(offset, a, b),
            Self::ObbSegment(obb, along) => toward_capsule::toward_segment_from_obb(offset, obb, along),
        }
    }

    /// How far both reach along a normal, times its length; exact.
    fn reach_wide(&self, normal: Normal) -> i128 {
        let along = |axis: Vec3| normal.dot_wide(axis).abs();
        match *self {
            Self::PointObb(obb) => obb.support_wide(normal),
            Self::PointSegment(axis) => along(axis),
            Self::Segments(a, b) => along(a) + along(b),
            Self::ObbSegment(obb, axis) => obb.support_wide(normal) + along(axis),
        }
    }

    fn half_extent(&self) -> Vec3 {
        let extent = |axis: Vec3| axis.map_raw(i64::abs);
        match *self {
            Self::PointObb(obb) => obb.half_extent(),
            Self::PointSegment(axis) => extent(axis),
            Self::Segments(a, b) => extent(a) + extent(b),
            Self::ObbSegment(obb, axis) => obb.half_extent() + extent(axis),
        }
    }
}

/// When two such solids first come within `ball` of each other, radii and gap together; `None` if not in
/// the tick.
///
/// From an instant that is not late it goes on to the instant at which the direction there, kept fixed,
/// no longer proves them apart: never later than contact, and by convexity ever nearer to it.
pub(super) fn first_contact_rounded(course: Course, flat: &Flat<'_>, ball: Scalar) -> Option<Hit> {
    if course.stays_clear_of(flat.half_extent() + Vec3::splat(ball)) {
        return None;
    }
    first_certified(course, flat, ball)
}

/// The same for a course of any length: components of the offset and of the motion below 2^58 raw.
///
/// A certificate then begins below 2^123 and closes by less than 2^91.
pub(super) fn first_certified(course: Course, flat: &Flat<'_>, ball: Scalar) -> Option<Hit> {
    let pair = Pair { course, flat, ball };
    let first = pair.certify(flat.toward(course.offset)?);
    if first.closing <= 0 {
        return None;
    }
    let start = Hit { toi: Toi::START, normal: first.normal };
    if first.start <= 0 { Some(start) } else { pair.improve(Hit { toi: first.closed_floor()?, ..start }) }
}

/// Two solids on their course.
struct Pair<'a> {
    course: Course,
    flat: &'a Flat<'a>,
    /// The radii and the gap.
    ball: Scalar,
}

impl Pair<'_> {
    /// The separation along a normal.
    fn certify(&self, normal: Normal) -> Certificate {
        let ball = i128::from(self.ball.to_bits()) * i128::from(normal.length_up_q32());
        Certificate::new(&self.course, normal, (self.flat.reach_wide(normal) << 32) + ball)
    }

    /// From an instant that is not late to a later one that is not, until the direction there no
    /// longer shows any way to go; `None` once a direction proves a miss.
    fn improve(&self, mut hit: Hit) -> Option<Hit> {
        for _ in 0..ROUNDS {
            let Some(normal) = self.flat.toward(self.course.at_nearest(hit.toi)) else { break };
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
