//! The search for impacts: candidates from the pair finding, their times of impact, and the queue.

use std::ops::ControlFlow;

use super::{
    bodies::{
        Bodies,
        body::{BodyIndex, ChildPair, Partner, WHOLE},
    },
    budget::WorkBudget,
    narrow::{KnownContacts, TimeOfImpact},
    pairs::{Pairs, PathBoxes},
    queue::ImpactQueue,
    unproved::Unproved,
};
use crate::{broad::Meeting, num::Scalar, shape::Shape, state::StaticId};

/// Buffers of a search.
#[derive(Default, Debug)]
pub struct Found {
    /// The numbers of the bodies whose boxes touch those of a new path, as the search structure lists them.
    bodies: Vec<(u32, Meeting)>,
    /// The statics whose boxes touch that of a path.
    statics: Vec<StaticId>,
    /// Per body, true if it has a new path of which the impacts are still to be found.
    awaits: Vec<bool>,
}

impl Found {
    /// The bodies whose boxes touch those of a new path.
    fn bodies(&self) -> impl Iterator<Item = (BodyIndex, Meeting)> {
        self.bodies.iter().map(|&(number, meeting)| (BodyIndex(number), meeting))
    }
}

/// The search for impacts.
pub struct Search<'a, C> {
    pub pairs: &'a mut Pairs,
    pub found: &'a mut Found,
    pub test: Test<'a, C>,
}

/// The test of candidates: finds times of impact and queues them.
pub struct Test<'a, C> {
    pub bodies: Bodies<'a>,
    pub contacts: C,
    pub queue: &'a mut ImpactQueue,
    pub unproved: &'a mut Unproved,
    pub budget: &'a mut WorkBudget,
}

