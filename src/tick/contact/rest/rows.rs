//! The linear solve of an island: impulses of all rows at once, so that no order of them can matter.
//!
//! A row is a contact, or anything else that asks two bodies to separate along a direction at least so fast. A step looks at
//! every row with the same velocities, and only then changes them; sums of integers know no order. It is as long as the
//! crowding of both bodies allows, and begins further along the way that the impulses have gone before (Nesterov 1983; restarted
//! where that leads uphill, O'Donoghue and Candes 2015; for contacts Mazhar, Heyn, Negrut and Tasora 2015).
//!
//! The work is done in narrow numbers: directions of 14 bits, and velocities of which an island keeps as many
//! bits as fit. What is left of an error is far below what a few dozen steps leave; the velocities that come
//! out are summed from the impulses with the full directions.

use crate::num::{
    bound::{Bound, Width},
    round::{shr_nearest, shr_nearest_64},
};

/// The fraction bits of steps that are not narrow.
pub(super) const STEP_BITS: u32 = 22;

/// The fraction bits of directions that are not narrow.
pub(super) const DIRECTION_BITS: u32 = 22;

/// The bits of a velocity or a push whose products with a direction or a step fit 64 bits.
const SHORT_BITS: u32 = 34;

/// The largest push, in raw: more than the fastest closing.
pub(super) const PUSH_MAX: i64 = 1 << 46;

/// The fraction bits of directions and steps in rows.
const NARROW_BITS: u32 = 14;

/// The fraction bits of velocities that are changed by pushes: of a step times a push.
pub(super) const CHANGE_BITS: u32 = NARROW_BITS;

/// The fraction bits of how fast a pair closes, of what pushes are in. With weights they fit 64 bits.
const RATE_BITS: u32 = 8;

/// The fraction bits of weights, and of how far a step goes ahead.
const WEIGHT_BITS: u32 = 16;

/// How much larger than all that is closing a push may get at most, as a power of two.
const PUSH_SHIFT_MAX: u32 = 8;

/// How many bits the sum of all pushes on a body has at most. The difference of two of them is twice as
/// much, and its product with a direction, and half of it more, fits 64 bits.
const SUM_BITS: u32 = 63 - 2 - NARROW_BITS - CHANGE_BITS;

/// The length of a direction of a row, whose components are rounded.
const DIRECTION: Bound = Bound::power(NARROW_BITS).plus(Bound::number(2));
pub(in crate::tick::contact) const WIDTH: Width = Width {
    number: "`direction . (change' - change)` of two bodies in a linear solve",
    bound: Bound::power(SUM_BITS + CHANGE_BITS + 1).length().times(DIRECTION),
    held_in: 64,
};
/// The crowding of a body without its last bits, times the share of a step.
pub(in crate::tick::contact) const CROWD_WIDTH: Width = {
    let square = DIRECTION.times(DIRECTION);
    Width {
        number: "`crowd * share` of a body with 2^22 contacts in a linear solve",
        bound: square.shifted(22).shifted_back(NARROW_BITS).times(square),
        held_in: 128,
    }
};
const _: () = WIDTH.check();
const _: () = CROWD_WIDTH.check();

/// How many steps any island is worth.
const STEPS_MIN: i64 = 8;

/// How long to go on.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// How many steps there are at most.
    pub steps: i64,
    /// How many rows all steps of an island together look at, unless that is fewer than `STEPS_MIN` steps.
    pub looks: i64,
    /// An island is done when no contact is further from it than this, in raw per tick.
    pub solved: i64,
    /// It is done, too, when no component of the velocity of any body in it, less that of the ground that carries
    /// it, is as much as this, in raw per tick.
    pub still: i64,
}

/// What the solve needs of a contact. Pushes and closing are in raw per tick, as far scaled down as the
/// island needs.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The index of the contact.
    pub contact: u32,
    /// The bodies below and above, as the island numbers them; 0 for what no push moves.
    pub sides: [u32; 2],
    /// As in `memory::Contact`, in 2^-14.
    pub direction: [i16; 3],
    /// As in `memory::Contact`, in 2^-14. Up to 1 where nothing is locked, up to 8 where something is.
    pub steps: [[i32; 3]; 2],
    /// How much of what it lacks a step may change, in 2^-16.
    pub weight: i32,
    /// How much faster the two part than they must before anything is changed.
    pub excess: i64,
    /// The push after the last step.
    pub push: i64,
    /// The push before it.
    pub before: i64,
    /// How fast the pushes before the last step made the two part; in a solve this and `excess` have fraction bits.
    pub rate: i64,
}

/// What a solve knows of a body; velocities are in 2^-14 of what rows are in.
#[derive(Clone, Copy, Default, Debug)]
pub struct SolverBody {
    /// How it moved over the ground that carries it, before any pushes.
    pub drift: [i64; 3],
    /// How its contacts crowd: the sum of `n n^T`, as xx, yy, zz, xy, xz, yz, in 2^-28.
    pub crowding: [i64; 6],
}

