//! The part of a tick in which any two shapes are near each other.

use super::{
    Span,
    certificate::{Certificate, LinearMotion},
    facet::span_facet,
    span_aabb_aabb, span_sphere_sphere,
    sphere_plane::crossing_floor,
    sweep_shapes,
};
use crate::{
    geom::{Normal, Vec3},
    num::{
        Scalar, Toi,
        round::{div_ceil, div_floor},
    },
    overlap::{
        clearance_capsule_q32, clearance_convex_q32, clearance_q32, overlap_convex_convex, overlap_shapes,
        reach_wide,
    },
    shape::{
        Capsule as Rod, Obb as OrientedBox,
        Shape::{self, Aabb, Capsule, Facet, Obb, Plane, Sphere},
    },
};

/// The first and the last time at which two moving shapes are no farther apart than `gap` in this tick, or
/// `None` if they never are. Two planes never meet.
///
/// `offset` is B's origin minus A's at the start, `motion` B's displacement minus A's; in units and units per
/// tick. The gap is measured as the sweep of the pair measures it: with a sphere or a capsule it is the true
/// distance, between boxes the largest separation along their axes, three or fifteen. Shapes that slide,
/// separate or rest within it count as well as those that approach: the answer does not depend on the
/// direction of the motion, and for convex shapes it is one span. Touching counts between two spheres, along
/// a plane and between two boxes.
///
/// **Rounding**: outward: `first` down, `last` up, each by no more than the sweep of the pair is early. A
/// path that passes within as much of the gap may have a span, or none, if it has no time inside.
/// **Range**: as [`sweep_shapes`], from the start and from the end of the motion. **Source**: Gomez, *Simple
/// Intersection Tests for Games* (1999), "A Sphere-Sphere Sweep Test" and "An Axis-Aligned Bounding Box
/// (AABB) Sweep Test": first and last time of overlap.
#[must_use]
pub fn span_shapes(a: &Shape, b: &Shape, offset: Vec3, motion: Vec3, gap: Scalar) -> Option<Span> {
    match (a, b) {
        (Sphere { radius: p }, Sphere { radius: q }) => span_sphere_sphere(offset, motion, *p + *q + gap),
        (Aabb { half: p }, Aabb { half: q }) => span_aabb_aabb(offset, motion, *p + *q + Vec3::splat(gap)),
        (Sphere { radius }, Aabb { .. } | Obb(_)) => {
            let grown = Shape::sphere(*radius + gap);
            span_by_sweeps(a, b, LinearMotion { offset, motion }, gap, |offset| {
                overlap_shapes(&grown, b, offset)
            })
        }
        (Sphere { radius }, Plane(plane)) => {
            let clearance = clearance_q32(offset, *radius + gap, plane);
            span_below(clearance, plane.normal().dot_wide(motion))
        }
        (Aabb { half }, Plane(plane)) => {
            let height = plane.height_wide(-offset) - reach_wide(*half, plane.normal());
            span_below(over_gap(height, plane.normal(), gap), plane.normal().dot_wide(motion))
        }
        (Obb(obb), Plane(plane)) => {
            let height = plane.height_wide(-offset) - obb.support_wide(plane.normal());
            span_below(over_gap(height, plane.normal(), gap), plane.normal().dot_wide(motion))
        }
        (Aabb { half }, Obb(q)) => {
            span_of_boxes(LinearMotion { offset, motion }, &OrientedBox::along_axes(*half), q, gap)
        }
        (Obb(p), Obb(q)) => span_of_boxes(LinearMotion { offset, motion }, p, q, gap),
        (Plane(_), Plane(_)) => None,
        (Plane(plane), Capsule(capsule)) => {
            let clearance = clearance_capsule_q32(offset, plane, capsule, gap);
            span_below(clearance, -plane.normal().dot_wide(motion))
        }
        (Sphere { .. } | Aabb { .. } | Obb(_) | Capsule(_), Capsule(capsule)) => {
            let grown = Capsule(Rod { radius: capsule.radius + gap, ..*capsule });
            span_by_sweeps(a, b, LinearMotion { offset, motion }, gap, |offset| {
                overlap_shapes(a, &grown, offset)
            })
        }
        (Aabb { .. }, Sphere { .. })
        | (Obb(_), Sphere { .. } | Aabb { .. })
        | (Plane(_), Sphere { .. } | Aabb { .. } | Obb(_))
        | (Capsule(_), Sphere { .. } | Aabb { .. } | Obb(_) | Plane(_)) => {
            span_shapes(b, a, -offset, -motion, gap)
        }
        (Facet(facet), _) => span_facet(facet, b, offset, motion, gap),
        (_, Facet(facet)) => span_facet(facet, a, -offset, -motion, gap),
        (_, Plane(plane)) => {
            let clearance = clearance_convex_q32(offset, &a.as_convex(&mut [Vec3::ZERO; 8])?, plane, gap);
            span_below(clearance, plane.normal().dot_wide(motion))
        }
        (Plane(_), _) => span_shapes(b, a, -offset, -motion, gap),
        _ => Shape::both_as_convex(a, b, |of_a, of_b| {
            span_by_sweeps(a, b, LinearMotion { offset, motion }, gap, |offset| {
                overlap_convex_convex(offset, &of_a.grown(gap), of_b)
            })
        })?,
    }
}

