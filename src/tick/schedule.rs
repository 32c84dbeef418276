//! The loop of impacts, in the order of time; those of one instant are resolved together, see `ties.rs`.

use super::{bodies::Bodies, queue::QueuedImpact, step::Step};
use crate::{
    num::Toi,
    state::Kind,
    tick::bodies::mover::{Conduct, Mover},
};

impl Step<'_> {
    /// Resolves impacts until none is left in the tick; returns false if one of them disturbs a sleeper.
    ///
    /// It ends: each impact counts against the limit of a dynamic body that is not held, or holds a body.
    pub(super) fn resolve_impacts(&mut self) -> bool {
        let mut events = std::mem::take(&mut self.scratch.tied);
        loop {
            let bodies = Bodies { state: self.state, scenery: self.scenery, sim: &self.scratch.sim };
            self.scratch.queue.take_next(bodies, &mut events);
            if self.strikes_sleepers(&events) {
                break;
            }
            self.contact().note_blows(events.first().map_or(Toi::END, |event| event.toi));
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

    /// Holds all bodies at an instant up to which all impacts are resolved: they are apart there.
    pub(super) fn halt(&mut self, toi: Toi) {
        self.report.halted = Some(toi);
        self.contact().note_blows(toi);
        self.scratch.contact.blows.clear();
        self.scratch.queue.clear();
        let indices = 0..self.scratch.sim.movers.len();
        #[cfg(test)]
        let indices = self.scratch.pairs.regions.disorder.indices(indices.len());
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

    /// Resolves impacts of one instant.
    fn resolve_together(&mut self, events: &[QueuedImpact]) {
        let toi = events[0].toi;
        let mut moved = std::mem::take(&mut self.scratch.moved);
        moved.clear();
        moved.extend(events.iter().flat_map(|event| [Some(event.a), event.partner()]).flatten());
        moved.sort_unstable();
        moved.dedup();
        moved.retain(|&index| !self.scratch.sim.movers[index as usize].held);
        for index in events.iter().flat_map(|event| [Some(event.a), event.partner()]).flatten() {
            if self.scratch.sim.movers[index as usize].is_free() {
                self.arrive(index, toi);
            }
        }
        self.contact().respond_together(events);
        self.take_hits(events);
        // A kinematic body that is not blocked keeps its path.
        moved.retain(|&index| {
            let mover = &self.scratch.sim.movers[index as usize];
            (mover.filter.kind == Kind::Dynamic || mover.held) && mover.conduct != Conduct::Gone
        });
        self.go_on(&moved, toi);
        self.scratch.moved = moved;
    }

    fn resolve(&mut self, event: &QueuedImpact) {
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
            self.contact().respond(event);
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
            let changed = self.contact().rest_again(changed, toi);
            for &index in &changed {
                self.find_again(index, None);
            }
            self.contact().end_again(changed);
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
}
