//! Lookup of a shape id: one shape, or the child shapes of a compound; and the open side of a shape.

use super::{Face, PlacedShape, Scenery, one_way::OpenSide};
use crate::{
    geom::{Inertia, Vec3},
    num::Scalar,
    shape::{Shape, ShapeError, inertia_of},
    state::{CompoundId, ShapeId, turning_skin},
};

impl Scenery {
    /// The solids of an id: the one shape, or each child shape of a compound or its mirror image; `None` if
    /// the scenery has no such id.
    #[must_use]
    pub fn solids(&self, shape: ShapeId) -> Option<Vec<PlacedShape>> {
        match self.level.lists.shapes.get(usize::from(shape.0)) {
            Some(shape) => Some(vec![PlacedShape::new(shape.clone())]),
            None => self.level.compounds.solids(shape).map(<[PlacedShape]>::to_vec),
        }
    }

    /// The compound of an id, and true if the id is its mirror image; `None` for a single shape, and for an
    /// id that the scenery does not have.
    #[must_use]
    pub fn compound_of(&self, shape: ShapeId) -> Option<(CompoundId, bool)> {
        let down = u16::MAX - shape.0;
        self.is_compound(shape).then_some((CompoundId(down / 2), down % 2 == 1))
    }

    /// True if the scenery has compounds.
    pub(crate) fn has_compounds(&self) -> bool {
        !self.level.compounds.is_empty()
    }

    /// Number of child shapes of a shape or a compound.
    pub(crate) fn child_count(&self, id: ShapeId) -> u8 {
        self.level.compounds.solids(id).map_or(1, |solids| solids.len() as u8)
    }

    /// A child shape of a shape or a compound, around its own origin.
    #[inline]
    pub(crate) fn child(&self, id: ShapeId, child: u8) -> &Shape {
        match self.level.lists.shapes.get(usize::from(id.0)) {
            Some(shape) => shape,
            None => &self.level.compounds.solid(id, child).shape,
        }
    }

    /// A child shape, with its offset in the body and its layer.
    pub(crate) fn solid(&self, id: ShapeId, child: u8) -> PlacedShape {
        match self.level.lists.shapes.get(usize::from(id.0)) {
            Some(shape) => PlacedShape::new(shape.clone()),
            None => self.level.compounds.solid(id, child).clone(),
        }
    }

    /// The layer of a child shape; `None` for its body's.
    pub(crate) fn child_layer(&self, id: ShapeId, child: u8) -> Option<u8> {
        if usize::from(id.0) < self.level.lists.shapes.len() {
            None
        } else {
            self.level.compounds.solid(id, child).layer
        }
    }

    /// The offset from a body's center to the origin of a child shape.
    #[inline]
    pub(crate) fn child_offset(&self, id: ShapeId, child: u8) -> Vec3 {
        if usize::from(id.0) < self.level.lists.shapes.len() {
            Vec3::ZERO
        } else {
            self.level.compounds.solid(id, child).offset
        }
    }

    /// A shape, or a box around the center that holds all child shapes of a compound, for searches.
    #[inline]
    pub(crate) fn outline(&self, id: ShapeId) -> &Shape {
        match self.level.lists.shapes.get(usize::from(id.0)) {
            Some(shape) => shape,
            None => self.level.compounds.outline(id),
        }
    }

    /// The shape of a body that rotates, in its own frame; of a compound a box that holds all child shapes in
    /// any orientation.
    #[inline]
    pub(crate) fn hull(&self, id: ShapeId) -> &Shape {
        match self.level.lists.shapes.get(usize::from(id.0)) {
            Some(shape) => shape,
            None => self.level.compounds.hull(id),
        }
    }

    /// The inertia of a body about the axes of its frame, or the reason for which it cannot rotate.
    pub(crate) fn inertia(&self, id: ShapeId, mass: u32) -> Result<Inertia, ShapeError> {
        match self.level.lists.shapes.get(usize::from(id.0)) {
            Some(shape) => inertia_of(shape, mass),
            None => self.level.compounds.inertia(id, mass),
        }
    }

    /// The contribution of a child shape to the skin of a pair if its body rotates: that of its whole
    /// compound.
    pub(crate) fn turning_skin(&self, id: ShapeId, child: &Shape) -> Scalar {
        turning_skin(if self.is_compound(id) { self.level.compounds.hull(id) } else { child })
    }

    /// The outline of an id, if the scenery has it.
    pub(crate) fn find_outline(&self, id: ShapeId) -> Option<&Shape> {
        let is_there = usize::from(id.0) < self.level.lists.shapes.len() || self.is_compound(id);
        is_there.then(|| self.outline(id))
    }

    /// True if an id is a compound of the scenery.
    pub(crate) fn is_compound(&self, id: ShapeId) -> bool {
        self.level.compounds.solids(id).is_some()
    }

    /// True if any child shape of a shape or a compound is a capsule, an oriented box or a hull.
    pub(crate) fn leans(&self, id: ShapeId) -> bool {
        match self.level.lists.shapes.get(usize::from(id.0)) {
            Some(shape) => shape.leans(),
            None => self.level.compounds.leans(id),
        }
    }

    /// True if a shape or a compound is upright on the plane of a flat world.
    pub(crate) fn is_upright(&self, id: ShapeId) -> bool {
        match self.level.lists.shapes.get(usize::from(id.0)) {
            Some(shape) => shape.is_upright(),
            None => self.level.compounds.is_upright(id),
        }
    }

    /// The open face of a shape, if it has one: see
    /// [`SceneryBuilder::one_way`](crate::state::SceneryBuilder::one_way).
    #[must_use]
    pub fn open_face(&self, shape: ShapeId) -> Option<Face> {
        Some(self.open_side(shape)?.face())
    }

    /// True if any shape is open on a side.
    pub(crate) fn has_one_ways(&self) -> bool {
        !self.level.open_sides.is_empty()
    }

    fn open_side(&self, shape: ShapeId) -> Option<&OpenSide> {
        let index = self.level.lists.one_ways.binary_search_by_key(&shape, |&(shape, _)| shape).ok()?;
        self.level.open_sides.get(index)
    }

    /// True if a solid is on the open side of a shape, which is `own` or, of a mesh, has it as a facet. So it is apart from it; of a mesh the caller asks
    /// whether it is apart from all of it. The offset is from the solid's origin to that of `own`. Also true for a shape that is not open.
    pub(crate) fn is_open_to(&self, shape: ShapeId, own: &Shape, solid: &Shape, offset: Vec3) -> bool {
        self.open_side(shape).is_none_or(|side| side.is_open_to(own, solid, offset))
    }
}
