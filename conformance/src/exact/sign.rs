//! The sign of the separation of two solids.

use std::cmp::Ordering;

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::{
    Number,
    apart::{height_over_plane, way_between},
    cores, depth,
    directions::{directions, separation as separation_along},
    distance, radii,
};
use crate::Scene;

/// How far two solids are apart: their distance, or minus their penetration depth.
#[must_use]
pub fn separation(scene: &Scene) -> Number {
    match sign(scene) {
        1 => distance(scene),
        0 => Number::Exact(BigRational::zero()),
        _ => depth(scene).0.negated(),
    }
}

/// 1 where the solids share no point, 0 where they touch, and -1 where they share points of their insides.
#[must_use]
pub fn sign(scene: &Scene) -> i8 {
    let reach = radii(scene);
    if let Some((height, square)) = height_over_plane(scene) {
        let signed = &height * height.abs();
        return sign_of(signed.cmp(&(&reach * &reach * square)));
    }
    let [a, b] = cores(scene);
    match way_between(&a, &b) {
        Some(way) => sign_of(way.square().cmp(&BigRational::from(&reach * &reach))),
        None if reach.is_positive() => -1,
        None if directions(&a, &b)
            .iter()
            .all(|direction| separation_along(&a, &b, direction).is_negative()) =>
        {
            -1
        }
        None => 0,
    }
}

fn sign_of(ordering: Ordering) -> i8 {
    match ordering {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}
