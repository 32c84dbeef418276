//! First contact of rotating bodies: conservative advancement.
//!
//! At an instant at which the bodies are apart, a direction is chosen that separates them. Along it their
//! separation is bounded from below for the time to come, and time advances as long as the bound stays above
//! the gap. Then a new direction is chosen. The advance is certain for any direction and any rounding; only
//! the speed of the search depends on them. The balls around both narrow the search first.
//!
//! `solid.rs` says how each shape is represented: all are a hull, a box and a ball added up.

mod across;
mod bounds;
mod corners;
mod facet;
mod frame;
mod motion_bound;
mod nearest;
mod quadratic;
mod reach;
mod relative_motion;
mod search;
mod separated;
mod solid;

pub use relative_motion::{Advance, Passed, Proof, RelativeMotion};

use self::search::Search;
#[cfg(test)]
pub(super) use self::{
    frame::SECOND_WIDTH,
    search::{DEPTH_WIDTH, KEPT_WIDTH, RATE_WIDTH},
    separated::WIDTH as SHORT_WIDTH,
};
use super::{MOTION_MAX, OFFSET_MAX, sweep_shapes};
use crate::{
    geom::{AngularMotion, Vec3},
    num::{Scalar, Toi},
    shape::{
        SIZE_MAX,
        Shape::{self, Capsule, Facet, Hull, Mesh, Obb, Sphere},
    },
};

/// The largest gap that a sweep of turning bodies accepts, in units.
pub const GAP_MAX: Scalar = Scalar::lit("1024");
/// Largest number of directions that such a sweep tries before it stops where it is.
const LOOKS_MAX: u32 = 64;

/// The first instant at which two bodies that move and rotate come within `gap` of each other.
///
/// The shapes are in their bodies' own frames. An [`Obb`], a [`Capsule`] or a [`Hull`] rotates with its body. A sphere
/// looks the same in every orientation, and boxes along the axes and planes never rotate: their rotation is
/// not looked at. A shape at the end of an arm, as a child shape of a compound is, goes around its body's
/// origin as that rotates; a sphere, too.
///
/// - [`Advance::Hit`]: the time is never later than the first instant at which they are `gap` apart, on the
///   unrounded path; along the normal they approach. A pair that starts nearer than `gap`, or overlaps, hits
///   where it comes nearer than it starts, and not where it slides, rests or separates.
/// - [`Advance::Clear`]: they do not come within `gap` up to `relative.until`.
/// - [`Advance::Unresolved`]: they do not come within `gap` up to this instant. The search stops after
///   64 directions, and at the start where there is no direction, as of a ball in the very middle
///   of a box.
///
/// **Rounding**: the time down, never late. At a hit the separation along the best of the directions that
/// [`sweep_obb_obb`](super::sweep_obb_obb) and [`sweep_sphere_obb`](super::sweep_sphere_obb) try exceeds
/// `gap` by at most 10 raw, 2^-26 of the sum of the bounding radii, and 2 raw times the speed of approach in
/// units per tick (at least 1); if one is a hull, their distance does. Edges that are nearly parallel may hide one of these directions, but the
/// distance never exceeds √3 times this bound and the gap. The radii are those about the bodies' origins,
/// arms and all. A path that passes within this bound may be a hit. Mirrored, permuted or exchanged
/// arguments give the same time and the image of the normal. **Range**: [`OFFSET_MAX`] (for a plane's point
/// too), [`MOTION_MAX`], shapes within [`SIZE_MAX`] with their arms, `gap` up to [`GAP_MAX`].
///
/// # Panics
///
/// If the rotation of a body ends before `relative.until`, or a shape that never rotates has an arm.
///
/// **Source**: conservative advancement: B. Mirtich, *Impulse-based Dynamic Simulation* (1996); X. Zhang, M.
/// Lee, Y. Kim, *Interactive continuous collision detection for non-convex polyhedra* (2006), for directed
/// bounds on motion. Bounds of second order and exact ones are ours: `docs/numerics/turning.md`.
#[must_use]
pub fn sweep_turning(a: &Shape, b: &Shape, relative: &RelativeMotion, gap: Scalar) -> Advance {
    sweep_turning_with(a, b, relative, gap, |_| ())
}

/// [`sweep_turning`], with a callback that gets the parts of the tick that it proves clear, in order and
/// without a hole: all that is needed to check its answer.
#[must_use]
pub fn sweep_turning_with(
    a: &Shape,
    b: &Shape,
    relative: &RelativeMotion,
    gap: Scalar,
    mut passed: impl FnMut(Passed),
) -> Advance {
    sweep([a, b], relative, gap, [None; 2], &mut passed)
}

