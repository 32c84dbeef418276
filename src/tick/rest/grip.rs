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
//! a rate is at most `2 (1 + 1.75 sqrt(3)) 2^29 < 2^32.1`, 2^52.1 with the bits of a lever, and times a weight of 8
//! bits 2^60.1; a push is cut to 2^30 in each component before its squares are added, and what 2^10 of them turn a
//! body by is below `2^(10 + 30 + 21 + 0.8)`.

mod guess;
mod memo;
mod row;
mod scale;

use super::solve::{Effort, ahead_q16};
use crate::{
    num::round::{shr_nearest, shr_nearest_64},
    world::{Grip, GripRow as Row, Gripped, Held, Quick},
};

/// The fraction bits of directions and levers.
pub(super) const NARROW_BITS: u32 = 20;

/// The fraction bits of how far a step goes ahead.
const AHEAD_BITS: u32 = 16;

/// The fraction bits of friction.
const FRICTION_BITS: u32 = 16;

/// The bits of the largest velocity, in units.
const RATE_BITS: u32 = 29;

/// How many steps any island is worth.
const STEPS_MIN: i64 = 8;

/// What a body changes by in a step may be this much more than what is left where it is solved, as a power of
/// two: about as much as a step of one part of what pulls at it falls short of the whole.
const SETTLED_SHIFT: u32 = 3;

impl Grip {
    /// Forgets the last island.
    pub(super) fn clear(&mut self) {
        self.points.clear();
        self.held.clear();
        self.held.push(Held::default());
    }

    /// Changes the pushes until nobody in contact closes by more than a bound, nearly, and what slips is held
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
        let Self { rows, bodies, sums, ends, push_max, .. } = self;
        for row in rows.iter_mut() {
            row.before = row.push;
        }
        for ((body, sum), end) in bodies.iter_mut().zip(&*sums).zip(&mut *ends).skip(1) {
            body.go_on(sum, end, 0);
        }
        let (mut run, mut ahead) = (0, 0);
        let steps = effort.steps.min((effort.looks / rows.len().max(1) as i64).max(STEPS_MIN));
        for step in 0..steps {
            let (mut uphill, mut is_solved) = (0_i128, true);
            for row in rows.iter_mut() {
                let (along, is_near) = row.step(ends, sums, ahead, *push_max);
                uphill += along;
                is_solved &= is_near;
            }
            run = if uphill > 0 { 0 } else { run + 1 };
            ahead = ahead_q16(run);
            let (mut moved, mut is_still) = (0, true);
            for ((body, sum), end) in bodies.iter_mut().zip(&*sums).zip(&mut *ends).skip(1) {
                moved = moved.max(body.go_on(sum, end, ahead));
                is_still &= body.is_still(still);
            }
            if is_still || (is_solved && i64::from(moved) << SETTLED_SHIFT <= solved) {
                return step + 1;
            }
        }
        steps
    }
}

impl Gripped {
    /// The velocities that the pushes come to, cut to so many bits, at least 29.
    #[inline]
    fn change_by(&self, sum: &[i64; 6], bits: u32) -> [i32; 6] {
        let quick = self.quick.and_then(|quick| quick.change_by(sum, self.locked));
        quick.unwrap_or_else(|| self.large_change_by(sum, bits))
    }

    #[cold]
    fn large_change_by(&self, sum: &[i64; 6], bits: u32) -> [i32; 6] {
        let most = 1 << bits;
        let mut change = [0; 6];
        for i in 0..6 {
            let shift = if i < 3 { self.shift } else { self.shift + NARROW_BITS };
            let wide = i128::from(sum[i]) * i128::from(self.inverse);
            change[i] = shr_nearest(wide, shift).clamp(-most, most) as i32;
            if i < 3 && self.locked[i] {
                change[i] = 0;
            }
        }
        change
    }

    /// Takes the velocities that the pushes come to, and goes ahead from them; returns the largest change.
    #[inline]
    fn go_on(&mut self, sum: &[i64; 6], end: &mut [i32; 6], ahead: i64) -> i32 {
        const MOST_RATE: i64 = 1 << RATE_BITS;
        let change = self.change_by(sum, RATE_BITS);
        let (mut most, mut far, mut ends) = (0, 0, [0; 6]);
        for i in 0..6 {
            let more = i64::from(change[i]) - i64::from(self.change[i]);
            most = most.max(more.abs() as i32);
            ends[i] = i64::from(change[i]) + shr_nearest_64(more * ahead, AHEAD_BITS);
            far |= ends[i] + MOST_RATE;
        }
        if far as u64 >= 2 * MOST_RATE as u64 {
            ends = ends.map(|wide| wide.clamp(-MOST_RATE, MOST_RATE));
        }
        *end = ends.map(|rate| rate as i32);
        self.change = change;
        most
    }

    /// Whether it hardly moves over the ground with the pushes as they are.
    fn is_still(&self, less: i64) -> bool {
        self.change.iter().zip(self.drift).all(|(&change, drift)| (drift + i64::from(change)).abs() < less)
    }
}

impl Quick {
    /// The velocities if all sums are small enough, which then have 28 bits.
    #[inline(always)]
    fn change_by(&self, sum: &[i64; 6], locked: [bool; 3]) -> Option<[i32; 6]> {
        let [pushed, turned] = self.below.map(|below| 1_i64 << below);
        let large = ((sum[0] + pushed) | (sum[1] + pushed) | (sum[2] + pushed)) as u64 >> (self.below[0] + 1);
        let wide = ((sum[3] + turned) | (sum[4] + turned) | (sum[5] + turned)) as u64 >> (self.below[1] + 1);
        if large | wide != 0 {
            return None;
        }
        let mut change = [0; 6];
        for i in 0..6 {
            let which = i / 3;
            change[i] = upper_nearest(sum[i] << self.up[which], self.factor[which]) as i32;
            if i < 3 && locked[i] {
                change[i] = 0;
            }
        }
        Some(change)
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
