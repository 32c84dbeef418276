//! The pairs that may have come near each other on their final paths.

use super::limits::EXTENTS_PER_PIECE;
use std::ops::ControlFlow;

use super::notes::{Legs, Notes};
use crate::{
    broad::{Meeting, Piece, Regions, Slots},
    geom::{Aabb, Vec3},
    num::{Toi, scalar::FRACTION_BITS},
    state::{BodyType, Rule, Scenery, StaticId},
    tick::bodies::{
        Bodies,
        body::{BodyIndex, ChildPair, Partner, SimBody},
        gap::touch_reach,
    },
};

/// Pairs of a body with a body or a static, the smaller index first.
pub(super) type Pairs = Vec<(BodyIndex, Partner)>;

/// The buffers of the search: the boxes of all final paths.
#[derive(Default, Debug)]
pub(in crate::tick) struct Candidates {
    /// Per body, the box of its path.
    boxes: Vec<Aabb>,
    /// Per body, the number of pieces that its path is cut into.
    cuts: Vec<u8>,
    pieces: Vec<Piece>,
    /// All boxes, to be searched.
    pub(in crate::tick) regions: Regions,
    statics: Vec<StaticId>,
}

impl Candidates {
    /// Lists the pairs whose paths touch and whose rule is not to ignore each other.
    ///
    /// Returns false where there are more pairs of paths that touch, whatever their rule, than the limit on
    /// candidates: the list is then not complete. Whether there are follows from the paths alone, not from
    /// the search.
    pub(super) fn find(&mut self, bodies: Bodies<'_>, notes: &Notes, pairs: &mut Pairs) -> bool {
        self.gather(bodies, notes);
        pairs.clear();
        let mut list = List { bodies, pairs, room: i64::from(bodies.state.limits.pairs_max) };
        let Self { boxes, cuts, regions, .. } = &mut *self;
        let paths = Paths { bodies, notes, boxes, cuts };
        regions.pairs(|numbers, meeting| {
            let [a, b] = numbers.map(BodyIndex);
            if meeting.is_certain || paths.meet([a, b], meeting) {
                list.take(a.min(b), Partner::Body(a.max(b)))
            } else {
                ControlFlow::Continue(())
            }
        });
        let _ = self.find_with_statics(notes, &mut list);
        list.room >= 0
    }

    /// Puts the boxes of all paths into the set that is searched.
    fn gather(&mut self, bodies: Bodies<'_>, notes: &Notes) {
        let Self { boxes, cuts, pieces, regions, .. } = self;
        boxes.clear();
        cuts.clear();
        pieces.clear();
        for (index, body) in bodies.sim.indexed() {
            let way = Way::of(body, notes.legs_of(index), bodies.scenery);
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

    fn find_with_statics(&mut self, notes: &Notes, list: &mut List<'_>) -> ControlFlow<()> {
        let Bodies { scenery, sim, .. } = list.bodies;
        let found = &mut self.statics;
        for (index, body) in sim.indexed() {
            if body.filter.body_type == BodyType::Static {
                continue;
            }
            found.clear();
            let bounds = self.boxes[index.place()];
            match u32::from(self.cuts[index.place()]) {
                1 => scenery.query_bounded(&bounds, |id| found.push(id)),
                count => {
                    let way = Way::of(body, notes.legs_of(index), scenery);
                    for part in 0..count {
                        let region = way.piece(index, part, count).bounds;
                        scenery.query_bounded(&region, |id| found.push(id));
                    }
                    found.sort_unstable();
                    found.dedup();
                }
            }
            scenery.query_boundless(&bounds, |id| found.push(id));
            found.iter().try_for_each(|&id| list.take(index, Partner::Static(id)))?;
        }
        ControlFlow::Continue(())
    }
}

/// The list of pairs, and how many more may be looked at.
struct List<'a> {
    bodies: Bodies<'a>,
    pairs: &'a mut Pairs,
    room: i64,
}

impl List<'_> {
    fn take(&mut self, a: BodyIndex, b: Partner) -> ControlFlow<()> {
        if self.bodies.both_sleep(a, b) {
            return ControlFlow::Continue(());
        }
        self.room -= 1;
        if self.room < 0 {
            return ControlFlow::Break(());
        }
        if self
            .bodies
            .any_children(a, b, |children| self.bodies.rule_of_children(a, b, children) != Rule::Ignore)
        {
            self.pairs.push((a, b));
        }
        ControlFlow::Continue(())
    }
}

