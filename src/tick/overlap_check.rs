//! The end of the paths, and the final overlap check.

use super::{
    TickReport,
    bodies::{
        Bodies, BodiesMut, SimBodies,
        body::{BodyIndex, ChildPair, Partner, WHOLE},
    },
    pairs::Pairs,
    unproved::Unproved,
};
use crate::{
    broad::Slots,
    geom::Vec3,
    num::Toi,
    state::{Scenery, State},
};

/// The buffers of the check.
#[derive(Default, Debug)]
pub struct CheckBuffers {
    /// The candidates of the check.
    candidates: Vec<BodyIndex>,
    /// The bodies that overlap, or are in the way of a reverted body.
    overlapping: Vec<BodyIndex>,
    /// The numbers of the bodies found in a search.
    pub found: Vec<u32>,
}

/// The stage that ends the paths and checks the poses at their ends.
pub struct OverlapCheck<'a> {
    pub state: &'a State,
    pub scenery: &'a Scenery,
    pub sim: &'a mut SimBodies,
    pub pairs: &'a mut Pairs,
    pub unproved: &'a mut Unproved,
    pub report: &'a mut TickReport,
}

impl OverlapCheck<'_> {
    fn bodies(&self) -> Bodies<'_> {
        Bodies { state: self.state, scenery: self.scenery, sim: self.sim }
    }

    fn bodies_mut(&mut self) -> BodiesMut<'_> {
        let (state, scenery) = (self.state, self.scenery);
        BodiesMut { state, scenery, sim: self.sim, report: self.report }
    }

    /// Moves every body to the end of its path, and reverts overlapping bodies.
    pub fn run(&mut self, buffers: &mut CheckBuffers) {
        self.arrive_all(&mut buffers.candidates);
        self.revert_overlapping(buffers);
    }

    /// Moves every body to the end of its path, and lists the candidates of the final overlap check whose
    /// whole neighborhood must be tested: doubtful bodies, and bodies that were held after an impact.
    fn arrive_all(&mut self, candidates: &mut Vec<BodyIndex>) {
        debug_assert_eq!(self.unproved.bodies.len(), self.sim.all().len(), "a body has no mark of doubt");
        self.bodies_mut().advance_all();
        candidates.clear();
        for ((index, body), &is_doubtful) in self.sim.indexed().zip(&self.unproved.bodies) {
            if is_doubtful || (body.impacts > 0 && body.held) {
                candidates.push(index);
            }
        }
    }

    /// Tests the bodies that had an impact or are doubtful by the exact predicates, and reverts overlapping
    /// pairs to their poses at the start of the tick, with all bodies that overlap as a result.
    ///
    /// For all others the sweeps have proved that their end poses are apart. The bodies reverted in one round
    /// depend on the poses of all bodies, not on the order of the tests. The loop ends: a body is reverted
    /// once, and the poses at the start of the tick are apart. Pairs that overlapped then are not tested, and
    /// are reverted together.
    fn revert_overlapping(&mut self, buffers: &mut CheckBuffers) {
        let CheckBuffers { candidates, overlapping, found } = buffers;
        overlapping.clear();
        #[cfg(test)]
        self.pairs.regions.disorder.shuffle(&mut self.unproved.pairs);
        self.add_overlapping_near(overlapping);
        loop {
            #[cfg(test)]
            self.pairs.regions.disorder.shuffle(candidates);
            for &index in &*candidates {
                self.add_overlapping(index, overlapping, found);
            }
            self.bodies().add_overlapped(overlapping);
            overlapping.retain(|&index| !self.sim.all()[index.place()].reverted);
            #[cfg(test)]
            self.pairs.regions.disorder.shuffle(overlapping);
            for &index in &*overlapping {
                self.bodies_mut().revert(index);
            }
            std::mem::swap(candidates, overlapping);
            overlapping.clear();
            if candidates.is_empty() {
                break;
            }
        }
    }

    /// Adds the overlapping pairs among those whose paths came near each other after an impact of one of
    /// them.
    fn add_overlapping_near(&self, overlapping: &mut Vec<BodyIndex>) {
        let place = |which: Partner| self.bodies().place_of(which, Toi::END);
        for &(a, b) in &self.unproved.pairs {
            if self.overlaps_anew(a, b, place(b) - place(Partner::Body(a))) {
                overlapping.push(a);
                if let Partner::Body(index) = b {
                    overlapping.push(index);
                }
            }
        }
    }

    /// True if a body ends the tick in the pose in which it began it.
    fn stays(&self, index: BodyIndex) -> bool {
        let (bodies, body) = (self.bodies(), self.bodies().body(index));
        let entry = bodies.entry_pose(body);
        let turns =
            bodies.rotation_of(index).is_some_and(|rotation| rotation.orientation() != entry.orientation);
        body.path.at(Toi::END) == entry.position && !turns
    }

    /// True if a pair at a given offset overlaps and did not overlap at the start of the tick.
    #[inline]
    fn overlaps_anew(&self, a: BodyIndex, b: Partner, offset: Vec3) -> bool {
        let b_stays = if let Partner::Body(b) = b { self.stays(b) } else { true };
        if self.bodies().is_over(a, b) || (b_stays && self.stays(a)) {
            return false;
        }
        if self.scenery.has_compounds() {
            self.bodies()
                .pairs_of_children(a, b)
                .any(|children| self.children_overlap_anew(a, b, children, offset))
        } else {
            self.children_overlap_anew(a, b, WHOLE, offset)
        }
    }

    #[inline(always)]
    fn children_overlap_anew(&self, a: BodyIndex, b: Partner, children: ChildPair, offset: Vec3) -> bool {
        self.bodies().is_solid_pair(a, b, children)
            && !self.bodies().overlapped(a, b, children)
            && self.bodies().overlap_children(a, b, children, offset)
    }

    /// Adds a body and all bodies that it overlaps and did not overlap at the start of the tick; nothing if
    /// there is no overlap, a static included.
    fn add_overlapping(&mut self, index: BodyIndex, overlapping: &mut Vec<BodyIndex>, near: &mut Vec<u32>) {
        near.clear();
        let place = |index: BodyIndex| self.bodies().body(index).path.at(Toi::END);
        let position = place(index);
        if let Some(region) = self.bodies().bounds_here(index, position) {
            let before = overlapping.len();
            self.pairs.regions.query(region, Slots::ALL, near);
            overlapping.extend(near.iter().map(|&number| BodyIndex(number)).filter(|&other| {
                other != index && self.overlaps_anew(index, Partner::Body(other), place(other) - position)
            }));
            let mut with_static = false;
            if !self.stays(index) {
                self.scenery.query(&region, |id| {
                    let place = self.scenery.fixed(id).position;
                    with_static |= self.overlaps_anew(index, Partner::Static(id), place - position);
                });
            }
            if with_static || overlapping.len() > before {
                overlapping.push(index);
            }
        }
    }
}

#[cfg(test)]
mod tests;
