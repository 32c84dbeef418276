//! The span in which the balls around two shapes are within a gap. The rest of the tick needs no search.

use super::{RelativeMotion, motion_bound::shr_ceil, solid::center};
use crate::{
    geom::Normal,
    num::{
        Scalar, Toi,
        round::{div_ceil, div_floor},
    },
    shape::Shape,
    sweep::{Span, span_sphere_sphere},
};

/// The span in which the balls around both, or the ball around one and a plane, are nearer than `reach`: the
/// gap and the distance that bounds them. `None` where never in the tick.
pub(super) fn bracket(shapes: [&Shape; 2], relative: &RelativeMotion, reach: Scalar) -> Option<Span> {
    let offset = relative.offset + center(shapes[1]) - center(shapes[0]);
    let Some(normal) = normal_of_plane(shapes) else {
        return span_sphere_sphere(offset, relative.motion, reach);
    };
    let taken = shr_ceil(i128::from(reach.to_bits()) * i128::from(normal.length_up_q32()), 32);
    let first = normal.dot_wide(offset) - taken;
    let motion = normal.dot_wide(relative.motion);
    if first >= 0 && first + motion >= 0 {
        return None;
    }
    let toi = |raw: i128, other: Toi| u64::try_from(raw).ok().and_then(Toi::from_raw).unwrap_or(other);
    let enters = if first > 0 { toi(div_floor(first << 32, -motion), Toi::START) } else { Toi::START };
    let leaves = if first + motion > 0 { toi(div_ceil(-first << 32, motion), Toi::END) } else { Toi::END };
    Some(Span { first: enters, last: leaves })
}

/// The normal of a plane among both, from A to B.
pub(super) fn normal_of_plane(shapes: [&Shape; 2]) -> Option<Normal> {
    match shapes {
        [Shape::Plane(plane), _] => Some(plane.normal()),
        [_, Shape::Plane(plane)] => Some(-plane.normal()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::{AngularMotion, Plane, Rotation, Vec3},
        num::lit,
    };

    #[test]
    fn the_span_of_a_ball_over_a_plane_ends_where_it_is_a_reach_away() {
        // The plane is 1 over its body's origin, and the reach is 1.
        let floor = Plane::from_point_normal(Vec3::lit("0", "1", "0"), Normal::new(0, 3, 0)).unwrap();
        let (floor, ball) = (Shape::Plane(floor), Shape::sphere(lit("0.5")));
        let table = [
            // Down from 4 over the plane, past it, and not so far.
            ("5", "-8", Some((3 << 29, 8 << 29))),
            ("5", "-3", None),
            ("5", "-2", None),
            // Up from 4 behind it, and not so far.
            ("-3", "8", Some((0, 5 << 29))),
            ("-3", "2", Some((0, 8 << 29))),
            ("1.5", "0", Some((0, 8 << 29))),
            ("2", "0", None),
        ];
        for (height, motion, want) in table {
            let along = |length: &str| Vec3::lit("7", length, "-3");
            let relative = RelativeMotion {
                offset: along(height),
                motion: along(motion),
                arms: [Vec3::ZERO; 2],
                turnings: [AngularMotion::still(Rotation::IDENTITY); 2],
                until: Toi::END,
            };
            let found = bracket([&floor, &ball], &relative, lit("1"));
            assert_eq!(found.map(|span| (span.first.raw(), span.last.raw())), want, "{height} {motion}");
            assert_eq!(bracket([&ball, &floor], &relative.from_b(), lit("1")), found, "{height} {motion}");
        }
    }

    #[test]
    fn a_ball_that_ends_the_least_bit_above_a_reach_leaves_it_before() {
        // Along this normal of the length 2^29 and 2^-30 more, a reach of 1 is 2^61 and 4; the ball begins one below it and ends one above.
        let slope = Plane::from_point_normal(Vec3::ZERO, Normal::new(1 << 29, 1, 0)).unwrap();
        let relative = RelativeMotion {
            offset: Vec3::from_raw([1 << 32, 3, 0]),
            motion: Vec3::from_raw([0, 2, 0]),
            arms: [Vec3::ZERO; 2],
            turnings: [AngularMotion::still(Rotation::IDENTITY); 2],
            until: Toi::END,
        };
        let span = bracket([&Shape::Plane(slope), &Shape::sphere(lit("0.5"))], &relative, lit("1")).unwrap();
        assert_eq!((span.first, span.last.raw()), (Toi::START, 1 << 31));
    }
}