/// The rows of an island, and its bodies. The first body stands for all that no impulse moves.
#[derive(Default, Debug)]
pub struct RowSolver {
    pub rows: Vec<Row>,
    pub bodies: Vec<SolverBody>,
    /// By how much the impulses change the velocities of the bodies, in 2^-14 of what rows are in.
    changes: Vec<[i64; 3]>,
    /// The same before the step that is under way.
    last_changes: Vec<[i64; 3]>,
}

impl RowSolver {
    /// Removes all rows and bodies.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.bodies.clear();
        self.bodies.push(SolverBody::default());
    }

    /// Finds how long a step each contact may take, and scales the rows down so that sums fit; returns by
    /// how many bits.
    ///
    /// The pushes on a body add up along the sum of `n n^T` over its contacts; the largest eigenvalue of
    /// that is no more than its trace, nor than the largest sum of a row's absolute values. A step of one
    /// part of it in each body cannot overshoot.
    pub(super) fn weigh(&mut self) -> u32 {
        let Self { rows, bodies: pushed, .. } = self;
        for row in &*rows {
            let [x, y, z] = row.direction.map(i64::from);
            for side in row.sides {
                let sums = &mut pushed[side as usize].crowding;
                for (sum, product) in sums.iter_mut().zip([x * x, y * y, z * z, x * y, x * z, y * z]) {
                    *sum += product;
                }
            }
        }
        let (mut closing, mut crowd_max) = (0, 0);
        for row in &mut *rows {
            let mut crowd = 0;
            for (side, step) in row.sides.into_iter().zip(row.steps) {
                if side == 0 {
                    continue;
                }
                let body = &pushed[side as usize];
                let share = (0..3).map(|i| i64::from(step[i]) * i64::from(row.direction[i])).sum::<i64>();
                let wide = i128::from(body.crowd() >> NARROW_BITS) * i128::from(share);
                crowd += (wide >> (3 * NARROW_BITS - WEIGHT_BITS)) as i64;
                let most = step.iter().fold(1, |most, c| most.max(c.unsigned_abs()));
                crowd_max |= body.contacts() * u64::from(((most - 1) >> NARROW_BITS) + 1);
            }
            let crowd = crowd.max(1 << WEIGHT_BITS);
            row.weight = ((1 << (2 * WEIGHT_BITS)) / crowd) as i32;
            closing |= row.excess.unsigned_abs().saturating_add(row.push.unsigned_abs());
        }
        let bits = |number: u64| u64::BITS - number.leading_zeros();
        let shift = (bits(closing) + push_shift(rows) + bits(crowd_max)).saturating_sub(SUM_BITS);
        for row in rows {
            row.excess = match shift.checked_sub(RATE_BITS) {
                Some(less) => row.excess >> less,
                None => row.excess << (RATE_BITS - shift),
            };
            row.push >>= shift;
            row.before = row.push;
        }
        for body in pushed {
            body.drift = body.drift.map(|c| (c >> shift) << CHANGE_BITS);
        }
        shift
    }

    /// Steps until an island is done.
    ///
    /// A step begins as much further as the last one went, times what Nesterov allows. Rates are linear in pushes,
    /// so how fast two part there follows from how fast they did at the last two ends.
    pub(super) fn solve(&mut self, effort: Effort, shift: u32) {
        let Self { rows, bodies: pushed, changes, last_changes } = self;
        let solved = (effort.solved >> shift).max(1) << RATE_BITS;
        let still = (effort.still >> shift) << CHANGE_BITS;
        let most = rows.iter().fold(0, |most, row| most.max((row.excess.abs() >> RATE_BITS) + row.push));
        let push_max = (most << push_shift(rows)).min(PUSH_MAX >> shift);
        changes.clear();
        changes.resize(pushed.len(), [0; 3]);
        let (mut run, mut ahead) = (0, 0);
        for _ in 0..effort.steps.min((effort.looks / rows.len() as i64).max(STEPS_MIN)) {
            last_changes.clone_from(changes);
            let (mut most, mut uphill) = (0, 0);
            for row in rows.iter_mut() {
                let rate = row.rate_of(last_changes);
                let excess = row.excess + rate + nearest((rate - row.rate) * ahead, WEIGHT_BITS);
                row.rate = rate;
                if row.push | row.before == 0 && excess >= 0 {
                    continue; // nothing presses the two together
                }
                let from = row.push + nearest((row.push - row.before) * ahead, WEIGHT_BITS);
                let back = nearest(excess * i64::from(row.weight), WEIGHT_BITS + RATE_BITS);
                let change = (from - back).max(0).min(push_max) - row.push;
                uphill += i128::from(excess) * i128::from(change);
                if from > 0 || excess < 0 {
                    most = most.max(excess.abs());
                }
                row.take(change, changes);
            }
            let mut bodies = pushed.iter().zip(&*changes);
            if most <= solved || bodies.all(|(body, change)| body.is_still(change, still)) {
                break;
            }
            run = if uphill > 0 { 0 } else { run + 1 };
            ahead = ahead_q16(run);
        }
    }
}

