//! Waking: disturbed sleepers, and all that touch them through other sleepers.

use super::{Sleepers, limits::PLAYS_MAX, reach::is_driven, tree::SleeperTree};
use crate::{
    state::{BodyId, BodyType, Scenery, Sleep, State},
    tick::{
        TickReport,
        bodies::{Bodies, body::BodyIndex},
    },
};

/// The sleepers that can be found, and the bodies that have woken.
#[derive(Default, Debug)]
pub struct Waking {
    pub tree: SleeperTree,
    /// The bodies that woke since the end of the last tick.
    pub woken: Vec<BodyId>,
    /// The slots of woken bodies whose neighbors are still to be found.
    next: Vec<u32>,
    /// The slots found in a search.
    found: Vec<u32>,
}

impl Waking {
    /// Wakes the sleepers of a list of slots, and all that touch them through other sleepers.
    ///
    /// If that takes more tests than a tick may do, all sleepers wake; the number of tests does not depend on
    /// their order.
    fn wake(&mut self, state: &mut State, scenery: &Scenery, first: &[u32]) {
        let (woken, mut looks) = (self.woken.len(), 0);
        self.next.clear();
        first.iter().for_each(|&slot| self.wake_one(state, slot));
        while let Some(slot) = self.next.pop() {
            let Some(body) = state.slots[slot as usize].body else { continue };
            self.found.clear();
            looks += self.tree.add_touched(state, scenery, &body, &mut self.found);
            for place in 0..self.found.len() {
                self.wake_one(state, self.found[place]);
            }
            if looks > u64::from(state.limits.pairs_max) {
                (0..state.slots.len() as u32).for_each(|slot| self.wake_one(state, slot));
                self.next.clear();
            }
        }
        debug_assert!(first.iter().all(|&slot| !state.is_asleep(slot)) && self.next.is_empty());
        self.tree.mark_stale(&self.woken[woken..]);
    }

    /// Wakes a body, if it sleeps.
    fn wake_one(&mut self, state: &mut State, slot: u32) {
        if state.is_asleep(slot) {
            state.set_sleep(slot, Sleep::NEW);
            self.woken.push(state.id_of(slot));
            self.next.push(slot);
        }
    }
}

impl Sleepers {
    /// Wakes the sleepers of a list of slots, as [`Waking::wake`].
    pub fn wake(&mut self, state: &mut State, scenery: &Scenery, first: &[u32]) {
        self.waking.wake(state, scenery, first);
    }

    /// True if the current tick has disturbed a sleeper, or left one out.
    pub fn must_begin_anew(&self) -> bool {
        self.missed || !self.disturbed.is_empty()
    }

    /// Wakes the sleepers that driven bodies may touch; returns true if any body is awake or driven.
    pub fn begin(&mut self, state: &mut State, scenery: &Scenery) -> bool {
        if state.sleep.is_empty() {
            return true;
        }
        let Self { disturbed, waking, .. } = self;
        disturbed.clear();
        let (mut goes_on, mut any_sleeps, mut looks) = (false, false, 0);
        for slot in 0..state.slots.len() as u32 {
            let sleeps = state.is_asleep(slot);
            any_sleeps |= sleeps;
            let Some(body) = state.slots[slot as usize].body.filter(|_| !sleeps) else { continue };
            goes_on |= body.body_type == BodyType::Dynamic || body.frozen > 0;
            if is_driven(&body) {
                goes_on = true;
                looks += waking.tree.add_driven(state, scenery, &body, disturbed);
                if looks > u64::from(state.limits.pairs_max) {
                    disturbed.extend(0..state.slots.len() as u32);
                    break;
                }
            }
        }
        waking.wake(state, scenery, disturbed);
        disturbed.clear();
        self.present.clear();
        (self.takes_all, self.looks) = (!any_sleeps, 0);
        goes_on
    }

    /// Marks the sleepers of pairs of bodies as disturbed; returns true if the tick must be replayed.
    pub fn disturb(
        &mut self,
        bodies: Bodies,
        pairs: impl IntoIterator<Item = [Option<BodyIndex>; 2]>,
    ) -> bool {
        if bodies.state.sleep.is_empty() {
            return false;
        }
        for index in pairs.into_iter().flatten().flatten() {
            let slot = bodies.body(index).slot;
            if bodies.state.is_asleep(slot) {
                self.disturbed.push(slot);
            }
        }
        self.must_begin_anew()
    }

    /// Wakes the sleepers that the tick has disturbed, and all that touch them; after many replays all
    /// sleepers. Returns true if there is any.
    pub fn wake_disturbed(&mut self, state: &mut State, scenery: &Scenery, plays: u32) -> bool {
        let Self { disturbed, waking, missed, .. } = self;
        if *missed {
            disturbed.clear(); // with the missed body the disturbed ones may differ
        }
        let wakes = !disturbed.is_empty();
        if wakes && plays >= PLAYS_MAX {
            disturbed.extend(0..state.slots.len() as u32);
        }
        waking.wake(state, scenery, disturbed);
        disturbed.clear();
        wakes
    }

    /// Reports the woken bodies.
    pub fn report(&mut self, report: &mut TickReport) {
        let woken = &mut self.waking.woken;
        woken.sort_unstable();
        report.woke.clear();
        report.woke.append(woken);
    }
}
