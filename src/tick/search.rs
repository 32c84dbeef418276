//! Broad-phase search: the bodies and statics that a path may hit.

use std::{cmp::Reverse, ops::ControlFlow};

use super::{
    bodies::parts::{Parts, WHOLE},
    pieces::{Swath, first_meeting},
    step::Step,
};
use crate::{
    broad::{Meeting, Piece, Slots},
    num::{Scalar, Toi},
    shape::Shape,
    state::{ShapeId, StaticId},
    tick::{
        bodies::{SimBodies, mover::Partner},
        scratch::Scratch,
    },
};

impl Step<'_> {
    /// Finds every impact of the paths as they are at the beginning.
    pub(super) fn find_impacts(&mut self) {
        self.scratch.queue.clear();
        self.scratch.near.clear();
        if !self.find_among_pairs() {
            self.find_boxed_pairs();
        }
        self.find_overlapping();
        for index in 0..self.scratch.sim.movers.len() as u32 {
            if self.is_overrun() {
                break;
            }
            self.find_with_statics(index);
        }
        if self.is_overrun() {
            self.halt(Toi::START);
        }
    }

    /// Finds the impacts of all pairs of bodies with boxes of their own.
    fn find_boxed_pairs(&mut self) {
        self.scratch.knows_pairs = false;
        self.gather_regions(|_| Scalar::ZERO);
        let mut regions = std::mem::take(&mut self.scratch.regions);
        #[cfg(test)]
        {
            self.scratch.regions.exhaustive = regions.exhaustive;
        }
        regions.pairs(|pair, meeting| self.find_pair(pair, meeting));
        self.scratch.regions = regions;
    }

    /// Finds the impacts of a body that has a new path.
    pub(super) fn find_again(&mut self, index: u32, but: Option<u32>) {
        self.scratch.events.note_path(&self.scratch.sim, index);
        let mut met = std::mem::take(&mut self.scratch.met);
        self.find_region(index, &mut met);
        for &(other, meeting) in &met {
            let is_seen =
                other == index || Some(other) == but || self.bodies().is_over(index, Partner::Mover(other));
            if !is_seen && self.may_meet([index, other], meeting) {
                self.find_with_body(index, other);
                self.scratch.near.push((index, Partner::Mover(other)));
            }
        }
        self.scratch.met = met;
        self.find_with_statics(index);
        let Scratch { near, found_statics, .. } = &mut *self.scratch;
        near.extend(found_statics.iter().map(|&id| (index, Partner::Static(id))));
    }

    /// Puts the boxes of all paths, and some more room around each shape, into the set that is searched.
    pub(super) fn gather_regions(&mut self, more: impl Fn(ShapeId) -> Scalar) {
        let Scratch { sim: SimBodies { movers, .. }, boxes, cuts, pieces, regions, .. } = &mut *self.scratch;
        boxes.clear();
        cuts.clear();
        pieces.clear();
        for (index, mover) in (0..).zip(movers.iter()) {
            let swath = Swath::of(mover, self.scenery);
            let bounds = swath.bounds();
            let count = swath.cuts(&bounds);
            boxes.push(bounds.pad(more(mover.shape)));
            cuts.push(count as u8);
            if count > 1 {
                pieces.extend(swath.pieces(index, count));
            }
        }
        regions.build(boxes, pieces);
        self.see_all();
    }

    /// Puts the boxes of a new path into the set, and finds the bodies whose boxes they touch at any time,
    /// each once.
    pub(super) fn find_region(&mut self, index: u32, found: &mut Vec<(u32, Meeting)>) {
        found.clear();
        let swath = self.swath(index);
        let bounds = swath.bounds();
        let count = swath.cuts(&bounds);
        self.see(bounds);
        let Scratch { boxes, cuts, regions, .. } = &mut *self.scratch;
        boxes[index as usize] = bounds;
        cuts[index as usize] = count as u8;
        if count == 1 {
            let piece = Piece { bounds, number: index, slots: Slots::ALL };
            regions.renew(index, std::iter::once(piece), found);
        } else {
            regions.renew(index, swath.pieces(index, count), found);
        }
        found.sort_unstable();
        found.dedup_by_key(|(other, _)| *other);
        found.iter_mut().for_each(|(_, meeting)| meeting.slots = Slots::ALL);
        #[cfg(test)]
        self.scratch.regions.disorder.shuffle(found);
    }

    fn swath(&self, index: u32) -> Swath {
        Swath::of(&self.scratch.sim.movers[index as usize], self.scenery)
    }

    fn find_pair(&mut self, pair: [u32; 2], meeting: Meeting) -> ControlFlow<()> {
        if self.may_meet(pair, meeting) {
            self.find_with_body(pair[0], pair[1]);
            if self.is_overrun() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// True if the present boxes of two paths touch; for subdivided paths, if their first touch is in one of
    /// the slots in which they were found.
    pub(super) fn may_meet(&self, [a, b]: [u32; 2], meeting: Meeting) -> bool {
        let (a, b) = (a as usize, b as usize);
        let scratch = &*self.scratch;
        #[cfg(test)]
        if scratch.regions.exhaustive.is_some() {
            return true;
        }
        // Where contacts were looked for, the boxes in the set have room around them.
        if meeting.is_certain && !scratch.knows_pairs {
            return true;
        }
        if !scratch.boxes[a].touches(&scratch.boxes[b]) {
            return false;
        }
        match [a, b].map(|index| u32::from(scratch.cuts[index])) {
            [1, 1] => true,
            counts => {
                let swaths = [a, b].map(|index| self.swath(index as u32));
                first_meeting(swaths, counts).is_some_and(|slot| meeting.slots.has(slot))
            }
        }
    }

    pub(super) fn find_with_body(&mut self, index: u32, other: u32) {
        if self.bodies().both_sleep(index, Partner::Mover(other)) {
            return;
        }
        self.scratch.candidates += 1;
        let (a, b) = (index.min(other), index.max(other));
        if self.scenery.has_sets() {
            self.find_between_parts(a, Partner::Mover(b));
            return;
        }
        let filter = |index: u32| self.scratch.sim.movers[index as usize].filter;
        if !self.state.layers.is_solid(filter(a), filter(b)) || self.bodies().passes(a, Partner::Mover(b)) {
            return;
        }
        match self.meet_body(a, b, WHOLE) {
            Some(event) => self.scratch.queue.push(Reverse(event)),
            None => self.scratch.sim.movers[a as usize].doubtful |= self.is_doubtful_body(a, b),
        }
    }

    /// Finds the impacts of a pair with a compound: each pair of child shapes is a candidate.
    fn find_between_parts(&mut self, a: u32, b: Partner) {
        for parts in self.bodies().pairs_of_parts(a, b) {
            self.scratch.candidates += u64::from(parts != WHOLE);
            if !self.bodies().is_solid_pair(a, b, parts) || !self.boxes_of_parts_touch(a, b, parts) {
                continue;
            }
            match self.meet(a, b, parts) {
                Some(event) => self.scratch.queue.push(Reverse(event)),
                None => self.scratch.sim.movers[a as usize].doubtful |= self.is_doubtful_pair(a, b),
            }
        }
    }

    /// Finds the impacts of a body with statics; most are where there is none.
    #[inline(always)]
    fn find_with_statics(&mut self, index: u32) {
        let scratch = &mut *self.scratch;
        scratch.found_statics.clear();
        if !scratch.sim.movers[index as usize].is_free() {
            return;
        }
        let is_clear = self.scenery.is_clear(&scratch.boxes[index as usize]);
        #[cfg(test)]
        let is_clear = is_clear && scratch.regions.exhaustive.is_none();
        if is_clear {
            scratch.candidates += self.scenery.boundless_count() as u64;
        } else {
            self.find_near_statics(index);
        }
    }

    #[inline(never)]
    fn find_near_statics(&mut self, index: u32) {
        let scratch = &mut *self.scratch;
        let mover = &scratch.sim.movers[index as usize];
        let mut found = std::mem::take(&mut scratch.found_statics);
        match u32::from(scratch.cuts[index as usize]) {
            1 => self.scenery.query_bounded(&scratch.boxes[index as usize], |id| found.push(id)),
            count => {
                for piece in Swath::of(mover, self.scenery).pieces(index, count) {
                    self.scenery.query_bounded(&piece.bounds, |id| found.push(id));
                }
                found.sort_unstable();
                found.dedup();
            }
        }
        #[cfg(test)]
        if scratch.regions.exhaustive.is_some() {
            found = (0..self.scenery.statics().len() as u32).map(StaticId).collect();
            found.retain(|&id| self.scenery.shape(self.scenery.fixed(id).shape).half_extent().is_some());
        }
        // A boundless static is a candidate for every body.
        scratch.candidates += (found.len() + self.scenery.boundless_count()) as u64;
        self.scenery.query_boundless(&scratch.boxes[index as usize], |id| found.push(id));
        #[cfg(test)]
        scratch.regions.disorder.shuffle(&mut found);
        if found.is_empty() {
            self.scratch.found_statics = found;
            return;
        }
        let filter = self.scratch.sim.movers[index as usize].filter;
        for &id in &found {
            if self.scenery.has_sets() {
                self.find_between_parts(index, Partner::Static(id));
                continue;
            }
            if !self.state.layers.is_solid(filter, self.scenery.fixed(id).filter())
                || self.bodies().passes(index, Partner::Static(id))
            {
                continue;
            }
            match self.meet_static(index, id, WHOLE) {
                Some(event) => self.scratch.queue.push(Reverse(event)),
                None => self.scratch.sim.movers[index as usize].doubtful |= self.is_doubtful(index, id),
            }
        }
        self.scratch.found_statics = found;
    }

    fn boxes_of_parts_touch(&self, a: u32, b: Partner, parts: Parts) -> bool {
        #[cfg(test)]
        if self.scratch.regions.exhaustive.is_some() {
            return true;
        }
        let of = |index: u32, part: u8| {
            self.bodies().box_of_part(index, part, &self.scratch.boxes[index as usize])
        };
        let own = of(a, parts[0]);
        match b {
            Partner::Mover(b) => own.touches(&of(b, parts[1])),
            Partner::Static(id) => self.scenery.may_touch(id, &own),
        }
    }

    fn is_doubtful_pair(&self, a: u32, b: Partner) -> bool {
        match b {
            Partner::Mover(b) => self.is_doubtful_body(a, b),
            Partner::Static(id) => self.is_doubtful(a, id),
        }
    }

    /// True if a miss of a static by the sweep is not a proof of separation.
    ///
    /// The normals of an oriented box or a capsule have 30 bits. A body that starts nearer to a face or a
    /// side than that rounding, and does not approach along the normal, may still come closer by as much.
    #[inline]
    fn is_doubtful(&self, index: u32, id: StaticId) -> bool {
        match self.scenery.shape(self.scenery.fixed(id).shape) {
            Shape::Obb(_) | Shape::Capsule(_) => true,
            Shape::Sphere { .. } | Shape::Aabb { .. } => self.leans(index),
            Shape::Plane(_) => self.bodies().is_swept_turning(index),
        }
    }

    /// True if a miss of two bodies by the sweep is not a proof of separation.
    #[inline]
    fn is_doubtful_body(&self, a: u32, b: u32) -> bool {
        self.scenery.has_leaning && (self.leans(a) || self.leans(b))
    }

    fn leans(&self, index: u32) -> bool {
        // A compound that rotates is swept like them, whatever its child shapes.
        let turns = || self.bodies().spinner_of(index).is_some_and(|spinner| spinner.is_set);
        self.scenery.leans(self.scratch.sim.movers[index as usize].shape) || turns()
    }
}
