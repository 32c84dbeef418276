//! Strikes that share bodies: a projected Jacobi method with the masses split, as in `together.rs`, and with steps
//! that learn how stiff the group is.

use super::{FINE_BITS, PUSH_MAX, STIFF_BITS};
use crate::{
    num::{
        root::sqrt_ceil,
        round::{div_zero, shr_nearest},
    },
    tick::contact::strike::memory::{Party, Push, Strike},
};

/// Strikes are solved when a push is nowhere further from what it is to be than this makes in speed: 2^-6 raw.
pub(super) const SOLVED: i128 = 1 << (FINE_BITS - 6);

/// How many rounds there are at least and at most, and how many strikes all rounds look at between.
const ROUNDS: [usize; 2] = [64, 256];
const LOOKS: usize = 1 << 12;

/// The fraction bits of the length of a step.
const STEP_BITS: u32 = 24;
/// The bits of what is missing that the length of a step is found from, and the fraction bits of stiffnesses there.
const WAY_BITS: u32 = 40;
const WAY_STIFF_BITS: u32 = 12;

const STEP_ONE: i128 = 1 << STEP_BITS;

/// Goes round until all are solved, from the pushes that they have.
///
/// Each round changes all pushes by what is missing, times a step that is as long as the way from the push before
/// to this one says (Barzilai and Borwein 1988): between what is safe if all strikes of a body point the same way,
/// and what the stiffest of them alone would take. Where that leads nowhere, steps are safe.
pub(super) fn go_round(strikes: &mut [Strike], parties: &mut [Party]) {
    let rounds = (LOOKS / strikes.len()).clamp(ROUNDS[0], ROUNDS[1]);
    let (mut step, mut most) = (STEP_ONE, 0_i128);
    for round in 0..rounds {
        apply(strikes, parties, |strike| strike.push);
        let (mut bent, mut moved) = (0, 0);
        let shift = (u128::BITS - most.unsigned_abs().leading_zeros()).saturating_sub(WAY_BITS);
        for strike in strikes.iter_mut() {
            let rate = strike.rate_of(parties);
            if round > 0 {
                let [way, difference] = strike.way(rate, shift);
                moved += way;
                bent += difference;
            }
            strike.rate = rate;
        }
        if round > 0 {
            step = if bent <= 0 || round % 16 == 15 { STEP_ONE } else { step_of(moved, bent) };
        }
        most = 0;
        for strike in strikes.iter_mut() {
            let (push, missing) = strike.pushed(strike.push, strike.rate, step);
            most = most.max(missing);
            strike.last = strike.push;
            strike.push = push;
        }
        if most <= SOLVED {
            break;
        }
    }
}

/// A length of step, from what pushes and what speeds have changed by.
fn step_of(moved: i128, bent: i128) -> i128 {
    let bits = u128::BITS - moved.unsigned_abs().max(bent.unsigned_abs()).leading_zeros();
    let shift = bits.saturating_sub(126 - STEP_BITS);
    let [moved, bent] = [moved >> shift, (bent >> shift).max(1)];
    ((moved << STEP_BITS) / bent).clamp(STEP_ONE, STEP_ONE << 7)
}

/// Applies pushes, and no others.
pub(super) fn apply(strikes: &[Strike], parties: &mut [Party], push: impl Fn(&Strike) -> Push) {
    for side in strikes.iter().flat_map(|strike| strike.sides) {
        parties[side as usize].change = [[0; 3]; 2];
    }
    for strike in strikes {
        strike.apply(push(strike), parties);
    }
}

impl Strike {
    /// How far the push has gone in the last round, as it is stiff, and how far speeds have with it.
    fn way(&self, rate: [i64; 3], shift: u32) -> [i128; 2] {
        let along = self.push.along - self.last.along;
        let aside = [0, 1, 2].map(|i| self.push.aside[i] - self.last.aside[i]);
        let product = |a: i64, b: i64| shr_nearest(a.into(), shift) * shr_nearest(b.into(), shift);
        let square: i128 = aside.iter().map(|&c| product(c, c)).sum();
        let of = |square: i128, which: usize| {
            square * i128::from(self.stiffness[which] >> (STIFF_BITS - WAY_STIFF_BITS))
        };
        let difference = [0, 1, 2].map(|i| rate[i] - self.rate[i]);
        let bent = product(along, self.along(difference));
        let bent = bent + (0..3).map(|i| product(aside[i], difference[i])).sum::<i128>();
        [of(product(along, along), 0) + of(square, 1), bent << WAY_STIFF_BITS]
    }

    /// The push after a look at how the point moves, and by how much speed the one before was wrong.
    fn pushed(&self, push: Push, rate: [i64; 3], step: i128) -> (Push, i128) {
        let along = self.along(rate);
        let back = |excess: i64, which: usize| {
            let weight = (i128::from(self.weights[which]) * step) >> STEP_BITS;
            shr_nearest(i128::from(excess) * weight, STIFF_BITS)
        };
        let next = (i128::from(push.along) - back(along - self.wanted, 0)).clamp(0, self.most.into()) as i64;
        let missing = |difference: i64, which: usize| {
            let speed = (i128::from(difference) * i128::from(self.stiffness[which])).abs() >> STIFF_BITS;
            (speed << STEP_BITS) / step
        };
        let mut most = missing(next - push.along, 0);
        let mut aside = [0; 3];
        if self.friction_q16 != 0 {
            let slipped = [0, 1, 2].map(|i| {
                let aside = i128::from(push.aside[i]) - back(rate[i], 1);
                aside.clamp(-PUSH_MAX, PUSH_MAX) as i64
            });
            let slipped = self.across(slipped, self.along(slipped));
            aside = within(slipped.map(i128::from), self.grip(next));
            most = (0..3).map(|i| missing(aside[i] as i64 - push.aside[i], 1)).fold(most, i128::max);
        }
        (Push { along: next, aside: aside.map(|c| c as i64) }, most)
    }
}

/// A vector, shortened to a length; toward zero.
pub(super) fn within(vector: [i128; 3], length: i128) -> [i128; 3] {
    let vector = vector.map(|c| c.clamp(-PUSH_MAX, PUSH_MAX));
    let square: u128 = vector.iter().map(|c| c.unsigned_abs() * c.unsigned_abs()).sum();
    if square <= length.unsigned_abs() * length.unsigned_abs() {
        return vector;
    }
    let long = sqrt_ceil(square) as i128;
    vector.map(|c| div_zero(c * length, long))
}

impl Push {
    /// A part of it, toward zero.
    pub(super) fn scaled(self, part: i128, bits: u32) -> Self {
        let of = |c: i64| div_zero(i128::from(c) * part, 1 << bits).clamp(-PUSH_MAX, PUSH_MAX) as i64;
        Self { along: of(self.along), aside: self.aside.map(of) }
    }
}