fn sweep(
    [a, b]: [&Shape; 2],
    relative: &RelativeMotion,
    gap: Scalar,
    derivatives: [Option<[i128; 2]>; 2],
    passed: &mut impl FnMut(Passed),
) -> Advance {
    debug_assert!(relative.offset.within(OFFSET_MAX) && relative.motion.within(MOTION_MAX));
    debug_assert!(gap >= 0 && gap <= GAP_MAX);
    let [turn_a, turn_b] = &relative.turnings;
    assert!(relative.until <= turn_a.remaining().min(turn_b.remaining()), "a sweep ends with its tick");
    match (a, b) {
        (Facet(facet), _) => return facet::sweep_facet(facet, b, relative, gap),
        (_, Facet(facet)) => return facet::sweep_facet(facet, a, &relative.from_b(), gap).exchanged(),
        (Mesh(_), _) | (_, Mesh(_)) => return Advance::Clear, // its facets are asked
        _ => {}
    }
    for (shape, arm) in [a, b].into_iter().zip(relative.arms) {
        let rotates = matches!(shape, Obb(_) | Capsule(_) | Hull(_) | Sphere { .. });
        assert!(rotates || arm == Vec3::ZERO, "a shape that never rotates has no arm");
        debug_assert!(arm.within(SIZE_MAX));
    }
    match (a, b) {
        _ if relative.arms != [Vec3::ZERO; 2] => turning([a, b], relative, gap, derivatives, passed),
        (Obb(_) | Capsule(_) | Hull(_), _) | (_, Obb(_) | Capsule(_) | Hull(_)) => {
            turning([a, b], relative, gap, derivatives, passed)
        }
        _ => straight([a, b], relative, gap, passed),
    }
}

/// [`sweep_turning`] of shapes of which the largest derivatives may be known, as of [`largest_derivatives`].
pub(crate) fn sweep_turning_known(
    shapes: [&Shape; 2],
    relative: &RelativeMotion,
    gap: Scalar,
    derivatives: [Option<[i128; 2]>; 2],
) -> Advance {
    sweep(shapes, relative, gap, derivatives, &mut |_| ())
}

/// The largest second and third derivative by time of the position of a point of a rotating shape in the middle of its body, in
/// raw per tick squared and cubed; rounded up. They are those of the whole tick, whatever part of it is left.
pub(crate) fn largest_derivatives(shape: &Shape, turning: &AngularMotion) -> [i128; 2] {
    solid::Solid::new(shape, turning, Vec3::ZERO, None).most
}

/// The sweep of shapes of which one may rotate with its body. It searches if neither the balls around both
/// nor the early out settles the pair.
fn turning(
    [a, b]: [&Shape; 2],
    relative: &RelativeMotion,
    gap: Scalar,
    derivatives: [Option<[i128; 2]>; 2],
    passed: &mut impl FnMut(Passed),
) -> Advance {
    let bounds = [solid::bound_ceil(a, relative.arms[0]), solid::bound_ceil(b, relative.arms[1])];
    let span = bounds::bracket([a, b], relative, gap + bounds[0] + bounds[1]);
    let Some(span) = span.filter(|span| span.first < relative.until) else {
        if relative.until > Toi::START {
            passed(Passed { from: Toi::START, until: relative.until, proof: Proof::Bounds });
        }
        return Advance::Clear;
    };
    if let Some(normal) = separated::separated_throughout([a, b], relative, gap, bounds) {
        let proof = Proof::Normal { normal, rate: [0; 3] };
        passed(Passed { from: Toi::START, until: relative.until, proof });
        return Advance::Clear;
    }
    Search::new([a, b], relative, gap, derivatives).run(span, passed)
}

/// The sweep of shapes that look the same in every orientation.
fn straight(
    [a, b]: [&Shape; 2],
    relative: &RelativeMotion,
    gap: Scalar,
    passed: &mut impl FnMut(Passed),
) -> Advance {
    let hit =
        sweep_shapes(a, b, relative.offset, relative.motion, gap).filter(|hit| hit.toi < relative.until);
    let until = hit.map_or(relative.until, |hit| hit.toi);
    if until > Toi::START {
        passed(Passed { from: Toi::START, until, proof: Proof::Straight });
    }
    hit.map_or(Advance::Clear, Advance::Hit)
}

#[cfg(test)]
mod tests;
