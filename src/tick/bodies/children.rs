//! Pairs of child shapes: a compound collides with each of its child shapes.
//!
//! Impacts, contacts, overlaps and events belong to a pair of bodies *and* to a child shape of each, two
//! indices that are 0 for single shapes. A plane between two child shapes does not separate others, so each
//! pair of child shapes has its own; all of them act on the bodies at once. A kernel that tests two child
//! shapes gets the offset between their origins: the offset between the centers plus the difference of the
//! child offsets (`arms_apart`). Its result is converted back to the centers. Both are sums of integers, so
//! nothing is rounded twice.

use super::{
    Bodies,
    body::{BodyIndex, ChildPair, Partner, WHOLE},
};
use crate::{
    geom::{Aabb, Vec3},
    num::Toi,
    overlap::{Manifold, Separation, overlap_shapes, separation_shapes},
    shape::Shape,
    state::{Filter, Rule},
};

impl Bodies<'_> {
    /// The offset from a center to the origin of a child shape at an instant.
    pub fn arm(&self, which: Partner, child: u8, toi: Toi) -> Vec3 {
        match which {
            Partner::Body(index) => self.arm_at(index, child, toi),
            Partner::Static(_) => Vec3::ZERO,
        }
    }

    /// The offset between two child shapes minus that between the centers, at an instant.
    #[inline(always)]
    pub fn arms_apart(&self, sides: [Partner; 2], children: ChildPair, toi: Toi) -> Vec3 {
        if self.scenery.has_compounds() {
            self.arm(sides[1], children[1], toi) - self.arm(sides[0], children[0], toi)
        } else {
            Vec3::ZERO
        }
    }

    /// All pairs of child shapes of a pair.
    pub fn pairs_of_children(&self, a: BodyIndex, b: Partner) -> impl Iterator<Item = ChildPair> + use<> {
        let count = |index: BodyIndex| self.scenery.child_count(self.body(index).shape);
        let (own, other) = (count(a), if let Partner::Body(b) = b { count(b) } else { 1 });
        (0..own).flat_map(move |first| (0..other).map(move |second| [first, second]))
    }

    /// True if `is_so` is true for any pair of child shapes of a pair.
    #[inline]
    pub fn any_children(&self, a: BodyIndex, b: Partner, mut is_so: impl FnMut(ChildPair) -> bool) -> bool {
        if self.scenery.has_compounds() { self.pairs_of_children(a, b).any(is_so) } else { is_so(WHOLE) }
    }

    /// The values that select the rule of a pair with a child shape.
    #[inline(always)]
    pub fn filter_of_child(&self, which: Partner, child: u8) -> Filter {
        match which {
            Partner::Body(index) => {
                let body = self.body(index);
                if self.scenery.has_compounds() {
                    body.filter.of_child(self.scenery.child_layer(body.shape, child))
                } else {
                    body.filter
                }
            }
            Partner::Static(id) => self.scenery.fixed(id).filter(),
        }
    }

    /// The rule of a pair of child shapes.
    #[inline]
    pub fn rule_of_children(&self, a: BodyIndex, b: Partner, children: ChildPair) -> Rule {
        let own = self.filter_of_child(Partner::Body(a), children[0]);
        match self.state.layers.rule(own, self.filter_of_child(b, children[1])) {
            Rule::Solid if self.is_filtered(a, b) => Rule::Ignore,
            rule => rule,
        }
    }

    /// True if a pair of child shapes is solid.
    #[inline(always)]
    pub fn is_solid_pair(&self, a: BodyIndex, b: Partner, children: ChildPair) -> bool {
        let own = self.filter_of_child(Partner::Body(a), children[0]);
        self.state.layers.is_solid(own, self.filter_of_child(b, children[1])) && !self.is_filtered(a, b)
    }

    /// The box of a child shape on a body's path, given the box of the body; the whole box if the body
    /// rotates.
    pub fn box_of_child(&self, index: BodyIndex, child: u8, bounds: &Aabb) -> Aabb {
        let body = self.body(index);
        if body.rotates() || !self.scenery.is_compound(body.shape) {
            return *bounds;
        }
        let solid = self.scenery.solid(body.shape, child);
        let less = body.reach(self.scenery) - solid.own_reach();
        Aabb { min: bounds.min + less + solid.offset, max: bounds.max - less + solid.offset }
    }

    /// A box that holds all child shapes of a body at a position, in the orientation of the start of its
    /// path.
    pub fn bounds_here(&self, index: BodyIndex, place: Vec3) -> Option<Aabb> {
        let body = self.body(index);
        let outline =
            self.rotation_of(index).map_or(self.scenery.outline(body.shape), |rotation| &rotation.form);
        outline.bounds(place)
    }

    /// True if child shapes of a pair overlap at the starts of the paths, at a given offset between the
    /// centers; exact.
    #[inline(always)]
    pub fn overlap_children(&self, a: BodyIndex, b: Partner, children: ChildPair, offset: Vec3) -> bool {
        let offset = offset + self.arms_apart([Partner::Body(a), b], children, Toi::START);
        self.with_forms([Partner::Body(a), b], children, Toi::START, |a, b| overlap_shapes(a, b, offset))
    }

    /// The plane between child shapes of a pair at an instant, given the offset between the centers; its
    /// reach is from center to center.
    pub fn plane_between(
        &self,
        sides: [Partner; 2],
        children: ChildPair,
        offset: Vec3,
        toi: Toi,
    ) -> Option<Separation> {
        self.plane_by(sides, children, offset, toi, separation_shapes)
    }

    /// The plane between child shapes of a pair, by a function of two shapes and the offset between them.
    #[inline(always)]
    pub fn plane_by(
        &self,
        sides: [Partner; 2],
        children: ChildPair,
        offset: Vec3,
        toi: Toi,
        find: impl FnOnce(&Shape, &Shape, Vec3) -> Option<Separation>,
    ) -> Option<Separation> {
        if !self.scenery.has_compounds() {
            return self.with_forms(sides, children, toi, |a, b| find(a, b, offset));
        }
        let arms = self.arms_apart(sides, children, toi);
        let found = self.with_forms(sides, children, toi, |a, b| find(a, b, offset + arms))?;
        Some(Separation { reach: found.reach - found.normal.dot_wide(arms), ..found })
    }

    /// The points between child shapes of a pair, relative to the center of the first body instead of the
    /// origin of its child shape.
    pub fn said_of_center(&self, manifold: Manifold, which: Partner, child: u8, toi: Toi) -> Manifold {
        if self.scenery.has_compounds() { manifold.moved(self.arm(which, child, toi)) } else { manifold }
    }
}
