//! Rounding an orientation so that energy is kept.

use std::ops::RangeInclusive;

use super::{IVec3, Rotation};
use crate::num::{
    root::sqrt_floor,
    round::{mul_shr_nearest, shr_nearest_64, sum_shr_nearest},
};

/// The fraction bits that a component of a unit quaternion loses.
const LOST_BITS: u32 = 30;
/// Energy may change by a part in two to this before more choices are looked at.
const LEVEL_BITS: u32 = 32;

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
pub(super) fn round_level(quaternion: [i64; 4], pull: IVec3<i128>, energy: i128) -> Rotation {
    let unit = normalised_q60(quaternion);
    let signs = unit.map(i64::signum);
    let sizes = unit.map(i64::unsigned_abs);
    let slopes = slopes(unit, pull);
    let floors = sizes.map(|size| size >> LOST_BITS);
    // What rounding a component toward zero does to energy, and what one more does.
    let parts = [0, 1, 2, 3].map(|i: usize| {
        let slope = slopes[i] * i128::from(signs[i]);
        let below = (sizes[i] % (1 << LOST_BITS)) as i128;
        (-slope * below, slope << LOST_BITS)
    });
    // A turn by e moves the quaternion by half of e times it, and the pull is half the derivative of twice
    // the energy: that changes by 4 slope times component. Components have 60 fraction bits.
    let small = energy.unsigned_abs() << (58 - LEVEL_BITS);
    let steps = match level_steps(parts, 0..=1) {
        Some((steps, change)) if change <= small => Some(steps),
        Some(_) => level_steps(parts, -1..=2).map(|(steps, _)| steps),
        None => None,
    };
    let nearest = sizes.map(|size| (size >> (LOST_BITS - 1) & 1) as i32);
    let steps = steps.unwrap_or(nearest);
    Rotation::rounded([0, 1, 2, 3].map(|i: usize| signs[i] as i32 * (floors[i] as i32 + steps[i])))
}

/// Number of least bits that each component moves away from zero, within a range, for energy to change least,
/// and by how much it does; `None` where there is no one best choice.
fn level_steps(parts: [(i128, i128); 4], range: RangeInclusive<i32>) -> Option<([i32; 4], u128)> {
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
    let [w, x, y, z] = unit.map(|part| i128::from(shr_nearest_64(part, LOST_BITS)));
    let slopes =
        [-(x * a + y * b + z * c), w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a];
    slopes.map(|slope| sum_shr_nearest(slope, 30))
}

/// The quaternion brought to a length of 1, within a few of its 60 fraction bits; a component of 1 stays
/// below it.
fn normalised_q60(quaternion: [i64; 4]) -> [i64; 4] {
    let square: i128 = quaternion.iter().map(|part| i128::from(*part) * i128::from(*part)).sum();
    let shorter = (1_i128 << 120) / sqrt_floor(square.unsigned_abs()) as i128;
    quaternion.map(|part| mul_shr_nearest(part, shorter as i64, 60))
}
