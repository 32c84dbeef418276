//! The point of an oriented box nearest to a given one.

use std::cmp::Reverse;

use crate::{
    geom::Vec3,
    num::round::{div_nearest, shr_nearest},
    shape::Obb,
};

/// One half edge, as a coordinate in a box's own frame.
pub(crate) const EDGE: i64 = 1 << EDGE_BITS;

/// Number of fraction bits, small enough for `dot << EDGE_BITS` with dot below 2^90.
const EDGE_BITS: u32 = 36;

/// The point of an oriented box that is nearest to `point`, both relative to the box's center.
///
/// The point's coordinates along the box's edges, each clamped to the box. A point inside comes
/// back as itself, up to the rounding.
///
/// **Rounding**: each component to nearest, halves away from zero; mirrored boxes give mirrored
/// points. The edges count as perpendicular, which their rounding to raw makes almost true: the
/// result lies within 1 raw of the box, and is at most 4 raw plus 2^-36 of its size farther
/// from `point` than the exact nearest one.
/// **Range**: `point` within [`REACH_MAX`](crate::sweep::REACH_MAX) or so: components below 2^49 raw.
///
/// **Source**: Arvo, *A Simple Method for Box-Sphere Intersection Testing*, Graphics Gems (1990);
/// Gomez, *Simple Intersection Tests for Games* (1999), "A Box-Sphere Intersection Test".
#[must_use]
pub fn closest_point_obb(point: Vec3, obb: &Obb) -> Vec3 {
    let shares = box_coordinates(point, obb);
    let edges = obb.half_edges.map(Vec3::raw);
    Vec3::from_raw([0, 1, 2].map(|axis| {
        let product = |i: usize| i128::from(edges[i][axis]) * i128::from(shares[i]);
        shr_nearest(product(0) + product(1) + product(2), EDGE_BITS) as i64
    }))
}

/// The coordinates along the half edges of the nearest point, each within `±EDGE`.
///
/// The longest edge goes first and its part is taken off: what a long edge is off perpendicular
/// would otherwise be the size of a short one.
pub(crate) fn box_coordinates(point: Vec3, obb: &Obb) -> [i64; 3] {
    let squares = obb.half_edges.map(|edge| edge.dot_wide(edge));
    let mut order = [0, 1, 2];
    order.sort_by_key(|&i| Reverse(squares[i]));
    let mut rest = point;
    let mut shares = [0; 3];
    for i in order {
        let edge = obb.half_edges[i];
        shares[i] = clamped_share(rest.dot_wide(edge), squares[i]);
        rest -= edge.map_raw(|c| shr_nearest(i128::from(c) * i128::from(shares[i]), EDGE_BITS) as i64);
    }
    shares
}

/// `dot / square`, clamped to one, with `EDGE_BITS` fraction bits.
fn clamped_share(dot: i128, square: i128) -> i64 {
    if dot.abs() >= square {
        EDGE * dot.signum() as i64
    } else {
        div_nearest(dot << EDGE_BITS, square) as i64 // |dot| < square <= 2^90: fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rod of which a short edge leans on the long one by a third of itself, as the rounding of a turned one of a few raw has it.
    #[test]
    fn a_point_of_a_thin_box_is_its_own_nearest_point() {
        let raw = |x: i64, y: i64, z: i64| Vec3::from_raw([x, y, z]);
        let rod = Obb { half_edges: [raw(1 << 40, 0, 0), raw(1, 3, 0), raw(0, 0, 3)] };
        for point in [raw(1 << 40, 0, 0), raw(-1 << 40, 0, 0), raw(1 << 40, 0, 3), raw(1 << 39, 0, -3)] {
            assert_eq!(closest_point_obb(point, &rod), point);
        }
        // The short edge leans forth.
        assert_eq!(closest_point_obb(raw(3 << 40, 0, 0), &rod), raw((1 << 40) + 1, 3, 0));
    }
}
