//! Waking: disturbed sleepers, and all that touch them through other sleepers.

use super::reach::{is_driven, may_press, reach_of, touches};
use crate::{
    broad::Forest,
    geom::Aabb,
    state::{Body, BodyId, Collider, Command, Kind, Scenery, Sleep, State},
    tick::{
        World, bodies::mover::Partner, queue::QueuedImpact, scratch::Scratch, sleep::dormitory::Dormitory,
        step::Step,
    },
};

/// Number of replays of a tick; in the last one all sleepers wake.
const PLAYS_MAX: u32 = 8;

impl Dormitory {
    /// Calls `found` with the slot of every sleeper whose reach touches a region.
    pub(super) fn search(
        &mut self,
        state: &State,
        scenery: &Scenery,
        region: &Aabb,
        mut found: impl FnMut(u32),
    ) {
        let beds = self.beds.get_or_insert_with(|| {
            let asleep = state.bodies().filter(|(id, _)| state.is_asleep(id.slot));
            Forest::of(
                asleep.filter_map(|(id, body)| Some((reach_of(state, scenery, body)?, id.slot))).collect(),
            )
        });
        let risen = &self.risen;
        beds.query(region, |slot| {
            if !risen.get(slot as usize).is_some_and(|&has_risen| has_risen) {
                found(slot);
            }
        });
    }

    /// Marks the bodies that have woken, from an index of the list on. If half of the reaches are stale they
    /// are discarded, so a crowd that wakes one by one costs a few rebuilds, and not one for each body.
    fn leave_beds(&mut self, from: usize) {
        let Some(beds) = &self.beds else { return };
        for id in &self.woken[from..] {
            let slot = id.slot as usize;
            if self.risen.len() <= slot {
                self.risen.resize(slot + 1, false);
            }
            self.risen[slot] = true;
        }
        self.risen_count += self.woken.len() - from;
        if self.risen_count * 2 > beds.len() {
            self.forget_beds();
        }
    }

    /// Wakes the sleepers of a list of slots, and all that touch them through other sleepers.
    ///
    /// If that takes more tests than a tick may do, all sleepers wake; the number of tests does not depend on
    /// their order.
    pub(in crate::tick) fn wake(&mut self, state: &mut State, scenery: &Scenery, first: &[u32]) {
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
        (self.waking, self.found) = (waking, found);
        self.leave_beds(woken);
    }

