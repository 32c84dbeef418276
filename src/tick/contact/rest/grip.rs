//! The solve of an island in which a body turns or a surface grips: pushes in all three directions, at points.
//!
//! It goes as `solve.rs` does: each step looks at every row with the same velocities, and only then changes them.
//! A row is a point of a contact. Its push has a part along the normal, which is never a pull, and a part along
//! the surface, which is no longer than friction times the first: one vector, brought back to a cone, so that no
//! axes have to be chosen on the surface. The part along the surface is asked to stop all slip.
//!
//! A body has six velocities: three along the axes of the world, and three about its principal axes, each times
//! the radius of gyration there, so that all have one unit and one mass. The *lever* of a push is how much it
//! adds to the latter: `|lever| < 2` for whatever touches a body's surface.
//!
//! ## Numbers
//!
//! Directions and levers have 20 bits. Velocities are whole numbers of a unit that an island chooses, such that what
//! is asked for is below 2^22 of them; they are cut to 2^29, far above what a solve that converges sees. Pushes are
//! impulses, whole numbers of another unit, below 2^29, which is several times what all bodies together can ask
//! for: so a heavy body on a light one loses no more bits than it must. All sums and products then fit 64 bits:
//! with the bits of a lever a rate and its bias are at most 2^53, and times a weight of 9 bits 2^62 ([`WIDTH`]); a
//! push is cut to 2^30 in each component before its squares are added, and what 2^10 of them turn a body by is below
//! 2^63 ([`TURN_WIDTH`]).

#[cfg(feature = "trace")]
mod again;
mod crowd;
mod guess;
mod memo;
mod row;
mod scale;

use super::rows::{Effort, ahead_q16};
use crate::{
    num::{
        bound::{Bound, Width},
        round::{shr_nearest, shr_nearest_64},
    },
    tick::contact::rest::grip_rows::{Grip, GripRow as Row, Gripped, Held, Quick, Sway},
};

/// The fraction bits of directions and levers.
pub(super) const NARROW_BITS: u32 = 20;

/// The fraction bits of how far a step goes ahead.
const AHEAD_BITS: u32 = 16;

/// The fraction bits of friction.
const FRICTION_BITS: u32 = 16;

/// The bits of the largest velocity, in units.
const RATE_BITS: u32 = 29;

/// An entry of a lever.
const LEVER: Bound = Bound::power(NARROW_BITS + 1);
/// The rate of a point and its bias, with a weight, and what is added to round the product.
pub(in crate::tick::contact) const WIDTH: Width = {
    let (rate, turn) = (Bound::power(RATE_BITS + NARROW_BITS), LEVER.dot(Bound::power(RATE_BITS)));
    let (of_body, bias) = (rate.plus(turn), rate.shifted(1).plus(Bound::power(RATE_BITS)));
    Width {
        number: "`rate * weight` of a point in a solve with friction",
        bound: of_body.plus(of_body).plus(bias).shifted(scale::WEIGHT_BITS).plus(Bound::power(61)),
        held_in: 64,
    }
};
/// Pushes less those at the beginning, at levers of a length of 2.
pub(in crate::tick::contact) const TURN_WIDTH: Width = {
    let push = Bound::power(scale::PUSH_BITS as u32).length();
    let pushes =
        Bound::number(row::FAR as u64).length().plus(Bound::power(scale::PUSH_BITS as u32)).plus(push);
    Width {
        number: "what pushes at 2^10 points turn a body by in a solve with friction",
        bound: LEVER.times(pushes).shifted(scale::CROWD_BITS),
        held_in: 64,
    }
};
const _: () = WIDTH.check();
const _: () = TURN_WIDTH.check();

/// How many steps any island is worth.
const STEPS_MIN: i64 = 8;

/// What a body changes by in a step may be this much more than what is left where it is solved, as a power of
/// two: about as much as a step of one part of what pulls at it falls short of the whole.
const SETTLED_SHIFT: u32 = 3;

/// What a step has come to.
#[derive(PartialEq, Eq, Debug)]
struct Came {
    /// How far the pushes lead back on the way that they went before.
    uphill: i128,
    /// Whether little was asked for, so far.
    is_solved: bool,
}

impl Default for Came {
    fn default() -> Self {
        Self { uphill: 0, is_solved: true }
    }
}

impl Grip {
    /// Forgets the last island.
    pub(super) fn clear(&mut self) {
        self.points.clear();
        self.held.clear();
        self.held.push(Held::default());
    }

    /// Changes the pushes until no two in contact close by more than a bound, nearly, and what slips is held
    /// back with all the friction there is; no push is larger than that needs. Returns how many steps it took.
    ///
    /// `guesses` asks for a guess of the loads first; then the points must be in the order of the heights of their
    /// upper bodies, and all pushes zero.
    pub(super) fn solve(&mut self, effort: Effort, guesses: bool) -> i64 {
        self.gather(effort.solved);
        if guesses {
            self.guess();
        }
        let steps = self.step_until(effort);
        self.hand_back();
        steps
    }