/// A direction or step with fewer bits, to nearest.
pub(super) fn narrow(wide: [i32; 3], bits: u32) -> [i32; 3] {
    wide.map(|c| shr_nearest_64(c.into(), bits - NARROW_BITS) as i32)
}

/// How much larger than all that is closing a push may get, as a power of two: as often as there are
/// contacts that could hand it on.
fn push_shift(rows: &[Row]) -> u32 {
    rows.len().ilog2().min(PUSH_SHIFT_MAX)
}

/// To nearest, halves up: what is along a normal has no direction of its own.
#[inline]
const fn nearest(number: i64, bits: u32) -> i64 {
    (number + (1 << (bits - 1))) >> bits
}

/// How much further a step begins than the last one ended, as a part of how far that went, in 2^-16: what
/// Nesterov allows after so many steps that did not lead uphill.
pub(super) const fn ahead_q16(run: i64) -> i64 {
    if run == 0 { 0 } else { ((run - 1) << WEIGHT_BITS) / (run + 2) }
}

impl Row {
    /// How fast the two part by the pushes.
    #[inline]
    fn rate_of(&self, changes: &[[i64; 3]]) -> i64 {
        let (low, high) = (&changes[self.sides[0] as usize], &changes[self.sides[1] as usize]);
        let [x, y, z] = self.direction;
        let along = i64::from(x) * (high[0] - low[0])
            + i64::from(y) * (high[1] - low[1])
            + i64::from(z) * (high[2] - low[2]);
        nearest(along, NARROW_BITS + CHANGE_BITS - RATE_BITS)
    }

    /// Changes the push.
    #[inline]
    fn take(&mut self, change: i64, changes: &mut [[i64; 3]]) {
        self.before = self.push;
        self.push += change;
        if change != 0 {
            add_step(&mut changes[self.sides[0] as usize], self.steps[0], -change);
            add_step(&mut changes[self.sides[1] as usize], self.steps[1], change);
        }
    }
}

/// Adds what a push does to a velocity.
#[inline]
fn add_step(change: &mut [i64; 3], [x, y, z]: [i32; 3], push: i64) {
    change[0] += i64::from(x) * push;
    change[1] += i64::from(y) * push;
    change[2] += i64::from(z) * push;
}

impl SolverBody {
    /// Whether it hardly moves over the ground with the pushes as they are.
    #[inline]
    fn is_still(&self, change: &[i64; 3], less: i64) -> bool {
        change.iter().zip(self.drift).all(|(change, drift)| (change + drift).abs() < less)
    }

    /// How many contacts it has, rounded up.
    fn contacts(&self) -> u64 {
        let [xx, yy, zz, ..] = self.crowding;
        ((xx + yy + zz) >> (2 * NARROW_BITS)).unsigned_abs() + 1
    }

    /// By how much pushes on the body add up at most, in 2^-28.
    fn crowd(&self) -> i64 {
        let [xx, yy, zz, xy, xz, yz] = self.crowding;
        let (xy, xz, yz) = (xy.abs(), xz.abs(), yz.abs());
        (xx + xy + xz).max(yy + xy + yz).max(zz + xz + yz).min(xx + yy + zz)
    }
}

/// How fast two part along a direction, in raw per tick, to nearest.
pub(super) fn rate(direction: [i32; 3], low: [i64; 3], high: [i64; 3]) -> i64 {
    let apart = [0, 1, 2].map(|i| high[i].saturating_sub(low[i]));
    let n = direction.map(i64::from);
    if apart.into_iter().all(is_short) {
        return shr_nearest_64(n[0] * apart[0] + n[1] * apart[1] + n[2] * apart[2], DIRECTION_BITS);
    }
    let along = |i: usize| i128::from(n[i]) * i128::from(apart[i]);
    shr_nearest(along(0) + along(1) + along(2), DIRECTION_BITS) as i64
}

/// What a push adds to a velocity, to nearest.
pub(super) fn added(steps: [i32; 3], push: i64) -> [i64; 3] {
    if is_short(push) {
        return steps.map(|step| shr_nearest_64(i64::from(step) * push, STEP_BITS));
    }
    steps.map(|step| shr_nearest(i128::from(step) * i128::from(push), STEP_BITS) as i64)
}

/// Whether a number is small enough for 64-bit products.
const fn is_short(number: i64) -> bool {
    let high = number >> SHORT_BITS;
    high == 0 || high == -1
}

/// Adds to a velocity.
pub(super) fn add(rate: &mut [i64; 3], more: [i64; 3]) {
    for (rate, more) in rate.iter_mut().zip(more) {
        *rate = rate.saturating_add(more);
    }
}
