//! One contact: what a push does to the two velocities.

use crate::{
    geom::Normal,
    num::round::{div_nearest, shr_nearest},
    world::{Contact, Locks},
};

/// The fraction bits of [`Contact::steps`].
const STEP_BITS: u32 = 22;

/// The fraction bits of [`Contact::direction`].
pub(super) const DIRECTION_BITS: u32 = 22;

/// The bits of a velocity or a push whose products with a direction or a step fit 64 bits.
const NARROW_BITS: u32 = 34;

/// What gives way along a normal by less than this, as a squared length in 2^-60, is not pushed: all its
/// other axes are locked.
const LEAST_GIVE: i128 = 1 << 54;

/// How much of what a pair is too near is undone in a tick: an eighth.
const RECOVERY_SHIFT: u32 = 3;

/// The largest push that a guess may make, in raw: many times the fastest closing.
const PUSH_MAX: i128 = 1 << 50;

/// A mass and its locks; `None` for what no push moves.
pub(super) type Inertia = Option<(u32, Locks)>;

/// What a push does: see the fields of [`Contact`] of the same names.
pub(super) struct Steps {
    pub direction: [i32; 3],
    pub steps: [[i32; 3]; 2],
    pub whole: i128,
    pub masses: i64,
    pub load_q16: i64,
}

/// How a push along a normal of length 2^30 is shared by the lower and the upper one, or `None` where
/// neither gives way.
///
/// **Rounding**: to nearest, halves away from zero.
pub(super) fn shares(normal: Normal, inertias: [Inertia; 2]) -> Option<Steps> {
    let masses = inertias.map(|inertia| inertia.map_or(1, |(mass, _)| i128::from(mass)));
    let along = inertias.map(|inertia| match inertia {
        Some((_, locks)) => [0, 1, 2].map(|i| if locks.has(i) { 0 } else { normal.components()[i] }),
        None => [0; 3],
    });
    let square = |n: [i32; 3]| n.iter().map(|&c| i128::from(c) * i128::from(c)).sum::<i128>();
    let along = along.map(|n| if square(n) < LEAST_GIVE { [0; 3] } else { n });
    let [low, high] = along.map(square);
    if low + high == 0 {
        return None;
    }
    let whole = high * masses[0] + low * masses[1];
    let step = |n: [i32; 3], other: i128| {
        n.map(|c| div_nearest((i128::from(c) * other) << (30 + STEP_BITS), whole) as i32)
    };
    let load = if high == 0 { 0 } else { (whole << 16) / (high * masses[0]) };
    let direction = normal.components().map(|c| shr_nearest(c.into(), Normal::BITS - DIRECTION_BITS) as i32);
    Some(Steps {
        direction,
        steps: [step(along[0], masses[1]), step(along[1], masses[0])],
        whole,
        masses: (masses[0] * masses[1]) as i64,
        load_q16: load as i64,
    })
}

impl Contact {
    /// How fast the two part along the normal, in raw per tick.
    pub(super) fn rate(&self, low: [i64; 3], high: [i64; 3]) -> i64 {
        let apart = [0, 1, 2].map(|i| high[i] - low[i]);
        let n = self.direction.map(i64::from);
        if apart.into_iter().all(is_narrow) {
            return shr_nearest_64(n[0] * apart[0] + n[1] * apart[1] + n[2] * apart[2], DIRECTION_BITS);
        }
        let along = |i: usize| i128::from(n[i]) * i128::from(apart[i]);
        shr_nearest(along(0) + along(1) + along(2), DIRECTION_BITS) as i64
    }

    /// What an amount of push adds to the velocity of the lower (0) or the upper one (1).
    pub(super) fn added(&self, which: usize, push: i64) -> [i64; 3] {
        let push = if which == 0 { -push } else { push };
        let steps = self.steps[which];
        if is_narrow(push) {
            return steps.map(|step| shr_nearest_64(i64::from(step) * push, STEP_BITS));
        }
        steps.map(|step| shr_nearest(i128::from(step) * i128::from(push), STEP_BITS) as i64)
    }

    /// How far the two should close in the tick, in raw: no nearer than they rest, and where they are, back
    /// by an eighth of it.
    pub(super) fn wanted(&self) -> i64 {
        self.room.max(self.room >> RECOVERY_SHIFT)
    }

    /// Changes the push so that the two close by no more than a bound, as far as pushing can; returns
    /// by how much it changed.
    pub(super) fn press(&mut self, rates: &mut [[i64; 3]], still: [i64; 3], bound: i64) -> i64 {
        let (high, low) = (self.high as usize, self.low_mover());
        let low_rate = low.map_or(still, |low| rates[low as usize]);
        let lack = -bound - self.rate(low_rate, rates[high]);
        let change = (self.push + lack).max(0) - self.push;
        if change != 0 {
            self.push += change;
            add(&mut rates[high], self.added(1, change));
            if let Some(low) = low {
                add(&mut rates[low as usize], self.added(0, change));
            }
        }
        change
    }

    /// The same as if the lower one were part of a ground that moves at a velocity, and takes any push.
    pub(super) fn press_alone(&mut self, high: &mut [i64; 3], ground: [i64; 3]) -> i64 {
        let lack = -self.room - self.rate(ground, *high);
        let more = (i128::from(lack) * i128::from(self.load_q16)) >> 16; // a push has no direction
        let change = (i128::from(self.push) + more).clamp(0, PUSH_MAX) as i64 - self.push;
        self.push += change;
        add(high, self.added(1, change));
        change
    }
}

/// Whether a number is small enough for 64-bit products.
const fn is_narrow(number: i64) -> bool {
    let high = number >> NARROW_BITS;
    high == 0 || high == -1
}

/// `n / 2^bits` to the nearest integer, halves away from zero.
const fn shr_nearest_64(n: i64, bits: u32) -> i64 {
    let half = 1 << (bits - 1);
    if n < 0 { -((half - n) >> bits) } else { (n + half) >> bits }
}

/// Adds to a velocity.
pub(super) fn add(rate: &mut [i64; 3], more: [i64; 3]) {
    for (rate, more) in rate.iter_mut().zip(more) {
        *rate += more;
    }
}
