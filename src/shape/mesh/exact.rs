//! Products of vectors between points of the grid.

use super::source::STEP_BITS;
use crate::{
    num::bound::{Bound, Width},
    shape::size::MESH_EXTENT_MAX,
};

pub(in crate::shape) const WIDTH: Width = {
    let way = Bound::of(MESH_EXTENT_MAX).shifted_back(STEP_BITS).shifted(1);
    Width {
        number: "the height of a corner over a triangle, `n . way`",
        bound: way.cross(way).dot(way),
        held_in: 128,
    }
};
const _: () = WIDTH.check();

/// A vector between points of the grid.
pub(super) type Way = [i128; 3];

/// The vector from one point of the grid to another; exact.
pub(super) fn way(from: [i32; 3], to: [i32; 3]) -> Way {
    [0, 1, 2].map(|axis: usize| i128::from(to[axis]) - i128::from(from[axis]))
}

pub(super) fn cross([a, b, c]: Way, [x, y, z]: Way) -> Way {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

pub(super) fn dot(a: Way, b: Way) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The normal of a triangle, twice as long as its area; exact.
pub(super) fn normal([a, b, c]: [[i32; 3]; 3]) -> Way {
    cross(way(a, b), way(a, c))
}

/// A vector divided by the greatest common divisor of its components.
pub(super) fn in_lowest_terms(vector: Way) -> Way {
    let divisor = vector.into_iter().fold(0, greatest_common_divisor);
    if divisor == 0 { vector } else { vector.map(|part| part / divisor) }
}

fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a as i128
}
