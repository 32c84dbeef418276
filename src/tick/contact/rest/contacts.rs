//! Which pairs are in contact, and how much room they have.

use crate::tick::contact::ContactStage;
use crate::tick::contact::NONE;
use std::ops::ControlFlow;

use super::press::{Inertia, shares};
use crate::{
    broad::Slots,
    geom::{Aabb, Normal, Vec3},
    num::{Scalar, Toi},
    overlap::Separation,
    shape::Shape,
    state::{BodyType, SKIN},
    tick::{
        bodies::{
            body::{BodyIndex, ChildPair, Partner, SimBody},
            gap::{rest_gap, rest_room},
        },
        contact::rest::memory::{Contact, Mark, Rest},
        narrow::KnownContacts,
        pairs::{PathBoxes, subdivision::SweptPath},
        queue::QueuedImpact,
    },
};

/// How far two are from each other, and are to stay.
#[derive(Clone, Copy)]
pub(super) struct Apart {
    /// From the center of A to that of B.
    pub offset: Vec3,
    /// The gap that they keep in any case, in raw.
    pub skin: i64,
    /// The gap beyond that at which they rest, in raw.
    pub rest_gap: i64,
}

impl ContactStage<'_> {
    /// Finds the pairs that are in contact when the tick begins.
    pub(super) fn find_contacts(&mut self) {
        self.open_contacts();
        self.find_who_stays();
        if !self.find_contacts_among_pairs() {
            self.find_contacts_of_regions();
        }
        self.find_static_bodies();
        let mut found = std::mem::take(&mut self.scratch.found_statics);
        for index in 0..self.sim.all().len() as u32 {
            if self.is_overrun() {
                break;
            }
            found.clear();
            self.scenery.query(&self.pairs.boxes.swept[index as usize], |id| found.push(id));
            for &id in &found {
                self.consider(index, Partner::Static(id));
            }
        }
        self.scratch.found_statics = found;
        self.sort_contacts();
        self.remove_internal_edges();
        self.scratch.blows.sort_unstable_by(|first, second| second.cmp(first));
    }

    /// Prepares the list of contacts, empty, for the bodies of the tick.
    pub(in crate::tick::contact) fn open_contacts(&mut self) {
        let count = self.sim.all().len();
        let rest = &mut self.scratch.rest;
        rest.contacts.clear();
        rest.touches.clear();
        rest.first.clear();
        rest.first.resize(count, NONE);
        rest.marks.clear();
        rest.marks.resize(count, Mark::default());
        rest.grounds.clear();
        rest.grounds.resize(count, None);
        rest.piled.clear();
        self.rank_heights();
    }

    /// Finds those of the pairs that are known to have boxes that touch; returns false if they are not known.
    fn find_contacts_among_pairs(&mut self) -> bool {
        let Some(pairs) = self.pairs.known.pairs().map(<[_]>::len) else { return false };
        if !self.fit_rest_boxes() {
            return false;
        }
        for place in 0..pairs {
            let Some(&[BodyIndex(a), BodyIndex(b)]) =
                self.pairs.known.pairs().and_then(|pairs| pairs.get(place))
            else {
                break;
            };
            if self.are_whole([a, b]) && self.bounds_of(a).touches(&self.bounds_of(b)) {
                self.consider(a, Partner::Body(BodyIndex(b)));
            }
            if self.is_overrun() {
                self.pairs.known.discard();
                break;
            }
        }
        true
    }

    /// Gives every body the box in which its contacts are looked for; returns false if a path was in pieces and is not any more,
    /// whose pairs are not among those that are known.
    fn fit_rest_boxes(&mut self) -> bool {
        let gravity = self.sim.gravity;
        let (movers, pairs) = (self.sim.all(), &mut *self.pairs);
        let PathBoxes { swept: boxes, piece_counts, .. } = &mut pairs.boxes;
        for ((mover, bounds), cut) in movers.iter().zip(boxes).zip(piece_counts) {
            let path = SweptPath::of(mover, self.scenery);
            let new = path.bounds();
            let count = path.piece_count(&new) as u8;
            if count == 1 && *cut > 1 {
                return false;
            }
            *bounds = new.pad(rest_room(gravity, self.scenery.outline(mover.shape)));
            *cut = count;
        }
        true
    }

    /// Finds those of all bodies, and which pairs have boxes that touch.
    fn find_contacts_of_regions(&mut self) {
        let (scenery, gravity) = (self.scenery, self.sim.gravity);
        self.gather_pairs(|shape| rest_room(gravity, scenery.outline(shape)));
        let mut regions = std::mem::take(&mut self.pairs.regions);
        self.pairs.known.begin();
        let (mut listed, pairs_max, mut is_cut) = (0, self.state.limits.pairs_max as usize, false);
        regions.pairs(|[a, b], _| {
            // Paths in pieces are fast, and found piece by piece.
            if !self.are_whole([a, b]) {
                return ControlFlow::Continue(());
            }
            // What only nearly touches is no candidate, so it is counted here.
            is_cut |= listed >= pairs_max;
            if !is_cut {
                self.pairs.known.push([a, b].map(BodyIndex));
                listed += 1;
            }
            if self.bounds_of(a).touches(&self.bounds_of(b)) {
                self.consider(a.min(b), Partner::Body(BodyIndex(a.max(b))));
            }
            if self.is_overrun() {
                is_cut = true;
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        #[cfg(test)]
        let is_cut = is_cut || regions.exhaustive.is_some();
        self.pairs.regions = regions;
        if !is_cut {
            self.pairs.known.complete();
        }
    }

    /// Whether neither of two paths is in pieces.
    #[inline]
    fn are_whole(&self, pair: [u32; 2]) -> bool {
        pair.iter().all(|&index| self.pairs.boxes.piece_counts[index as usize] == 1)
    }

    /// How much room around a shape its contacts are looked for in.
    pub(super) fn rest_room(&self, shape: &Shape) -> Scalar {
        rest_room(self.sim.gravity, shape)
    }

    /// Looks for static bodies along the whole of each path in pieces, as for statics of the scenery.
    fn find_static_bodies(&mut self) {
        let mut found = std::mem::take(&mut self.scratch.found);
        for index in 0..self.sim.all().len() as u32 {
            if self.pairs.boxes.piece_counts[index as usize] == 1 || self.is_overrun() {
                continue;
            }
            found.clear();
            let bounds = self.pairs.boxes.swept[index as usize];
            self.pairs.regions.query(bounds, Slots::ALL, &mut found);
            found.sort_unstable();
            found.dedup();
            for &other in &found {
                let is_static = self.sim.all()[other as usize].filter.body_type == BodyType::Static;
                if is_static && bounds.touches(&self.bounds_of(other)) {
                    self.consider(index.min(other), Partner::Body(BodyIndex(index.max(other))));
                }
            }
        }
        self.scratch.found = found;
    }

    /// The box in which a mover's contacts are looked for; of a static one the box that it would have
    /// in the scenery.
    #[inline]
    pub(super) fn bounds_of(&self, index: u32) -> Aabb {
        let mover = &self.sim.all()[index as usize];
        match mover.filter.body_type {
            BodyType::Static => {
                Aabb::around(mover.path.position, mover.reach(self.scenery) - Vec3::splat(SKIN))
            }
            BodyType::Dynamic | BodyType::Kinematic => self.pairs.boxes.swept[index as usize],
        }
    }

    /// Puts the contacts into the order of the heights of their upper bodies, and links them.
    pub(super) fn sort_contacts(&mut self) {
        let rest = &mut self.scratch.rest;
        rest.is_unsorted = false;
        rest.order_by_height(self.sim.all().len());
        let Rest { contacts, unsorted, order, .. } = rest;
        std::mem::swap(contacts, unsorted);
        contacts.clear();
        contacts.extend(order.iter().map(|&key| unsorted[key as u32 as usize]));
        rest.first.clear();
        rest.first.resize(self.sim.all().len(), NONE);
        for index in 0..rest.contacts.len() {
            self.scratch.rest.link(index);
        }
    }

    /// Makes two bodies that meet a contact for the rest of the tick; returns false where no plane
    /// separates them, or neither gives way.
    pub(in crate::tick) fn join(&mut self, event: &QueuedImpact, forced: bool) -> bool {
        let QueuedImpact { a: BodyIndex(a), b, children: parts, toi, .. } = *event;
        if self.grips(a, b) && self.contacts().in_contact(BodyIndex(a), b, parts) {
            if self.is_coarse(a, b, parts) {
                if !forced && self.go_slower(a, b) {
                    return true;
                }
                self.lose_unturned(a, b);
            }
            self.stop_turning_into(a, b, parts);
        }
        let sides = [Partner::Body(BodyIndex(a)), b];
        let offset = self.bodies().place_of(b, toi) - self.bodies().place_of(sides[0], toi);
        let Some(found) = self.bodies().plane_between(sides, parts, offset, toi) else { return false };
        let first = self.scratch.rest.contacts.len();
        let apart = self.apart(a, b, parts, offset);
        let joined = self.push_contact((a, b, parts), &found, &apart, (toi, forced));
        if joined {
            let rest = &mut self.scratch.rest;
            (first..rest.contacts.len()).for_each(|index| rest.link(index));
            rest.is_unsorted = true;
        }
        joined
    }

    /// How far parts of two are to stay apart whose centers are so far from each other.
    #[inline(always)]
    pub(super) fn apart(&self, a: u32, b: Partner, parts: ChildPair, offset: Vec3) -> Apart {
        let shapes = self.bodies().typed_shapes(BodyIndex(a), b, parts);
        let skin = self.bodies().skin_of(BodyIndex(a), b, shapes.map(|(shape, _)| shape)).to_bits();
        Apart { offset, skin, rest_gap: rest_gap(shapes[0], shapes[1]) }
    }

    /// Adds what two have in contact: a plane, or points where they grip; returns whether there is anything.
    pub(super) fn push_contact(
        &mut self,
        pair: (u32, Partner, ChildPair),
        found: &Separation,
        apart: &Apart,
        (toi, forced): (Toi, bool),
    ) -> bool {
        let is_there = self.push_plane(pair, found, apart, forced);
        if is_there && self.grips(pair.0, pair.1) { self.take_points(toi, None) } else { is_there }
    }

    /// Puts points in the place of the plane that was added last; `found` is where they begin that were found.
    pub(super) fn take_points(&mut self, toi: Toi, found: Option<u32>) -> bool {
        self.scratch.rest.contacts.pop().is_some_and(|plane| self.push_points(&plane, toi, found))
    }

    #[inline(always)]
    pub(super) fn push_plane(
        &mut self,
        (a, b, parts): (u32, Partner, ChildPair),
        found: &Separation,
        apart: &Apart,
        forced: bool,
    ) -> bool {
        let (swapped, &Apart { offset, skin, rest_gap }) = ([parts[1], parts[0]], apart);
        let (low, high, normal, offset, parts) = match b {
            Partner::Body(BodyIndex(b)) if self.is_below(a, b) => {
                (Partner::Body(BodyIndex(a)), b, found.normal, offset, parts)
            }
            Partner::Body(BodyIndex(b)) => (Partner::Body(BodyIndex(b)), a, -found.normal, -offset, swapped),
            Partner::Static(_) => (b, a, -found.normal, -offset, swapped),
        };
        let inertias = [low, Partner::Body(BodyIndex(high))].map(|which| self.inertia(which));
        let Some(shared) = shares(normal, inertias) else { return false };
        let rest_gap = skin + rest_gap;
        let gap = ((normal.dot_wide(offset) - found.reach) >> Normal::BITS) as i64;
        let heights = &self.scratch.rest.heights;
        let (height, rank) = heights[high as usize];
        let level = match low {
            Partner::Body(BodyIndex(low)) => inertias[0].is_some() && heights[low as usize].0 == height,
            Partner::Static(_) => false,
        };
        self.scratch.rest.contacts.push(Contact {
            rank,
            level,
            high,
            low,
            parts,
            normal,
            offset,
            reach: found.reach,
            skin,
            rest_gap,
            room: gap - rest_gap,
            slack: 0,
            direction: shared.direction,
            steps: shared.steps,
            whole: shared.whole,
            masses: shared.masses,
            load_q16: shared.load_q16,
            push: 0,
            forced,
            dropped: false,
            queued: false,
            is_known: false,
            touch: NONE,
            next: [NONE; 2],
        });
        true
    }

    /// Whether a mover is the lower one of two. What no push moves is ground, wherever it is.
    #[inline]
    pub(super) fn is_below(&self, a: u32, b: u32) -> bool {
        match [a, b].map(|index| self.sim.all()[index as usize].is_free()) {
            [false, true] => true,
            [true, false] => false,
            _ => self.scratch.rest.heights[a as usize].1 < self.scratch.rest.heights[b as usize].1,
        }
    }

    /// Finds the heights of all movers when the tick began, and their order; ids decide between equal ones.
    fn rank_heights(&mut self) {
        let mut rest = std::mem::take(&mut self.scratch.rest);
        let height = |mover: &SimBody| (-self.bodies().entry(mover).dot_wide(self.state.gravity), 0);
        rest.heights.clear();
        rest.heights.extend(self.sim.all().iter().map(height));
        rest.ranked.clear();
        rest.ranked.extend((0..).zip(&rest.heights).map(|(index, &(height, _))| (height, index)));
        rest.ranked.sort_unstable();
        for (rank, &(_, index)) in (0..).zip(&rest.ranked) {
            rest.heights[index as usize].1 = rank;
        }
        self.scratch.rest = rest;
    }

    /// What a push moves.
    pub(super) fn inertia(&self, which: Partner) -> Inertia {
        let Partner::Body(BodyIndex(index)) = which else { return None };
        let mover = &self.sim.all()[index as usize];
        if mover.is_free() { Some((mover.mass, mover.locks)) } else { None }
    }

    /// Drops a contact that closes too fast: then an impact is due. Returns whether it is dropped.
    pub(super) fn drop_fast(&mut self, index: u32, toi: Toi) -> bool {
        let contact = &self.scratch.rest.contacts[index as usize];
        if contact.dropped || contact.forced {
            return contact.dropped;
        }
        if contact.touch != NONE {
            return self.drop_fast_points(index, toi);
        }
        let velocity = |index: u32| self.bodies().velocity_at(&self.sim.all()[index as usize], toi).raw();
        let low = contact.low_mover().map_or([0; 3], velocity);
        let drops = self.bounces(contact, -contact.rate(low, velocity(contact.high)));
        self.scratch.rest.contacts[index as usize].dropped = drops;
        drops
    }

    /// Whether two that are in contact and close so fast, in raw per tick, would bounce off each other faster than what is slow:
    /// otherwise the momenta of both are settled at the end of the tick, and a blow ends where it meets a heap.
    pub(super) fn bounces(&self, contact: &Contact, closing: i64) -> bool {
        let restitution_q16 = self.bodies().restitution_q16(BodyIndex(contact.high), contact.low);
        let rebound = (i128::from(closing) * i128::from(restitution_q16)) >> 16;
        rebound > i128::from(self.bodies().rest_speed().to_bits())
    }
}

impl Rest {
    /// Lists the contacts by the ranks of their upper bodies, as keys that end with their indices: counted, and then sorted
    /// one body at a time.
    fn order_by_height(&mut self, movers: usize) {
        let Self { contacts, order, first: places, .. } = self;
        places.clear();
        places.resize(movers, 0);
        contacts.iter().for_each(|contact| places[contact.rank as usize] += 1);
        let mut count = 0;
        for place in &mut *places {
            count += std::mem::replace(place, count);
        }
        order.clear();
        order.resize(contacts.len(), 0);
        for (index, contact) in (0..).zip(&*contacts) {
            let low = match contact.low {
                Partner::Body(BodyIndex(low)) => u64::from(low),
                Partner::Static(id) => (1 << u32::BITS) | u64::from(id.0),
            };
            let place = &mut places[contact.rank as usize];
            order[*place as usize] = (u128::from(contact.rank) << 96) | (u128::from(low) << 32) | index;
            *place += 1;
        }
        order.chunk_by_mut(|a, b| a >> 96 == b >> 96).for_each(<[u128]>::sort_unstable);
    }
}

#[cfg(test)]
mod tests;
