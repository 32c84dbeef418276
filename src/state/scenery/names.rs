//! What the name of a shape stands for: one shape, or the parts of a set.

use super::{Scenery, Solid, turning_skin};
use crate::{
    geom::{Inertia, InertiaError, Vec3},
    num::Scalar,
    shape::{Shape, inertia_of},
    state::{SetId, ShapeId},
};

impl Scenery {
    /// The solids that a name stands for: of a shape the one, of a set or its mirror image each; `None` where
    /// the scenery has no such name.
    #[must_use]
    pub fn solids(&self, shape: ShapeId) -> Option<Vec<Solid>> {
        match self.lists.shapes.get(usize::from(shape.0)) {
            Some(shape) => Some(vec![Solid::new(*shape)]),
            None => self.sets.solids(shape).map(<[Solid]>::to_vec),
        }
    }

    /// The set that a name stands for, and whether it is its mirror image; `None` for a single shape, and for a name
    /// that the scenery does not have.
    #[must_use]
    pub fn set_of(&self, shape: ShapeId) -> Option<(SetId, bool)> {
        let down = u16::MAX - shape.0;
        self.is_set(shape).then_some((SetId(down / 2), down % 2 == 1))
    }

    /// Whether any body may be a set of shapes.
    pub(crate) fn has_sets(&self) -> bool {
        !self.sets.is_empty()
    }

    /// How many parts a shape or a set has.
    pub(crate) fn part_count(&self, id: ShapeId) -> u8 {
        self.sets.solids(id).map_or(1, |solids| solids.len() as u8)
    }

    /// A part of a shape or a set, around its own origin.
    #[inline]
    pub(crate) fn part(&self, id: ShapeId, part: u8) -> &Shape {
        match self.lists.shapes.get(usize::from(id.0)) {
            Some(shape) => shape,
            None => &self.sets.solid(id, part).shape,
        }
    }

    /// The same, with its place in the body and its layer.
    pub(crate) fn solid(&self, id: ShapeId, part: u8) -> Solid {
        match self.lists.shapes.get(usize::from(id.0)) {
            Some(shape) => Solid::new(*shape),
            None => *self.sets.solid(id, part),
        }
    }

    /// The layer of a part; `None` for its body's.
    pub(crate) fn part_layer(&self, id: ShapeId, part: u8) -> Option<u8> {
        if usize::from(id.0) < self.lists.shapes.len() { None } else { self.sets.solid(id, part).layer }
    }

    /// From a body's center to the origin of a part.
    #[inline]
    pub(crate) fn part_offset(&self, id: ShapeId, part: u8) -> Vec3 {
        if usize::from(id.0) < self.lists.shapes.len() {
            Vec3::ZERO
        } else {
            self.sets.solid(id, part).offset
        }
    }

    /// A shape, or a box around the center that holds all parts of a set: for searches, which need no more.
    #[inline]
    pub(crate) fn outline(&self, id: ShapeId) -> &Shape {
        match self.lists.shapes.get(usize::from(id.0)) {
            Some(shape) => shape,
            None => self.sets.outline(id),
        }
    }

    /// The solid of a body that turns, in its own frame; of a set a box that holds all parts however they are turned.
    #[inline]
    pub(crate) fn hull(&self, id: ShapeId) -> &Shape {
        match self.lists.shapes.get(usize::from(id.0)) {
            Some(shape) => shape,
            None => self.sets.hull(id),
        }
    }

    /// How a body resists being turned about the axes of its frame, or why it cannot turn.
    pub(crate) fn inertia(&self, id: ShapeId, mass: u32) -> Result<Inertia, InertiaError> {
        match self.lists.shapes.get(usize::from(id.0)) {
            Some(shape) => inertia_of(shape, mass),
            None => self.sets.inertia(id, mass),
        }
    }

    /// What a part of a body that turns adds to the skin of a pair, given that part: as much as all of its set.
    pub(crate) fn turning_skin(&self, id: ShapeId, part: &Shape) -> Scalar {
        turning_skin(if self.is_set(id) { self.sets.hull(id) } else { part })
    }

    /// The outline of a name that may not be there.
    pub(crate) fn find_outline(&self, id: ShapeId) -> Option<&Shape> {
        let is_there = usize::from(id.0) < self.lists.shapes.len() || self.is_set(id);
        is_there.then(|| self.outline(id))
    }

    /// Whether a name stands for a set of the scenery.
    pub(crate) fn is_set(&self, id: ShapeId) -> bool {
        self.sets.solids(id).is_some()
    }

    /// Whether any part of a shape or a set is a capsule or an oriented box.
    pub(crate) fn leans(&self, id: ShapeId) -> bool {
        match self.lists.shapes.get(usize::from(id.0)) {
            Some(shape) => matches!(shape, Shape::Capsule(_) | Shape::Obb(_)),
            None => self.sets.leans(id),
        }
    }

    /// Whether a shape or a set stands upright on the plane of a flat world.
    pub(crate) fn is_upright(&self, id: ShapeId) -> bool {
        match self.lists.shapes.get(usize::from(id.0)) {
            Some(shape) => shape.is_upright(),
            None => self.sets.is_upright(id),
        }
    }
}
