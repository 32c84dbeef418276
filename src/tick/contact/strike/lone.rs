//! A strike that shares no body with another.

use super::{UNIT_BITS, rounds, stiffness};
use crate::{
    geom::Vec3,
    num::{
        bound::{Bound, Width},
        mul_div::mul_div_nearest,
        root::sqrt_ceil,
        round::{div_nearest, div_zero, shr_nearest},
    },
    tick::{
        bodies::levers::LEVER_BITS,
        contact::respond::bounded,
        contact::strike::memory::{Party, Push, Strike},
    },
};

/// The largest closing speed times a normal's length.
const CLOSING_MAX: i128 = 1 << CLOSING_BITS;
const CLOSING_BITS: u32 = 77;

pub(in crate::tick::contact) const WIDTH: Width = {
    let (closing, restitution) = (Bound::power(CLOSING_BITS), Bound::power(16).plus(Bound::power(16)));
    Width {
        number: "`closing (1 + e) m m'` of two that strike each other at a point",
        bound: closing.times(restitution).times(Bound::power(16)).times(Bound::power(16)),
        held_in: 128,
    }
};
const _: () = WIDTH.check();

/// How many bits the parts of an inverse matrix are shortened by, and its determinant so that the quotient is right.
const SHORTER: u32 = 8;
const DETERMINANT_SHORTER: u32 = 38;

/// The least determinant, with 90 fraction bits, with which a push is found that stops all slip.
const DETERMINANT_MIN: i128 = 1 << 70;

impl Strike {
    /// The impulse on B of points that do not rub; exact but for the last rounding. Of bodies that do not turn it is
    /// [`Meeting::impulse`](crate::tick::contact::respond::Meeting::impulse), to the bit.
    ///
    /// **Rounding**: each component to nearest, halves away from zero; the same for both bodies.
    /// **Range**: the closing speed is below 2^77 with the normal's length, so the product with masses and
    /// restitution is below 2^126.
    pub(super) fn frictionless(&self, parties: &[Party]) -> Vec3 {
        let (mut now, mut gives) = (0, [0; 2]);
        for (which, sign) in [(0, -1), (1, 1)] {
            let party = &parties[self.sides[which] as usize];
            let normal = self.normal.map(i128::from);
            let turned =
                self.levers[which].map(|row| (0..3).map(|i| i128::from(row[i]) * normal[i]).sum::<i128>());
            let moves: i128 = (0..3).map(|i| normal[i] * i128::from(party.velocity[i])).sum();
            let turns: i128 = (0..3).map(|k| turned[k] * i128::from(party.turning[k])).sum();
            now += sign * (moves + shr_nearest(turns, LEVER_BITS));
            if party.mass > 0 {
                let free = (0..3).filter(|&i| !party.locks.has(i)).map(|i| normal[i] * normal[i]);
                let square: i128 = turned.map(|c| c * c).iter().sum();
                gives[which] = free.sum::<i128>() + shr_nearest(square, 2 * LEVER_BITS);
            }
        }
        let [a, b] = self.masses(parties).map(|mass| mass.max(1));
        let divisor = (gives[0] * b + gives[1] * a) << 16;
        if divisor == 0 {
            return Vec3::ZERO;
        }
        let now = now.clamp(-CLOSING_MAX, CLOSING_MAX);
        let closing_q16 = if self.is_slow {
            -(now + self.pull).min(0) << 16
        } else {
            -now.min(0) * i128::from((1 << 16) + self.restitution_q16)
        };
        Vec3::from_raw(self.normal.map(|n| bounded(mul_div_nearest(closing_q16 * a * b, n.into(), divisor))))
    }

