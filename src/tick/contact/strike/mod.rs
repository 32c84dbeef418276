//! Impacts of bodies that turn, or rub: several points, with lever arms.
//!
//! **Model.** All points of one instant whose bodies are connected are solved at once. Along the normal each parts
//! at least as fast as its restitution says (Newton); across it the push lies in the cone of friction (Coulomb) and
//! takes all slip that it can, opposing what is left. Points of one pair share the two bodies, so a box that falls
//! flat is pushed the same at all corners and does not turn.
//!
//! **Energy.** Newton's restitution can gain energy where friction turns the slip round (Kane 1984). What parts
//! without a bounce never does: there the normal does no work at the end, and friction opposes the slip. So where
//! bounces would gain, all pushes are mixed with those without any, as much as is just needed: cones are convex and
//! no two close with either, so that holds for the mixture, too.
//!
//! **Limits.** Friction with levers can have several solutions or none (Painleve 1895); then the rounds end with
//! what they have, the energy is kept from rising all the same, and what still closes is found again by its sweep.
//!
//! Nothing depends on an order: all sums are of integers.

mod energy;
mod lone;
pub(super) mod memory;
mod rounds;
mod stiffness;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(super) use self::{energy::WIDTH as ENERGY_WIDTH, lone::WIDTH};

use crate::{
    geom::{Normal, Vec3},
    num::{
        mul_div::mul_div_nearest,
        round::{div_nearest, shr_nearest},
    },
    tick::{
        bodies::levers::LEVER_BITS,
        contact::respond::bounded,
        contact::strike::memory::{Party, Push, Strike},
    },
};

/// The fraction bits of speeds and pushes.
const FINE_BITS: u32 = 12;
const UNIT_BITS: u32 = 52;
const SHARE_BITS: u32 = 46;
const STIFF_BITS: u32 = 30;

/// The largest push.
const PUSH_MAX: i128 = 1 << 60;

/// The largest sum of the impulses on a body, in raw, some 2^44 raw per tick of the heaviest: what would be more
/// pushes against each other in vain.
const IMPULSE_MAX: i128 = 1 << 60;

/// The largest speed of a point.
const RATE_MAX: i128 = 1 << 61;

/// Finds the impulses of strikes whose bodies are connected; `parties` are those bodies, and no others.
///
/// **Rounding**: each component of an impulse to nearest, halves away from zero; a push lies in its cone before
/// that. Speeds after it are within 2^-6 raw of what is wanted, and within what a rounded impulse does.
/// **Range**: velocities below 2^44 raw, normals of 2^29 to 2^31, masses up to 2^16, friction below 2^20.
pub(super) fn find_impulses(strikes: &mut [Strike], parties: &mut [Party]) {
    begin(strikes, parties);
    if let [strike] = strikes {
        if strike.friction_q16 == 0 || !strike.gives_way(parties) {
            strike.impulse = strike.frictionless(parties);
            return;
        }
        strike.guess(parties);
    } else {
        stiffness::weigh(strikes, parties);
        rounds::go_round(strikes, parties);
    }
    energy::lower(strikes, parties);
    for strike in strikes {
        strike.impulse = strike.rounded_impulse(parties);
    }
}

/// Brings all to what they are before any push.
fn begin(strikes: &mut [Strike], parties: &mut [Party]) {
    for side in strikes.iter().flat_map(|strike| strike.sides) {
        parties[side as usize].strikes = 0;
        parties[side as usize].change = [[0; 3]; 2];
    }
    for side in strikes.iter().flat_map(|strike| strike.sides) {
        parties[side as usize].strikes += 1;
    }
    for strike in strikes {
        let [x, y, z] = strike.normal;
        let length = Normal::new(x, y, z).length_up_q32().into();
        strike.unit = strike.normal.map(|c| div_nearest(i128::from(c) << (UNIT_BITS + 32), length) as i64);
        strike.pull_fine = div_nearest(strike.pull << (FINE_BITS + 32), length) as i64;
        let (mass, whole) = strike.mass_as_one(parties);
        let crowd = strike
            .sides
            .map(|side| parties[side as usize].strikes * u32::from(parties[side as usize].mass > 0));
        let most = (IMPULSE_MAX << FINE_BITS) / i128::from(crowd[0].max(crowd[1]).max(1));
        strike.most = (most / (mass / whole + 1)).min(PUSH_MAX) as i64;
        let [a, b] = strike.masses(parties);
        strike.shares = match [a, b] {
            [0, _] => [0, i64::from(b > 0) << SHARE_BITS],
            [_, 0] => [1 << SHARE_BITS, 0],
            _ => [b, a].map(|other| div_nearest(other << SHARE_BITS, whole) as i64),
        };
        strike.before = strike.rate_of(parties);
        strike.want(true);
        strike.push = Push::default();
    }
}

