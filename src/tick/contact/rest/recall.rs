//! Solves with what is remembered of the last tick: islands with points that ask for the same have its solution.
//!
//! What lies still asks for the same in every tick. An island is compared as its contacts and movers are before anything is
//! worked out of them, so what is known costs hardly more than a look. Whether it is known decides about work only.

use crate::tick::contact::NONE;
use std::mem;

use super::rows::Effort;
use crate::{
    state::Locks,
    tick::contact::rest::{
        grip_rows::{Asked, AskedMover, GripMemo},
        memory::{Contact, Rest},
    },
};

impl Rest {
    /// The solve of the motions, with what is known if it may be.
    pub(super) fn solve_motions(&mut self, effort: Effort) {
        #[cfg(feature = "trace")]
        self.grip.largest.1.clear();
        self.recall(0, effort, Contact::wanted);
        self.solve(0, effort, Contact::wanted);
        self.remember(0);
        if !self.touches.is_empty() {
            self.contacts.iter_mut().for_each(|contact| contact.is_known = false);
        }
    }

    /// The solve of the momenta, with what is known: the pushes that are left when no island gains energy by them.
    pub(super) fn solve_momenta(&mut self, effort: Effort) {
        let bound = |contact: &Contact| contact.room.max(0);
        self.recall(1, effort, bound);
        self.apply_pushes();
        self.solve(1, effort, bound);
        self.lower_energy();
        self.remember(1);
    }

    /// Finds the islands and their order, and sets pushes and velocities of those with points that are known; the contacts of these are
    /// marked, and no part of what is solved.
    fn recall(&mut self, which: usize, effort: Effort, bound: impl Fn(&Contact) -> i64) {
        self.find_islands();
        let mut memo = mem::take(&mut self.grip.memos[which]);
        memo.begin(effort);
        self.order_contacts();
        if !self.touches.is_empty() && self.are_apart() {
            let grouped = mem::take(&mut self.grouped);
            for island in grouped.chunk_by(|a, b| a >> u32::BITS == b >> u32::BITS) {
                if self.has_points(island) {
                    self.recall_island(island, &mut memo, &bound);
                }
            }
            self.grouped = grouped;
            if self.contacts.iter().any(|contact| contact.is_known) {
                self.order_contacts();
            }
        }
        self.grip.memos[which] = memo;
    }

    /// Whether no island depends on how another one moves. One that a contact does not push, as it is held or locked along the
    /// normal, may be pushed by another contact, which is in its own island: that one's motion counts as far as it is solved.
    fn are_apart(&mut self) -> bool {
        let Self { places, contacts, first, .. } = self;
        places.clear();
        places.resize(first.len(), 0);
        for contact in &*contacts {
            for (mover, step) in [contact.low_mover(), Some(contact.high)].into_iter().zip(contact.steps) {
                if let (Some(mover), true) = (mover, step != [0; 3]) {
                    places[mover as usize] = 1;
                }
            }
        }
        let is_pushed = |low: u32| places[low as usize] == 1;
        let reads =
            |contact: &Contact| contact.steps[0] == [0; 3] && contact.low_mover().is_some_and(is_pushed);
        let are_apart = !contacts.iter().any(reads);
        places.fill(0);
        are_apart
    }

    fn recall_island(&mut self, island: &[u64], memo: &mut GripMemo, bound: impl Fn(&Contact) -> i64) {
        let name = name_of(island);
        let known = memo.recall(name, island.len(), |asked, movers| {
            let asks = |(old, contact): (&Asked, _)| self.asks(old, contact, bound(contact));
            // Where the contacts are the same, so are the movers that were listed for them.
            asked.iter().zip(self.contacts_in(island)).all(asks)
                && movers.iter().all(|old| *old == self.asked_mover(old.index))
        });
        let Some([contacts, movers]) = known else {
            let movers = self.list_movers(island);
            let asked = self.contacts_in(island).map(|contact| self.asked_of(contact, bound(contact)));
            memo.next.add(name, asked, movers.iter().map(|&index| self.asked_mover(index)));
            self.stopping = movers;
            return;
        };
        for (&key, &[push, x, y, z]) in island.iter().zip(&memo.next.found[contacts]) {
            let contact = &mut self.contacts[key as u32 as usize];
            (contact.push, contact.is_known) = (push, true);
            if let Some(touch) = self.touches.get_mut(contact.touch as usize) {
                touch.rub = [x, y, z];
            }
        }
        for (mover, &[rate, spin]) in memo.next.movers[movers.clone()].iter().zip(&memo.next.moved[movers]) {
            let index = mover.index as usize;
            (self.rates[index], self.spins[index]) = (rate, spin);
        }
    }

