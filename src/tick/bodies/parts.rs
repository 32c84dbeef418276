//! Pairs of parts: a body that is a set of shapes meets others with each of its parts.
//!
//! Impacts, contacts, overlaps and events are of a pair of bodies *and* of a part of each, two numbers that are 0 for
//! single shapes. A plane between two parts says nothing of other parts, so each pair of parts has its own; their
//! bodies are pushed by all of them at once. Whatever a kernel is asked about two parts is asked with the way from
//! one part's origin to the other's, which is the way between the centers and what the parts are off them (`arms_apart`);
//! what it answers is said of the centers again. Both are sums of integers, so nothing is rounded twice.

use super::{
    Bodies,
    mover::{NONE, Partner},
};
use crate::{
    geom::{Aabb, Vec3},
    num::Toi,
    overlap::{Manifold, Separation, overlap_shapes, separation_shapes},
    shape::Shape,
    state::{Filter, Rule},
};

/// Which part of the first of two, and which of the second.
pub type Parts = [u8; 2];

/// Of two single shapes.
pub const WHOLE: Parts = [0; 2];

impl Bodies<'_> {
    /// From the center of something to the origin of a part of it at an instant.
    pub fn arm(&self, which: Partner, part: u8, toi: Toi) -> Vec3 {
        match which {
            Partner::Mover(index) => self.arm_at(index, part, toi),
            Partner::Static(_) => Vec3::ZERO,
        }
    }

    /// By how much the way from one part to another is more than that between the centers at an instant.
    #[inline(always)]
    pub fn arms_apart(&self, sides: [Partner; 2], parts: Parts, toi: Toi) -> Vec3 {
        if self.scenery.has_sets() {
            self.arm(sides[1], parts[1], toi) - self.arm(sides[0], parts[0], toi)
        } else {
            Vec3::ZERO
        }
    }

    /// The pairs of parts of two.
    pub fn pairs_of_parts(&self, a: u32, b: Partner) -> impl Iterator<Item = Parts> + use<> {
        let count = |index: u32| self.scenery.part_count(self.mover(index).shape);
        let (own, other) = (count(a), if let Partner::Mover(b) = b { count(b) } else { 1 });
        (0..own).flat_map(move |first| (0..other).map(move |second| [first, second]))
    }

    /// Whether something is so of any pair of parts of two.
    #[inline]
    pub fn any_parts(&self, a: u32, b: Partner, mut is_so: impl FnMut(Parts) -> bool) -> bool {
        if self.scenery.has_sets() { self.pairs_of_parts(a, b).any(is_so) } else { is_so(WHOLE) }
    }

    /// What decides whom a part meets.
    #[inline(always)]
    pub fn filter_of_part(&self, which: Partner, part: u8) -> Filter {
        match which {
            Partner::Mover(index) => {
                let mover = self.mover(index);
                if self.scenery.has_sets() {
                    mover.filter.of_part(self.scenery.part_layer(mover.shape, part))
                } else {
                    mover.filter
                }
            }
            Partner::Static(id) => self.scenery.fixed(id).filter(),
        }
    }

    /// What two parts are to each other.
    #[inline]
    pub fn rule_of_parts(&self, a: u32, b: Partner, parts: Parts) -> Rule {
        let own = self.filter_of_part(Partner::Mover(a), parts[0]);
        match self.state.layers.rule(own, self.filter_of_part(b, parts[1])) {
            Rule::Solid if self.passes(a, b) => Rule::Ignore,
            rule => rule,
        }
    }

    /// Whether neither of two parts may enter the other.
    #[inline(always)]
    pub fn is_solid_pair(&self, a: u32, b: Partner, parts: Parts) -> bool {
        let own = self.filter_of_part(Partner::Mover(a), parts[0]);
        self.state.layers.is_solid(own, self.filter_of_part(b, parts[1])) && !self.passes(a, b)
    }

    /// Of a box that a mover's path fills what one of its parts fills; of one that turns all of it.
    pub fn box_of_part(&self, index: u32, part: u8, bounds: &Aabb) -> Aabb {
        let mover = self.mover(index);
        if mover.spinner != NONE || !self.scenery.is_set(mover.shape) {
            return *bounds;
        }
        let solid = self.scenery.solid(mover.shape, part);
        let less = mover.reach(self.scenery) - solid.own_reach();
        Aabb { min: bounds.min + less + solid.offset, max: bounds.max - less + solid.offset }
    }

    /// A box that holds all parts of a mover at a place, as they lie where its path begins.
    pub fn bounds_here(&self, index: u32, place: Vec3) -> Option<Aabb> {
        let mover = self.mover(index);
        let outline =
            self.spinner_of(index).map_or(self.scenery.outline(mover.shape), |spinner| &spinner.form);
        outline.bounds(place)
    }

    /// Whether parts of two overlap whose paths begin so far from each other; exact.
    #[inline(always)]
    pub fn overlap_parts(&self, a: u32, b: Partner, parts: Parts, offset: Vec3) -> bool {
        let offset = offset + self.arms_apart([Partner::Mover(a), b], parts, Toi::START);
        self.with_forms([Partner::Mover(a), b], parts, Toi::START, |a, b| overlap_shapes(a, b, offset))
    }

    /// The plane between parts of two at an instant, given the way between their centers; its reach is from center
    /// to center.
    pub fn plane_between(
        &self,
        sides: [Partner; 2],
        parts: Parts,
        offset: Vec3,
        toi: Toi,
    ) -> Option<Separation> {
        self.plane_by(sides, parts, offset, toi, separation_shapes)
    }

    /// The same, given how it is found from two shapes and the way between them.
    #[inline(always)]
    pub fn plane_by(
        &self,
        sides: [Partner; 2],
        parts: Parts,
        offset: Vec3,
        toi: Toi,
        find: impl FnOnce(&Shape, &Shape, Vec3) -> Option<Separation>,
    ) -> Option<Separation> {
        if !self.scenery.has_sets() {
            return self.with_forms(sides, parts, toi, |a, b| find(a, b, offset));
        }
        let arms = self.arms_apart(sides, parts, toi);
        let found = self.with_forms(sides, parts, toi, |a, b| find(a, b, offset + arms))?;
        Some(Separation { reach: found.reach - found.normal.dot_wide(arms), ..found })
    }

    /// Points between parts of two, from the center of the first instead of its part's origin.
    pub fn said_of_center(&self, manifold: Manifold, which: Partner, part: u8, toi: Toi) -> Manifold {
        if self.scenery.has_sets() { manifold.moved(self.arm(which, part, toi)) } else { manifold }
    }
}
