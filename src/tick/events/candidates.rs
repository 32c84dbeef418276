//! Which pairs may have come near each other, on their final ways.

use std::ops::ControlFlow;

use super::touch::touch_reach;
use crate::{
    broad::{Meeting, Piece, Slots},
    geom::{Aabb, Vec3},
    num::{Toi, scalar::FRACTION_BITS},
    state::{Kind, Rule, Scenery},
    tick::{
        bodies::{
            SimBodies,
            mover::{Mover, Partner},
        },
        events::notes::Legs,
        scratch::Scratch,
        step::Step,
    },
};

/// A way is cut into pieces where it is longer than so many extents of its body.
const EXTENTS_PER_PIECE: i64 = 5;

impl Step<'_> {
    /// Lists the pairs whose ways touch and whose rule is not to ignore each other.
    ///
    /// Returns false where there are more pairs of ways that touch, whatever their rule, than the limit on
    /// candidates: the list is then not complete. Whether there are follows from the ways alone, not from
    /// the search.
    pub(super) fn find_pairs(&mut self) -> bool {
        self.gather_ways();
        let mut pairs = std::mem::take(&mut self.scratch.notes.pairs);
        let mut regions = std::mem::take(&mut self.scratch.regions);
        let mut room = i64::from(self.state.limits.pairs_max);
        pairs.clear();
        regions.pairs(|[a, b], meeting| {
            if self.ways_meet([a, b], meeting) {
                let (a, b) = (a.min(b), Partner::Mover(a.max(b)));
                self.take_pair((a, b), &mut pairs, &mut room)
            } else {
                ControlFlow::Continue(())
            }
        });
        self.scratch.regions = regions;
        self.find_pairs_with_statics(&mut pairs, &mut room);
        self.add_who_hit(&mut pairs);
        self.scratch.notes.pairs = pairs;
        room >= 0
    }

    /// Adds those who had an impact and are not in the list.
    ///
    /// An impact is as early as time is rounded, and what is fast is then farther away than what touches; where it ends the
    /// speed at the instant at which that began, nothing of it is left in a way.
    fn add_who_hit(&self, pairs: &mut Vec<(u32, Partner)>) {
        let hits = self.scratch.notes.hits.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1));
        pairs.sort_unstable();
        let known = pairs.len();
        for &(a, b, ..) in hits.filter_map(|of_pair| of_pair.first()) {
            if pairs[..known].binary_search(&(a, b)).is_err() {
                pairs.push((a, b));
            }
        }
    }

    /// Adds a pair to the list if its rule matters; breaks where there is no room for it.
    fn take_pair(
        &self,
        (a, b): (u32, Partner),
        pairs: &mut Vec<(u32, Partner)>,
        room: &mut i64,
    ) -> ControlFlow<()> {
        if self.both_sleep(a, b) {
            return ControlFlow::Continue(());
        }
        *room -= 1;
        if *room < 0 {
            return ControlFlow::Break(());
        }
        if self.bodies().any_parts(a, b, |parts| self.bodies().rule_of_parts(a, b, parts) != Rule::Ignore) {
            pairs.push((a, b));
        }
        ControlFlow::Continue(())
    }

    /// Puts the boxes of all ways into the set that is searched.
    fn gather_ways(&mut self) {
        let Scratch { sim: SimBodies { movers, .. }, notes, boxes, cuts, pieces, regions, .. } =
            &mut *self.scratch;
        boxes.clear();
        cuts.clear();
        pieces.clear();
        for (index, mover) in (0..).zip(movers.iter()) {
            let way = Way::of(mover, notes.legs_of(index), self.scenery);
            let bounds = way.bounds();
            let count = way.cuts(&bounds);
            boxes.push(bounds);
            cuts.push(count as u8);
            if count > 1 {
                pieces.extend((0..count).map(|part| way.piece(index, part, count)));
            }
        }
        regions.build(boxes, pieces);
    }

    /// Whether the boxes of two ways touch; of ways in pieces, whether they do so for the first time in
    /// one of the slots in which they were found to meet.
    fn ways_meet(&self, [a, b]: [u32; 2], meeting: Meeting) -> bool {
        if meeting.is_certain {
            return true;
        }
        let Scratch { boxes, cuts, .. } = &*self.scratch;
        if !boxes[a as usize].touches(&boxes[b as usize]) {
            return false;
        }
        match [a, b].map(|index| u32::from(cuts[index as usize])) {
            [1, 1] => true,
            counts => {
                let ways = [a, b].map(|index| self.way(index));
                first_meeting(ways, counts).is_some_and(|slot| meeting.slots.has(slot))
            }
        }
    }

    fn way(&self, index: u32) -> Way<'_> {
        let mover = &self.scratch.sim.movers[index as usize];
        Way::of(mover, self.scratch.notes.legs_of(index), self.scenery)
    }

    fn find_pairs_with_statics(&mut self, pairs: &mut Vec<(u32, Partner)>, room: &mut i64) {
        let mut found = std::mem::take(&mut self.scratch.found_statics);
        let _ = (0..self.scratch.sim.movers.len() as u32).try_for_each(|index| {
            if self.scratch.sim.movers[index as usize].filter.kind == Kind::Static {
                return ControlFlow::Continue(());
            }
            found.clear();
            let bounds = self.scratch.boxes[index as usize];
            match u32::from(self.scratch.cuts[index as usize]) {
                1 => self.scenery.query_bounded(&bounds, |id| found.push(id)),
                count => {
                    let way = self.way(index);
                    for part in 0..count {
                        let region = way.piece(index, part, count).bounds;
                        self.scenery.query_bounded(&region, |id| found.push(id));
                    }
                    found.sort_unstable();
                    found.dedup();
                }
            }
            self.scenery.query_boundless(&bounds, |id| found.push(id));
            found.iter().try_for_each(|&id| self.take_pair((index, Partner::Static(id)), pairs, room))
        });
        self.scratch.found_statics = found;
    }
}