/// The sweep forward from the start, and the sweep back from the end.
fn span_by_sweeps(
    a: &Shape,
    b: &Shape,
    relative: LinearMotion,
    gap: Scalar,
    is_within: impl Fn(Vec3) -> bool,
) -> Option<Span> {
    let LinearMotion { offset, motion } = relative;
    let (end, starts_within) = (offset + motion, is_within(offset));
    let first = if starts_within { Toi::START } else { sweep_shapes(a, b, offset, motion, gap)?.toi };
    let last = if is_within(end) {
        Toi::END
    } else {
        match sweep_shapes(a, b, end, -motion, gap) {
            Some(hit) => hit.toi.remaining(),
            None if starts_within => Toi::START, // left within the rounding of the sweep
            None => return None,
        }
    };
    Some(Span { first, last })
}

/// A height less the gap, times the normal's length and 2^32.
fn over_gap(height: i128, normal: Normal, gap: Scalar) -> i128 {
    (height << 32) - i128::from(gap.to_bits()) * i128::from(normal.length_up_q32())
}

/// The span in which a clearance, times 2^32, is not above zero while it falls at a rate, or rises at its
/// opposite.
///
/// **Range**: the clearance below 2^126, the rate below 2^92.
fn span_below(clearance_q32: i128, closing: i128) -> Option<Span> {
    let first = if clearance_q32 <= 0 { Toi::START } else { crossing_floor(clearance_q32, closing)? };
    let ends_within = clearance_q32 <= closing << Toi::BITS;
    // A pair that is within at some time and not at the end was within at the start, and leaves.
    let last = if ends_within { Some(Toi::END) } else { toi_of(div_ceil(-clearance_q32, -closing)) }
        .unwrap_or(Toi::END);
    Some(Span { first, last })
}

/// The span from the last entry to the first exit over all fifteen axes; each extent changes linearly.
fn span_of_boxes(relative: LinearMotion, a: &OrientedBox, b: &OrientedBox, gap: Scalar) -> Option<Span> {
    if relative.stays_clear_of(a.half_extent() + b.half_extent() + Vec3::splat(gap)) {
        return None;
    }
    let faces = a.face_normals_wide().into_iter().chain(b.face_normals_wide());
    let crossed = (0..9).map(|i| a.half_edges[i / 3].cross_wide(b.half_edges[i % 3]));
    let mut span = Span::WHOLE;
    for axis in faces.chain(crossed) {
        let Some(normal) = Normal::from_wide(axis).map(Normal::lengthened) else { continue };
        let extent = a.support_wide(normal) + b.support_wide(normal);
        let reach = (extent << 32) + i128::from(gap.to_bits()) * i128::from(normal.length_up_q32());
        let Span { first, last } = span_of_axis(&relative, normal, reach)?;
        span = Span { first: span.first.max(first), last: span.last.min(last) };
    }
    (span.first <= span.last).then_some(span)
}