/// Adds the pairs that had an impact and are not in the list.
///
/// The instant of an impact is rounded down, and a fast body is then farther away than the gap of a touch. Where the impact
/// ends the speed at the instant at which the leg began, no part of the path shows it.
pub(super) fn add_hit_pairs(hits: &[(BodyIndex, Partner, ChildPair, Toi)], pairs: &mut Pairs) {
    pairs.sort_unstable();
    let known = pairs.len();
    let hits = hits.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1));
    for &(a, b, ..) in hits.filter_map(|of_pair| of_pair.first()) {
        if pairs[..known].binary_search(&(a, b)).is_err() {
            pairs.push((a, b));
        }
    }
}

/// The paths of all bodies, with their boxes and numbers of pieces.
#[derive(Clone, Copy)]
struct Paths<'a> {
    bodies: Bodies<'a>,
    notes: &'a Notes,
    boxes: &'a [Aabb],
    cuts: &'a [u8],
}

impl Paths<'_> {
    /// True if the boxes of two paths touch; of paths in pieces, if they do so for the first time in one of the slots in
    /// which they were found to meet.
    fn meet(&self, pair: [BodyIndex; 2], meeting: Meeting) -> bool {
        let [a, b] = pair.map(|index| &self.boxes[index.place()]);
        if !a.touches(b) {
            return false;
        }
        match pair.map(|index| u32::from(self.cuts[index.place()])) {
            [1, 1] => true,
            counts => {
                let Self { bodies, notes, .. } = *self;
                let way = |index| Way::of(bodies.body(index), notes.legs_of(index), bodies.scenery);
                first_meeting(pair.map(way), counts).is_some_and(|slot| meeting.slots.has(slot))
            }
        }
    }
}

/// All legs of a body through a tick.
#[derive(Clone, Copy)]
struct Way<'a> {
    legs: Legs<'a>,
    /// Half the extent of the body in any orientation if it rotates, the gap of a touch, and the distance by which its impacts may
    /// be early at its speed: each pair that had one is found.
    reach: Vec3,
}

impl<'a> Way<'a> {
    fn of(body: &SimBody, legs: Legs<'a>, scenery: &Scenery) -> Self {
        let touch = touch_reach(scenery.outline(body.shape)).to_bits();
        let motions = legs.iter().flat_map(|leg| leg.path.displacement.raw());
        let early = 2 * (motions.fold(0, |most, raw| raw.abs().max(most)) >> FRACTION_BITS);
        Self { legs, reach: body.reach(scenery).map_raw(|raw| raw + touch + early) }
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
                let (p, q) = (path.at(begin), path.at(until));
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

    /// Number of pieces of the path, given its box: the box around a long path that follows no axis is nearly empty.
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
    fn piece(&self, index: BodyIndex, part: u32, count: u32) -> Piece {
        let width = Slots::COUNT / count;
        let (begin, end) = (part * width, (part + 1) * width);
        let bounds = self.bounds_between(Slots::begin(begin), Slots::begin(end));
        Piece { bounds, number: index.0, slots: Slots::range(begin, end) }
    }
}

/// The first slot in which the pieces of two paths touch, given the number of pieces of each.
fn first_meeting(ways: [Way<'_>; 2], counts: [u32; 2]) -> Option<u32> {
    let width = Slots::COUNT / counts[0].max(counts[1]);
    (0..Slots::COUNT / width).map(|index| index * width).find(|&slot| {
        let bounds = |which: usize| {
            let part = slot * counts[which] / Slots::COUNT;
            ways[which].piece(BodyIndex(0), part, counts[which]).bounds
        };
        bounds(0).touches(&bounds(1))
    })
}
