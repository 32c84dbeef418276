//! One step of the implicit midpoint rule for a free body in its own frame.

use super::IVec3;
use crate::num::{
    bound::{Bound, Width},
    round::{mul_shr_nearest, shr_nearest_64, sum_shr_nearest},
};

/// The middle of a step: what solves `y = p + turn * (y × ω(y))`, with `p` the angular momentum at its start,
/// ω(y) the angular velocity there, and `turn` half a step long.
///
/// From it, `2 y - p` is the momentum at the end, as long as `p` and of the same energy, and the quaternion
/// `(1, turn * ω(y))` rotates the body so that in the world its momentum is where it was.
///
/// Components: momenta have 60 fraction bits and are at most 1 long; rates, angular speed per momentum, 46.
pub(super) struct Midpoint {
    start: IVec3<i64>,
    middle: IVec3<i64>,
    /// Half the turn that a momentum of 1 makes about each axis, with 46 fraction bits.
    turns: IVec3<i64>,
}

/// Iterations at most; three or four are taken.
const ITERATIONS_MAX: u32 = 12;
/// After a correction below this the derivative hardly changes.
const ROUGH: u64 = 1 << 46;
/// A correction below this leaves an error of a few least bits: the next would be 2^-18 times as large.
const SMALL: u64 = 1 << 20;
/// The fraction bits of rates.
const RATE_BITS: u32 = 46;
/// The fraction bits of the derivative.
const SLOPE_BITS: u32 = 24;

/// A component of the middle, and of what is bent, is cut to so many bits: twice the longest momentum, which no step of at most 23
/// degrees comes near.
const MIDDLE_BITS: u32 = Midpoint::BITS + 1;
/// A component of the tangent of half the angle of a step is cut to so many bits, a quarter: that of 23 degrees is a fifth.
const TANGENT_BITS: u32 = Midpoint::BITS - 2;
/// The steepest slope, which no step of at most 23 degrees has, as a power of two: products of two fit 64 bits.
const STEEPEST_BITS: u32 = SLOPE_BITS + 3;
/// The least determinant, with three times the fraction bits of a slope: it is at least .3 for steps of at most 23 degrees, and held up
/// where a body too fast for a tick is tried.
const DETERMINANT_BITS: u32 = 66;

/// The correction, with which the middle is cut: an entry of the inverse is a cofactor over the determinant, with 30 fraction bits.
pub(super) const WIDTH: Width = {
    let steepest = Bound::power(STEEPEST_BITS);
    let cofactor = steepest.times(steepest).shifted(1).plus(Bound::power(2 * SLOPE_BITS));
    let inverse = Bound::power(102 - DETERMINANT_BITS);
    let entry = cofactor.shifted_back(SLOPE_BITS).times(inverse).shifted_back(SLOPE_BITS);
    let middle = Bound::power(MIDDLE_BITS);
    Width {
        number: "`inverse . missing`, Newton's correction of a step of the free rotation, with 30 fraction bits more",
        bound: entry.dot(Bound::power(Midpoint::BITS).plus(middle).plus(middle)),
        held_in: 128,
    }
};
const _: () = WIDTH.check();

impl Midpoint {
    /// The fraction bits of momenta.
    pub(super) const BITS: u32 = 60;

    /// The middle of a step of `2^-halvings` tick.
    pub(super) fn new(start: IVec3<i64>, rates: IVec3<i64>, halvings: u32) -> Self {
        let stretch = stretch_q46(start, rates, halvings);
        let turns = rates.map(|rate| mul_shr_nearest(rate, stretch, RATE_BITS + 1 + halvings));
        let bends = IVec3::from_fn(|i| turns[(i + 2) % 3] - turns[(i + 1) % 3]);
        let mut middle = start;
        let (mut inverse, mut iterations) = ([IVec3::ZERO; 3], 0);
        let mut most = if bends == IVec3::ZERO { 0 } else { u64::MAX }; // a ball's momentum does not move in it
        while most >= SMALL && iterations < ITERATIONS_MAX {
            if most >= ROUGH {
                inverse = inverse_q30(bends, middle);
            }
            iterations += 1;
            let last = middle;
            middle = corrected(start, last, bends, &inverse);
            most = (middle - last).0.iter().fold(0, |most, change| change.unsigned_abs().max(most));
        }
        Self { start, middle, turns }
    }