impl<C: KnownContacts + Copy> Search<'_, C> {
    /// Finds every impact of the paths as they are at the start of the tick.
    pub fn find_all(&mut self) {
        self.test.queue.begin();
        if !self.find_among_known() {
            self.find_boxed();
        }
        for index in self.test.bodies.sim.indices() {
            if self.test.is_overrun() {
                break;
            }
            self.find_with_statics(index);
        }
    }

    /// Finds the impacts of all pairs of bodies from the pairs of the search for contacts, if possible;
    /// otherwise returns false, and the boxes must be rebuilt.
    ///
    /// The boxes of that search have a margin, and motions that contacts have changed hardly ever leave them.
    /// While they stay within, all pairs whose new boxes touch are known, except for subdivided paths, which
    /// count as having left.
    fn find_among_known(&mut self) -> bool {
        if self.pairs.known.pairs().is_none() || !self.pairs.fit(self.test.bodies) {
            return false;
        }
        self.renew_outgrown();
        let Pairs { known, boxes, outgrown, .. } = &*self.pairs;
        for &[a, b] in known.pairs().into_iter().flatten() {
            let (one, other) = (a.place(), b.place());
            let touches = boxes.swept[one].touches(&boxes.swept[other]);
            if touches && !outgrown[one] && !outgrown[other] {
                self.test.bodies_of(boxes, a, b);
                if self.test.is_overrun() {
                    break;
                }
            }
        }
        true
    }

    /// Finds the impacts of the bodies that have left their boxes; of a pair of them by the one with the
    /// larger index.
    fn renew_outgrown(&mut self) {
        let bodies = self.test.bodies;
        for index in bodies.sim.indices() {
            if !self.pairs.outgrown[index.place()] {
                continue;
            }
            self.renew(index);
            for (other, meeting) in self.found.bodies() {
                let is_later = other >= index && self.pairs.outgrown[other.place()];
                if !is_later
                    && self.pairs.may_meet(bodies, [index, other], meeting)
                    && !self.test.is_overrun()
                {
                    self.test.bodies_of(&self.pairs.boxes, index, other);
                }
            }
        }
    }

    /// Finds the impacts of all pairs of bodies with boxes of their own.
    fn find_boxed(&mut self) {
        let bodies = self.test.bodies;
        self.pairs.known.discard();
        self.pairs.gather(bodies, |_| Scalar::ZERO);
        let Pairs { regions, boxes, .. } = &mut *self.pairs;
        regions.pairs(|numbers, meeting| {
            let [a, b] = numbers.map(BodyIndex);
            if meeting.is_certain || boxes.touch(bodies, [a, b], meeting) {
                self.test.bodies_of(boxes, a, b);
                if self.test.is_overrun() {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
    }

    /// Finds the impacts of bodies that have new paths; those of two of them once, when the boxes of both are new.
    pub fn find_again(&mut self, changed: &[BodyIndex]) {
        self.found.awaits.resize(self.test.bodies.sim.all().len(), false);
        for &index in changed {
            self.found.awaits[index.place()] = true;
        }
        for &index in changed {
            self.found.awaits[index.place()] = false;
            self.find_of(index);
        }
    }

    /// Finds the impacts of a body that has a new path, but those with bodies that are still awaited.
    fn find_of(&mut self, index: BodyIndex) {
        let bodies = self.test.bodies;
        self.renew(index);
        for (other, meeting) in self.found.bodies() {
            let is_other = other != index && !self.found.awaits[other.place()];
            if is_other
                && !bodies.is_over(index, Partner::Body(other))
                && self.pairs.may_meet(bodies, [index, other], meeting)
            {
                self.test.bodies_of(&self.pairs.boxes, index, other);
                self.test.unproved.pairs.push((index, Partner::Body(other)));
            }
        }
        self.find_with_statics(index);
        let statics = self.found.statics.iter().map(|&id| (index, Partner::Static(id)));
        self.test.unproved.pairs.extend(statics);
    }

    /// Puts the boxes of a new path into the search structure, and finds the bodies whose boxes they touch.
    fn renew(&mut self, index: BodyIndex) {
        let bodies = self.test.bodies;
        self.pairs.renew(bodies, index, &mut self.found.bodies);
    }

    /// Finds the impacts of a body with statics; most are where there is none.
    #[inline(always)]
    fn find_with_statics(&mut self, index: BodyIndex) {
        let bodies = self.test.bodies;
        self.found.statics.clear();
        if !bodies.body(index).is_free() {
            return;
        }
        let is_clear = bodies.scenery.is_clear(&self.pairs.boxes.swept[index.place()]);
        #[cfg(test)]
        let is_clear = is_clear && self.pairs.regions.exhaustive.is_none();
        if is_clear {
            self.test.budget.spend(bodies.scenery.boundless_count() as u64);
        } else {
            self.find_near_statics(index);
        }
    }

    #[inline(never)]
    fn find_near_statics(&mut self, index: BodyIndex) {
        let bodies = self.test.bodies;
        let found = &mut self.found.statics;
        let candidates = self.pairs.boxes.find_statics(bodies, index, found);
        #[cfg(test)]
        let candidates = match self.pairs.regions.exhaustive {
            Some(_) => every_static(bodies, &self.pairs.boxes, index, found),
            None => candidates,
        };
        self.test.budget.spend(candidates as u64);
        #[cfg(test)]
        self.pairs.regions.disorder.shuffle(found);
        for &id in &*found {
            self.test.static_of(&self.pairs.boxes, index, id);
        }
    }
}

/// Fills a list with all statics, for a search that tests every pair.
#[cfg(test)]
fn every_static(bodies: Bodies, boxes: &PathBoxes, index: BodyIndex, found: &mut Vec<StaticId>) -> usize {
    let scenery = bodies.scenery;
    *found = (0..scenery.static_count() as u32).map(StaticId).collect();
    found.retain(|&id| scenery.shape_of(id).half_extent().is_some());
    let candidates = found.len() + scenery.boundless_count();
    scenery.query_boundless(&boxes.swept[index.place()], |id| found.push(id));
    candidates
}

impl<'a, C: KnownContacts + Copy> Test<'a, C> {
    fn is_overrun(&self) -> bool {
        self.budget.is_exceeded() || self.queue.is_full(self.bodies)
    }

    fn time_of_impact(&self) -> TimeOfImpact<'a, C> {
        TimeOfImpact { bodies: self.bodies, contacts: self.contacts }
    }

    /// Tests two bodies.
    fn bodies_of(&mut self, boxes: &PathBoxes, index: BodyIndex, other: BodyIndex) {
        let bodies = self.bodies;
        if bodies.both_sleep(index, Partner::Body(other)) {
            return;
        }
        self.budget.spend(1);
        let (a, b) = (index.min(other), index.max(other));
        if bodies.scenery.has_compounds() {
            self.parts_of(boxes, a, Partner::Body(b));
            return;
        }
        let filter = |index: BodyIndex| bodies.body(index).filter;
        if !bodies.state.layers.is_solid(filter(a), filter(b)) || bodies.is_filtered(a, Partner::Body(b)) {
            return;
        }
        match self.time_of_impact().of_bodies(a, b, WHOLE) {
            Some(impact) => self.queue.push(impact),
            None => self.unproved.bodies[a.place()] |= bodies.is_doubtful_body(a, b),
        }
    }

    /// Tests a body and a static.
    fn static_of(&mut self, boxes: &PathBoxes, index: BodyIndex, id: StaticId) {
        let bodies = self.bodies;
        if bodies.scenery.has_compounds() {
            self.parts_of(boxes, index, Partner::Static(id));
            return;
        }
        let (filter, other) = (bodies.body(index).filter, bodies.scenery.fixed(id).filter());
        if !bodies.state.layers.is_solid(filter, other) || bodies.is_filtered(index, Partner::Static(id)) {
            return;
        }
        match self.time_of_impact().of_static(index, id, WHOLE) {
            Some(impact) => self.queue.push(impact),
            None => self.unproved.bodies[index.place()] |= bodies.is_doubtful(index, id),
        }
    }

    /// Tests a pair with a compound: each pair of child shapes is a candidate.
    fn parts_of(&mut self, boxes: &PathBoxes, a: BodyIndex, b: Partner) {
        let bodies = self.bodies;
        for children in bodies.pairs_of_children(a, b) {
            self.budget.spend(u64::from(children != WHOLE));
            if !bodies.is_solid_pair(a, b, children)
                || !boxes_of_children_touch(bodies, boxes, (a, b), children)
            {
                continue;
            }
            match self.time_of_impact().of(a, b, children) {
                Some(impact) => self.queue.push(impact),
                None => self.unproved.bodies[a.place()] |= bodies.is_doubtful_pair(a, b),
            }
        }
    }
}

fn boxes_of_children_touch(
    bodies: Bodies,
    boxes: &PathBoxes,
    (a, b): (BodyIndex, Partner),
    children: ChildPair,
) -> bool {
    #[cfg(test)]
    if boxes.is_exhaustive {
        return true;
    }
    let of = |index: BodyIndex, child: u8| bodies.box_of_child(index, child, &boxes.swept[index.place()]);
    let own = of(a, children[0]);
    match b {
        Partner::Body(b) => own.touches(&of(b, children[1])),
        Partner::Static(id) => bodies.scenery.may_touch(id, &own),
    }
}

impl Bodies<'_> {
    fn is_doubtful_pair(&self, a: BodyIndex, b: Partner) -> bool {
        match b {
            Partner::Body(b) => self.is_doubtful_body(a, b),
            Partner::Static(id) => self.is_doubtful(a, id),
        }
    }

    /// True if a miss of a static by the sweep is not a proof of separation.
    ///
    /// The normals of an oriented box or a capsule have 30 bits. A body that starts nearer to a face or a
    /// side than that rounding, and does not approach along the normal, may still come closer by as much.
    #[inline]
    fn is_doubtful(&self, index: BodyIndex, id: StaticId) -> bool {
        match self.scenery.shape_of(id) {
            Shape::Plane(_) => self.is_swept_turning(index),
            Shape::Facet(_) => true,
            solid => solid.leans() || self.leans(index),
        }
    }

    /// True if a miss of two bodies by the sweep is not a proof of separation.
    #[inline]
    fn is_doubtful_body(&self, a: BodyIndex, b: BodyIndex) -> bool {
        self.scenery.has_leaning() && (self.leans(a) || self.leans(b))
    }

    fn leans(&self, index: BodyIndex) -> bool {
        // A compound that rotates is swept like them, whatever its child shapes.
        let rotates = || self.rotation_of(index).is_some_and(|rotation| rotation.is_compound);
        self.scenery.leans(self.body(index).shape) || rotates()
    }
}

#[cfg(test)]
mod tests;
