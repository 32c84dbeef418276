//! Energy: no strikes gain any.
//!
//! What bodies gain is counted, not what strikes do: pushes against each other may be large and change little. Slow
//! strikes push against what pulls until the tick ends, which takes that much again. Over the part of the bounces
//! that acts, and over that of all pushes, the energy is a parabola.

use super::rounds::{self, SOLVED};
use crate::{
    num::{
        bound::{Bound, Width},
        mul_div::mul_div_nearest,
        round::shr_nearest,
    },
    tick::contact::strike::memory::{Party, Push, Strike},
};

/// The bits that speeds are brought to, and the fraction bits of masses.
const SPEED_BITS: u32 = 40;
const MASS_BITS: u32 = 14;

/// The bits that the numbers of a parabola are brought to, and the fraction bits of the part that acts.
const PARABOLA_BITS: u32 = 62;
const PART_BITS: u32 = 30;

/// The six velocities of each body: what they change by, and the sum of what they are before and after, in which one counts twice.
pub(in crate::tick::contact) const WIDTH: Width = {
    let speed = Bound::power(SPEED_BITS);
    let work = speed.times(speed.times(Bound::number(3))).times(Bound::power(16 + MASS_BITS));
    Width {
        number: "`change * speed * mass` of 2^12 bodies that strikes connect",
        bound: work.times(Bound::number(6)).shifted(12),
        held_in: 128,
    }
};
const _: () = WIDTH.check();

/// Mixes pushes that gain energy with those of strikes that do not bounce.
///
/// **Rounding**: what is gained by speeds that are 2^-6 raw off is not seen.
pub(super) fn lower(strikes: &mut [Strike], parties: &mut [Party]) {
    let bounced = Sums::new(strikes, parties);
    if bounced.work <= bounced.slack {
        return;
    }
    for strike in &mut *strikes {
        strike.want(false);
        strike.bounced = strike.push;
        strike.push = Push::default();
    }
    super::stiffness::weigh(strikes, parties);
    rounds::go_round(strikes, parties);
    let plain = Sums::new(strikes, parties);
    if plain.work > plain.slack {
        weaken(strikes, parties, &plain);
        return;
    }
    let shift = bounced.shift.max(plain.shift);
    let difference = |strike: &Strike| strike.bounced.less(strike.push);
    rounds::apply(strikes, parties, difference);
    let square = square(parties, shift);
    let ends = [&plain, &bounced].map(|sums| sums.work >> (2 * (shift - sums.shift)));
    let part = largest_part(ends, square);
    for strike in strikes {
        let more = difference(strike);
        let of = |less: i64, more: i64| less + shr_nearest(i128::from(more) * part, PART_BITS) as i64;
        strike.push.along = of(strike.push.along, more.along);
        strike.push.aside = [0, 1, 2].map(|i| of(strike.push.aside[i], more.aside[i]));
    }
}

/// What the pushes of strikes do, in units of their own.
struct Sums {
    /// Twice the energy that bodies gain.
    work: i128,
    /// By how much that could be wrong as pushes are found.
    slack: i128,
    /// How many bits speeds are shortened by.
    shift: u32,
}

impl Sums {
    fn new(strikes: &[Strike], parties: &mut [Party]) -> Self {
        rounds::apply(strikes, parties, |strike| strike.push);
        let most = parties.iter().flat_map(|party| {
            let change = party.change.as_flattened().iter().map(|c| c.unsigned_abs());
            change.chain(
                [0, 1].into_iter().flat_map(|which| party.fine(which)).map(|c| c.unsigned_abs().into()),
            )
        });
        let shift = (u128::BITS - most.max().unwrap_or(0).leading_zeros()).saturating_sub(SPEED_BITS);
        let (mut work, mut slack) = (0, 0);
        for party in parties.iter() {
            let mass = i128::from(party.mass) << MASS_BITS;
            for (which, change) in party.change.iter().enumerate() {
                for (change, after) in change.iter().zip(party.fine(which)) {
                    let short = shr_nearest(*change, shift);
                    let both = shr_nearest(2 * i128::from(after) - change, shift);
                    work += short * both * mass;
                    slack += (short.abs() * ((2 * SOLVED) >> shift) + short.abs() + both.abs()) * mass;
                }
            }
        }
        for strike in strikes {
            let push = shr_nearest(strike.push.along.into(), shift) * strike.mass_q14(parties);
            // What pulls may be far more than all speeds: then it is a gain, however large.
            let gain = (2 * push).saturating_mul(shr_nearest(strike.pull_fine.into(), shift));
            work = work.saturating_add(gain);
        }
        Self { work, slack, shift }
    }
}

/// The energy of what is applied, if it were all that moves: twice that.
fn square(parties: &[Party], shift: u32) -> i128 {
    let of = |party: &Party| {
        let squares = party.change.as_flattened().iter().map(|&c| shr_nearest(c, shift).pow(2));
        squares.sum::<i128>() * (i128::from(party.mass) << MASS_BITS)
    };
    parties.iter().map(of).sum()
}

/// The largest part of bounces with which no energy is gained: the work is `ends[0]`, which gains none, without any,
/// `ends[1]` with all of them, and between them a parabola.
///
/// **Rounding**: down.
fn largest_part(ends: [i128; 2], square: i128) -> i128 {
    let line = ends[1] - ends[0] - square;
    let most = ends[0].unsigned_abs().max(line.unsigned_abs()).max(square.unsigned_abs());
    let shift = (u128::BITS - most.leading_zeros()).saturating_sub(PARABOLA_BITS);
    let [base, line, square] = [ends[0], line, square].map(|number| number >> shift);
    let work = |part: i128| (base << (2 * PART_BITS)) + ((line * part) << PART_BITS) + square * part * part;
    let (mut least, mut most) = (0, 1 << PART_BITS);
    while most - least > 1 {
        let middle = (least + most) / 2;
        if work(middle) <= 0 {
            least = middle;
        } else {
            most = middle;
        }
    }
    least
}

/// Scales pushes to the part at which the energy ends as it was: the last resort of those that are not solved.
fn weaken(strikes: &mut [Strike], parties: &[Party], sums: &Sums) {
    let cost = square(parties, sums.shift);
    let gain = cost - sums.work;
    let part = if gain <= 0 { 0 } else { mul_div_nearest(gain, 1 << PART_BITS, cost) };
    let part = part.min(1 << PART_BITS);
    for strike in strikes {
        strike.push = strike.push.scaled(part, PART_BITS);
    }
}

impl Strike {
    /// The mass of the two as one, with 14 fraction bits; rounded down.
    fn mass_q14(&self, parties: &[Party]) -> i128 {
        let (mass, whole) = self.mass_as_one(parties);
        (mass << MASS_BITS) / whole
    }
}

impl Push {
    fn less(self, other: Self) -> Self {
        let aside = [0, 1, 2].map(|i| self.aside[i] - other.aside[i]);
        Self { along: self.along - other.along, aside }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_is_rounded_down_to_its_last_bit_where_numbers_have_all_bits() {
        // `base + line s + square s^2` is a quarter at a half of the bounces, and `less` less.
        let (line, square) = ((1 << 62) - 2, (1 << 62) - 3);
        let half = 1 << (PART_BITS - 1);
        for (less, expected) in [(0, half - 1), (1, half)] {
            let base = -line / 2 - (square - 1) / 4 - less;
            assert_eq!(largest_part([base, base + line + square], square), expected, "{less}");
        }
    }
}
