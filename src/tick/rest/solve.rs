//! The solve: all contacts at once, so that no order of theirs can matter.
//!
//! Each step looks at every contact of an island with the same velocities, and only then changes all
//! pushes; sums of integers know no order. A step is as long as the crowding of both bodies allows, and
//! is accelerated by the way that the pushes have gone before (Nesterov 1983; restarted where it leads
//! uphill, O'Donoghue and Candes 2015; for contacts Mazhar, Heyn, Negrut and Tasora 2015).

use super::press::{DIRECTION_BITS, STEP_BITS, add};
use crate::{
    num::round::shr_nearest,
    world::{Contact, Rest, Row},
};

/// How many steps there are at most.
const STEPS: i64 = 32;

/// The fraction bits of weights, and of how far a step goes ahead.
const WEIGHT_BITS: u32 = 16;

/// Half a unit of what is multiplied by a weight.
const HALF: i64 = 1 << (WEIGHT_BITS - 1);

/// The fraction bits of a direction whose products are summed: sums over any number of contacts fit.
const COARSE_BITS: u32 = 15;

/// How much larger than all that is closing a push may get at most, as a power of two.
const PUSH_SHIFT_MAX: u32 = 8;

/// How many bits sums of pushes have.
const SUM_BITS: u32 = 61;

impl Rest {
    /// Changes the pushes until nobody in contact closes by more than a bound, nearly, and no push is
    /// larger than that needs. `rates` must be what they are with the pushes as they are.
    ///
    /// An island is done when no contact is further from that than `solved`, in raw per tick.
    pub(super) fn solve(&mut self, solved: i64, bound: impl Fn(&Contact) -> i64) {
        self.gather_rows(bound);
        self.weigh_rows();
        let Self { rows, rates, changes, crowding, contacts, .. } = self;
        for island in rows.chunk_by_mut(|a, b| a.island == b.island) {
            let shift = shift_of(island, crowding);
            island.iter_mut().for_each(|row| row.scale_down(shift));
            solve_island(island, changes, solved >> shift);
            for row in island {
                contacts[row.contact as usize].push = row.push << shift;
                row.shift = shift;
            }
        }
        for row in rows {
            for side in row.sides {
                let change = std::mem::take(&mut changes[side as usize]);
                if let Some(rate) = rates.get_mut(side as usize) {
                    add(rate, change.map(|fine| (shr_nearest(fine.into(), STEP_BITS) as i64) << row.shift));
                }
            }
        }
    }

    /// Copies what the solve needs of each contact, island by island.
    fn gather_rows(&mut self, bound: impl Fn(&Contact) -> i64) {
        self.find_islands();
        let Self { rows, contacts, islands, rates, order, .. } = self;
        order.clear();
        order.extend(
            (0..)
                .zip(contacts.iter())
                .filter(|(_, contact)| !contact.dropped)
                .map(|(index, contact)| (u64::from(islands[contact.high as usize]) << u32::BITS) | index),
        );
        order.sort_unstable();
        rows.clear();
        rows.extend(order.iter().map(|&key| {
            let contact = &contacts[key as u32 as usize];
            let low = contact.low_mover();
            let low_rate = low.map_or([0; 3], |low| rates[low as usize]);
            Row {
                island: (key >> u32::BITS) as u32,
                contact: key as u32,
                sides: [low.unwrap_or(rates.len() as u32), contact.high],
                direction: contact.direction,
                steps: contact.steps,
                shift: 0,
                weight: 0,
                excess: contact.rate(low_rate, rates[contact.high as usize]).saturating_add(bound(contact)),
                push: contact.push,
                solved: contact.push,
                next: 0,
            }
        }));
    }

    /// Finds how long a step each contact may take.
    ///
    /// The pushes on a body add up along the sum of `n n^T` over its contacts; the largest eigenvalue of
    /// that is no more than its trace, nor than the largest sum of a row's absolute values. A step of one
    /// part of it in each body cannot overshoot.
    fn weigh_rows(&mut self) {
        self.crowding.clear();
        self.crowding.resize(self.rates.len() + 1, [0; 6]); // the last one stands still
        self.changes.clear();
        self.changes.resize(self.rates.len() + 1, [0; 3]);
        for row in &self.rows {
            let [x, y, z] = row.direction.map(|c| shr_nearest(c.into(), DIRECTION_BITS - COARSE_BITS) as i64);
            for side in row.sides {
                let sums = &mut self.crowding[side as usize];
                for (sum, product) in sums.iter_mut().zip([x * x, y * y, z * z, x * y, x * z, y * z]) {
                    *sum += product;
                }
            }
        }
        for row in &mut self.rows {
            let mut crowd = 0;
            for (side, step) in row.sides.into_iter().zip(row.steps) {
                let along = (0..3).map(|i| i64::from(step[i]) * i64::from(row.direction[i])).sum::<i64>();
                let [xx, yy, zz, xy, xz, yz] = self.crowding[side as usize];
                let (xy, xz, yz) = (xy.abs(), xz.abs(), yz.abs());
                let most = (xx + xy + xz).max(yy + xy + yz).max(zz + xz + yz).min(xx + yy + zz);
                let share = shr_nearest(along.into(), 2 * DIRECTION_BITS - WEIGHT_BITS);
                crowd += shr_nearest(share * i128::from(most), 2 * COARSE_BITS) as i64;
            }
            row.weight = (1 << (2 * WEIGHT_BITS)) / crowd.max(1 << WEIGHT_BITS);
        }
    }