/// All legs of a body through a tick.
#[derive(Clone, Copy)]
struct Way<'a> {
    legs: Legs<'a>,
    /// Half the extent of the body, however it lies if it turns, how far from it touching begins, and as much more as its impacts may
    /// be early for its speed: whoever had one is a pair.
    reach: Vec3,
}

impl<'a> Way<'a> {
    fn of(mover: &Mover, legs: Legs<'a>, scenery: &Scenery) -> Self {
        let touch = touch_reach(scenery.outline(mover.shape)).to_bits();
        let motions = legs.iter().flat_map(|leg| leg.path.motion.raw());
        let early = 2 * (motions.fold(0, |most, raw| raw.abs().max(most)) >> FRACTION_BITS);
        Self { legs, reach: mover.reach(scenery).map_raw(|raw| raw + touch + early) }
    }

    fn bounds(&self) -> Aabb {
        self.bounds_between(Toi::START, Toi::END)
    }

    /// The box that the body fills between two instants, both included.
    fn bounds_between(&self, from: Toi, to: Toi) -> Aabb {
        let mut places: Option<Aabb> = None;
        let mut legs = self.legs;
        loop {
            let (path, end) = (&legs.now.path, legs.end());
            let (begin, until) = (path.start.max(from), end.min(to));
            if begin <= until {
                let (p, q) = (path.at(begin).position, path.at(until).position);
                let line = Aabb { min: p.min(q), max: p.max(q) };
                places = Some(places.map_or(line, |all| all.union(line)));
            }
            if end >= to {
                break;
            }
            legs = legs.reach(end);
        }
        // There is a leg at every instant, so there is a place.
        places.unwrap_or(Aabb { min: Vec3::ZERO, max: Vec3::ZERO }).inflate(self.reach)
    }

    /// How many pieces the way is cut into, given its box: the box around a long way that follows no axis
    /// is nearly empty.
    fn cuts(&self, bounds: &Aabb) -> u32 {
        let ([x, y, z], reach) = ((bounds.max - bounds.min).raw(), self.reach.raw());
        let most = 2 * EXTENTS_PER_PIECE * reach[0].max(reach[1]).max(reach[2]);
        let mut count = 1;
        while count < Slots::COUNT && x.max(y).max(z) > most * i64::from(count) {
            count *= 2;
        }
        count
    }

    /// One of so many pieces.
    fn piece(&self, number: u32, part: u32, count: u32) -> Piece {
        let width = Slots::COUNT / count;
        let (begin, end) = (part * width, (part + 1) * width);
        let bounds = self.bounds_between(Slots::begin(begin), Slots::begin(end));
        Piece { bounds, number, slots: Slots::range(begin, end) }
    }
}

/// The first slot in which the pieces of two ways touch, given how many each is cut into.
fn first_meeting(ways: [Way<'_>; 2], counts: [u32; 2]) -> Option<u32> {
    let width = Slots::COUNT / counts[0].max(counts[1]);
    (0..Slots::COUNT / width).map(|index| index * width).find(|&slot| {
        let bounds = |which: usize| {
            let part = slot * counts[which] / Slots::COUNT;
            ways[which].piece(0, part, counts[which]).bounds
        };
        bounds(0).touches(&bounds(1))
    })
}
