//! Energy-preserving rounding of an orientation.

use std::ops::{Neg, RangeInclusive};

use super::{IVec3, Rotation};
use crate::num::{
    root::sqrt_floor,
    round::{mul_shr_nearest, shr_nearest_64, sum_shr_nearest},
};

/// The fraction bits that a component of a unit quaternion loses.
const LOST_BITS: u32 = 30;
/// Energy may change by a part in two to this before more choices are looked at.
const ENERGY_BITS: u32 = 32;

/// The unit quaternion of one of a length near 1 with 60 fraction bits, rounded so that energy changes least.
///
/// `pull` is the energy's derivative by a turn about each of the body's axes, below 2^88; `energy` is twice
/// the energy, in the same unit and below 2^90. Of the sixteen quaternions with each component rounded toward
/// zero or away from it the one is taken whose energy is nearest to that of the unrounded one. Where that is
/// off by more than a part in 2^32, as of a long rod, the 256 are tried that have components one further on
/// either side. Where two are equally near, each component goes to the nearest, halves away from zero; as it
/// does where energy does not change, as of a ball.
///
/// The choice does not depend on which axis comes first, nor on signs.
pub(super) fn round_preserving_energy(quaternion: [i64; 4], pull: IVec3<i128>, energy: i128) -> Rotation {
    let unit = normalised_q60(quaternion);
    let slopes = slopes(unit, pull);
    // What rounding a component toward zero does to energy, and what one more does.
    let parts = each(|i| {
        let slope = signed(unit[i], slopes[i]);
        let below = (unit[i].unsigned_abs() % (1 << LOST_BITS)) as i64;
        (-slope * i128::from(below), slope << LOST_BITS)
    });
    // A turn by e moves the quaternion by half of e times it, and the pull is half the derivative of twice
    // the energy: that changes by 4 slope times component. Components have 60 fraction bits.
    let small = energy.unsigned_abs() << (58 - ENERGY_BITS);
    let steps = match steps_preserving_energy(parts, 0..=1) {
        Some((steps, change)) if change <= small => Some(steps),
        Some(_) => steps_preserving_energy(parts, -1..=2).map(|(steps, _)| steps),
        None => None,
    };
    let nearest = |i: usize| (unit[i].unsigned_abs() >> (LOST_BITS - 1) & 1) as i32;
    let steps = steps.unwrap_or_else(|| each(nearest));
    Rotation::rounded(each(|i| {
        let size = (unit[i].unsigned_abs() >> LOST_BITS) as i32 + steps[i];
        signed(unit[i], size)
    }))
}

/// A number times the sign of a component; 0 where that is 0.
#[inline(always)]
fn signed<T: Neg<Output = T> + Default>(component: i64, number: T) -> T {
    match component.signum() {
        0 => T::default(),
        1 => number,
        _ => -number,
    }
}

/// A part for each component of a quaternion: in place, which the `map` of an array is not.
#[inline(always)]
fn each<T>(part: impl Fn(usize) -> T) -> [T; 4] {
    [part(0), part(1), part(2), part(3)]
}

/// Number of least bits that each component moves away from zero, within a range, for energy to change least,
/// and by how much it does; `None` where there is no one best choice.
fn steps_preserving_energy(parts: [(i128, i128); 4], range: RangeInclusive<i32>) -> Option<([i32; 4], u128)> {
    let floor: i128 = parts.iter().map(|(below, _)| below).sum();
    let (mut best, mut least, mut tied) = ([0; 4], u128::MAX, false);
    let change = |i: usize, steps: i32| parts[i].1 * i128::from(steps);
    for w in range.clone() {
        for x in range.clone() {
            let first = floor + change(0, w) + change(1, x);
            for y in range.clone() {
                let second = first + change(2, y);
                for z in range.clone() {
                    let size = (second + change(3, z)).unsigned_abs();
                    if size <= least {
                        tied = size == least;
                        (best, least) = ([w, x, y, z], size);
                    }
                }
            }
        }
    }
    (!tied).then_some((best, least))
}

/// The energy's derivative by each component: the quaternion times the pull.
fn slopes(unit: [i64; 4], IVec3([a, b, c]): IVec3<i128>) -> [i128; 4] {
    // With 30 bits each: the sixteen choices need no more.
    let [w, x, y, z] = each(|i| i128::from(shr_nearest_64(unit[i], LOST_BITS)));
    let slopes =
        [-(x * a + y * b + z * c), w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a];
    each(|i| sum_shr_nearest(slopes[i], 30))
}

/// The quaternion brought to a length of 1, within a few of its 60 fraction bits; a component of 1 stays
/// below it.
fn normalised_q60(quaternion: [i64; 4]) -> [i64; 4] {
    let square: i128 = quaternion.iter().map(|part| i128::from(*part) * i128::from(*part)).sum();
    let shorter = (1_i128 << 120) / sqrt_floor(square.unsigned_abs()) as i128;
    each(|i| mul_shr_nearest(quaternion[i], shorter as i64, 60))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rng;

    #[test]
    fn a_component_of_zero_stays_zero_and_signs_carry_over() {
        let one = 1_i64 << 60;
        for case in 0..200 {
            let mut draws = Rng::new(8).at(0, 0, case);
            // Energy changes with every component, and would often change less if the two that are zero did not stay so.
            let pull = IVec3([(); 3]).map(|()| i128::from(draws.between(-9, 9)) << 84);
            let (w, x) =
                (one / 5 * 4 + draws.between(-1_000, 1_000), one / 5 * 3 + draws.between(-1_000, 1_000));
            let [a, b, y, z] = round_preserving_energy([w, x, 0, 0], pull, 1 << 88).components();
            assert_eq!((y, z), (0, 0));
            assert_eq!(round_preserving_energy([-w, -x, 0, 0], pull, 1 << 88).components(), [-a, -b, 0, 0]);
        }
    }
}
