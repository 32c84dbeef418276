//! The non-penetration projection: motions with which no contact penetrates, to the last raw.
//!
//! A round evaluates the exact residuals of all contacts whose bodies have other motions than in the round before. Violated ones
//! become rows of a linear solve (`violated.rs`) and stay rows until no contact is violated, so an impulse is taken back where
//! another one made it needless. Its solution changes the motions, and the next round begins.
//!
//! An impact changes the motions of its bodies in the midst of a tick. If all that they are in contact with gave way, each blow to a
//! heap would set it in motion down to the ground, a thousand times in a tick, to make way for bodies that the momenta hold back at
//! its end. So only those near the impact do, and another one where it must.

use crate::tick::contact::NONE;
use crate::tick::contact::{ContactBuffers, ContactStage};
use std::mem;

use super::{
    press::{narrow_direction, shares},
    view::ContactView,
    violated::Residual,
};
use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi},
    state::BodyType,
    sweep::MOTION_MAX,
    tick::{
        Blocked,
        bodies::body::{BodyIndex, Partner},
        contact::rest::memory::{Contact, Mark, Stopped},
    },
};

/// How many times the motions are solved before bodies of contacts that are still violated are stopped. Once any are, because of
/// this or because a solve changed nothing, no more is solved.
const ROUNDS: u32 = 48;

/// How much faster than needed a violated contact separates, in raw per tick.
pub(super) const MARGIN_RAW: i64 = 8;

/// How many contacts away from an impact bodies give way at once: with fewer dominoes fall slower at 30 Hz and lifts are stopped by
/// heaps, and a landing of a thousand without a bound takes twice the time, its longest tick four times.
const RINGS: u8 = 2;

/// What is blocked after this little has not moved at all: it would come a raw nearer in each tick.
const HARDLY: Scalar = Scalar::from_bits(16);

/// In the midst of a tick, a violated contact may close by an eighth of what it could: a stricter target would
/// set all around it in motion, a looser one would be violated again at once.
const LEFT_SHIFT: u32 = 3;

