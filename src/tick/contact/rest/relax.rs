//! Motions that are safe to the last raw.

use crate::tick::contact::NONE;
use crate::tick::contact::{ContactBuffers, ContactStage};
use std::mem;

use super::view::ContactView;
use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi, round::div_away},
    state::{BodyType, Locks},
    sweep::MOTION_MAX,
    tick::{
        Blocked,
        bodies::body::BodyIndex,
        contact::rest::memory::{Contact, Mark, Stopped},
    },
};

/// How many rounds of pushing pairs apart there are before those that still close are stopped.
const ROUNDS: u32 = 48;

/// How much apart pushed pairs are to go beyond what is needed, in raw per tick.
pub(super) const MARGIN_RAW: i64 = 2;

/// In the midst of a tick, pushed pairs may close by an eighth of what they could: to ask for more would
/// set all around them in motion, to ask for less would bring them back at once.
const LEFT_SHIFT: u32 = 3;

/// What is blocked after this little has not moved at all: it would come a raw nearer in each tick.
const HARDLY: Scalar = Scalar::from_bits(16);

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
        self.relax(Toi::START);
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
        self.relax(toi);
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

    /// Pushes pairs that would close too far apart until none does, and stops what cannot be pushed.
    ///
    /// Each round looks at all its contacts before it changes any motion, so their order does not matter.
    /// Ends: after some rounds each pair that still closes has a body stopped, and what is stopped
    /// stays so; standing still is safe for everybody but where the game moves a body.
    fn relax(&mut self, toi: Toi) {
        let mut round = 0;
        while !self.scratch.rest.active.is_empty() && !self.is_overrun() {
            let active = mem::take(&mut self.scratch.rest.active);
            let mut lacks = mem::take(&mut self.scratch.rest.lacks);
            lacks.clear();
            for &index in &active {
                if !self.drop_fast(index, toi) {
                    self.renew_end(index);
                    lacks.extend(self.lack(index, toi).map(|lack| (index, lack)));
                }
            }
            if round < ROUNDS {
                self.push_all_apart(&lacks, toi);
            } else {
                self.stop_all(&mut lacks, toi);
            }
            self.budget.spend(active.len() as u64);
            (self.scratch.rest.active, self.scratch.rest.lacks) = (active, lacks);
            self.take_queued();
            round += 1;
        }
        self.scratch.rest.active.clear();
    }

    /// How much faster a pair must part, in raw per tick, if it would come too near.
    fn lack(&self, index: u32, toi: Toi) -> Option<i64> {
        let (movers, ContactBuffers { rest, .. }) = (self.sim.all(), &*self.scratch);
        let contact = &rest.contacts[index as usize];
        if contact.touch != NONE {
            return self.lack_of_points(contact, toi);
        }
        let motion = |index: u32| movers[index as usize].path.displacement;
        let low = contact.low_mover().map_or(Vec3::ZERO, motion);
        if motion(contact.high) == low {
            return None;
        }
        let rate = (contact.normal.dot_wide(motion(contact.high) - low) >> Normal::BITS) as i64;
        let least = match toi {
            Toi::START => contact.room + contact.rest_gap - ContactView::least_gap(contact),
            _ => {
                Contact::allowed(self.contacts().gap_at(contact, toi) - ContactView::least_gap(contact), toi)
            }
        };
        let least = least.max(0);
        if rate >= -least {
            return None;
        }
        let least_rate = match toi {
            Toi::START => (-contact.wanted()).max(MARGIN_RAW - least),
            _ => MARGIN_RAW - (least >> LEFT_SHIFT),
        };
        Some(least_rate - rate)
    }

    /// Pushes pairs apart by what they lack; bodies that lack something in several contacts move by a part
    /// for each.
    fn push_all_apart(&mut self, lacks: &[(u32, i64)], toi: Toi) {
        for &(index, _) in lacks {
            for mover in self.movers_of(index).into_iter().flatten() {
                self.scratch.rest.marks[mover as usize].lacks += 1;
            }
        }
        for &(index, lack) in lacks {
            let shares = self.movers_of(index).map(|side| match side {
                Some(mover) if self.moves(mover) => i64::from(self.scratch.rest.marks[mover as usize].lacks),
                _ => 1,
            });
            let part = lack.div_euclid(shares[0].max(shares[1])) + 1;
            self.push_apart(index, part, toi);
        }
        for &(index, _) in lacks {
            for mover in self.movers_of(index).into_iter().flatten() {
                self.scratch.rest.marks[mover as usize].lacks = 0;
            }
        }
    }

    /// The movers below and above.
    fn movers_of(&self, index: u32) -> [Option<u32>; 2] {
        let contact = &self.scratch.rest.contacts[index as usize];
        [contact.low_mover(), Some(contact.high)]
    }

    /// Whether a push may change a mover's motion.
    fn moves(&self, index: u32) -> bool {
        self.sim.all()[index as usize].is_free()
            && self.scratch.rest.marks[index as usize].stopped == Stopped::No
    }

    /// Pushes two apart by an amount; who is stopped or not moved by pushes leaves it to the other.
    fn push_apart(&mut self, index: u32, lack: i64, toi: Toi) {
        let contact = &self.scratch.rest.contacts[index as usize];
        let (low, high) = (contact.low_mover(), contact.high);
        // A step of one is short by what the other one would have done.
        let locks = |mover: u32| self.sim.all()[mover as usize].locks;
        let alone = |which: usize| {
            let locks = if which == 0 { low.map_or(Locks::NONE, locks) } else { locks(high) };
            // The steps of contacts with points leave locks out.
            let step = [0, 1, 2].map(|i: usize| if locks.has(i) { 0 } else { contact.steps[which][i] });
            let [x, y, z] =
                [0, 1, 2].map(|i| i128::from(step[i]) * i128::from(contact.normal.components()[i]));
            let share = x + y + z;
            let push = if share < 1 << 36 { 0 } else { div_away(i128::from(lack) << 52, share) as i64 };
            contact.added(which, push)
        };
        let changes = match [low.is_some_and(|low| self.moves(low)), self.moves(high)] {
            [true, true] => [Some(contact.added(0, lack)), Some(contact.added(1, lack))],
            [false, true] => [None, Some(alone(1))],
            [true, false] => [Some(alone(0)), None],
            [false, false] => {
                self.block_of(&contact.clone(), toi);
                return;
            }
        };
        for (mover, change) in [Some(high), low].into_iter().zip([changes[1], changes[0]]) {
            if let (Some(mover), Some(change)) = (mover, change) {
                self.change_motion(mover, change, toi);
            }
        }
    }

    /// Stops what can be stopped of pairs that close for good: bodies first, then what the game moves.
    ///
    /// A body goes with the ground that carries it if it can, as everybody on a lift, and stands still if it cannot.
    fn stop_all(&mut self, lacks: &mut [(u32, i64)], toi: Toi) {
        // From here on 1 says that somebody can be stopped.
        for (index, lack) in lacks.iter_mut() {
            *lack = self.movers_of(*index).into_iter().flatten().any(|mover| self.can_stop(mover)).into();
        }
        let mut stopping = mem::take(&mut self.scratch.rest.stopping);
        let closing = lacks.iter().filter(|&&(_, stops)| stops == 1);
        stopping.clear();
        stopping.extend(closing.flat_map(|&(index, _)| self.movers_of(index)).flatten());
        stopping.sort_unstable();
        stopping.dedup();
        for &mover in &stopping {
            if self.can_stop(mover) {
                self.stop(mover, toi);
            }
        }
        self.scratch.rest.stopping = stopping;
        for &(index, _) in lacks.iter().filter(|&&(_, stops)| stops == 0) {
            self.block_of(&self.scratch.rest.contacts[index as usize].clone(), toi);
        }
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

    /// Holds what the game moves of a pair in which nobody else gives way.
    fn block_of(&mut self, contact: &Contact, toi: Toi) {
        let Some(low) = contact.low_mover() else { return };
        for (index, by) in [(contact.high, low), (low, contact.high)] {
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

    /// Changes a motion, up to twice what a body may have: who still has it in the end is held.
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
mod tests {
    use super::*;
    use crate::{
        num::lit,
        shape::Shape,
        state::{Command, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
        tick::{TickReport, World, phases::Step},
    };

    /// A lift, a ball that lies on it, and one that falls.
    fn lift_with_a_ball(velocity: Vec3, locks: Locks) -> World {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::INELASTIC);
        builder.shape(Shape::sphere(lit("0.5")));
        builder.shape(Shape::aabb(Vec3::new(lit("1"), lit("0.25"), lit("1"))));
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        let at = |y: &str| Vec3::new(lit("0"), lit(y), lit("0"));
        let material = MaterialId(0);
        let spawns = [
            Spawn { body_type: BodyType::Kinematic, velocity, material, ..Spawn::new(ShapeId(1), at("0")) },
            Spawn { locks, material, ..Spawn::new(ShapeId(0), at("0.751")) },
            Spawn { locks, material, ..Spawn::new(ShapeId(0), at("5")) },
        ];
        let gravity = world.limits().gravity_nearest_even(at("-9.8"));
        assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
        assert!(world.apply(&spawns.map(Command::Spawn)).outcomes.iter().all(Result::is_ok));
        world
    }

    #[test]
    fn who_finds_no_motion_goes_with_its_ground_and_stands_still_if_that_is_none() {
        let velocity = Vec3::new(lit("0.01"), lit("0.03"), lit("-0.02"));
        let lockeds = [(Locks::NONE, velocity), (Locks::Z, Vec3::new(velocity.x, velocity.y, lit("0")))];
        for (locks, wanted) in lockeds {
            let mut report = TickReport::default();
            let World { state, scenery, scratch, .. } = &mut lift_with_a_ball(velocity, locks);
            let mut step = Step { state, scenery, scratch, report: &mut report };
            step.integrate();
            let mut step = step.contact();
            step.find_contacts();
            step.carry();
            for (index, motions) in [(1, [wanted, Vec3::ZERO]), (2, [Vec3::ZERO; 2])] {
                for motion in motions {
                    assert!(step.can_stop(index), "{index}");
                    step.stop(index, Toi::START);
                    assert_eq!(step.sim.all()[index as usize].path.displacement, motion, "{index}");
                    assert!(!step.moves(index), "no push changes it");
                    if motion == Vec3::ZERO {
                        assert!(!step.can_stop(index), "{index} stands still for good");
                        break;
                    }
                }
            }
        }
    }
}