    /// The angular momentum at the end of the step.
    pub(super) fn end(&self) -> IVec3<i64> {
        const MOST: i64 = 1 << Midpoint::BITS;
        self.middle.zip(self.start, |middle, start| (2 * middle - start).clamp(-MOST, MOST))
    }

    /// A quaternion with 60 fraction bits, turned on; longer by the secant of half the angle.
    pub(super) fn turn(&self, [w, x, y, z]: [i64; 4]) -> [i64; 4] {
        const MOST: i128 = 1 << TANGENT_BITS;
        let IVec3([a, b, c]) = self.turns.zip(self.middle, |turn, part| {
            sum_shr_nearest(i128::from(turn) * i128::from(part), RATE_BITS).clamp(-MOST, MOST) as i64
        });
        let wide = |p: i64, q: i64| i128::from(p) * i128::from(q);
        let part = |sum| sum_shr_nearest(sum, Self::BITS) as i64;
        [
            w - part(wide(x, a) + wide(y, b) + wide(z, c)),
            x + part(wide(w, a) + wide(y, c) - wide(z, b)),
            y + part(wide(w, b) + wide(z, a) - wide(x, c)),
            z + part(wide(w, c) + wide(x, b) - wide(y, a)),
        ]
    }
}

/// Factor by which the step is lengthened so that its turn has the angle of its speed: tan(x) / x, with x
/// half the angle, below .21. The rule by itself rotates by 2 atan(x).
///
/// Off by less than 2^-40.
fn stretch_q46(momentum: IVec3<i64>, rates: IVec3<i64>, halvings: u32) -> i64 {
    const SERIES_Q46: [i64; 7] = [
        1 << 46,
        (1 << 46) / 3,
        (2 << 46) / 15,
        (17 << 46) / 315,
        (62 << 46) / 2_835,
        (1_382 << 46) / 155_925,
        (21_844 << 46) / 6_081_075,
    ];
    let half_angle = rates.zip(momentum, |rate, part| mul_shr_nearest(rate, part, 60 + halvings + 1));
    // A radian at most.
    let squared = (half_angle.dot(half_angle) >> RATE_BITS).min(1 << RATE_BITS);
    let mut sum = 0;
    for term in SERIES_Q46.iter().rev() {
        sum = term + ((i128::from(sum) * squared) >> RATE_BITS) as i64;
    }
    sum
}

/// A guess of the middle with Newton's correction.
fn corrected(
    start: IVec3<i64>,
    guess: IVec3<i64>,
    bends: IVec3<i64>,
    inverse: &[IVec3<i64>; 3],
) -> IVec3<i64> {
    const MOST: i128 = 1 << MIDDLE_BITS;
    let missing = IVec3::from_fn(|i| {
        let product = mul_shr_nearest(guess[(i + 1) % 3], guess[(i + 2) % 3], Midpoint::BITS);
        let bent = sum_shr_nearest(i128::from(bends[i]) * i128::from(product), RATE_BITS);
        start[i] - guess[i] + bent.clamp(-MOST, MOST) as i64
    });
    IVec3::from_fn(|i| {
        let step = sum_shr_nearest(inverse[i].dot(missing), 30);
        (i128::from(guess[i]) + step).clamp(-MOST, MOST) as i64
    })
}