    /// Joins movers that contacts connect into islands, each named by its least mover. What no push
    /// moves is no part of any.
    fn find_islands(&mut self) {
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

/// By how many bits what closes must be scaled down, so that sums over all contacts of a body fit.
fn shift_of(rows: &[Row], crowding: &[[i64; 6]]) -> u32 {
    let bits = |number: u64| u64::BITS - number.leading_zeros();
    let (mut closing, mut crowd) = (0, 0);
    for row in rows {
        closing |= row.excess.unsigned_abs().saturating_add(row.push.unsigned_abs());
        for (side, step) in row.sides.into_iter().zip(row.steps) {
            let [xx, yy, zz, ..] = crowding[side as usize];
            let contacts = (xx + yy + zz) >> (2 * COARSE_BITS); // of length one each
            crowd |= if step == [0; 3] { 0 } else { contacts.unsigned_abs() + 1 };
        }
    }
    (bits(closing) + push_shift(rows) + 1 + bits(crowd) + STEP_BITS).saturating_sub(SUM_BITS)
}

/// How much larger than all that is closing a push may get, as a power of two: as often as there are
/// contacts that could hand it on.
fn push_shift(rows: &[Row]) -> u32 {
    rows.len().ilog2().min(PUSH_SHIFT_MAX)
}

fn solve_island(rows: &mut [Row], changes: &mut [[i64; 3]], solved: i64) {
    let push_max = rows.iter().fold(0, |most, row| most.max(row.excess.abs() + row.push)) << push_shift(rows);
    let mut run = 0;
    for step in 1..=STEPS {
        let (mut most, mut uphill) = (0, 0);
        for row in rows.iter_mut() {
            let excess = row.excess_after(changes);
            row.next = (row.push - ((excess * row.weight + HALF) >> WEIGHT_BITS)).clamp(0, push_max);
            uphill += i128::from(excess) * i128::from(row.next - row.solved);
            if row.push > 0 || excess < 0 {
                most = most.max(excess.abs());
            }
        }
        let ends = step == STEPS || most <= solved;
        run = if uphill > 0 { 0 } else { run + 1 };
        let ahead = if ends || run == 0 { 0 } else { ((run - 1) << WEIGHT_BITS) / (run + 2) };
        for row in rows.iter_mut() {
            row.take(ahead, changes);
        }
        if ends {
            break;
        }
    }
}

impl Row {
    /// Drops bits of what no push of an island can do without.
    fn scale_down(&mut self, shift: u32) {
        self.excess >>= shift;
        self.push >>= shift;
        self.solved = self.push;
    }

    /// How much faster the two part than they must after some changes of velocity.
    ///
    /// **Rounding**: to nearest, halves up; what is along a normal has no direction of its own.
    #[inline]
    fn excess_after(&self, changes: &[[i64; 3]]) -> i64 {
        let [low, high] = self.sides.map(|side| changes[side as usize]);
        let along = |i: usize| i128::from(self.direction[i]) * i128::from(high[i] - low[i]);
        let half = 1 << (DIRECTION_BITS + STEP_BITS - 1);
        self.excess + ((along(0) + along(1) + along(2) + half) >> (DIRECTION_BITS + STEP_BITS)) as i64
    }

    /// Makes the next push the one that acts, and goes as much further as the last step went.
    #[inline]
    fn take(&mut self, ahead: i64, changes: &mut [[i64; 3]]) {
        let push = self.next + (((self.next - self.solved) * ahead) >> WEIGHT_BITS);
        let change = push - self.push;
        self.solved = self.next;
        self.push = push;
        for ((side, step), change) in self.sides.into_iter().zip(self.steps).zip([-change, change]) {
            for (sum, step) in changes[side as usize].iter_mut().zip(step) {
                *sum += i64::from(step) * change;
            }
        }
    }
}
