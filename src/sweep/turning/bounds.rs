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
