//! One step of the implicit midpoint rule for a free body in its own frame.

use crate::num::round::shr_nearest;

/// The middle of a step: what solves `y = p + turn * (y × ω(y))`, with `p` the angular momentum at its start,
/// ω(y) the angular velocity there, and `turn` half a step long.
///
/// From it, `2 y - p` is the momentum at the end, as long as `p` and of the same energy, and the quaternion
/// `(1, turn * ω(y))` turns the body so that in the world its momentum is where it was.
///
/// Components: momenta have 60 fraction bits and are at most 1 long; rates, angular speed per momentum, 46.
pub(super) struct Midpoint {
    start: [i64; 3],
    middle: [i64; 3],
    /// Half the turn that a momentum of 1 makes about each axis, with 46 fraction bits.
    turns: [i128; 3],
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

impl Midpoint {
    /// The fraction bits of momenta.
    pub(super) const BITS: u32 = 60;

    /// The middle of a step of `2^-halvings` tick.
    pub(super) fn new(start: [i64; 3], rates: [i64; 3], halvings: u32) -> Self {
        let stretch = stretch_q46(start, rates, halvings);
        let turns = rates.map(|rate| shr_nearest(i128::from(rate) * stretch, RATE_BITS + 1 + halvings));
        let bends = [0, 1, 2].map(|i: usize| turns[(i + 2) % 3] - turns[(i + 1) % 3]);
        let mut middle = start;
        let (mut inverse, mut iterations) = ([[0; 3]; 3], 0);
        let mut most = if bends == [0; 3] { 0 } else { u64::MAX }; // a ball's momentum does not move in it
        while most >= SMALL && iterations < ITERATIONS_MAX {
            if most >= ROUGH {
                inverse = inverse_q30(bends, middle.map(i128::from));
            }
            iterations += 1;
            let step = correction(start, middle, bends, &inverse);
            most = 0;
            for (part, change) in middle.iter_mut().zip(step) {
                *part += change;
                most = change.unsigned_abs().max(most);
            }
        }
        Self { start, middle, turns }
    }

    /// The angular momentum at the end of the step.
    pub(super) fn end(&self) -> [i64; 3] {
        [0, 1, 2].map(|axis: usize| 2 * self.middle[axis] - self.start[axis])
    }

