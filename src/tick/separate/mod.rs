//! Depenetration: overlapping bodies are moved apart, soft ones and solids that a command let overlap.
//!
//! It is one pass over the pairs whose boxes touch, after all bodies have paths and before any moves. The two of a pair share each
//! overlap (`share.rs`). The sum of a body's shares is added to the motion of its path: it is swept as any motion, contacts keep it
//! out of solids, and it is in no momentum. Sums of integers do not depend on the order of bodies.
//!
//! The boxes have room for that motion and for contacts, so contacts and impacts are searched among the pairs found here.

mod limits;
pub(super) mod memory;
mod share;

use std::ops::ControlFlow;

use self::limits::{CROWDED_SHIFT, ROUNDS, SPARE, STILL_SHIFT};
use self::share::{normal_of, overlap_balls, weights};
use super::{
    bodies::body::{BodyIndex, Parts, WHOLE},
    bodies::gap::{rest_gap_at_most, rest_room},
    drive::across,
};
use crate::{
    geom::Vec3,
    num::{Scalar, Toi},
    overlap::penetration_shapes,
    shape::Shape,
    state::{Body, BodyType, Filter, Locks, Rule, Scenery, State, StaticId},
    tick::{
        bodies::{
            Bodies, SimBodies,
            body::{Partner, SimBody},
        },
        pairs::Pairs,
        separate::memory::{Going, Overlap, Separating, Yielder},
        sleep::Sleepers,
    },
};

/// The stage that separates overlapping bodies.
pub struct Separation<'a> {
    pub state: &'a State,
    pub scenery: &'a Scenery,
    pub sim: &'a mut SimBodies,
    pub pairs: &'a mut Pairs,
    pub sleepers: &'a mut Sleepers,
    pub buffers: &'a mut Separating,
    /// True if no solid pair overlaps.
    pub is_apart: bool,
}

