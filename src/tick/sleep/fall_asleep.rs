//! Falling asleep: an island of bodies sleeps once each of them has been at rest for long enough.

use super::limits::{RATE_MAX, STILL_SHIFT};
use super::{
    Sleepers,
    groups::Groups,
    margin::{is_driven, margin_box_of, may_press, touches},
};
use crate::{
    broad::Forest,
    geom::Vec3,
    num::Scalar,
    state::{BodyType, Scenery, Sleep, SlotIndex, State},
    tick::{
        Cause, TickReport,
        bodies::{
            Bodies, SimBodies,
            body::{BodyIndex, Partner, SimBody},
        },
        budget::WorkBudget,
    },
};

/// The stage that puts resting islands to sleep.
pub struct FallAsleep<'a> {
    pub state: &'a mut State,
    pub scenery: &'a Scenery,
    pub sim: &'a SimBodies,
    pub sleepers: &'a mut Sleepers,
    pub report: &'a mut TickReport,
}

/// A finding of the tick about bodies that sleep together or not at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bond {
    /// Two bodies of one island: they press on each other or overlap.
    Island(BodyIndex, BodyIndex),
    /// A body that stays awake.
    Awake(BodyIndex),
}

impl FallAsleep<'_> {
    fn bodies(&self) -> Bodies<'_> {
        Bodies { state: self.state, scenery: self.scenery, sim: self.sim }
    }

    /// Counts the resting ticks of all bodies, before the state is written; a step that another one of the tick follows
    /// counts none.
    pub fn count_still(&mut self, is_last_step: bool) {
        if self.state.sleep.is_empty() {
            return;
        }
        for index in 0..self.sim.all().len() {
            let body = &self.sim.all()[index];
            if body.filter.body_type != BodyType::Dynamic {
                continue; // a sleeping body counts as static
            }
            let slot = body.slot;
            if let Sleep::Awake(ticks) = self.state.sleep_of(slot) {
                let is_still = self.is_still(body);
                let more = u8::from(is_last_step);
                let ticks = if is_still { (ticks + more).min(self.state.limits.sleep_after) } else { 0 };
                self.state.set_sleep(slot, Sleep::Awake(ticks));
            }
        }
        for &(a, b, _) in &self.sim.overlapping {
            let pair = [Some(a), if let Partner::Body(b) = b { Some(b) } else { None }];
            for index in pair.into_iter().flatten() {
                self.state.count_anew(self.bodies().body(index).slot);
            }
        }
        // A body that falls asleep in this tick would wake at once, because its ignored pair ends with it.
        for slot in self.state.ending_ignored_pairs() {
            self.state.count_anew(slot);
        }
    }

    /// True if a body is at rest in the tick and has hardly any velocity at its end.
    fn is_still(&self, body: &SimBody) -> bool {
        if !body.is_free()
            || body.reverted
            || body.impacts > 0
            || body.struck
            || self.is_driven_away(body)
            || self.bodies().displacement_of(body) != Vec3::ZERO
            || self.report.tick_halted.is_some()
        {
            return false;
        }
        let gravity = self.sim.gravity;
        let within = |vector: Vec3, most: i64| vector.within(Scalar::from_bits(most));
        let still = (gravity * i64::from(self.state.limits.steps_per_second().min(RATE_MAX))) >> STILL_SHIFT;
        let moved = body.path.position - self.bodies().entry(body);
        let spin = self.sim.rotation(body).map_or(Vec3::ZERO, |rotation| rotation.spin());
        within(moved, still)
            && self.bodies().turned_by(body) <= still
            && within(body.momentum, still.saturating_mul(body.mass.into()))
            && within(spin, still)
    }

    /// True if a body is driven to a velocity other than zero.
    fn is_driven_away(&self, body: &SimBody) -> bool {
        let drive = self.state.slots[body.slot.place()].body.and_then(|body| body.drive);
        drive.is_some_and(|drive| drive.velocity != Vec3::ZERO)
    }

    /// Puts islands to sleep whose bodies have all been at rest for long enough.
    pub fn fall_asleep(&mut self, bonds: impl Iterator<Item = Bond>) {
        let after = self.state.limits.sleep_after;
        let is_ready = |sleep: &Sleep| *sleep == Sleep::Awake(after);
        if after == 0 || !self.state.sleep.iter().any(is_ready) {
            return;
        }
        let mut groups = self.groups(bonds);
        for slot in self.state.slot_indices() {
            if self.state.sleep_of(slot) == Sleep::Awake(after) && !groups.is_kept(slot) {
                self.put_to_sleep(slot);
            }
        }
    }

    /// Puts a body to sleep.
    fn put_to_sleep(&mut self, slot: SlotIndex) {
        let id = self.state.id_of(slot);
        let Some(body) = &mut self.state.slots[slot.place()].body else { return };
        self.sim.bring_to_rest(body, self.report, Cause::VelocityCorrections);
        let body = *body;
        let margin_box = margin_box_of(self.state, self.scenery, &body);
        self.state.set_sleep(slot, Sleep::Asleep);
        self.report.fell_asleep.push(id);
        self.sleepers.waking.tree.add(slot, margin_box);
    }

    /// The islands of awake bodies, and whether a body keeps each awake; all are kept awake if that takes
    /// more tests than a tick may do.
    fn groups(&mut self, bonds: impl Iterator<Item = Bond>) -> Groups {
        let mut groups = Groups::of(self.state.slots.len());
        let after = self.state.limits.sleep_after;
        let (mut awake, mut driven) = (Vec::new(), Vec::new());
        for (id, body) in self.state.bodies() {
            let is_awake = body.body_type == BodyType::Dynamic && !self.state.is_asleep(id.slot);
            if is_awake && self.state.sleep_of(id.slot) != Sleep::Awake(after) {
                groups.keep(id.slot);
            }
            if let Some(margin_box) = margin_box_of(self.state, self.scenery, body) {
                if is_awake {
                    awake.push((margin_box, id.slot));
                } else if is_driven(body) {
                    driven.push((margin_box, id.slot));
                }
            }
        }
        bonds.for_each(|bond| self.take_bond(&mut groups, bond));
        let ready: Vec<_> = awake.iter().filter(|(_, slot)| !groups.is_kept(*slot)).copied().collect();
        let (ready, mut budget) = (Forest::of(ready), WorkBudget::of(&self.state.limits));
        let all = awake.iter().map(|one| (one, false)).chain(driven.iter().map(|one| (one, true)));
        for (&(margin_box, other), is_driven) in all {
            // Few bodies are ready as a rule: the search is among them, not among all awake bodies.
            ready.query(&margin_box, |slot| {
                budget.spend(1);
                if is_driven {
                    self.keep_driven(&mut groups, slot, other);
                } else {
                    self.join_touching(&mut groups, slot, other);
                }
            });
            if budget.is_exceeded() {
                (self.state.slot_indices()).for_each(|slot| groups.keep(slot));
                break;
            }
        }
        groups
    }

    /// Takes what the tick has found, of dynamic bodies that are awake: of overlapping ones, one would wake the other.
    fn take_bond(&self, groups: &mut Groups, bond: Bond) {
        let awake = |index: BodyIndex| {
            let body = self.bodies().body(index);
            (body.filter.body_type == BodyType::Dynamic && !self.state.is_asleep(body.slot))
                .then_some(body.slot)
        };
        match bond {
            Bond::Island(a, b) => {
                if let (Some(a), Some(b)) = (awake(a), awake(b)) {
                    groups.join(a, b);
                }
            }
            Bond::Awake(index) => awake(index).into_iter().for_each(|slot| groups.keep(slot)),
        }
    }

    fn join_touching(&self, groups: &mut Groups, slot: SlotIndex, other: SlotIndex) {
        if slot == other || groups.is_same(slot, other) {
            return;
        }
        let body = |slot: SlotIndex| self.state.slots[slot.place()].body;
        if let (Some(a), Some(b)) = (body(slot), body(other)) {
            if touches(self.state, self.scenery, &a, &b) {
                groups.join(slot, other);
            }
        }
    }

    /// Keeps a body awake that a driven body would wake.
    fn keep_driven(&self, groups: &mut Groups, slot: SlotIndex, driven: SlotIndex) {
        let body = |slot: SlotIndex| self.state.slots[slot.place()].body;
        if let (Some(a), Some(b)) = (body(slot), body(driven)) {
            if may_press(self.state, self.scenery, &a, &b) {
                groups.keep(slot);
            }
        }
    }
}
