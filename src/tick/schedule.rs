//! The event queue: impacts in the order of time; those of one instant together, see `ties.rs`.

use super::{bodies::parts::Parts, step::Step};
use crate::{
    geom::{Normal, Path},
    num::{Scalar, Toi},
    state::{Kind, StaticId},
    sweep::{Hit, sweep_shapes},
    tick::{
        bodies::{
            SimBodies,
            mover::{Conduct, Mover, Partner},
        },
        scratch::Scratch,
    },
};

/// Limits on the queued impacts per body, and in any world: far more than any crowd has. They bound the
/// memory for bodies that overlap each other.
const QUEUED_PER_BODY: usize = 64;
const QUEUED_SPARE: usize = 4096;

/// The distance below the skin at which bodies in contact have an impact: a little more than the contact
/// solver allows.
pub(super) const CARRIED_CLOSER: Scalar = Scalar::from_bits(56);

/// An impact to come. The order of the fields is the order of resolution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Event {
    /// The instant.
    pub toi: Toi,
    /// The mover with the smaller id.
    pub a: u32,
    /// The other mover, or a static; statics come after all movers.
    pub b: Partner,
    /// The index of the child shape of each; 0 of a single shape.
    pub parts: [u8; 2],
    /// The stamps of both when the impact was found; a static's is 0.
    pub stamps: [u32; 2],
    /// The normal from A to B.
    pub normal: Normal,
}

