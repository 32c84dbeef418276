//! The solve: all contacts at once, so that no order of theirs can matter.
//!
//! Each step looks at every contact of an island with the same velocities, and only then changes them; sums
//! of integers know no order. A step is as long as the crowding of both bodies allows, and begins further
//! along the way that the pushes have gone before (Nesterov 1983; restarted where that leads uphill,
//! O'Donoghue and Candes 2015; for contacts Mazhar, Heyn, Negrut and Tasora 2015).
//!
//! The work is done in narrow numbers: directions of 14 bits, and velocities of which an island keeps as many
//! bits as fit. What is left of an error is far below what a few dozen steps leave; the velocities that come
//! out are summed from the pushes with the full directions.

use std::mem;

use super::press::{DIRECTION_BITS, PUSH_MAX, STEP_BITS, add};
use crate::{
    num::round::shr_nearest_64,
    tick::contact::rest::memory::{Contact, Pushed, Rest, Row},
};

/// The fraction bits of directions and steps in rows.
const NARROW_BITS: u32 = 14;

/// The fraction bits of velocities that are changed by pushes: of a step times a push.
const CHANGE_BITS: u32 = NARROW_BITS;

/// The fraction bits of how fast a pair closes, of what pushes are in. With weights they fit 64 bits.
const RATE_BITS: u32 = 8;

/// The fraction bits of weights, and of how far a step goes ahead.
const WEIGHT_BITS: u32 = 16;

/// How much larger than all that is closing a push may get at most, as a power of two.
const PUSH_SHIFT_MAX: u32 = 8;

/// How many bits the sum of all pushes on a body has at most. The difference of two of them is twice as
/// much, and its product with a direction, and half of it more, fits 64 bits.
const SUM_BITS: u32 = 63 - 2 - NARROW_BITS - CHANGE_BITS;

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

impl Rest {
    /// Changes the pushes, and the rates by them, until nobody in contact closes by more than a bound, nearly,
    /// and no push is larger than that needs. `rates` must be what they are with the pushes as they are.
    ///
    /// `which` of the tick's solves it is says where its solutions are remembered. The islands must be found, and their order.
    pub(super) fn solve(&mut self, which: usize, effort: Effort, bound: impl Fn(&Contact) -> i64) {
        let grouped = mem::take(&mut self.grouped);
        let mut memo = mem::take(&mut self.memos[which]);
        memo.begin(effort);
        if which == 0 && !self.touches.is_empty() {
            self.forget_guesses(&grouped);
        }
        self.note_outset();
        for island in grouped.chunk_by(|a, b| a >> u32::BITS == b >> u32::BITS) {
            if self.has_points(island) {
                self.solve_points(island, which, effort, &bound);
                continue;
            }
            self.gather_rows(island, &bound);
            let name = (island[0] >> u32::BITS) as u32;
            let mut shift = 0;
            if let [row] = &mut self.rows[..] {
                row.push = row.push.saturating_sub(row.excess).clamp(0, PUSH_MAX);
            } else if !memo.recall(name, &mut self.rows, &self.pushed) {
                shift = self.weigh_rows();
                self.solve_island(effort, shift);
                memo.remember(&self.rows, shift);
            }
            self.take_pushes(shift);
        }
        self.grouped = grouped;
        self.memos[which] = memo;
    }

    /// Notes the velocities with which all islands are asked.
    ///
    /// Who is not pushed along the normal of a contact, as it is locked, may be pushed along another one, which is in its own
    /// island: which of the two islands is solved first is for ids to say, and must not matter.
    fn note_outset(&mut self) {
        self.outset.clone_from(&self.rates);
        self.spins_outset.clone_from(&self.spins);
    }

    /// Joins movers that contacts connect into islands, each named by its least mover. What no push
    /// moves is no part of any.
    pub(super) fn find_islands(&mut self) {
        let Self { islands, contacts, .. } = self;
        islands.clear();
        islands.extend(0..self.first.len() as u32);
        for contact in contacts.iter().filter(|contact| contact.steps[0] != [0; 3]) {
            if let Some(low) = contact.low_mover() {
                let (a, b) = (root_of(islands, contact.high), root_of(islands, low));
                islands[a.max(b) as usize] = a.min(b);
            }
        }
        for index in 0..islands.len() as u32 {
            islands[index as usize] = root_of(islands, index);
        }
    }

