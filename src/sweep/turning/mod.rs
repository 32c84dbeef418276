//! First contact of bodies that turn: conservative advancement.
//!
//! From an instant at which they are apart, a direction is chosen in which they are; along it their separation is
//! bounded from below for the time to come, and as long as the bound stays above the gap, time is passed. Then a
//! new direction is chosen. What was passed is certain, whatever direction was taken and however
//! anything was rounded; only how soon the search ends depends on that. The balls around both narrow it first.
//!
//! `solid.rs` is where a shape says what it is made of: all are rounded boxes in some sense.

mod bounds;
mod course;
mod frame;
mod glance;
mod outlook;
mod quadratic;
mod search;
mod solid;

pub use course::{Advance, Passed, Proof, TurningCourse};

use self::search::Search;
use super::{MOTION_MAX, OFFSET_MAX, sweep_shapes};
use crate::{
    geom::{Turning, Vec3},
    num::{Scalar, Toi},
    shape::{
        SIZE_MAX,
        Shape::{self, Capsule, Obb, Plane, Sphere},
    },
};

/// The largest gap that a sweep of turning bodies accepts, in units.
pub const GAP_MAX: Scalar = Scalar::lit("1024");
/// How many directions such a sweep tries before it stops where it is.
pub const LOOKS_MAX: u32 = 64;

/// When two bodies that move and turn first come within `gap` of each other.
///
/// The shapes are in their bodies' own frames. An [`Obb`] or a [`Capsule`] turns with its body; a sphere looks the same
/// whichever way it is turned, and boxes along the axes and planes never turn: their turning is not looked at. A shape
/// at the end of an arm, as a part of a body of several is, goes around its body's origin as that turns, a sphere, too.
///
/// - [`Advance::Hit`]: the time is never later than the first instant at which they are `gap` apart, on the
///   unrounded path; along the normal they approach. A pair that starts nearer than `gap`, or overlaps, hits
///   where it comes nearer than it starts, and not where it slides, rests or parts.
/// - [`Advance::Clear`]: they do not come within `gap` up to `course.until`.
/// - [`Advance::Unresolved`]: they do not up to this instant; after [`LOOKS_MAX`] directions the search
///   stops, and at the start where there is no direction, as of a ball in the very middle of a box.
///
/// **Rounding**: the time down, never late. At a hit the separation along the best of the directions that
/// [`sweep_obb_obb`](super::sweep_obb_obb) and [`sweep_sphere_obb`](super::sweep_sphere_obb) try exceeds
/// `gap` by at most 10 raw, 2^-26 of the sum of the bounding radii, and 2 raw times the speed of approach in
/// units per tick (at least 1); edges that are nearly parallel may hide one of these directions, but the distance is
/// never more than √3 times as much and the gap. The radii are those about the bodies' origins, arms and all. A course
/// that passes within as much may be a hit.
/// Mirrored, permuted or exchanged arguments give the same time and the image of the normal.
/// **Range**: [`OFFSET_MAX`] (for a plane's point too), [`MOTION_MAX`], shapes within
/// [`SIZE_MAX`] with their arms, `gap` up to [`GAP_MAX`].
///
/// # Panics
///
/// If one of both turns no longer until `course.until`, or what never turns has an arm.
///
/// **Source**: conservative advancement: B. Mirtich, *Impulse-based Dynamic Simulation* (1996);
/// X. Zhang, M. Lee, Y. Kim, *Interactive continuous collision detection for non-convex polyhedra*
/// (2006), for directed bounds on motion. Bounds of second order and exact ones are ours:
/// `docs/numerics/turning.md`.
#[must_use]
pub fn sweep_turning(a: &Shape, b: &Shape, course: &TurningCourse, gap: Scalar) -> Advance {
    sweep_turning_with(a, b, course, gap, |_| ())
}

/// As [`sweep_turning`], and says which parts of the tick it passes, in order and without a hole: all that is
/// needed to check its answer.
#[must_use]
pub fn sweep_turning_with(
    a: &Shape,
    b: &Shape,
    course: &TurningCourse,
    gap: Scalar,
    mut passed: impl FnMut(Passed),
) -> Advance {
    debug_assert!(course.offset.within(OFFSET_MAX) && course.motion.within(MOTION_MAX));
    debug_assert!(gap >= 0 && gap <= GAP_MAX);
    let [turn_a, turn_b] = &course.turnings;
    assert!(course.until <= turn_a.remaining().min(turn_b.remaining()), "a sweep ends with its tick");
    if matches!((a, b), (Plane(_), Plane(_))) {
        return Advance::Clear;
    }
    for (shape, arm) in [a, b].into_iter().zip(course.arms) {
        let turns = matches!(shape, Obb(_) | Capsule(_) | Sphere { .. });
        assert!(turns || arm == Vec3::ZERO, "what never turns has no arm");
        debug_assert!(arm.within(SIZE_MAX));
    }
    match (a, b) {
        _ if course.arms != [Vec3::ZERO; 2] => turning([a, b], course, gap, &mut passed),
        (Obb(_) | Capsule(_), _) | (_, Obb(_) | Capsule(_)) => turning([a, b], course, gap, &mut passed),
        _ => straight([a, b], course, gap, &mut passed),
    }
}

/// The largest second derivative by time of the place of a point of a shape that turns, in raw per tick squared; rounded up.
pub(crate) fn bend_ceil(shape: &Shape, turning: &Turning) -> i128 {
    solid::Solid::new(shape, turning, Vec3::ZERO).most[0]
}

/// Of shapes of which one may turn with its body: what the balls around both do not rule out and no glance settles is
/// searched.
fn turning(
    [a, b]: [&Shape; 2],
    course: &TurningCourse,
    gap: Scalar,
    passed: &mut impl FnMut(Passed),
) -> Advance {
    let bounds = [solid::bound_ceil(a, course.arms[0]), solid::bound_ceil(b, course.arms[1])];
    let span = bounds::bracket([a, b], course, gap + bounds[0] + bounds[1]);
    let Some(span) = span.filter(|span| span.first < course.until) else {
        if course.until > Toi::START {
            passed(Passed { from: Toi::START, until: course.until, proof: Proof::Bounds });
        }
        return Advance::Clear;
    };
    if let Some(normal) = glance::glance([a, b], course, gap, bounds) {
        let proof = Proof::Normal { normal, rate: [0; 3] };
        passed(Passed { from: Toi::START, until: course.until, proof });
        return Advance::Clear;
    }
    Search::new([a, b], course, gap).run(span, passed)
}

/// Of shapes that look the same whichever way their bodies turn.
fn straight(
    [a, b]: [&Shape; 2],
    course: &TurningCourse,
    gap: Scalar,
    passed: &mut impl FnMut(Passed),
) -> Advance {
    let hit = sweep_shapes(a, b, course.offset, course.motion, gap).filter(|hit| hit.toi < course.until);
    let until = hit.map_or(course.until, |hit| hit.toi);
    if until > Toi::START {
        passed(Passed { from: Toi::START, until, proof: Proof::Straight });
    }
    hit.map_or(Advance::Clear, Advance::Hit)
}