/// The span in which B's center is no farther from A's than a reach along an axis, in either sense.
fn span_of_axis(relative: &LinearMotion, normal: Normal, reach_q32: i128) -> Option<Span> {
    let Certificate { start, closing, .. } = Certificate::new(relative, normal, 0);
    // Mirrored so that the center moves up.
    let (center, speed) = if closing > 0 { (-start, closing) } else { (start, -closing) };
    if speed == 0 {
        return (center.abs() <= reach_q32).then_some(Span::WHOLE);
    }
    let (entry, exit) = (div_floor(-reach_q32 - center, speed), div_ceil(reach_q32 - center, speed));
    // An entry after the end is no instant, and neither is an exit before the start.
    let last = exit.min(Toi::END.raw().into());
    Some(Span { first: toi_of(entry.max(0))?, last: toi_of(last)? })
}

/// An instant of so many steps; `None` outside of the tick.
fn toi_of(raw: i128) -> Option<Toi> {
    Toi::from_raw(u64::try_from(raw).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::{Plane as HalfSpace, Rotation},
        num::{Rng, lit},
        overlap::is_within,
    };

    fn shapes() -> Vec<Shape> {
        let half = Vec3::new(lit("0.75"), lit("0.25"), lit("1.5"));
        let turned = Rotation::from_quaternion(lit("0.9"), lit("0.3"), lit("-0.2"), lit("0.5")).unwrap();
        let slope = HalfSpace::from_point_normal(Vec3::splat(lit("0.125")), Normal::new(3, 4, -1)).unwrap();
        let ball = Shape::sphere(lit("0.5"));
        let rod = Shape::capsule(half, lit("0.375"));
        vec![ball, Shape::aabb(half), Shape::obb(half, turned), Plane(slope), rod]
    }

    fn span(a: &Shape, b: &Shape, [x, speed]: [&str; 2], gap: &str) -> Option<[u64; 2]> {
        let along = |length: &str| Vec3::new(length.parse().unwrap(), lit("0"), lit("0"));
        let found = span_shapes(a, b, along(x), along(speed), gap.parse().unwrap())?;
        let swapped = span_shapes(b, a, -along(x), -along(speed), gap.parse().unwrap());
        assert_eq!(swapped, Some(found));
        Some([found.first.raw() << 4 >> 32, found.last.raw() << 4 >> 32])
    }

    #[test]
    fn spans_worked_by_hand() {
        let (ball, cube) = (Shape::sphere(lit("1")), Shape::aabb(Vec3::splat(lit("1"))));
        let turned = Shape::Obb(OrientedBox::along_axes(Vec3::splat(lit("1"))));
        let rod = Shape::capsule(Vec3::new(lit("0"), lit("3"), lit("-2")), lit("1"));
        let wall = Shape::Plane(HalfSpace::from_point_normal(Vec3::ZERO, Normal::X).unwrap());
        // B comes from 9 to -7 in sixteen parts: with a gap of 1 they are near from 3 to -3.
        let pairs = [
            (&ball, &ball),
            (&ball, &cube),
            (&ball, &turned),
            (&cube, &cube),
            (&cube, &turned),
            (&rod, &rod),
        ];
        let with_rod = [&ball, &cube, &turned].map(|solid| (solid, &rod));
        for (a, b) in pairs.into_iter().chain(with_rod) {
            for b in [b, a] {
                assert_eq!(span(a, b, ["9", "-16"], "1"), Some([6, 12]), "{a:?} {b:?}");
                assert_eq!(span(a, b, ["2", "-16"], "1"), Some([0, 5]), "{a:?} {b:?}");
                assert_eq!(span(a, b, ["9", "-8"], "1"), Some([12, 16]), "{a:?} {b:?}");
                assert_eq!(span(a, b, ["9", "16"], "1"), None, "{a:?} {b:?}");
                assert_eq!(span(a, b, ["2.5", "0"], "1"), Some([0, 16]), "{a:?} {b:?}");
                assert_eq!(span(a, b, ["3.5", "0"], "1"), None, "{a:?} {b:?}");
            }
        }
        for a in [&ball, &cube, &turned, &rod] {
            // The half-space behind the wall comes from -9 to 7, or goes from -1 to -17.
            assert_eq!(span(a, &wall, ["-9", "16"], "1"), Some([7, 16]), "{a:?}");
            assert_eq!(span(a, &wall, ["-1", "-16"], "1"), Some([0, 1]), "{a:?}");
            assert_eq!(span(a, &wall, ["-9", "-16"], "1"), None, "{a:?}");
            assert_eq!(span(a, &wall, ["-2", "0"], "1"), Some([0, 16]), "{a:?}");
        }
        assert_eq!(span(&wall, &wall, ["-9", "16"], "1"), None);
    }

    #[test]
    fn boxes_that_touch_have_a_span() {
        let cube = Vec3::splat(lit("1"));
        let (fixed, turned) = (Shape::aabb(cube), Shape::Obb(OrientedBox::along_axes(cube)));
        for (a, b) in [(&fixed, &fixed), (&fixed, &turned), (&turned, &fixed), (&turned, &turned)] {
            for axis in 0..3 {
                for side in [-1, 1] {
                    let along = |length: i64| {
                        let mut raw = [0; 3];
                        raw[axis] = side * length;
                        Vec3::from_raw(raw)
                    };
                    let span = |offset, motion| span_shapes(a, b, offset, motion, Scalar::ZERO);
                    let touching = along(2 << 32);
                    assert_eq!(span(touching, Vec3::ZERO), Some(Span::WHOLE), "{a:?} {b:?}");
                    assert_eq!(span(touching + along(1), Vec3::ZERO), None, "{a:?} {b:?}");
                    let leaves = Span { first: Toi::START, last: Toi::START };
                    assert_eq!(span(touching, along(3 << 32)), Some(leaves), "{a:?} {b:?}");
                    let comes = Span { first: Toi::END, last: Toi::END };
                    assert_eq!(span(along(5 << 32), along(-3 << 32)), Some(comes), "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn a_clearance_of_the_least_bit_counts() {
        let at = |first, last| Some(Span { first, last });
        assert_eq!(span_below(0, 0), Some(Span::WHOLE));
        assert_eq!(span_below(0, -1), at(Toi::START, Toi::START));
        assert_eq!(span_below(1, 0), None);
        assert_eq!(span_below(1, -1), None);
        assert_eq!(span_below(1 << 32, 1), at(Toi::END, Toi::END));
    }

    #[test]
    fn the_slowest_way_along_an_axis_has_a_span() {
        // From `offset` raw to one less; the same for the mirror image.
        let span = |offset: i64, reach: i128| {
            let [found, mirrored] = [1, -1].map(|side| {
                let along = |raw: i64| Vec3::from_raw([side * raw, 0, 0]);
                let relative = LinearMotion { offset: along(offset), motion: along(-1) };
                span_of_axis(&relative, Normal::X, reach << 32)
            });
            assert_eq!(found, mirrored, "{offset} {reach}");
            found
        };
        assert_eq!(span(1, 1), Some(Span::WHOLE));
        assert_eq!(span(2, 1), Some(Span { first: Toi::END, last: Toi::END }));
        assert_eq!(span(-1, 1), Some(Span { first: Toi::START, last: Toi::START }));
        assert_eq!((span(3, 1), span(-2, 1)), (None, None));
    }

    #[test]
    fn bodies_that_slide_within_the_gap_are_near_all_the_while() {
        // Above a floor at less than the gap, from beside it to over it.
        let (floor, cube) = (Shape::aabb(Vec3::splat(lit("4"))), Shape::aabb(Vec3::splat(lit("1"))));
        let tilted = Shape::Obb(OrientedBox::along_axes(Vec3::splat(lit("4"))));
        let offset = Vec3::new(lit("-10"), lit("5.5"), lit("0"));
        let motion = Vec3::new(lit("16"), lit("0"), lit("0"));
        for floor in [floor, tilted] {
            let found = span_shapes(&floor, &cube, offset, motion, lit("1")).unwrap();
            assert_eq!((found.first.raw(), found.last), (1 << 30, Toi::END), "{floor:?}");
            assert_eq!(span_shapes(&floor, &cube, offset, motion, lit("0.25")), None);
        }
    }

    /// The general box along the axes is the one of its own kind, to the last instant.
    #[test]
    fn boxes_along_the_axes_have_one_span() {
        let mut some = 0;
        for case in 0..4_000_u64 {
            let mut draws = Rng::new(19).at(0, case, 0);
            let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
            let (offset, motion) = (vector(3 << 32), vector(8 << 32));
            let [p, q] = [vector(1 << 32), vector(1 << 32)].map(|half| half.map_raw(|raw| raw.abs() + 1));
            let gap = Scalar::from_bits(1 << 24);
            let expected = span_shapes(&Shape::aabb(p), &Shape::aabb(q), offset, motion, gap);
            let turned = Shape::Obb(OrientedBox::along_axes(q));
            assert_eq!(span_shapes(&Shape::aabb(p), &turned, offset, motion, gap), expected);
            some += i32::from(expected.is_some_and(|span| span != Span::WHOLE));
        }
        assert!(some > 300, "{some}");
    }

    /// Checks instants all over the tick: inside where they are nearer than the gap by more than the rounding,
    /// outside where they are farther by more than that.
    #[test]
    fn a_span_is_when_they_are_near() {
        let shapes = shapes();
        let (mut near, mut far, mut partly) = (0, 0, 0);
        for case in 0..30_000_u64 {
            let mut draws = Rng::new(17).at(0, case, 0);
            let mut pick = || &shapes[draws.below(shapes.len() as u64) as usize];
            let (a, b) = (pick(), pick());
            if matches!((a, b), (Plane(_), Plane(_))) {
                continue;
            }
            let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
            let speed = 1 << (33 + case % 4);
            let (offset, motion) = (vector(3 << 32), vector(speed));
            let gap = Scalar::from_bits([0, 64, 1 << 24, 1 << 31][(case / 4 % 4) as usize]);
            let found = span_shapes(a, b, offset, motion, gap);
            partly += i32::from(found.is_some_and(|span| span != Span::WHOLE));
            for step in 0..=32_u64 {
                let toi = Toi::from_raw(step << 27).unwrap();
                let place = offset + motion.map_raw(|raw| toi.of_nearest(raw));
                let holds = found.is_some_and(|span| span.contains(toi));
                let slack = Scalar::from_bits(64 + 64 * (1 + (speed >> 32)));
                let deep = gap > slack && is_within(a, b, place, gap - slack);
                let within = if gap == 0 { overlap_shapes(a, b, place) } else { deep };
                if within {
                    near += 1;
                    assert!(holds, "{a:?} {b:?} {offset} {motion} {gap} at {toi}: {found:?}");
                }
                if !is_within(a, b, place, gap + slack) {
                    far += 1;
                    assert!(!holds, "{a:?} {b:?} {offset} {motion} {gap} at {toi}: {found:?}");
                }
            }
        }
        assert!(near > 150_000 && far > 300_000 && partly > 6_000, "{near} {far} {partly}");
    }
}