    /// Lists the contacts island by island whose pushes are not known, as keys of island and contact.
    pub(super) fn order_contacts(&mut self) {
        let Self { contacts, islands, grouped: order, places, .. } = self;
        let is_live = |contact: &Contact| !contact.dropped && !contact.is_known;
        let live = || (0_u32..).zip(contacts.iter()).filter(|(_, contact)| is_live(contact));
        let island = |contact: &Contact| islands[contact.high as usize];
        places.clear();
        places.resize(islands.len(), 0);
        live().for_each(|(_, contact)| places[island(contact) as usize] += 1);
        let mut count = 0;
        for place in &mut *places {
            count += mem::replace(place, count);
        }
        order.clear();
        order.resize(count as usize, 0);
        for (index, contact) in live() {
            let place = &mut places[island(contact) as usize];
            order[*place as usize] = (u64::from(island(contact)) << u32::BITS) | u64::from(index);
            *place += 1;
        }
        places.fill(0);
    }

    /// Copies what the solve needs of the contacts of an island, and numbers its bodies from 1; what no
    /// push moves is 0.
    fn gather_rows(&mut self, island: &[u64], bound: impl Fn(&Contact) -> i64) {
        let Self { rows, pushed, contacts, places, outset: rates, grounds, .. } = self;
        rows.clear();
        pushed.clear();
        pushed.push(Pushed::default());
        let mut place_of = |mover: Option<u32>, step: [i32; 3]| match mover {
            Some(mover) if step != [0; 3] => {
                let index = mover as usize;
                if places[index] == 0 {
                    places[index] = pushed.len() as u32;
                    pushed.push(Pushed { drift: drift(rates[index], grounds[index]), ..Pushed::default() });
                }
                places[index]
            }
            _ => 0,
        };
        rows.extend(island.iter().map(|&key| {
            let contact = &contacts[key as u32 as usize];
            let (low, high) = (contact.low_mover(), contact.high);
            let low_rate = low.map_or([0; 3], |low| rates[low as usize]);
            Row {
                contact: key as u32,
                sides: [place_of(low, contact.steps[0]), place_of(Some(high), contact.steps[1])],
                direction: narrow(contact.direction, DIRECTION_BITS).map(|c| c as i16),
                steps: contact.steps.map(|step| narrow(step, STEP_BITS)),
                weight: 0,
                excess: contact.rate(low_rate, rates[high as usize]).saturating_add(bound(contact)),
                push: contact.push,
                before: 0,
                rate: 0,
            }
        }));
    }

    /// Finds how long a step each contact may take, and scales the rows down so that sums fit; returns by
    /// how many bits.
    ///
    /// The pushes on a body add up along the sum of `n n^T` over its contacts; the largest eigenvalue of
    /// that is no more than its trace, nor than the largest sum of a row's absolute values. A step of one
    /// part of it in each body cannot overshoot.
    fn weigh_rows(&mut self) -> u32 {
        let Self { rows, pushed, .. } = self;
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
                crowd += ((body.crowd() >> NARROW_BITS) * share) >> (3 * NARROW_BITS - WEIGHT_BITS);
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
    fn solve_island(&mut self, effort: Effort, shift: u32) {
        let Self { rows, pushed, changes, last_changes, .. } = self;
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

    /// Hands the pushes of an island to its contacts, and what they do to the rates.
    fn take_pushes(&mut self, shift: u32) {
        let Self { rows, contacts, rates, .. } = self;
        for row in rows {
            let contact = &mut contacts[row.contact as usize];
            let push = row.push << shift;
            let change = push - contact.push;
            contact.push = push;
            for (which, mover) in [contact.low_mover(), Some(contact.high)].into_iter().enumerate() {
                if let Some(mover) = mover {
                    add(&mut rates[mover as usize], contact.added(which, change));
                }
            }
        }
    }
}

/// A direction or step with fewer bits, to nearest.
fn narrow(wide: [i32; 3], bits: u32) -> [i32; 3] {
    wide.map(|c| shr_nearest_64(c.into(), bits - NARROW_BITS) as i32)
}

/// How a body moves over the ground that carries it, as far as it fits; without ground, faster than anything.
fn drift(rate: [i64; 3], ground: Option<[i64; 3]>) -> [i64; 3] {
    let most = 1 << (62 - CHANGE_BITS);
    let over = |ground: [i64; 3]| [0, 1, 2].map(|i| rate[i].saturating_sub(ground[i]).clamp(-most, most));
    ground.map_or([most; 3], over)
}

/// The least mover of an island that is in the making.
fn root_of(islands: &mut [u32], mover: u32) -> u32 {
    let mut at = mover;
    while islands[at as usize] != at {
        islands[at as usize] = islands[islands[at as usize] as usize];
        at = islands[at as usize];
    }
    at
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

impl Pushed {
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
