//! Waking: disturbed sleepers, and all that touch them through other sleepers.

use super::limits::PLAYS_MAX;
use super::{
    Sleepers,
    reach::{is_driven, may_press, reach_of, touches},
};
use crate::{
    broad::Forest,
    geom::Aabb,
    state::{Body, BodyType, Scenery, Sleep, State},
    tick::{
        TickReport,
        bodies::{Bodies, body::BodyIndex},
    },
};

impl Sleepers {
    /// Calls `found` with the slot of every sleeper whose reach touches a region.
    pub fn search(&mut self, state: &State, scenery: &Scenery, region: &Aabb, mut found: impl FnMut(u32)) {
        let tree = self.tree.get_or_insert_with(|| {
            let asleep = state.bodies().filter(|(id, _)| state.is_asleep(id.slot));
            Forest::of(
                asleep.filter_map(|(id, body)| Some((reach_of(state, scenery, body)?, id.slot))).collect(),
            )
        });
        let stale = &self.stale;
        tree.query(region, |slot| {
            if !stale.get(slot as usize).is_some_and(|&is_stale| is_stale) {
                found(slot);
            }
        });
    }

    /// Marks the bodies that have woken, from an index of the list on. If half of the reaches are stale they
    /// are discarded, so a crowd that wakes one by one costs a few rebuilds, and not one for each body.
    fn mark_stale(&mut self, from: usize) {
        let Some(tree) = &self.tree else { return };
        for id in &self.woken[from..] {
            let slot = id.slot as usize;
            if self.stale.len() <= slot {
                self.stale.resize(slot + 1, false);
            }
            self.stale[slot] = true;
        }
        self.stale_count += self.woken.len() - from;
        if self.stale_count * 2 > tree.len() {
            self.discard_tree();
        }
    }

    /// Wakes the sleepers of a list of slots, and all that touch them through other sleepers.
    ///
    /// If that takes more tests than a tick may do, all sleepers wake; the number of tests does not depend on
    /// their order.
    pub fn wake(&mut self, state: &mut State, scenery: &Scenery, first: &[u32]) {
        let (mut waking, woken) = (std::mem::take(&mut self.waking), self.woken.len());
        waking.clear();
        for &slot in first {
            self.rouse(state, slot, &mut waking);
        }
        let (mut found, mut looks) = (std::mem::take(&mut self.found), 0);
        while let Some(slot) = waking.pop() {
            let Some(body) = state.slots[slot as usize].body else { continue };
            found.clear();
            looks += self.add_touched(state, scenery, &body, &mut found);
            for &other in &found {
                self.rouse(state, other, &mut waking);
            }
            if looks > u64::from(state.limits.pairs_max) {
                (0..state.slots.len() as u32).for_each(|slot| self.rouse(state, slot, &mut waking));
                waking.clear();
            }
        }
        debug_assert!(first.iter().all(|&slot| !state.is_asleep(slot)) && waking.is_empty());
        (self.waking, self.found) = (waking, found);
        self.mark_stale(woken);
    }

    /// True if the current tick has disturbed a sleeper, or left one out.
    pub fn must_begin_anew(&self) -> bool {
        self.missed || !self.disturbed.is_empty()
    }

    /// Wakes a body, if it sleeps.
    fn rouse(&mut self, state: &mut State, slot: u32, waking: &mut Vec<u32>) {
        if state.is_asleep(slot) {
            state.set_sleep(slot, Sleep::NEW);
            self.woken.push(state.id_of(slot));
            waking.push(slot);
        }
    }

    /// Adds the slots of all sleepers that touch a body; returns the number of tests.
    pub fn add_touched(
        &mut self,
        state: &State,
        scenery: &Scenery,
        body: &Body,
        found: &mut Vec<u32>,
    ) -> u64 {
        let (Some(region), mut looks) = (reach_of(state, scenery, body), 0) else { return 0 };
        self.search(state, scenery, &region, |slot| {
            looks += 1;
            let other = state.slots[slot as usize].body.filter(|_| state.is_asleep(slot));
            if other.is_some_and(|other| touches(state, scenery, body, &other)) {
                found.push(slot);
            }
        });
        looks
    }

    /// Adds the slots of all sleepers that a driven body may touch on its path; returns the number of tests.
    pub fn add_driven(&mut self, state: &State, scenery: &Scenery, body: &Body, found: &mut Vec<u32>) -> u64 {
        let (Some(region), mut looks) = (reach_of(state, scenery, body), 0) else { return 0 };
        self.search(state, scenery, &region, |slot| {
            looks += 1;
            let other = state.slots[slot as usize].body;
            if other.is_some_and(|other| may_press(state, scenery, body, &other)) {
                found.push(slot);
            }
        });
        looks
    }

    /// Wakes the sleepers that driven bodies may touch; returns true if any body is awake or driven.
    pub fn begin(&mut self, state: &mut State, scenery: &Scenery) -> bool {
        if state.sleep.is_empty() {
            return true;
        }
        let mut disturbed = std::mem::take(&mut self.disturbed);
        disturbed.clear();
        let (mut goes_on, mut anybody_sleeps, mut looks) = (false, false, 0);
        for slot in 0..state.slots.len() as u32 {
            let sleeps = state.is_asleep(slot);
            anybody_sleeps |= sleeps;
            let Some(body) = state.slots[slot as usize].body.filter(|_| !sleeps) else { continue };
            goes_on |= body.body_type == BodyType::Dynamic || body.frozen > 0;
            if is_driven(&body) {
                goes_on = true;
                looks += self.add_driven(state, scenery, &body, &mut disturbed);
                if looks > u64::from(state.limits.pairs_max) {
                    disturbed.extend(0..state.slots.len() as u32);
                    break;
                }
            }
        }
        self.wake(state, scenery, &disturbed);
        disturbed.clear();
        self.disturbed = disturbed;
        self.present.clear();
        (self.takes_all, self.looks) = (!anybody_sleeps, 0);
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
        let mut disturbed = std::mem::take(&mut self.disturbed);
        if self.missed {
            disturbed.clear(); // with the missed body the disturbed ones may differ
        }
        let wakes = !disturbed.is_empty();
        if wakes && plays >= PLAYS_MAX {
            disturbed.extend(0..state.slots.len() as u32);
        }
        self.wake(state, scenery, &disturbed);
        disturbed.clear();
        self.disturbed = disturbed;
        wakes
    }

    /// Reports the woken bodies.
    pub fn report(&mut self, report: &mut TickReport) {
        let woken = &mut self.woken;
        woken.sort_unstable();
        report.woke.clear();
        report.woke.append(woken);
    }
}
