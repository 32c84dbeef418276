//! The overlaps of pairs, and the share of each body in them.

use super::{
    limits::CROWDED_SHIFT,
    memory::{DepenetrationBody, Overlap, Overlaps},
    share::{normal_of, overlap_balls, overlap_solid_balls, weights},
};
use crate::{
    geom::IVec3,
    num::Toi,
    overlap::penetration_shapes,
    state::{Body, Locks, Rule, StaticId},
    tick::{
        bodies::{
            Bodies,
            body::{BodyIndex, ChildPair, Partner, WHOLE},
            gap::rest_gap_at_most,
        },
        drive::across,
    },
};

/// The finder of the overlap of a pair; it adds the shares of both to their displacements.
pub(super) struct OverlapFinder<'a> {
    pub bodies: Bodies<'a>,
    /// The bodies of the tick, as sides of an overlap.
    pub sides: &'a [DepenetrationBody],
    pub found: &'a mut Overlaps,
    /// True if no solid pair overlaps.
    pub is_apart: bool,
}

impl OverlapFinder<'_> {
    /// Shares the overlap of two, if there is any; returns true if they are only soft to each other.
    #[inline(always)]
    pub(super) fn separate_pair(&mut self, [a, b]: [BodyIndex; 2]) -> bool {
        let (one, other) = (&self.sides[a.place()], &self.sides[b.place()]);
        if self.bodies.scenery.has_compounds() {
            self.separate_parts(a, b);
            return false;
        }
        let rule = self.bodies.state.layers.rule(one.filter, other.filter);
        // True of most pairs: boxes have room for motions.
        if one.is_clear_of(other) { rule == Rule::Soft } else { self.separate_near([a, b], rule) }
    }

    /// Shares the overlap of two whose shapes may overlap.
    #[inline(never)]
    fn separate_near(&mut self, [a, b]: [BodyIndex; 2], rule: Rule) -> bool {
        let (one, other) = (&self.sides[a.place()], &self.sides[b.place()]);
        let is_filtered = rule == Rule::Solid && self.bodies.is_filtered(a, Partner::Body(b));
        if is_filtered || !self.parts_by(rule) || (one.sleeps && other.sleeps) {
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
        if self.bodies.both_sleep(a, Partner::Body(b)) {
            return;
        }
        let is_filtered = self.bodies.is_filtered(a, Partner::Body(b));
        for children in self.bodies.pairs_of_children(a, Partner::Body(b)) {
            let filter = |index: BodyIndex, child: u8| {
                let own = self.sides[index.place()].filter;
                own.of_child(self.bodies.scenery.child_layer(self.bodies.body(index).shape, child))
            };
            let rule = self.bodies.state.layers.rule(filter(a, children[0]), filter(b, children[1]));
            if self.parts_by(rule) && !(is_filtered && rule == Rule::Solid) {
                if let Some(found) = self.overlap(a, Partner::Body(b), children, rule) {
                    self.note_overlap(&found);
                }
            }
        }
    }

    /// Adds up an overlap, and keeps it for further rounds unless there are too many.
    fn note_overlap(&mut self, overlap: &Overlap) {
        let Overlaps { displacements, overlaps, is_crowded } = &mut *self.found;
        overlap.ask(displacements, true);
        if overlaps.len() >= self.sides.len() << CROWDED_SHIFT {
            *is_crowded = true;
        } else {
            overlaps.push(*overlap);
        }
    }

    /// True if overlaps under a rule are resolved.
    #[inline]
    fn parts_by(&self, rule: Rule) -> bool {
        rule == Rule::Soft || (rule == Rule::Solid && !self.is_apart)
    }

    /// Shares the overlaps with a static.
    pub(super) fn separate_from(&mut self, index: BodyIndex, id: StaticId) {
        for children in self.bodies.pairs_of_children(index, Partner::Static(id)) {
            let rule = self.bodies.rule_of_children(index, Partner::Static(id), children);
            if !self.parts_by(rule) {
                continue;
            }
            if let Some(found) = self.overlap(index, Partner::Static(id), children, rule) {
                self.note_overlap(&found);
            }
        }
    }

    /// The overlap of two; `None` where it is within the allowed depth, or where no direction leads out of it.
    fn overlap(&self, a: BodyIndex, b: Partner, children: ChildPair, rule: Rule) -> Option<Overlap> {
        if let Partner::Body(b) = b {
            let (one, other) = (&self.sides[a.place()], &self.sides[b.place()]);
            if one.radius > 0 && other.radius > 0 {
                let offset = other.place - one.place;
                let (band, radii) = (one.band.min(other.band), one.radius + other.radius);
                let (way, depth) = match rule {
                    Rule::Soft => overlap_balls(offset, radii, band)?,
                    _ => overlap_solid_balls(offset, radii)?,
                };
                return self.overlap_along(a, Partner::Body(b), rule, way, depth_of(rule, depth, band));
            }
        }
        let (way, depth) = self.overlap_children_by(a, b, children, rule)?;
        self.overlap_along(a, b, rule, way, depth_of(rule, depth, self.soft_band(a, b, children)))
    }

    /// The overlap of two, given the direction from one to the other, and the depth that is resolved.
    #[inline]
    fn overlap_along(
        &self,
        a: BodyIndex,
        b: Partner,
        rule: Rule,
        way: IVec3<i64>,
        depth: i64,
    ) -> Option<Overlap> {
        let one = &self.sides[a.place()];
        let normal = normal_of(self.level(way, rule))
            .or_else(|| normal_of(self.level(self.motion_apart(a, b), rule)))?;
        let (other, index) = match b {
            Partner::Body(b) => (self.sides[b.place()], Some(b)),
            Partner::Static(_) => {
                (DepenetrationBody { rank: Body::UNYIELDING, locks: Locks::NONE, ..*one }, None)
            }
        };
        let (weights, locks) = (weights(one, &other), [one.locks, other.locks]);
        Some(Overlap { a, b: index, normal, depth, weights, locks })
    }

    /// The direction from one child shape to the other, and the depth of their overlap.
    #[inline(never)]
    fn overlap_children_by(
        &self,
        a: BodyIndex,
        b: Partner,
        children: ChildPair,
        rule: Rule,
    ) -> Option<(IVec3<i64>, i64)> {
        let sides = [Partner::Body(a), b];
        let offset = self.bodies.place_of(b, Toi::START) - self.bodies.place_of(sides[0], Toi::START);
        let level = self.level_axes(rule);
        let way = offset + self.bodies.arms_apart(sides, children, Toi::START);
        let found =
            self.bodies.with_forms(sides, children, Toi::START, |a, b| penetration_shapes(a, b, way, level));
        let overlaps = match rule {
            Rule::Soft => found.depth > self.soft_band(a, b, children),
            _ => self.bodies.overlap_children(a, b, children, offset),
        };
        let way = found.normal.map_or(IVec3::ZERO, IVec3::from);
        (overlaps && !self.leads_into_ground(b, way)).then_some((way, found.depth.max(0)))
    }

    /// True if a body would leave a facet of ground to its back, where there is more of the ground: other facets move it out.
    fn leads_into_ground(&self, b: Partner, way: IVec3<i64>) -> bool {
        let Partner::Static(id) = b else { return false };
        let Some((facet, _)) = self.bodies.scenery.facet(id).filter(|_| self.bodies.scenery.is_of_ground(id))
        else {
            return false;
        };
        let front = facet.planes()[0].normal().components().map(i64::from);
        let along: i128 = (0..3).map(|axis| i128::from(way[axis]) * i128::from(front[axis])).sum();
        along > 0
    }

    /// The allowed depth of two child shapes, in raw.
    fn soft_band(&self, a: BodyIndex, b: Partner, children: ChildPair) -> i64 {
        let band = |which: Partner, child: u8| rest_gap_at_most(self.bodies.shape_of(which, child));
        band(Partner::Body(a), children[0]).min(band(b, children[1]))
    }

    /// The motion of B relative to A: the direction for two whose centers coincide.
    fn motion_apart(&self, a: BodyIndex, b: Partner) -> IVec3<i64> {
        let motion = |index: BodyIndex| self.sides[index.place()].motion;
        let other = if let Partner::Body(b) = b { motion(b) } else { IVec3::ZERO };
        other - motion(a)
    }

    /// A direction without what leads out of a flat world; of soft bodies without what leads along gravity, so that they are moved
    /// aside and neither lifted nor pressed down.
    #[inline]
    fn level(&self, way: IVec3<i64>, rule: Rule) -> IVec3<i64> {
        let gravity = self.bodies.state.gravity;
        let is_slanting = gravity.raw().into_iter().filter(|&c| c != 0).count() > 1;
        let way = match rule {
            Rule::Soft if is_slanting => across(way.into(), gravity).into(),
            _ => way,
        };
        let level = self.level_axes(rule);
        IVec3::from_fn(|axis| if level[axis] { 0 } else { way[axis] })
    }

    /// The axes of the world along which no body is separated.
    #[inline]
    fn level_axes(&self, rule: Rule) -> [bool; 3] {
        let [x, y, z] = self.bodies.state.gravity.raw().map(|c| c != 0 && rule == Rule::Soft);
        let is_along = u8::from(x) + u8::from(y) + u8::from(z) == 1;
        [x && is_along, y && is_along, (z && is_along) || self.bodies.state.limits.flat]
    }
}

/// The depth that is resolved, given that of the overlap and the allowed one.
///
/// Solids separate as far as they rest on each other, so that they are apart whatever was rounded. Soft bodies go up to the
/// allowed depth, so that a body that is pressed from all sides has a place to lie still.
#[inline(always)]
fn depth_of(rule: Rule, depth: i64, band: i64) -> i64 {
    if rule == Rule::Solid { depth + band } else { depth - band }
}