impl ContactStage<'_> {
    /// Finds the contacts of the tick's beginning, and motions with which none of them closes.
    pub(in crate::tick) fn rest(&mut self) {
        self.scratch.blows.clear();
        if !self.bodies().has_rest() {
            self.scratch.rest.close();
            return;
        }
        self.find_contacts();
        self.carry();
        self.forget_idle_blows();
        let rest = &mut self.scratch.rest;
        rest.active.clear();
        rest.active.extend(0..rest.contacts.len() as u32);
        self.project(Toi::START);
        for index in 0..self.sim.all().len() {
            let mover = &self.sim.all()[index];
            if self.scratch.rest.first[index] != NONE && mover.is_free() {
                let motion = mover.path.displacement;
                self.bodies_mut().set_motion(BodyIndex(index as u32), motion);
            }
        }
        self.clear_changed();
    }

    /// After impacts: makes the contacts of their bodies safe; returns the bodies whose motion changed, until
    /// [`end_again`](Self::end_again).
    pub(in crate::tick) fn rest_again(&mut self, bodies: &[BodyIndex], toi: Toi) -> Vec<BodyIndex> {
        for &BodyIndex(index) in bodies {
            self.mark_changed(index);
            self.bodies_mut().advance(BodyIndex(index), toi);
            self.queue_contacts(index);
        }
        self.take_queued();
        self.project(toi);
        let changed = mem::take(&mut self.scratch.rest.changed);
        for &index in &changed {
            let mover = self.bodies().body(index);
            if mover.is_free() {
                let motion = mover.path.displacement;
                self.bodies_mut().set_motion(index, motion);
            }
            self.bodies_mut().renew_path(index);
            self.unproved.bodies[index.place()] = true;
        }
        changed
    }

    /// Takes back the list of bodies whose motion changed, when their impacts were found.
    pub(in crate::tick) fn end_again(&mut self, changed: Vec<BodyIndex>) {
        self.scratch.rest.changed = changed;
        self.clear_changed();
    }

    fn clear_changed(&mut self) {
        let rest = &mut self.scratch.rest;
        for index in rest.changed.drain(..) {
            rest.marks[index.place()] = Mark::default();
        }
    }

    /// Changes the motions until no contact is violated; stops bodies where no motions are found for which none is.
    ///
    /// It ends: after some rounds each violated contact has a body stopped, and a stopped body stays so; standing still is safe
    /// for all bodies but where the game moves one.
    fn project(&mut self, toi: Toi) {
        let rest = &mut self.scratch.rest;
        rest.violated.clear(rest.contacts.len(), rest.first.len());
        let mut round = 0;
        while !self.is_overrun() {
            self.find_violated(toi, round == 0);
            if self.scratch.rest.violated.remaining().next().is_none() {
                break;
            }
            // A solve that changes nothing has balanced impulses of contacts that cannot all be kept.
            if round < ROUNDS && self.separate_violated(toi) {
                round += 1;
            } else {
                round = ROUNDS;
                self.stop_violated(toi);
            }
            self.take_queued();
            if self.scratch.rest.active.is_empty() {
                break;
            }
        }
        self.scratch.rest.active.clear();
    }

    /// Finds the residuals of the contacts whose bodies have other motions, and adds those that are violated to the list.
    ///
    /// In the first round drops the contacts that close too fast: only there, since momenta stay as they are.
    fn find_violated(&mut self, toi: Toi, is_first: bool) {
        let active = mem::take(&mut self.scratch.rest.active);
        let mut residuals = mem::take(&mut self.scratch.rest.residuals);
        residuals.clear();
        for &index in &active {
            if is_first && self.drop_fast(index, toi) || self.scratch.rest.contacts[index as usize].dropped {
                continue;
            }
            self.renew_end(index);
            let residual = self.residual(index, toi);
            if residual.is_violated || self.scratch.rest.violated.has(index) {
                residuals.push((index, residual));
            }
        }
        if toi != Toi::START {
            self.give_way(&residuals, toi);
        }
        for &(index, residual) in &residuals {
            self.set_violated(index, residual, toi);
        }
        self.budget.spend(active.len() as u64);
        self.scratch.rest.active = active;
        self.scratch.rest.residuals = residuals;
    }

    /// Whether a push may change a mover's motion.
    fn moves(&self, index: u32, toi: Toi) -> bool {
        let Mark { changed, stopped, .. } = self.scratch.rest.marks[index as usize];
        self.sim.all()[index as usize].is_free() && stopped == Stopped::No && (changed || toi == Toi::START)
    }

    /// In the midst of a tick lets the bodies of violated contacts give way: near an impact at once, and further away where the
    /// last solve could not separate the two, or where neither of them moves.
    fn give_way(&mut self, residuals: &[(u32, Residual)], toi: Toi) {
        let mut yielding = mem::take(&mut self.scratch.rest.yielding);
        yielding.clear();
        for &(index, _) in residuals.iter().filter(|(_, residual)| residual.is_violated) {
            let movers = self.movers_of(index);
            let ring = movers.into_iter().flatten().filter_map(|mover| self.ring_of(mover)).min();
            if ring.is_none_or(|ring| ring < RINGS) || self.scratch.rest.violated.has(index) {
                let next = ring.unwrap_or(0).saturating_add(1);
                yielding.extend(movers.into_iter().flatten().map(|mover| (mover, next)));
            }
        }
        yielding.sort_unstable();
        for &(mover, ring) in &yielding {
            self.let_move(mover, ring, toi);
        }
        self.scratch.rest.yielding = yielding;
    }

    /// How many contacts a body that gives way is from the bodies of the impact.
    fn ring_of(&self, mover: u32) -> Option<u8> {
        let Mark { changed, stopped, ring, .. } = self.scratch.rest.marks[mover as usize];
        (changed && stopped == Stopped::No && self.sim.all()[mover as usize].is_free()).then_some(ring)
    }

    /// Lets a body be moved from now on, also by the contacts that are listed already.
    fn let_move(&mut self, mover: u32, ring: u8, toi: Toi) {
        let mark = &mut self.scratch.rest.marks[mover as usize];
        if mark.changed || !self.sim.all()[mover as usize].is_free() {
            return;
        }
        mark.ring = ring;
        self.mark_changed(mover);
        let mut next = self.scratch.rest.first[mover as usize];
        while let Some(contact) = self.scratch.rest.contacts.get(next as usize) {
            let index = mem::replace(&mut next, contact.next[usize::from(contact.high == mover)]);
            if let Some(residual) = self.scratch.rest.violated.residual_of(index) {
                self.set_violated(index, residual, toi);
            }
        }
    }

    /// By how much a contact misses the motion that it asks for.
    fn residual(&self, index: u32, toi: Toi) -> Residual {
        let (movers, ContactBuffers { rest, .. }) = (self.sim.all(), &*self.scratch);
        let contact = &rest.contacts[index as usize];
        if contact.touch != NONE {
            return self.residual_of_points(contact, toi);
        }
        let motion = |index: u32| movers[index as usize].path.displacement;
        let low = contact.low_mover().map_or(Vec3::ZERO, motion);
        if motion(contact.high) == low {
            return Residual::none(contact.normal);
        }
        let rate = (contact.normal.dot_wide(motion(contact.high) - low) >> Normal::BITS) as i64;
        let least = match toi {
            Toi::START => contact.room + contact.rest_gap - ContactView::least_gap(contact),
            _ => {
                Contact::allowed(self.contacts().gap_at(contact, toi) - ContactView::least_gap(contact), toi)
            }
        };
        let least = least.max(0);
        let target = match toi {
            Toi::START => (-contact.wanted()).max(MARGIN_RAW - least),
            _ => MARGIN_RAW - (least >> LEFT_SHIFT),
        };
        Residual { velocity: target - rate, is_violated: rate < -least, normal: contact.normal }
    }

    /// The movers below and above.
    fn movers_of(&self, index: u32) -> [Option<u32>; 2] {
        let contact = &self.scratch.rest.contacts[index as usize];
        [contact.low_mover(), Some(contact.high)]
    }

    /// Adds a violated contact to those that are solved, or updates it.
    fn set_violated(&mut self, index: u32, residual: Residual, toi: Toi) {
        let movers = self.movers_of(index).map(|mover| mover.filter(|&mover| self.moves(mover, toi)));
        let inertia = |mover: u32| self.inertia(Partner::Body(BodyIndex(mover)));
        let shared = shares(residual.normal, movers.map(|mover| mover.and_then(inertia)));
        let direction = narrow_direction(residual.normal);
        let steps = shared.map_or([[0; 3]; 2], |shared| shared.steps);
        let side = |which: usize| Some((movers[which]?, steps[which])).filter(|(_, step)| *step != [0; 3]);
        let sides = [side(0), side(1)];
        self.scratch.rest.violated.set(index, residual, direction, sides);
    }

    /// Changes the motions so that the violated contacts reach their targets, nearly; holds what the game moves where nothing
    /// else gives way. Returns false if nothing changes.
    fn separate_violated(&mut self, toi: Toi) -> bool {
        let mut violated = mem::take(&mut self.scratch.rest.violated);
        violated.solve(&mut self.scratch.rest.solver);
        for (mover, change) in violated.changes() {
            self.change_motion(mover, change, toi);
        }
        for index in violated.blocked() {
            self.block_of(index, toi);
        }
        self.scratch.rest.violated = violated;
        !self.scratch.rest.next.is_empty()
    }

    /// Stops the bodies of the violated contacts, and where none of them can be stopped, what the game moves.
    ///
    /// A body goes with the ground that carries it if it can, as all bodies on a lift, and stands still if it cannot.
    fn stop_violated(&mut self, toi: Toi) {
        let violated = mem::take(&mut self.scratch.rest.violated);
        let mut stopping = mem::take(&mut self.scratch.rest.stopping);
        let bodies = violated.remaining().flat_map(|index| self.movers_of(index)).flatten();
        stopping.clear();
        stopping.extend(bodies.filter(|&mover| self.can_stop(mover)));
        stopping.sort_unstable();
        stopping.dedup();
        for &mover in &stopping {
            self.stop(mover, toi);
        }
        for index in violated.remaining() {
            let stops = |mover: &u32| stopping.binary_search(mover).is_ok();
            if !self.movers_of(index).iter().flatten().any(stops) {
                self.block_of(index, toi);
            }
        }
        self.scratch.rest.stopping = stopping;
        self.scratch.rest.violated = violated;
    }

    fn can_stop(&self, index: u32) -> bool {
        self.sim.all()[index as usize].is_free()
            && self.scratch.rest.marks[index as usize].stopped != Stopped::Still
    }

    fn stop(&mut self, index: u32, toi: Toi) {
        let (movers, ContactBuffers { rest, .. }) = (self.sim.all(), &mut *self.scratch);
        let mover = &movers[index as usize];
        let ground = rest.grounds[index as usize].filter(|ground| *ground != [0; 3]);
        let stopped = &mut rest.marks[index as usize].stopped;
        let (state, motion) = match ground {
            Some(ground) if *stopped == Stopped::No => {
                (Stopped::WithGround, mover.locks.free_part(Vec3::from_raw(ground)))
            }
            _ => (Stopped::Still, Vec3::ZERO),
        };
        *stopped = state;
        let more = motion - mover.path.displacement;
        self.change_motion(index, more.raw(), toi);
        if state == Stopped::Still {
            self.stand_still(index);
        }
    }

    /// Holds the kinematic body of a pair in which no other body can move.
    fn block_of(&mut self, index: u32, toi: Toi) {
        let [Some(low), Some(high)] = self.movers_of(index) else { return };
        for (index, by) in [(high, low), (low, high)] {
            let mover = &self.sim.all()[index as usize];
            if mover.filter.body_type == BodyType::Kinematic && !mover.held {
                self.block(index, by, toi);
                self.mark_changed(index);
                self.queue_contacts(index);
                return;
            }
        }
    }

    /// Holds a body that the game moves, since another one cannot be pushed.
    pub(in crate::tick) fn block(&mut self, index: u32, by: u32, toi: Toi) {
        self.bodies_mut().advance(BodyIndex(index), toi);
        let mover = &self.sim.all()[index as usize];
        if (mover.path.position - self.bodies().entry(mover)).within(HARDLY) {
            self.bodies_mut().put_at_entry(BodyIndex(index));
        }
        self.bodies_mut().count_impact(BodyIndex(index));
        self.bodies_mut().hold(BodyIndex(index));
        let [body, by] = [index, by].map(|i| self.state.id_of(self.sim.all()[i as usize].slot));
        self.report.blocked.push(Blocked { body, by });
    }

    /// Changes a motion, up to twice what a body may have: a body that still exceeds it at the end is held.
    fn change_motion(&mut self, index: u32, more: [i64; 3], toi: Toi) {
        self.bodies_mut().advance(BodyIndex(index), toi);
        let mover = &self.sim.all()[index as usize];
        let (raw, most) = (mover.path.displacement.raw(), MOTION_MAX.to_bits());
        let motion = [0, 1, 2].map(|i: usize| raw[i].saturating_add(more[i]).clamp(-most, most));
        let more = Vec3::from_raw(motion) - mover.path.displacement;
        let motion = mover.path.displacement + mover.locks.free_part(more);
        self.bodies_mut().set_unchecked_motion(BodyIndex(index), motion);
        self.mark_changed(index);
        self.queue_contacts(index);
    }

    fn mark_changed(&mut self, index: u32) {
        let rest = &mut self.scratch.rest;
        if !mem::replace(&mut rest.marks[index as usize].changed, true) {
            rest.changed.push(BodyIndex(index));
        }
    }

    /// Puts the contacts of a body into the next round.
    fn queue_contacts(&mut self, index: u32) {
        let rest = &mut self.scratch.rest;
        let mut next = rest.first[index as usize];
        while let Some(contact) = rest.contacts.get_mut(next as usize) {
            if !mem::replace(&mut contact.queued, true) {
                rest.next.push(next);
            }
            next = contact.next[usize::from(contact.high == index)];
        }
    }

    /// Makes the next round the one to be looked at, in the order of the contacts.
    fn take_queued(&mut self) {
        let rest = &mut self.scratch.rest;
        mem::swap(&mut rest.active, &mut rest.next);
        rest.next.clear();
        rest.active.sort_unstable();
        for &index in &rest.active {
            rest.contacts[index as usize].queued = false;
        }
    }
}

#[cfg(test)]
mod tests;