    /// Remembers what was solved.
    fn remember(&mut self, which: usize) {
        if self.touches.is_empty() {
            return;
        }
        let mut memo = mem::take(&mut self.grip.memos[which]);
        for island in self.grouped.chunk_by(|a, b| a >> u32::BITS == b >> u32::BITS) {
            let found = self.contacts_in(island).map(|contact| {
                let [x, y, z] = self.touch_of(contact).map_or([0; 3], |touch| touch.rub);
                [contact.push, x, y, z]
            });
            let moved = |index: u32| [self.rates[index as usize], self.spins[index as usize]];
            memo.next.solve(name_of(island), found, moved);
        }
        self.grip.memos[which] = memo;
    }

    /// Lists each mover of an island once, with those that no push moves.
    fn list_movers(&mut self, island: &[u64]) -> Vec<u32> {
        let (mut movers, mut places) = (mem::take(&mut self.stopping), mem::take(&mut self.places));
        movers.clear();
        for contact in self.contacts_in(island) {
            for mover in [contact.low_mover(), Some(contact.high)].into_iter().flatten() {
                if mem::replace(&mut places[mover as usize], 1) == 0 {
                    movers.push(mover);
                }
            }
        }
        movers.iter().for_each(|&mover| places[mover as usize] = 0);
        self.places = places;
        movers
    }

    fn contacts_in<'a>(&'a self, island: &'a [u64]) -> impl Iterator<Item = &'a Contact> {
        island.iter().map(|&key| &self.contacts[key as u32 as usize])
    }

    fn asked_of(&self, contact: &Contact, bound: i64) -> Asked {
        let (touch, &Contact { high, level, direction, steps, .. }) = (self.touch_of(contact), contact);
        Asked {
            sides: [contact.low_mover().unwrap_or(NONE), high],
            level,
            has_point: touch.is_some(),
            locks: touch.map_or([Locks::NONE; 2], |touch| touch.locks),
            friction_q16: touch.map_or(0, |touch| touch.friction_q16),
            direction,
            steps,
            levers: touch.map_or([[[0; 3]; 3]; 2], |touch| touch.levers),
            shares: touch.map_or([0; 2], |touch| touch.shares),
            masses: contact.masses,
            whole: contact.whole,
            bound,
            push: contact.push,
            rub: touch.map_or([0; 3], |touch| touch.rub),
        }
    }

    /// Whether `asked_of` would be the same, without a copy of it.
    fn asks(&self, old: &Asked, contact: &Contact, bound: i64) -> bool {
        let touch = self.touch_of(contact);
        let is_same = old.sides == [contact.low_mover().unwrap_or(NONE), contact.high]
            && (old.level, old.has_point) == (contact.level, touch.is_some())
            && (old.bound, old.push) == (bound, contact.push)
            && old.direction == contact.direction
            && old.steps.as_flattened() == contact.steps.as_flattened()
            && (old.masses, old.whole) == (contact.masses, contact.whole);
        is_same
            && touch.is_none_or(|touch| {
                old.rub == touch.rub
                    && old.shares == touch.shares
                    && old.friction_q16 == touch.friction_q16
                    && old.locks == touch.locks
                    && old.levers.as_flattened().as_flattened() == touch.levers.as_flattened().as_flattened()
            })
    }

    fn asked_mover(&self, index: u32) -> AskedMover {
        let at = index as usize;
        let (mass, rate, spin) = (self.masses[at], self.rates[at], self.spins[at]);
        AskedMover { index, mass, rate, spin, ground: self.grounds[at] }
    }
}

/// Islands are named by their least movers.
const fn name_of(island: &[u64]) -> u32 {
    (island[0] >> u32::BITS) as u32
}

#[cfg(test)]
mod tests;
