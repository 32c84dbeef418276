//! The loop of impacts, in the order of time; those of one instant are resolved together.
//!
//! Bodies are advanced to the instant, the contact stage responds, and the impacts of every new path are
//! searched for. The loop is the only caller of the search and of the contact stage in between.

use super::{
    bodies::{
        Bodies,
        body::{BodyIndex, Conduct, SimBody},
    },
    contact::{ContactStage, ContactView},
    invariants::boxes_hold_paths,
    queue::QueuedImpact,
    search::{Found, Search, Test},
};
use crate::{num::Toi, state::BodyType};

/// The buffers of the loop.
#[derive(Default, Debug)]
pub struct LoopBuffers {
    pub found: Found,
    pub instant: OneInstant,
}

/// The impacts of one instant, and the bodies that they move.
#[derive(Default, Debug)]
pub struct OneInstant {
    impacts: Vec<QueuedImpact>,
    moved: Vec<BodyIndex>,
    /// The sleeping bodies among them: they are to wake, and the loop ends.
    pub sleepers: Vec<BodyIndex>,
}

/// The loop of impacts.
pub struct ToiLoop<'a> {
    pub contact: ContactStage<'a>,
    pub found: &'a mut Found,
}

impl ToiLoop<'_> {
    /// The search for impacts on the paths as they are.
    pub fn search(&mut self) -> Search<'_, ContactView<'_>> {
        let ContactStage { state, scenery, sim, pairs, queue, unproved, budget, scratch, .. } =
            &mut self.contact;
        let bodies = Bodies { state, scenery, sim };
        let contacts = scratch.view(bodies);
        Search { pairs, found: self.found, test: Test { bodies, contacts, queue, unproved, budget } }
    }

    /// Finds every impact of the paths as they are at the start of the tick.
    pub fn find_impacts(&mut self) {
        self.search().find_all();
        debug_assert!(
            self.contact.is_overrun() || boxes_hold_paths(self.contact.bodies(), &self.contact.pairs.boxes)
        );
    }

    /// Finds the impacts of bodies that have new paths.
    pub fn find_again(&mut self, changed: &[BodyIndex]) {
        for &index in changed {
            self.contact.events.note_path(self.contact.sim, index);
        }
        self.search().find_again(changed);
    }

    /// Resolves impacts until none is left in the tick, or until one hits a sleeping body: those of that instant are listed.
    ///
    /// It ends: each impact counts against the limit of a dynamic body that is not held, or holds a body.
    pub fn resolve_impacts(&mut self, OneInstant { impacts, moved, sleepers }: &mut OneInstant) {
        sleepers.clear();
        if self.contact.is_overrun() {
            self.halt(Toi::START);
        }
        loop {
            let ContactStage { state, scenery, sim, queue, .. } = &mut self.contact;
            let bodies = Bodies { state, scenery, sim };
            queue.take_next(bodies, impacts);
            let hit = impacts.iter().flat_map(|impact| [Some(impact.a), impact.partner()]).flatten();
            sleepers.extend(hit.filter(|&index| bodies.is_asleep(index)));
            if !sleepers.is_empty() {
                break;
            }
            let toi = impacts.first().map_or(Toi::END, |impact| impact.toi);
            self.contact.note_blows(toi);
            match &impacts[..] {
                [] => break,
                [impact] => self.resolve(impact),
                tied => self.resolve_together(tied, moved),
            }
            if self.contact.is_overrun() {
                self.halt(toi);
            }
        }
    }

    /// Holds all bodies at an instant up to which all impacts are resolved: they are apart there.
    fn halt(&mut self, toi: Toi) {
        self.contact.report.tick_halted = Some(toi);
        self.contact.note_blows(toi);
        self.contact.drop_blows();
        self.contact.queue.clear();
        let indices = 0..self.contact.sim.all().len();
        #[cfg(test)]
        let indices = self.contact.pairs.regions.disorder.indices(indices.len());
        for index in indices.into_iter().map(|place| BodyIndex(place as u32)) {
            if !self.contact.bodies().body(index).held {
                self.contact.bodies_mut().advance(index, toi);
                self.contact.report.impact_limited.push(self.contact.bodies().id_of(index));
                self.contact.bodies_mut().hold(index);
                self.contact.events.note_path(self.contact.sim, index);
            }
        }
    }

    /// Resolves impacts of one instant.
    fn resolve_together(&mut self, impacts: &[QueuedImpact], moved: &mut Vec<BodyIndex>) {
        let toi = impacts[0].toi;
        moved.clear();
        moved.extend(impacts.iter().flat_map(|impact| [Some(impact.a), impact.partner()]).flatten());
        moved.sort_unstable();
        moved.dedup();
        moved.retain(|&index| !self.contact.sim.all()[index.place()].held);
        for index in impacts.iter().flat_map(|impact| [Some(impact.a), impact.partner()]).flatten() {
            if self.contact.sim.all()[index.place()].is_free() {
                self.arrive(index, toi);
            }
        }
        self.contact.respond_together(impacts);
        self.contact.take_hits(impacts);
        // A kinematic body that is not blocked keeps its path.
        moved.retain(|&index| {
            let body = &self.contact.sim.all()[index.place()];
            (body.filter.body_type == BodyType::Dynamic || body.held) && body.conduct != Conduct::Gone
        });
        self.go_on(moved, toi);
    }

    fn resolve(&mut self, impact: &QueuedImpact) {
        let moving = [Some(impact.a), impact.partner()]
            .map(|index| index.filter(|&i| !self.contact.bodies().body(i).held));
        for index in moving.into_iter().flatten() {
            if self.contact.bodies().body(index).is_free() {
                self.arrive(index, impact.toi);
            }
        }
        if impact.is_unresolved() {
            self.contact.report.unresolved += 1;
        } else {
            self.contact.respond(impact);
        }
        self.contact.take_hits(std::slice::from_ref(impact));
        // A kinematic body that is not blocked keeps its path.
        let is_new = |body: &SimBody| {
            (body.filter.body_type == BodyType::Dynamic || body.held) && body.conduct != Conduct::Gone
        };
        let changed = moving.map(|index| index.filter(|&index| is_new(self.contact.bodies().body(index))));
        if let [Some(a), Some(b)] = changed {
            self.go_on(&[a, b], impact.toi);
        } else if let Some(index) = changed.into_iter().flatten().next() {
            self.go_on(&[index], impact.toi);
        }
    }

    /// Finds the collisions of bodies with new paths from an instant on.
    fn go_on(&mut self, changed: &[BodyIndex], toi: Toi) {
        if self.contact.scratch.rest.is_open() {
            let changed = self.contact.rest_again(changed, toi);
            self.find_again(&changed);
            self.contact.end_again(changed);
            return;
        }
        for &index in changed {
            self.contact.bodies_mut().renew_path(index);
        }
        self.find_again(changed);
    }

    /// Takes a body to the instant of an impact, or holds it there if its budget is used up.
    fn arrive(&mut self, index: BodyIndex, toi: Toi) {
        let mut bodies = self.contact.bodies_mut();
        bodies.advance(index, toi);
        if u32::from(bodies.bodies().body(index).impacts) == bodies.state.limits.budget {
            bodies.report.impact_limited.push(bodies.bodies().id_of(index));
            bodies.hold(index);
        }
        bodies.count_impact(index);
    }
}