/// The inverse of one minus the derivative of the bent product: entry (i, j) of that is `bends[i]` times the
/// component that is neither.
fn inverse_q30(bends: IVec3<i64>, y: IVec3<i64>) -> [IVec3<i64>; 3] {
    const ONE: i64 = 1 << SLOPE_BITS;
    const STEEPEST: i64 = 1 << STEEPEST_BITS;
    let slope = |bend: i64, part: i64| {
        mul_shr_nearest(bend, part, RATE_BITS + Midpoint::BITS - SLOPE_BITS).clamp(-STEEPEST, STEEPEST)
    };
    let [[b, c], [a, d], [e, f]] = [
        [slope(bends[0], y[2]), slope(bends[0], y[1])],
        [slope(bends[1], y[2]), slope(bends[1], y[0])],
        [slope(bends[2], y[1]), slope(bends[2], y[0])],
    ];
    // One less (0, b, c; a, 0, d; e, f, 0). Exact, with 72 fraction bits: a mirrored body has the same
    // determinant to the bit.
    let (ab, ce, df) = (a * b, c * e, d * f);
    let wide = |p: i64, q: i64| i128::from(p) * i128::from(q);
    let determinant = wide(ONE, ONE * ONE - (ab + ce + df)) - (wide(b * d, e) + wide(c * f, a));
    let inverse = ((1 << 102) / determinant.max(1 << DETERMINANT_BITS)) as i64;
    let entry = |cofactor: i64| mul_shr_nearest(shr_nearest_64(cofactor, SLOPE_BITS), inverse, SLOPE_BITS);
    [
        IVec3([entry(ONE * ONE - df), entry(ONE * b + c * f), entry(ONE * c + b * d)]),
        IVec3([entry(ONE * a + d * e), entry(ONE * ONE - ce), entry(ONE * d + a * c)]),
        IVec3([entry(ONE * e + f * a), entry(ONE * f + e * b), entry(ONE * ONE - ab)]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rng;

    /// The image of an axis of rotation under a permutation and mirrors, with the sign of the whole map.
    fn image(axis: IVec3<i64>, from: [usize; 3], sign: [i64; 3]) -> IVec3<i64> {
        IVec3::from_fn(|i| sign[i] * axis[from[i]])
    }

    /// Debug builds would panic.
    #[test]
    fn steps_of_any_speed_fit() {
        let most = [1 << (Midpoint::BITS - 1), 1 << 61];
        for case in 0..20_000 {
            let mut draws = Rng::new(6).at(0, 0, case);
            let mut number = |most: i64| match draws.below(3) {
                0 => most,
                1 => most >> draws.below(62),
                _ => draws.between(0, most),
            };
            let start = IVec3([(); 3]).map(|()| number(most[0]));
            let rates = IVec3([(); 3]).map(|()| number(most[1]));
            let signs = IVec3([(); 3]).map(|()| draws.between(0, 1) * 2 - 1);
            let (mut momentum, mut at) = (start.zip(signs, |part, sign| part * sign), [0, 0, 0, 1 << 60]);
            let halvings = draws.below(20) as u32;
            for _ in 0..4 {
                let step = Midpoint::new(momentum, rates, halvings);
                (momentum, at) = (step.end(), step.turn(at));
            }
            // The tangent of half an angle is cut: no step lengthens a quaternion by more than an eighth.
            assert!(at.iter().all(|part| part.abs() < 1 << 61), "{case}: {at:?}");
        }
    }

    #[test]
    fn a_mirrored_or_permuted_step_is_the_image_to_the_last_of_sixty_bits() {
        let orders = [
            ([0, 1, 2], 1),
            ([1, 2, 0], 1),
            ([2, 0, 1], 1),
            ([0, 2, 1], -1),
            ([1, 0, 2], -1),
            ([2, 1, 0], -1),
        ];
        for case in 0..200 {
            let mut draws = Rng::new(5).at(0, 0, case);
            let start = IVec3([(); 3]).map(|()| draws.between(-(1 << 58), 1 << 58));
            let rates = IVec3([(); 3]).map(|()| draws.between(1 << 40, 1 << 47));
            let at = [(); 4].map(|()| draws.between(-(1 << 60), 1 << 60));
            let step = Midpoint::new(start, rates, 2);
            let [w, x, y, z] = step.turn(at);
            for (from, parity) in orders {
                for bits in 0..8 {
                    let signs = [0, 1, 2].map(|i| 1 - 2 * (bits >> i & 1));
                    let whole = parity * signs.iter().product::<i64>();
                    let sign = signs.map(|sign| sign * whole);
                    let other = Midpoint::new(image(start, from, sign), image(rates, from, [1; 3]), 2);
                    assert_eq!(other.end(), image(step.end(), from, sign));
                    let IVec3([a, b, c]) = image(IVec3([at[1], at[2], at[3]]), from, sign);
                    let IVec3([d, e, f]) = image(IVec3([x, y, z]), from, sign);
                    assert_eq!(other.turn([at[0], a, b, c]), [w, d, e, f]);
                }
            }
        }
    }
}
