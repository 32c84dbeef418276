//! Penetration depth.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use super::{
    Big3, Number,
    apart::{distance, way_between},
    cores,
    directions::{directions, separation},
    dot, radii,
};
use crate::{Scene, solid::Point};

/// The least distance by which B has to move for the two to share no inner point, of two that overlap; and a direction in which it can,
/// if there is one in numbers that are small enough for a case.
#[must_use]
pub fn depth(scene: &Scene) -> (Number, Option<Point>) {
    let [a, b] = cores(scene);
    // Outside of each other's cores the way out is the way between them. Two cores of one or two corners have no inside.
    if b.is_empty() || a.is_empty() || a.len() + b.len() <= 4 || way_between(&a, &b).is_some() {
        return (distance(scene).negated(), None);
    }
    // A direction, the square of the separation times its length, and that of its length.
    let mut best: Option<(Big3, [BigInt; 2])> = None;
    for direction in directions(&a, &b) {
        let apart = separation(&a, &b, &direction).min(BigInt::zero());
        let squares = [&apart * &apart, dot(&direction, &direction)];
        if best.as_ref().is_none_or(|(_, least)| &squares[0] * &least[1] < &least[0] * &squares[1]) {
            best = Some((direction, squares));
        }
    }
    let (direction, [apart, length]) = best.expect("a solid has a face");
    let square = BigRational::new(apart, length);
    let small = |part: &BigInt| part.to_i32().map(i64::from);
    let small = match [&direction[0], &direction[1], &direction[2]].map(small) {
        [Some(x), Some(y), Some(z)] => Some([x, y, z]),
        _ => None,
    };
    (Number::of_root(&square, &radii(scene)), small)
}