impl Strike {
    /// Sets how fast the two are to part, with a bounce or without.
    fn want(&mut self, bounces: bool) {
        let bounce = || {
            let bounce =
                shr_nearest(i128::from(-self.along(self.before)) * i128::from(self.restitution_q16), 16);
            if bounces { bounce.max(0) as i64 } else { 0 }
        };
        self.wanted = if self.is_slow { -self.pull_fine } else { bounce() };
    }

    fn masses(&self, parties: &[Party]) -> [i128; 2] {
        self.sides.map(|side| parties[side as usize].mass.into())
    }

    /// The mass that both oppose to a push through their centers, as a fraction.
    fn mass_as_one(&self, parties: &[Party]) -> (i128, i128) {
        match self.masses(parties) {
            [0, mass] | [mass, 0] => (mass, 1),
            [a, b] => (a * b, a + b),
        }
    }

    /// The part of a speed or a push along the normal.
    fn along(&self, [x, y, z]: [i64; 3]) -> i64 {
        let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
        let [a, b, c] = self.unit;
        shr_nearest(product(a, x) + product(b, y) + product(c, z), UNIT_BITS) as i64
    }

    /// What is left of it without a part along the normal.
    fn across(&self, vector: [i64; 3], along: i64) -> [i64; 3] {
        [0, 1, 2]
            .map(|i| vector[i] - shr_nearest(i128::from(along) * i128::from(self.unit[i]), UNIT_BITS) as i64)
    }

    /// How the point of B moves against that of A, with the pushes that are applied.
    fn rate_of(&self, parties: &[Party]) -> [i64; 3] {
        let mut rate = [0; 3];
        for (which, sign) in [(0, -1), (1, 1)] {
            let party = &parties[self.sides[which] as usize];
            let (velocity, turning) = (party.fine(0), party.fine(1));
            let levers = &self.levers[which];
            for i in 0..3 {
                let turned: i128 = (0..3).map(|k| i128::from(levers[k][i]) * i128::from(turning[k])).sum();
                rate[i] += sign * (i128::from(velocity[i]) + shr_nearest(turned, LEVER_BITS));
            }
        }
        rate.map(|c| c.clamp(-RATE_MAX, RATE_MAX) as i64)
    }

    /// A push as a vector.
    fn vector(&self, push: Push) -> [i64; 3] {
        [0, 1, 2].map(|i| {
            shr_nearest(i128::from(push.along) * i128::from(self.unit[i]), UNIT_BITS) as i64 + push.aside[i]
        })
    }

    /// Adds a push to what is applied.
    fn apply(&self, push: Push, parties: &mut [Party]) {
        let vector = self.vector(push);
        for (which, sign) in [(0, -1), (1, 1)] {
            if self.shares[which] == 0 {
                continue;
            }
            let party = &mut parties[self.sides[which] as usize];
            let share = sign * self.shares[which];
            let share = vector.map(|c| shr_nearest(i128::from(c) * i128::from(share), SHARE_BITS));
            for i in (0..3).filter(|&i| !party.locks.has(i)) {
                party.change[0][i] += share[i];
            }
            for (turning, row) in party.change[1].iter_mut().zip(&self.levers[which]) {
                let turned: i128 = (0..3).map(|i| i128::from(row[i]) * share[i]).sum();
                *turning += shr_nearest(turned, LEVER_BITS);
            }
        }
    }

    /// The largest push aside that friction allows with one along the normal, rounded down.
    fn grip(&self, along: i64) -> i128 {
        ((i128::from(along) * i128::from(self.friction_q16)) >> 16).min(self.most.into())
    }

    /// The impulse on B of the push that is found.
    fn rounded_impulse(&self, parties: &[Party]) -> Vec3 {
        let (mass, whole) = self.mass_as_one(parties);
        let component = |c: i64| bounded(mul_div_nearest(c.into(), mass, whole << FINE_BITS));
        Vec3::from_raw(self.vector(self.push).map(component))
    }
}

impl Party {
    /// The velocity (0) or the turning (1) with the pushes that are applied.
    fn fine(&self, which: usize) -> [i64; 3] {
        let raw = [self.velocity, self.turning][which];
        [0, 1, 2].map(|i| {
            let fine = (i128::from(raw[i]) << FINE_BITS) + self.change[which][i];
            fine.clamp(-RATE_MAX, RATE_MAX) as i64
        })
    }
}