impl Separation<'_> {
    fn bodies(&self) -> Bodies<'_> {
        Bodies { state: self.state, scenery: self.scenery, sim: self.sim }
    }

    /// Separates overlapping bodies by adding to their motions of the tick.
    pub fn separate(&mut self) {
        self.sim.shifts.clear();
        let separating = &mut *self.buffers;
        separating.overlaps.clear();
        separating.is_crowded = false;
        let speed = self.state.limits.separation_speed;
        // Bodies that were apart when the last tick ended, and that no command brought together, are apart.
        if speed == 0 || (self.is_apart && !self.state.layers.has_soft()) {
            return;
        }
        self.see_yielders();
        self.pairs.is_known = self.separate_pairs(speed);
        self.separate_from_statics();
        self.find_ways(speed);
        self.take_shifts();
    }

    fn see_yielders(&mut self) {
        let mut yielders = std::mem::take(&mut self.buffers.yielders);
        yielders.clear();
        yielders.extend(self.sim.all().iter().map(|body| self.yielder(body)));
        let separating = &mut *self.buffers;
        separating.goings.clear();
        separating.goings.resize(yielders.len(), Going::default());
        separating.yielders = yielders;
    }

    fn yielder(&self, body: &SimBody) -> Yielder {
        let (dominance, kind) = match &self.state.slots[body.slot as usize].body {
            Some(stored) => (stored.dominance, stored.body_type),
            None => (Body::UNYIELDING, BodyType::Static),
        };
        let sleeps = self.state.is_asleep(body.slot);
        let yields = body.is_free() || sleeps;
        let outline = self.scenery.outline(body.shape);
        Yielder {
            place: body.path.position.raw(),
            motion: body.path.displacement.raw(),
            radius: match outline {
                Shape::Sphere { radius } if !self.scenery.is_compound(body.shape) => radius.to_bits(),
                _ => 0,
            },
            band: rest_gap_at_most(outline),
            mass: body.mass,
            filter: Filter { body_type: kind, ..body.filter },
            rank: if yields { dominance } else { Body::UNYIELDING },
            locks: body.locks,
            sleeps,
        }
    }

    /// Adds up the overlaps of all pairs of bodies. Returns true if the list of pairs holds all that may meet, but for those of
    /// subdivided paths.
    ///
    /// With more pairs than the limit of a tick no body is moved, and the tick is halted for as many candidates.
    fn separate_pairs(&mut self, speed: Scalar) -> bool {
        let (scenery, gravity, has_rest) = (self.scenery, self.sim.gravity, self.bodies().has_rest());
        let room = speed + SPARE;
        let rest = |shape| if has_rest { rest_room(gravity, scenery.outline(shape)) } else { Scalar::ZERO };
        let bodies = Bodies { state: self.state, scenery, sim: self.sim };
        self.pairs.gather(bodies, self.sleepers, |shape| rest(shape) + room);
        let mut regions = std::mem::take(&mut self.pairs.regions);
        let mut kept = std::mem::take(&mut self.pairs.known);
        let mut cut = std::mem::take(&mut self.buffers.pairs);
        kept.clear();
        cut.clear();
        let (is_whole, pairs_max) = (self.pairs.pieces.is_empty(), self.state.limits.pairs_max);
        let mut looks = 0;
        regions.pairs(|numbers, _| {
            let [a, b] = numbers.map(BodyIndex);
            let pair = [a.min(b), a.max(b)];
            looks += 1;
            let in_pieces = |index: BodyIndex| !is_whole && self.pairs.boxes.cuts[index.place()] > 1;
            if in_pieces(a) || in_pieces(b) {
                cut.push(pair); // they may meet several times
            } else if !self.separate_pair(pair) {
                kept.push(pair);
            }
            if looks > pairs_max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        cut.sort_unstable();
        cut.dedup();
        if looks <= pairs_max {
            for &pair in &cut {
                self.separate_pair(pair);
            }
        } else {
            self.buffers.goings.fill(Going::default());
            self.buffers.overlaps.clear();
        }
        let is_known = looks <= pairs_max;
        #[cfg(test)]
        let is_known = is_known && regions.exhaustive.is_none();
        self.buffers.pairs = cut;
        (self.pairs.regions, self.pairs.known) = (regions, kept);
        is_known
    }

    /// Shares the overlap of two, if there is any; returns true if they are only soft to each other.
    #[inline(always)]
    fn separate_pair(&mut self, [a, b]: [BodyIndex; 2]) -> bool {
        let yielders = &self.buffers.yielders;
        let (one, other) = (&yielders[a.place()], &yielders[b.place()]);
        if self.scenery.has_compounds() {
            self.separate_parts(a, b);
            return false;
        }
        let rule = self.state.layers.rule(one.filter, other.filter);
        // True of most pairs: boxes have room for motions.
        if one.is_clear_of(other) { rule == Rule::Soft } else { self.separate_near([a, b], rule) }
    }

    /// Shares the overlap of two whose shapes may overlap.
    #[inline(never)]
    fn separate_near(&mut self, [a, b]: [BodyIndex; 2], rule: Rule) -> bool {
        let yielders = &self.buffers.yielders;
        let (one, other) = (&yielders[a.place()], &yielders[b.place()]);
        let is_pass = rule == Rule::Solid && self.bodies().passes(a, Partner::Body(b));
        if is_pass || !self.parts_by(rule) || (one.sleeps && other.sleeps) {
            return rule == Rule::Soft;
        }
        if one.yields_to(other) || other.yields_to(one) {
            if let Some(found) = self.overlap(a, Partner::Body(b), WHOLE, rule) {
                self.note_overlap(&found);
            }
        }
        rule == Rule::Soft
    }

    /// Shares the overlaps of each pair of child shapes.
    fn separate_parts(&mut self, a: BodyIndex, b: BodyIndex) {
        if self.bodies().both_sleep(a, Partner::Body(b)) {
            return;
        }
        let is_pass = self.bodies().passes(a, Partner::Body(b));
        for parts in self.bodies().pairs_of_parts(a, Partner::Body(b)) {
            let filter = |index: BodyIndex, part: u8| {
                let own = self.buffers.yielders[index.place()].filter;
                own.of_part(self.scenery.part_layer(self.bodies().body(index).shape, part))
            };
            let rule = self.state.layers.rule(filter(a, parts[0]), filter(b, parts[1]));
            if self.parts_by(rule) && !(is_pass && rule == Rule::Solid) {
                if let Some(found) = self.overlap(a, Partner::Body(b), parts, rule) {
                    self.note_overlap(&found);
                }
            }
        }
    }

    /// Adds up an overlap, and keeps it for further rounds unless there are too many.
    fn note_overlap(&mut self, overlap: &Overlap) {
        let separating = &mut *self.buffers;
        overlap.ask(&mut separating.goings, true);
        if separating.overlaps.len() >= separating.yielders.len() << CROWDED_SHIFT {
            separating.is_crowded = true;
        } else {
            separating.overlaps.push(*overlap);
        }
    }

    /// True if overlaps under a rule are resolved.
    #[inline]
    fn parts_by(&self, rule: Rule) -> bool {
        rule == Rule::Soft || (rule == Rule::Solid && !self.is_apart)
    }

    /// Adds up the overlaps with statics.
    fn separate_from_statics(&mut self) {
        let is_apart = self.is_apart;
        let layers = &self.state.layers;
        // No shift is too far: every layer is below 16.
        let of_statics = self.scenery.statics().iter().fold(0, |mask, fixed| mask | 1_u16 << fixed.layer);
        let soft = (0..16).filter(|&layer| layers.is_soft_to_any(layer, of_statics));
        let soft = soft.fold(0_u16, |mask, layer| mask | 1 << layer);
        if is_apart && soft == 0 {
            return;
        }
        let mut found = std::mem::take(&mut self.buffers.statics);
        for index in self.sim.indices() {
            let body = self.bodies().body(index);
            let may = !is_apart || self.scenery.has_compounds() || soft >> body.filter.layer & 1 == 1;
            let Some(region) =
                self.bodies().bounds_here(index, body.path.position).filter(|_| may && body.is_free())
            else {
                continue;
            };
            found.clear();
            self.scenery.query(&region, |id| found.push(id));
            for &id in &found {
                self.separate_from(index, id);
            }
        }
        self.buffers.statics = found;
    }

    fn separate_from(&mut self, index: BodyIndex, id: StaticId) {
        for parts in self.bodies().pairs_of_parts(index, Partner::Static(id)) {
            let rule = self.bodies().rule_of_parts(index, Partner::Static(id), parts);
            if !self.parts_by(rule) {
                continue;
            }
            if let Some(found) = self.overlap(index, Partner::Static(id), parts, rule) {
                self.note_overlap(&found);
            }
        }
    }

    /// The overlap of two; `None` where it is within the allowed depth, or where no direction leads out of it.
    fn overlap(&self, a: BodyIndex, b: Partner, parts: Parts, rule: Rule) -> Option<Overlap> {
        if let Partner::Body(b) = b {
            let yielders = &self.buffers.yielders;
            let (one, other) = (&yielders[a.place()], &yielders[b.place()]);
            if one.radius > 0 && other.radius > 0 {
                let offset = [0, 1, 2].map(|axis: usize| other.place[axis] - one.place[axis]);
                let band = one.band.min(other.band);
                let least = if rule == Rule::Soft { band } else { 0 };
                let found = overlap_balls(offset, one.radius + other.radius, least)?;
                return self.overlap_along(a, Partner::Body(b), rule, band, found);
            }
        }
        let found = self.overlap_parts_by(a, b, parts, rule)?;
        self.overlap_along(a, b, rule, self.soft_band(a, b, parts), found)
    }

    /// The overlap of two, given the allowed depth, the direction from one to the other, and the depth.
    #[inline]
    fn overlap_along(
        &self,
        a: BodyIndex,
        b: Partner,
        rule: Rule,
        band: i64,
        (way, depth): ([i64; 3], i64),
    ) -> Option<Overlap> {
        let one = &self.buffers.yielders[a.place()];
        // Solids separate as far as they rest on each other, so that they are apart whatever was rounded. Soft bodies go up to the
        // allowed depth, so that a body that is pressed from all sides has a place to lie still.
        let depth = if rule == Rule::Solid { depth + band } else { depth - band };
        let normal = normal_of(self.level(way, rule))
            .or_else(|| normal_of(self.level(self.motion_apart(a, b), rule)))?;
        let (other, index) = match b {
            Partner::Body(b) => (self.buffers.yielders[b.place()], Some(b)),
            Partner::Static(_) => (Yielder { rank: Body::UNYIELDING, locks: Locks::NONE, ..*one }, None),
        };
        let (weights, locks) = (weights(one, &other), [one.locks, other.locks]);
        Some(Overlap { a, b: index, normal, depth, weights, locks })
    }

    /// The direction from one child shape to the other, and the depth of their overlap.
    #[inline(never)]
    fn overlap_parts_by(
        &self,
        a: BodyIndex,
        b: Partner,
        parts: Parts,
        rule: Rule,
    ) -> Option<([i64; 3], i64)> {
        let sides = [Partner::Body(a), b];
        let offset = self.bodies().place_of(b, Toi::START) - self.bodies().place_of(sides[0], Toi::START);
        let level = self.level_axes(rule);
        let way = offset + self.bodies().arms_apart(sides, parts, Toi::START);
        let found =
            self.bodies().with_forms(sides, parts, Toi::START, |a, b| penetration_shapes(a, b, way, level));
        let overlaps = match rule {
            Rule::Soft => found.depth > self.soft_band(a, b, parts),
            _ => self.bodies().overlap_parts(a, b, parts, offset),
        };
        let way = found.normal.map_or([0; 3], |normal| normal.components().map(i64::from));
        overlaps.then_some((way, found.depth.max(0)))
    }

    /// The allowed depth of two child shapes, in raw.
    fn soft_band(&self, a: BodyIndex, b: Partner, parts: Parts) -> i64 {
        let band = |which: Partner, part: u8| rest_gap_at_most(self.bodies().shape_of(which, part));
        band(Partner::Body(a), parts[0]).min(band(b, parts[1]))
    }

    /// The motion of B relative to A: the direction for two whose centers coincide.
    fn motion_apart(&self, a: BodyIndex, b: Partner) -> [i64; 3] {
        let motion = |index: BodyIndex| self.buffers.yielders[index.place()].motion;
        let (own, other) = (motion(a), if let Partner::Body(b) = b { motion(b) } else { [0; 3] });
        [0, 1, 2].map(|axis: usize| other[axis] - own[axis])
    }

    /// A direction without what leads out of a flat world; of soft bodies without what leads along gravity, so that they are moved
    /// aside and neither lifted nor pressed down.
    #[inline]
    fn level(&self, way: [i64; 3], rule: Rule) -> [i64; 3] {
        let gravity = self.state.gravity;
        let is_slanting = gravity.raw().into_iter().filter(|&c| c != 0).count() > 1;
        let way = match rule {
            Rule::Soft if is_slanting => across(Vec3::from_raw(way), gravity).raw(),
            _ => way,
        };
        let level = self.level_axes(rule);
        [0, 1, 2].map(|axis: usize| if level[axis] { 0 } else { way[axis] })
    }

    /// The axes of the world along which no body is separated.
    #[inline]
    fn level_axes(&self, rule: Rule) -> [bool; 3] {
        let [x, y, z] = self.state.gravity.raw().map(|c| c != 0 && rule == Rule::Soft);
        let is_along = u8::from(x) + u8::from(y) + u8::from(z) == 1;
        [x && is_along, y && is_along, (z && is_along) || self.state.limits.flat]
    }

    /// Finds the displacements of all bodies: each round adds up all overlaps, then all bodies move.
    fn find_ways(&mut self, speed: Scalar) {
        let separating = &mut *self.buffers;
        let rounds = if separating.is_crowded { 1 } else { ROUNDS };
        for round in 1..=rounds {
            let goings = &mut separating.goings;
            if round > 1 {
                separating.overlaps.iter().for_each(|overlap| overlap.ask(goings, false));
            }
            let goes = goings.iter_mut().filter(|going| going.count > 0);
            goes.for_each(|going| going.go(speed));
        }
    }

    /// Adds the displacements to the motions; a sleeping body that would move is disturbed.
    fn take_shifts(&mut self) {
        for index in self.sim.indices() {
            let Separating { goings, yielders, .. } = &self.buffers;
            let (going, yielder) = (&goings[index.place()], &yielders[index.place()]);
            if going.count == 0 {
                continue;
            }
            let least = yielder.band >> STILL_SHIFT;
            if yielder.sleeps {
                let bodies = Bodies { state: self.state, scenery: self.scenery, sim: self.sim };
                self.sleepers.disturb(bodies, [[Some(index), None]]);
            } else if going.way.iter().any(|c| c.abs() > least) {
                self.sim.shift(self.state, index, Vec3::from_raw(going.way));
            }
        }
    }
}