impl Step<'_> {
    /// Resolves impacts until none is left in the tick; returns false if one of them disturbs a sleeper.
    ///
    /// It ends: each impact counts against the limit of a dynamic body that is not held, or holds a body.
    pub(super) fn resolve_impacts(&mut self) -> bool {
        let mut events = std::mem::take(&mut self.scratch.tied);
        loop {
            self.take_next(&mut events);
            if self.strikes_sleepers(&events) {
                break;
            }
            self.note_blows(events.first().map_or(Toi::END, |event| event.toi));
            match &events[..] {
                [] => break,
                [event] => self.resolve(event),
                tied => self.resolve_together(tied),
            }
            if self.is_overrun() {
                self.halt(events[0].toi);
            }
        }
        self.scratch.tied = events;
        !self.scratch.dormitory.must_begin_anew()
    }

    /// Reports the impacts of pairs that are pressed together, up to an instant.
    fn note_blows(&mut self, toi: Toi) {
        while let Some(&(event, closing)) = self.scratch.blows.last().filter(|(event, _)| event.toi <= toi) {
            self.note_impact(&event, closing, true);
            self.scratch.blows.pop();
        }
    }

    /// True if the tick exceeds its limit on work, or its queue the limit on memory.
    pub(super) fn is_overrun(&self) -> bool {
        let Scratch { sim: SimBodies { movers, .. }, candidates, queue, .. } = &*self.scratch;
        *candidates > u64::from(self.state.limits.pairs_max)
            || queue.len() > QUEUED_PER_BODY * movers.len() + QUEUED_SPARE
    }

    /// Holds all bodies at an instant up to which all impacts are resolved: they are apart there.
    pub(super) fn halt(&mut self, toi: Toi) {
        self.report.halted = Some(toi);
        self.note_blows(toi);
        self.scratch.blows.clear();
        self.scratch.queue.clear();
        let indices = 0..self.scratch.sim.movers.len();
        #[cfg(test)]
        let indices = self.scratch.regions.disorder.indices(indices.len());
        for index in indices {
            let mut mover = self.scratch.sim.movers[index];
            if !mover.held {
                self.bodies_mut().advance(&mut mover, toi);
                self.report.held.push(self.state.id_of(mover.slot));
                self.bodies_mut().hold(&mut mover);
                self.scratch.sim.movers[index] = mover;
                self.scratch.events.note_path(&self.scratch.sim, index as u32);
            }
        }
    }

    fn resolve(&mut self, event: &Event) {
        let moving =
            [Some(event.a), event.partner()].map(|index| index.filter(|&i| !self.bodies().mover(i).held));
        for index in moving.into_iter().flatten() {
            if self.bodies().mover(index).is_free() {
                self.arrive(index, event.toi);
            }
        }
        if event.is_unresolved() {
            self.report.unresolved += 1;
        } else {
            self.respond(event);
        }
        self.take_hits(std::slice::from_ref(event));
        // A kinematic body that is not blocked keeps its path.
        let is_new = |mover: &Mover| {
            (mover.filter.kind == Kind::Dynamic || mover.held) && mover.conduct != Conduct::Gone
        };
        let changed = moving.map(|index| index.filter(|&index| is_new(self.bodies().mover(index))));
        if let [Some(a), Some(b)] = changed {
            self.go_on(&[a, b], event.toi);
        } else if let Some(index) = changed.into_iter().flatten().next() {
            self.go_on(&[index], event.toi);
        }
    }

    /// Finds the collisions of bodies with new paths from an instant on.
    pub(super) fn go_on(&mut self, changed: &[u32], toi: Toi) {
        if self.bodies().has_rest() {
            self.rest_again(changed, toi);
            return;
        }
        for &index in changed {
            self.scratch.sim.movers[index as usize].stamp += 1;
        }
        for (place, &index) in changed.iter().enumerate() {
            // The second search leaves out the pair that the first one has seen.
            let seen = if let [first, _] = changed { (place == 1).then_some(*first) } else { None };
            self.find_again(index, seen);
        }
    }

    /// Takes a body to the instant of an impact, or holds it there if its budget is used up.
    pub(super) fn arrive(&mut self, index: u32, toi: Toi) {
        let mut mover = *self.bodies().mover(index);
        self.bodies_mut().advance(&mut mover, toi);
        if u32::from(mover.impacts) == self.state.limits.budget {
            self.report.held.push(self.state.id_of(mover.slot));
            self.bodies_mut().hold(&mut mover);
        }
        mover.impacts += 1;
        self.scratch.sim.movers[index as usize] = mover;
    }

    pub(super) fn meet_body(&self, a: u32, b: u32, parts: Parts) -> Option<Event> {
        let (mover_a, mover_b) = (self.bodies().mover(a), self.bodies().mover(b));
        // One test for both: most worlds have no forms, and this runs for every pair that comes near.
        let (shape_a, shape_b) = if self.bodies().has_no_forms() {
            (self.scenery.part(mover_a.shape, parts[0]), self.scenery.part(mover_b.shape, parts[1]))
        } else if self.bodies().is_swept_turning(a) || self.bodies().is_swept_turning(b) {
            return self.meet_turning(a, Partner::Mover(b), parts);
        } else if mover_a.path.motion == mover_b.path.motion {
            return None; // without an approach there is no impact
        } else {
            (self.bodies().form(a, parts[0]), self.bodies().form(b, parts[1]))
        };
        let start = mover_a.path.start.max(mover_b.path.start);
        let offset = mover_b.path.at(start).position - mover_a.path.at(start).position;
        let offset = offset + self.bodies().arms_apart([Partner::Mover(a), Partner::Mover(b)], parts, start);
        let motion = mover_b.path.motion - mover_a.path.motion;
        let skin = self.bodies().skin_of(a, Partner::Mover(b), [shape_a, shape_b]);
        let mut hit = sweep_shapes(shape_a, shape_b, offset, motion, skin)?;
        if self.in_contact(a, Partner::Mover(b), parts) {
            hit = sweep_shapes(shape_a, shape_b, offset, motion, skin - CARRIED_CLOSER)?;
        }
        self.event(start, hit, (a, Partner::Mover(b), parts))
    }

    pub(super) fn meet_static(&self, a: u32, b: StaticId, parts: Parts) -> Option<Event> {
        if self.bodies().is_swept_turning(a) {
            return self.meet_turning(a, Partner::Static(b), parts);
        }
        let Path { start, pose, motion } = self.bodies().mover(a).path;
        let fixed = self.scenery.fixed(b);
        let (shape_a, shape_b) = (self.bodies().form(a, parts[0]), self.scenery.shape(fixed.shape));
        let offset = fixed.position - pose.position;
        let offset = offset + self.bodies().arms_apart([Partner::Mover(a), Partner::Static(b)], parts, start);
        let skin = self.bodies().skin_of(a, Partner::Static(b), [shape_a, shape_b]);
        let mut hit = sweep_shapes(shape_a, shape_b, offset, -motion, skin)?;
        if self.in_contact(a, Partner::Static(b), parts) {
            hit = sweep_shapes(shape_a, shape_b, offset, -motion, skin - CARRIED_CLOSER)?;
        }
        self.event(start, hit, (a, Partner::Static(b), parts))
    }

    /// The event of a hit, unless it comes at the end of the tick or later: then it is the next
    /// tick's.
    pub(super) fn event(&self, start: Toi, hit: Hit, pair: (u32, Partner, Parts)) -> Option<Event> {
        let (a, b, parts) = pair;
        let toi = start.checked_add(hit.toi).filter(|&toi| toi < Toi::END)?;
        let event = Event { toi, a, b, parts, stamps: [0; 2], normal: hit.normal };
        Some(Event { stamps: self.stamps(&event), ..event })
    }

    /// True if both bodies are on the paths for which an event was found.
    pub(super) fn is_current(&self, event: &Event) -> bool {
        self.stamps(event) == event.stamps
    }

    /// The stamps of an event's bodies as they are now.
    fn stamps(&self, event: &Event) -> [u32; 2] {
        [self.bodies().mover(event.a).stamp, event.partner().map_or(0, |b| self.bodies().mover(b).stamp)]
    }
}

impl Event {
    /// True if the search for an impact ended here without one: both bodies continue with another search.
    pub(super) fn is_unresolved(&self) -> bool {
        self.normal.components() == [0; 3]
    }

    /// The index of the other mover, if it is one.
    pub(super) const fn partner(&self) -> Option<u32> {
        match self.b {
            Partner::Mover(index) => Some(index),
            Partner::Static(_) => None,
        }
    }
}