    /// Finds the push of points that rub: the one that stops all slip if friction holds it; else the one that slips
    /// against that, and rounds from there until slip and friction are opposite.
    pub(super) fn guess(&mut self, parties: &mut [Party]) {
        let give = self.give_of_both(parties);
        let mut push = [0; 3];
        for _ in 0..2 {
            let Some(more) = stopping(&give, self.missing(parties)) else { break };
            push = [0, 1, 2].map(|i| push[i] + more[i]);
            let along = self.along(push);
            let aside = self.across(push, along);
            let held = rounds::within(aside.map(i128::from), self.grip(along.max(0)));
            let is_held =
                [0, 1, 2].map(|i: usize| (held[i] - i128::from(aside[i])).abs()).iter().all(|&c| c <= 1);
            if along <= 0 || !is_held {
                self.push = self.slipping(&give, aside);
                push = [0; 3];
                break;
            }
            self.push = Push { along, aside: held.map(|c| c as i64) };
            rounds::apply(std::slice::from_ref(self), parties, |strike| strike.push);
        }
        if push == [0; 3] {
            let strikes = std::slice::from_mut(self);
            stiffness::weigh(strikes, parties);
            rounds::go_round(strikes, parties);
        }
    }

    /// How much slower than wanted the point moves, with what is applied; all slip is to end.
    fn missing(&self, parties: &[Party]) -> [i64; 3] {
        let rate = self.rate_of(parties);
        [0, 1, 2].map(|i| {
            let wanted = shr_nearest(i128::from(self.wanted) * i128::from(self.unit[i]), UNIT_BITS);
            wanted as i64 - rate[i]
        })
    }

    /// A push whose part aside is as large as friction allows, in a given direction.
    fn slipping(&self, give: &stiffness::Matrix, aside: [i64; 3]) -> Push {
        let square: u128 = aside.iter().map(|c| u128::from(c.unsigned_abs()).pow(2)).sum();
        let length = (sqrt_ceil(square) as i128).max(1);
        // What goes aside with a push of 1 along the normal, with 52 fraction bits.
        let slope = aside.map(|c| {
            let long = i128::from(c) * (i128::from(self.friction_q16) << (UNIT_BITS - 16));
            div_zero(long, length)
        });
        let way = [0, 1, 2].map(|i| i128::from(self.unit[i]) + slope[i]);
        let moved = give.map(|row| shr_nearest((0..3).map(|i| row[i] * way[i]).sum(), UNIT_BITS));
        let rate: i128 = (0..3).map(|i| moved[i] * i128::from(self.unit[i])).sum();
        let missing = i128::from(self.wanted) - i128::from(self.along(self.before));
        if rate <= 1 << (UNIT_BITS + super::STIFF_BITS - 12) || missing <= 0 {
            return Push::default();
        }
        let along = mul_div_nearest(missing, 1 << (UNIT_BITS + super::STIFF_BITS), rate);
        let along = along.min(self.most.into()) as i64;
        Push { along, aside: slope.map(|c| shr_nearest(c * i128::from(along), UNIT_BITS) as i64) }
    }
}

/// The push that makes a speed, by Cramer's rule; none where locks leave too little.
///
/// **Rounding**: each part to nearest, some 30 bits of the longest.
fn stopping(give: &stiffness::Matrix, missing: [i64; 3]) -> Option<[i64; 3]> {
    let minor = |i: usize, j: usize| {
        let ([a, b], [c, d]) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
        give[a][c] * give[b][d] - give[a][d] * give[b][c]
    };
    let determinant: i128 = (0..3).map(|j| give[0][j] * minor(0, j)).sum();
    if determinant < DETERMINANT_MIN {
        return None;
    }
    Some([0, 1, 2].map(|i| {
        let sum = (0..3).map(|j| shr_nearest(minor(j, i), SHORTER) * i128::from(missing[j])).sum();
        div_nearest(sum, determinant >> DETERMINANT_SHORTER) as i64
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tick::contact::strike::STIFF_BITS;

    #[test]
    fn pushes_that_make_more_than_a_4096th_of_their_speed_are_guessed() {
        let strike =
            Strike { unit: [0, 0, 1 << UNIT_BITS], wanted: 1 << 10, most: i64::MAX, ..Strike::default() };
        let least = 1 << (STIFF_BITS - 12);
        for (given, is_guessed) in [(least - 1, false), (least, false), (least + 1, true), (2 * least, true)]
        {
            let push = strike.slipping(&[[0; 3], [0; 3], [0, 0, given]], [0; 3]);
            let along = if is_guessed { div_nearest(1 << (10 + STIFF_BITS), given) as i64 } else { 0 };
            assert_eq!(push, Push { along, aside: [0; 3] }, "{given}");
        }
    }
}
