//! Falling asleep: an island of bodies sleeps once each of them has been at rest for long enough.

use super::limits::{RATE_MAX, STILL_SHIFT};
use super::{
    Sleepers,
    groups::Groups,
    reach::{is_driven, may_press, reach_of, touches},
};
use crate::{
    broad::Forest,
    geom::Vec3,
    num::Scalar,
    state::{BodyType, Scenery, Sleep, State},
    tick::{
        TickReport,
        bodies::{
            Bodies, SimBodies,
            body::{BodyIndex, Partner, SimBody},
        },
        contact::rest::memory::Contact,
        depenetration::memory::Overlaps,
        ledger::{add_change, add_moment, add_turning},
    },
};

/// The stage that puts resting islands to sleep.
pub struct FallAsleep<'a> {
    pub state: &'a mut State,
    pub scenery: &'a Scenery,
    pub sim: &'a SimBodies,
    /// The contacts of the tick.
    pub contacts: &'a [Contact],
    /// The overlaps of the tick.
    pub overlaps: &'a Overlaps,
    pub sleepers: &'a mut Sleepers,
    pub report: &'a mut TickReport,
    /// True if another step of the tick follows.
    pub goes_on: bool,
}

impl FallAsleep<'_> {
    fn bodies(&self) -> Bodies<'_> {
        Bodies { state: self.state, scenery: self.scenery, sim: self.sim }
    }

    /// Counts the resting ticks of all bodies, before the state is written.
    pub fn count_still(&mut self) {
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
                let more = u8::from(!self.goes_on);
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
        // A body that falls asleep in this tick would wake at once, because its exception ends with it.
        for slot in self.state.ending_exceptions() {
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
            || self.bodies().shift_of(body) != Vec3::ZERO
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
        let drive = self.state.slots[body.slot as usize].body.and_then(|body| body.drive);
        drive.is_some_and(|drive| drive.velocity != Vec3::ZERO)
    }

    /// Puts islands to sleep whose bodies have all been at rest for long enough.
    pub fn fall_asleep(&mut self) {
        let after = self.state.limits.sleep_after;
        let is_ready = |sleep: &Sleep| *sleep == Sleep::Awake(after);
        if after == 0 || !self.state.sleep.iter().any(is_ready) {
            return;
        }
        let mut groups = self.groups();
        for slot in 0..self.state.slots.len() as u32 {
            if self.state.sleep_of(slot) == Sleep::Awake(after) && !groups.is_kept(slot) {
                self.put_to_sleep(slot);
            }
        }
    }

    /// Puts a body to sleep.
    fn put_to_sleep(&mut self, slot: u32) {
        let id = self.state.id_of(slot);
        let Some(body) = &mut self.state.slots[slot as usize].body else { return };
        add_change(&mut self.report.ledger.velocity_corrections, body.momentum, Vec3::ZERO);
        let velocity_corrections = &mut self.report.angular.velocity_corrections;
        if self.sim.any_rotates() {
            add_moment(velocity_corrections, body.position, body.momentum, Vec3::ZERO);
        }
        body.momentum = Vec3::ZERO;
        if let Some(spin) = &mut body.spin {
            add_turning(velocity_corrections, spin.angular_momentum, Vec3::ZERO);
            spin.angular_momentum = Vec3::ZERO;
        }
        let body = *body;
        let reach = reach_of(self.state, self.scenery, &body);
        self.state.set_sleep(slot, Sleep::Asleep);
        self.report.fell_asleep.push(id);
        self.sleepers.waking.tree.add(slot, reach);
    }

    /// The islands of awake bodies, and whether a body keeps each awake; all are kept awake if that takes
    /// more tests than a tick may do.
    fn groups(&mut self) -> Groups {
        let mut groups = Groups::of(self.state.slots.len());
        let after = self.state.limits.sleep_after;
        let (mut awake, mut driven) = (Vec::new(), Vec::new());
        for (id, body) in self.state.bodies() {
            let is_awake = body.body_type == BodyType::Dynamic && !self.state.is_asleep(id.slot);
            if is_awake && self.state.sleep_of(id.slot) != Sleep::Awake(after) {
                groups.keep(id.slot);
            }
            if let Some(reach) = reach_of(self.state, self.scenery, body) {
                if is_awake {
                    awake.push((reach, id.slot));
                } else if is_driven(body) {
                    driven.push((reach, id.slot));
                }
            }
        }
        self.join_pressed(&mut groups);
        self.join_overlapping(&mut groups);
        let ready: Vec<_> = awake.iter().filter(|(_, slot)| !groups.is_kept(*slot)).copied().collect();
        let (ready, mut looks) = (Forest::of(ready), 0);
        let all = awake.iter().map(|one| (one, false)).chain(driven.iter().map(|one| (one, true)));
        for (&(reach, other), is_driven) in all {
            // Few bodies are ready as a rule: the search is among them, not among all awake bodies.
            ready.query(&reach, |slot| {
                looks += 1;
                if is_driven {
                    self.keep_driven(&mut groups, slot, other);
                } else {
                    self.join_touching(&mut groups, slot, other);
                }
            });
            if looks > u64::from(self.state.limits.pairs_max) {
                (0..self.state.slots.len() as u32).for_each(|slot| groups.keep(slot));
                break;
            }
        }
        groups
    }

    /// Joins bodies that press on each other.
    fn join_pressed(&self, groups: &mut Groups) {
        for contact in self.contacts.iter().filter(|contact| contact.push > 0) {
            let sides = [Some(contact.high), contact.low_mover()].map(|index| {
                let body = self.bodies().body(BodyIndex(index?));
                (body.filter.body_type == BodyType::Dynamic).then_some(body.slot)
            });
            if let [Some(a), Some(b)] = sides {
                groups.join(a, b);
            }
        }
    }

    /// Joins bodies that overlap: awake, one would wake the other. If not all overlaps are stored, all
    /// overlapping bodies are kept awake.
    fn join_overlapping(&self, groups: &mut Groups) {
        let Overlaps { displacements, overlaps, is_crowded } = self.overlaps;
        let is_awake =
            |body: &SimBody| body.filter.body_type == BodyType::Dynamic && !self.state.is_asleep(body.slot);
        if *is_crowded {
            let each = self.sim.all().iter().zip(displacements);
            let crowd = each.filter(|(body, displacement)| displacement.count > 0 && is_awake(body));
            return crowd.for_each(|(body, _)| groups.keep(body.slot));
        }
        for overlap in overlaps {
            let Some(b) = overlap.b else { continue };
            let [a, b] = [overlap.a, b].map(|index| self.bodies().body(index));
            if is_awake(a) && is_awake(b) {
                groups.join(a.slot, b.slot);
            }
        }
    }

    fn join_touching(&self, groups: &mut Groups, slot: u32, other: u32) {
        if slot == other || groups.is_same(slot, other) {
            return;
        }
        let body = |slot: u32| self.state.slots[slot as usize].body;
        if let (Some(a), Some(b)) = (body(slot), body(other)) {
            if touches(self.state, self.scenery, &a, &b) {
                groups.join(slot, other);
            }
        }
    }

    /// Keeps a body awake that a driven body would wake.
    fn keep_driven(&self, groups: &mut Groups, slot: u32, driven: u32) {
        let body = |slot: u32| self.state.slots[slot as usize].body;
        if let (Some(a), Some(b)) = (body(slot), body(driven)) {
            if may_press(self.state, self.scenery, &a, &b) {
                groups.keep(slot);
            }
        }
    }
}
