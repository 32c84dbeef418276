//! What the solves of the last tick came to, as `rest/memo.rs` keeps it of bodies that do not turn.
//!
//! An island is looked up by all that its solution depends on, to the last bit, before anything is worked out of it: see
//! `rest/recall.rs`.

use std::{mem, ops::Range};

use crate::tick::contact::rest::{
    grip_rows::{Asked, AskedMover, GripMemo, GripSolved},
    rows::Effort,
};

impl GripMemo {
    /// Begins the solves of a tick.
    pub(in crate::tick::contact::rest) fn begin(&mut self, effort: Effort) {
        mem::swap(&mut self.last, &mut self.next);
        self.next.clear();
        let effort = [effort.steps, effort.looks, effort.solved, effort.still];
        if self.effort != effort {
            self.last.clear();
            self.effort = effort;
        }
    }

    /// Looks for an island of so many contacts that asked for the same in the last tick, and remembers it for the next
    /// one; returns where its contacts and movers are in this tick's list.
    pub(in crate::tick::contact::rest) fn recall(
        &mut self,
        name: u32,
        count: usize,
        asks_for_the_same: impl Fn(&[Asked], &[AskedMover]) -> bool,
    ) -> Option<[Range<usize>; 2]> {
        let Self { last, next, .. } = self;
        let [contacts, movers] = last.find(name)?;
        let old = (&last.asked[contacts.clone()], &last.movers[movers.clone()]);
        if contacts.len() != count || !asks_for_the_same(old.0, old.1) {
            return None;
        }
        next.add(name, old.0.iter().copied(), old.1.iter().copied());
        let [new_contacts, new_movers] = next.find(name)?;
        next.found[new_contacts.clone()].copy_from_slice(&last.found[contacts]);
        next.moved[new_movers.clone()].copy_from_slice(&last.moved[movers]);
        Some([new_contacts, new_movers])
    }
}

impl GripSolved {
    fn clear(&mut self) {
        self.islands.clear();
        self.asked.clear();
        self.movers.clear();
        self.found.clear();
        self.moved.clear();
    }

    /// Begins to remember an island; islands come in the order of their names.
    pub(in crate::tick::contact::rest) fn add(
        &mut self,
        name: u32,
        asked: impl Iterator<Item = Asked>,
        movers: impl Iterator<Item = AskedMover>,
    ) {
        let first = [self.asked.len() as u32, self.movers.len() as u32];
        self.asked.extend(asked);
        self.movers.extend(movers);
        self.found.resize(self.asked.len(), [0; 4]);
        self.moved.resize(self.movers.len(), [[0; 3]; 2]);
        let counts = [self.asked.len() as u32 - first[0], self.movers.len() as u32 - first[1]];
        self.islands.push((name, counts, first));
    }

    /// Remembers the solution of an island that was not known.
    pub(in crate::tick::contact::rest) fn solve(
        &mut self,
        name: u32,
        found: impl Iterator<Item = [i64; 4]>,
        moved: impl Fn(u32) -> [[i64; 3]; 2],
    ) {
        let Some([contacts, movers]) = self.find(name) else { return };
        self.found[contacts].iter_mut().zip(found).for_each(|(old, found)| *old = found);
        for (old, mover) in self.moved[movers.clone()].iter_mut().zip(&self.movers[movers]) {
            *old = moved(mover.index);
        }
    }

    /// Where the contacts and movers of an island are.
    fn find(&self, name: u32) -> Option<[Range<usize>; 2]> {
        let place = self.islands.binary_search_by_key(&name, |&(name, ..)| name).ok()?;
        let (_, counts, first) = self.islands[place];
        Some([0, 1].map(|i: usize| first[i] as usize..first[i] as usize + counts[i] as usize))
    }
}
