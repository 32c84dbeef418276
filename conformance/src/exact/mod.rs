//! Exact answers, by big integers alone.
//!
//! Nothing here is shared with an engine. A solid is its core and a radius: the hull of some points, and all that is near it. What two
//! cores do is found from all their corners and pairs of corners, without faces: slow, and short enough to be read.

mod apart;
mod depth;
mod directions;
mod number;
mod sign;
mod touch;

pub use apart::distance;
pub use depth::depth;
pub use number::{FRACTION_BITS, Number};
pub use sign::{separation, sign};
pub use touch::{NORMAL_BITS, Touch, passes, touch};

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::{Scene, solid::Point};

/// A vector of big integers.
pub(crate) type Big3 = [BigInt; 3];

pub(crate) fn big3(point: Point) -> Big3 {
    point.map(BigInt::from)
}

pub(crate) fn dot(a: &Big3, b: &Big3) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

pub(crate) fn cross(a: &Big3, b: &Big3) -> Big3 {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

pub(crate) fn sub(a: &Big3, b: &Big3) -> Big3 {
    [&a[0] - &b[0], &a[1] - &b[1], &a[2] - &b[2]]
}

pub(crate) fn add(a: &Big3, b: &Big3) -> Big3 {
    [&a[0] + &b[0], &a[1] + &b[1], &a[2] + &b[2]]
}

pub(crate) fn times(a: &Big3, k: &BigInt) -> Big3 {
    [&a[0] * k, &a[1] * k, &a[2] * k]
}

pub(crate) fn is_zero(a: &Big3) -> bool {
    a.iter().all(Zero::is_zero)
}

/// The corners of both cores as they stand at the start, A's and B's.
pub(crate) fn cores(scene: &Scene) -> [Vec<Big3>; 2] {
    let placed = |corner: Point| [0, 1, 2].map(|axis: usize| corner[axis] + scene.offset[axis]);
    [
        scene.a.core().into_iter().map(big3).collect(),
        scene.b.core().into_iter().map(placed).map(big3).collect(),
    ]
}

/// The sum of both radii.
pub(crate) fn radii(scene: &Scene) -> BigInt {
    BigInt::from(scene.a.radius()) + scene.b.radius()
}

/// True if the origin is in the inside of the hull of points.
pub(crate) fn has_origin_inside(points: &[Big3]) -> bool {
    let directions = directions::directions(points, &points[..1]);
    let reaches = |direction: &Big3| points.iter().any(|point| dot(point, direction).is_positive());
    !directions.is_empty() && directions.iter().all(reaches)
}