    /// Steps until an island is done; returns how many.
    fn step_until(&mut self, effort: Effort) -> i64 {
        let solved = self.scale.rate(effort.solved).max(1);
        let still = self.scale.rate(effort.still);
        let Self { rows, bodies, sways, push_max, .. } = self;
        for (body, sway) in bodies.iter_mut().zip(&mut *sways).skip(1) {
            body.go_on(sway, 0, None);
        }
        let (mut run, mut ahead) = (0, 0);
        let steps = effort.steps.min((effort.looks / rows.len().max(1) as i64).max(STEPS_MIN));
        for step in 0..steps {
            let mut came = Came::default();
            for row in rows.iter_mut() {
                row.step(sways, ahead, *push_max, &mut came);
            }
            run = if came.uphill > 0 { 0 } else { run + 1 };
            ahead = ahead_q16(run);
            let mut is_still = true;
            for (body, sway) in bodies.iter_mut().zip(&mut *sways).skip(1) {
                let is_slow = body.go_on(sway, ahead, came.is_solved.then_some(solved >> SETTLED_SHIFT));
                came.is_solved &= is_slow;
                is_still = is_still && body.is_still(still);
            }
            if is_still || came.is_solved {
                return step + 1;
            }
        }
        steps
    }
}

impl Gripped {
    /// The velocities that the pushes come to, cut to so many bits, at least 29.
    #[inline]
    fn change_by(&self, sum: &[i64; 6], bits: u32) -> [i64; 6] {
        let quick = self.quick.and_then(|quick| quick.change_by(sum));
        quick.unwrap_or_else(|| self.large_change_by(sum, bits))
    }

    #[cold]
    fn large_change_by(&self, sum: &[i64; 6], bits: u32) -> [i64; 6] {
        let most = 1 << bits;
        let mut change = [0; 6];
        for i in 0..6 {
            let shift = if i < 3 { self.shift } else { self.shift + NARROW_BITS };
            let wide = i128::from(sum[i]) * i128::from(self.inverse);
            change[i] = shr_nearest(wide, shift).clamp(-most, most) as i64;
            if i < 3 && self.locked[i] {
                change[i] = 0;
            }
        }
        change
    }

    /// Takes the velocities that the pushes come to, and goes ahead from them; returns whether no velocity changed by
    /// more than `slow`, if that is asked.
    #[inline(always)]
    fn go_on(&mut self, sway: &mut Sway, ahead: i64, slow: Option<i64>) -> bool {
        const MOST_RATE: i64 = 1 << RATE_BITS;
        let change = self.change_by(&sway.sum, RATE_BITS);
        let (mut more, mut far, mut end) = ([0; 6], 0, [0; 6]);
        for i in 0..6 {
            more[i] = change[i] - self.change[i];
            end[i] = change[i] + shr_nearest_64(more[i] * ahead, AHEAD_BITS);
            far |= end[i] + MOST_RATE;
        }
        if far as u64 >= 2 * MOST_RATE as u64 {
            end = end.map(|wide| wide.clamp(-MOST_RATE, MOST_RATE));
        }
        let [x, y, z, turns @ ..] = end;
        let [x, y, z] = [x, y, z].map(|rate| rate << NARROW_BITS);
        sway.end = [x, y, z, turns[0], turns[1], turns[2]];
        self.change = change;
        slow.is_some_and(|slow| more.iter().all(|more| more.abs() <= slow))
    }

    /// Whether it hardly moves over the ground with the pushes as they are.
    fn is_still(&self, less: i64) -> bool {
        self.change.iter().zip(self.drift).all(|(&change, drift)| (drift + change).abs() < less)
    }
}

impl Quick {
    /// The velocities if all sums are small enough, which then have 28 bits.
    #[inline(always)]
    fn change_by(&self, sum: &[i64; 6]) -> Option<[i64; 6]> {
        let [pushed, turned] = self.below;
        let large = (sum[0] + pushed) | (sum[1] + pushed) | (sum[2] + pushed);
        let wide = (sum[3] + turned) | (sum[4] + turned) | (sum[5] + turned);
        if (large & (-2 * pushed)) | (wide & (-2 * turned)) != 0 {
            return None;
        }
        Some([0, 1, 2, 3, 4, 5].map(|i: usize| upper_nearest(sum[i] << self.up[i / 3], self.factor[i])))
    }
}

/// `a * b / 2^64` to nearest, halves away from zero.
#[inline(always)]
const fn upper_nearest(a: i64, b: i64) -> i64 {
    let wide = a as i128 * b as i128;
    // One less where it is negative, so that halves go down there.
    ((wide + (1 << 63) + (wide >> 127)) >> 64) as i64
}

#[inline(always)]
fn dot(a: [i64; 3], b: [i64; 3]) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// To nearest, halves up: what is along a normal has no direction of its own.
#[inline(always)]
const fn nearest(number: i64, bits: u32) -> i64 {
    (number + (1 << (bits - 1))) >> bits
}

#[cfg(test)]
mod tests;