    /// A quaternion with 60 fraction bits, turned on; longer by the secant of half the angle.
    pub(super) fn turn(&self, [w, x, y, z]: [i128; 4]) -> [i128; 4] {
        let [a, b, c] = [0, 1, 2]
            .map(|axis: usize| shr_nearest(self.turns[axis] * i128::from(self.middle[axis]), RATE_BITS));
        let part = |sum| shr_nearest(sum, Self::BITS);
        [
            w - part(x * a + y * b + z * c),
            x + part(w * a + y * c - z * b),
            y + part(w * b + z * a - x * c),
            z + part(w * c + x * b - y * a),
        ]
    }
}

/// What the step must be longer by for its turn to have the angle of its speed: tan(x) / x, with x half the
/// angle, below .21; the rule by itself turns by 2 atan(x).
///
/// Off by less than 2^-40.
fn stretch_q46(momentum: [i64; 3], rates: [i64; 3], halvings: u32) -> i128 {
    const SERIES_Q46: [i128; 7] = [
        1 << 46,
        (1 << 46) / 3,
        (2 << 46) / 15,
        (17 << 46) / 315,
        (62 << 46) / 2_835,
        (1_382 << 46) / 155_925,
        (21_844 << 46) / 6_081_075,
    ];
    let squared: i128 = (0..3)
        .map(|axis| shr_nearest(i128::from(rates[axis]) * i128::from(momentum[axis]), 60 + halvings + 1))
        .map(|half_angle| half_angle * half_angle)
        .sum();
    let squared = squared >> RATE_BITS;
    SERIES_Q46.iter().rev().fold(0, |sum, term| term + ((sum * squared) >> RATE_BITS))
}

/// What Newton's method adds to a guess of the middle.
fn correction(start: [i64; 3], guess: [i64; 3], bends: [i128; 3], inverse: &[[i128; 3]; 3]) -> [i64; 3] {
    let y = guess.map(i128::from);
    let missing = [0, 1, 2].map(|i: usize| {
        let product = shr_nearest(y[(i + 1) % 3] * y[(i + 2) % 3], Midpoint::BITS);
        i128::from(start[i]) - y[i] + shr_nearest(bends[i] * product, RATE_BITS)
    });
    [0, 1, 2].map(|i: usize| {
        let sum: i128 = (0..3).map(|j| inverse[i][j] * missing[j]).sum();
        shr_nearest(sum, 30) as i64
    })
}

/// The inverse of one minus the derivative of the bent product: entry (i, j) of that is `bends[i]` times the
/// component that is neither.
fn inverse_q30(bends: [i128; 3], y: [i128; 3]) -> [[i128; 3]; 3] {
    const ONE: i128 = 1 << SLOPE_BITS;
    let third = |i: usize, j: usize| 3 - i - j;
    let slope =
        |i: usize, j: usize| shr_nearest(bends[i] * y[third(i, j)], RATE_BITS + Midpoint::BITS - SLOPE_BITS);
    let next = |i: usize| (i + 1) % 3;
    let last = |i: usize| (i + 2) % 3;
    // Exact, with 72 fraction bits: a mirrored body has the same determinant to the bit.
    let pairs: i128 = (0..3).map(|i| slope(i, next(i)) * slope(next(i), i)).sum();
    let rounds = slope(0, 1) * slope(1, 2) * slope(2, 0) + slope(0, 2) * slope(2, 1) * slope(1, 0);
    let determinant = ONE * (ONE * ONE - pairs) - rounds;
    // At least .3 for steps of at most 23 degrees; held up where a body too fast for a tick is tried.
    let inverse = (1 << 102) / determinant.max(1 << 66);
    [0, 1, 2].map(|i: usize| {
        [0, 1, 2].map(|j: usize| {
            let cofactor = if i == j {
                ONE * ONE - slope(next(i), last(i)) * slope(last(i), next(i))
            } else {
                ONE * slope(i, j) + slope(i, third(i, j)) * slope(third(i, j), j)
            };
            shr_nearest(cofactor * inverse, 2 * SLOPE_BITS)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rng;

    /// The image of an axis of rotation under a permutation and mirrors, with the sign of the whole map.
    fn image<T: Copy + std::ops::Mul<Output = T>>(axis: [T; 3], from: [usize; 3], sign: [T; 3]) -> [T; 3] {
        [0, 1, 2].map(|i: usize| sign[i] * axis[from[i]])
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
            let start = [(); 3].map(|()| draws.between(-(1 << 58), 1 << 58));
            let rates = [(); 3].map(|()| draws.between(1 << 40, 1 << 47));
            let at = [(); 4].map(|()| i128::from(draws.between(-(1 << 60), 1 << 60)));
            let step = Midpoint::new(start, rates, 2);
            let [w, x, y, z] = step.turn(at);
            for (from, parity) in orders {
                for bits in 0..8 {
                    let signs = [0, 1, 2].map(|i| 1 - 2 * (bits >> i & 1));
                    let whole = parity * signs.iter().product::<i64>();
                    let sign = signs.map(|sign| sign * whole);
                    let other = Midpoint::new(image(start, from, sign), image(rates, from, [1; 3]), 2);
                    assert_eq!(other.end(), image(step.end(), from, sign));
                    let wide = sign.map(i128::from);
                    let [a, b, c] = image([at[1], at[2], at[3]], from, wide);
                    let [d, e, f] = image([x, y, z], from, wide);
                    assert_eq!(other.turn([at[0], a, b, c]), [w, d, e, f]);
                }
            }
        }
    }
}