    /// True if the current tick has disturbed a sleeper, or left one out.
    pub(in crate::tick) fn must_begin_anew(&self) -> bool {
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
    fn add_touched(&mut self, state: &State, scenery: &Scenery, body: &Body, found: &mut Vec<u32>) -> u64 {
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
    fn add_driven(&mut self, state: &State, scenery: &Scenery, body: &Body, found: &mut Vec<u32>) -> u64 {
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
}

impl World {
    /// Adds the slots of the sleepers that a command would wake in the present state.
    ///
    /// A sleeper wakes if its motion or its filter changes, together with those that touch it. The sleepers
    /// that touch a kinematic or static body wake if that is removed, placed or changed.
    pub(in crate::tick) fn add_disturbed(
        &mut self,
        command: &Command,
        named: Option<BodyId>,
        list: &mut Vec<u32>,
    ) {
        let Self { state, scenery, scratch } = self;
        if state.sleep.is_empty() {
            return;
        }
        let is_for_all = match *command {
            Command::SetGravity { gravity } => gravity != state.gravity,
            Command::SetLayers { .. } => true,
            _ => false,
        };
        if is_for_all {
            list.extend(0..state.slots.len() as u32);
            return;
        }
        let Some((id, body)) = named.and_then(|id| Some((id, *state.body(id)?))) else { return };
        let is_asleep = state.is_asleep(id.slot);
        if is_asleep {
            list.push(id.slot);
        }
        let is_placed = changes_place(command) && body.kind != Kind::Dynamic;
        if is_asleep || is_placed {
            scratch.dormitory.add_touched(state, scenery, &body, list);
        }
        if is_placed && state.limits.separation_speed != 0 {
            scratch.dormitory.add_driven(state, scenery, &body, list); // soft bodies move aside
        }
    }

    /// Wakes the bodies that a command has disturbed.
    pub(in crate::tick) fn wake(&mut self, disturbed: &[u32]) {
        let Self { state, scenery, scratch } = self;
        scratch.dormitory.wake(state, scenery, disturbed);
    }
}

/// The body that a command changes; none for data that no tick reads.
pub(in crate::tick) fn named(command: &Command) -> Option<BodyId> {
    match *command {
        Command::Remove { body }
        | Command::Teleport { body, .. }
        | Command::Place { body, .. }
        | Command::MoveTo { body, .. }
        | Command::SetVelocity { body, .. }
        | Command::Push { body, .. }
        | Command::PushAt { body, .. }
        | Command::Twist { body, .. }
        | Command::SetAngularVelocity { body, .. }
        | Command::SetShape { body, .. }
        | Command::SetShapes { body, .. }
        | Command::SetFilter { body, .. }
        | Command::SetLocks { body, .. }
        | Command::SetDamping { body, .. }
        | Command::SetSleep { body, .. }
        | Command::SetOnHit { body, .. }
        | Command::SetPriority { body, .. }
        | Command::Drive { body, .. }
        | Command::EndDrive { body }
        | Command::Freeze { body, .. } => Some(body),
        Command::Except { a, .. } => Some(a),
        Command::Spawn(_)
        | Command::SetGravity { .. }
        | Command::SetLayers { .. }
        | Command::SetUser { .. } => None,
    }
}

/// The other body of a command.
pub(in crate::tick) const fn named_second(command: &Command) -> Option<BodyId> {
    match *command {
        Command::Except { b: Collider::Body(b), .. } => Some(b),
        _ => None,
    }
}

/// True if a command changes the position of a body, or its collisions there.
const fn changes_place(command: &Command) -> bool {
    matches!(
        command,
        Command::Spawn(_)
            | Command::Remove { .. }
            | Command::Teleport { .. }
            | Command::Place { .. }
            | Command::SetShape { .. }
            | Command::SetShapes { .. }
            | Command::SetFilter { .. }
    )
}

impl Step<'_> {
    /// Wakes the sleepers that driven bodies may touch; returns true if any body is awake or driven.
    pub(in crate::tick) fn rouse(&mut self) -> bool {
        if self.state.sleep.is_empty() {
            return true;
        }
        let Scratch { dormitory, .. } = &mut *self.scratch;
        let mut disturbed = std::mem::take(&mut dormitory.disturbed);
        disturbed.clear();
        let (mut goes_on, mut anybody_sleeps, mut looks) = (false, false, 0);
        for slot in 0..self.state.slots.len() as u32 {
            let sleeps = self.state.is_asleep(slot);
            anybody_sleeps |= sleeps;
            let Some(body) = self.state.slots[slot as usize].body.filter(|_| !sleeps) else { continue };
            goes_on |= body.kind == Kind::Dynamic || body.frozen > 0;
            if is_driven(&body) {
                goes_on = true;
                looks += dormitory.add_driven(self.state, self.scenery, &body, &mut disturbed);
                if looks > u64::from(self.state.limits.pairs_max) {
                    disturbed.extend(0..self.state.slots.len() as u32);
                    break;
                }
            }
        }
        dormitory.wake(self.state, self.scenery, &disturbed);
        disturbed.clear();
        dormitory.disturbed = disturbed;
        dormitory.present.clear();
        (dormitory.takes_all, dormitory.looks) = (!anybody_sleeps, 0);
        goes_on
    }

    /// Marks the sleepers that contacts of the tick press on; returns true if the tick must be replayed.
    pub(in crate::tick) fn presses_sleepers(&mut self) -> bool {
        if self.state.sleep.is_empty() {
            return false;
        }
        let mut contacts = std::mem::take(&mut self.scratch.contact.rest.contacts);
        for contact in contacts.iter().filter(|contact| contact.push > 0) {
            self.disturb([Some(contact.high), contact.low_mover()]);
        }
        std::mem::swap(&mut self.scratch.contact.rest.contacts, &mut contacts);
        self.scratch.dormitory.must_begin_anew()
    }

    /// Marks the sleepers that overlap another body; returns true if the tick must be replayed.
    pub(in crate::tick) fn overlaps_sleepers(&mut self) -> bool {
        if self.state.sleep.is_empty() {
            return false;
        }
        for index in 0..self.scratch.sim.overlapping.len() {
            let (a, b, _) = self.scratch.sim.overlapping[index];
            self.disturb([Some(a), if let Partner::Mover(b) = b { Some(b) } else { None }]);
        }
        self.scratch.dormitory.must_begin_anew()
    }

    /// Marks the sleepers of two movers as disturbed.
    pub(in crate::tick) fn disturb(&mut self, movers: [Option<u32>; 2]) {
        for index in movers.into_iter().flatten() {
            let slot = self.scratch.sim.movers[index as usize].slot;
            if self.state.is_asleep(slot) {
                self.scratch.dormitory.disturbed.push(slot);
            }
        }
    }

    /// Marks the sleepers that impacts disturb; returns true if the tick must be replayed.
    pub(in crate::tick) fn strikes_sleepers(&mut self, events: &[QueuedImpact]) -> bool {
        if self.state.sleep.is_empty() {
            return false;
        }
        for event in events {
            self.disturb([Some(event.a), event.partner()]);
        }
        self.scratch.dormitory.must_begin_anew()
    }

    /// Wakes the sleepers that the tick has disturbed, and all that touch them; after many replays all
    /// sleepers. Returns true if there is any.
    pub(in crate::tick) fn wake_disturbed(&mut self, plays: u32) -> bool {
        let Scratch { dormitory, .. } = &mut *self.scratch;
        let mut disturbed = std::mem::take(&mut dormitory.disturbed);
        if dormitory.missed {
            disturbed.clear(); // with the missed body the disturbed ones may differ
        }
        let wakes = !disturbed.is_empty();
        if wakes && plays >= PLAYS_MAX {
            disturbed.extend(0..self.state.slots.len() as u32);
        }
        dormitory.wake(self.state, self.scenery, &disturbed);
        disturbed.clear();
        dormitory.disturbed = disturbed;
        wakes
    }

    /// Reports the woken bodies.
    pub(in crate::tick) fn tell_sleep(&mut self) {
        let woken = &mut self.scratch.dormitory.woken;
        woken.sort_unstable();
        self.report.woke.clear();
        self.report.woke.append(woken);
    }
}
