//! Compounds: bodies with several child shapes.
//!
//! A body's `shape` names one shape or a compound: a list of child shapes, each at an offset from the body's
//! center, on the body's layer or on its own. A compound has two ids, its own and its mirror image's. So a
//! fighter has one for each frame of its animation and each side that it may face, and a command changes one
//! to another. A running world computes nothing for it: both images are made when the scenery is built.
//!
//! Collision is tested between child shapes. A single shape is child shape 0 of itself, with no offset, so a
//! pair of bodies without compounds is one pair of child shapes, at no cost. A compound as a whole has no
//! shape; only searches use its outline, a box around the center that holds all child shapes.

use serde::{Deserialize, Serialize};

use super::lists::Lists;
use crate::{
    geom::{Inertia, Rotation, Vec3},
    num::Scalar,
    shape::{Capsule, Obb, SIZE_MAX, Shape, ShapeError, Spread},
    state::{CompoundId, LayerTable, SKIN, ShapeId, StateError, skin::lean, turning_skin},
};

/// A child shape of a compound, as given to the builder.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChildShape {
    /// A shape of the scenery: no plane, and no compound.
    pub shape: ShapeId,
    /// The offset from the body's center to the shape's origin, in units.
    pub offset: Vec3,
    /// The layer, `0..=15`; `None` for its body's.
    pub layer: Option<u8>,
}

/// A child shape of a body, in the orientation that it has in the world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacedShape {
    /// The shape around its own origin.
    pub shape: Shape,
    /// The offset from the body's center to that origin, in units, in the axes of the world.
    pub offset: Vec3,
    /// The layer; `None` for its body's.
    pub layer: Option<u8>,
}

impl ChildShape {
    /// The largest number of child shapes of a compound.
    pub const COUNT_MAX: u64 = 32;

    /// A child shape at its body's center and on its layer.
    #[must_use]
    pub const fn new(shape: ShapeId) -> Self {
        Self { shape, offset: Vec3::ZERO, layer: None }
    }
}

impl PlacedShape {
    /// A shape at its body's center and on its layer.
    #[must_use]
    pub const fn new(shape: Shape) -> Self {
        Self { shape, offset: Vec3::ZERO, layer: None }
    }

    /// The mirror image across the plane x = 0 through the body's center; exact.
    fn mirrored(&self) -> Self {
        let mirror = |vector: Vec3| Vec3 { x: -vector.x, ..vector };
        let shape = match &self.shape {
            Shape::Obb(Obb { half_edges }) => Shape::Obb(Obb { half_edges: half_edges.map(mirror) }),
            Shape::Capsule(Capsule { half_axis, radius }) => Shape::capsule(mirror(*half_axis), *radius),
            Shape::Hull(form) => Shape::Hull(form.mirrored()),
            // The others look the same in a mirror, or are no child shapes.
            other => other.clone(),
        };
        Self { shape, offset: mirror(self.offset), layer: self.layer }
    }

    /// The same child shape of a rotated body.
    ///
    /// **Rounding**: as [`Shape::turned`]; the offset as [`Rotation::turn_nearest`].
    #[must_use]
    pub fn turned(&self, orientation: Rotation) -> Self {
        let offset = orientation.turn_nearest(self.offset);
        Self { shape: self.shape.turned(orientation), offset, layer: self.layer }
    }

    /// The reach with its skin on each axis from its own origin.
    pub(crate) fn own_reach(&self) -> Vec3 {
        self.shape.half_extent().unwrap_or_default() + Vec3::splat(SKIN + lean(&self.shape))
    }

    /// The reach on each axis from its body's center.
    fn reach(&self) -> Vec3 {
        self.offset.map_raw(i64::abs) + self.shape.half_extent().unwrap_or_default()
    }
}

/// All compounds and their mirror images, in the order of their ids from the last one down.
#[derive(Default, Debug)]
pub(super) struct Compounds {
    images: Vec<Image>,
}

#[derive(Debug)]
struct Image {
    solids: Vec<PlacedShape>,
    outline: Shape,
    /// The reach of a body of this compound, with its skin, from its center on each axis.
    reach: Vec3,
    /// The mass distribution, or the reason for which a body of this compound cannot rotate.
    spread: Result<Spread, ShapeError>,
    /// A box in the frame of a body that rotates; it holds all child shapes in any orientation, with
    /// rounding.
    hull: Shape,
    /// The reach in any orientation.
    reach_turned: Vec3,
    leans: bool,
    is_upright: bool,
}

/// The margin of the hull of a compound around all its child shapes on each axis: the offset and the edges of
/// a child shape are rotated and rounded separately, and so are the edges of the hull.
const HULL_SPARE: Scalar = Scalar::from_bits(8);

impl Compounds {
    /// The compounds of checked lists, with their mirror images.
    pub fn of(lists: &Lists) -> Self {
        let solid = |child: &ChildShape| {
            let shape = lists.shapes[usize::from(child.shape.0)].clone();
            PlacedShape { shape, offset: child.offset, layer: child.layer }
        };
        let both = |children: &Vec<ChildShape>| {
            let solids: Vec<PlacedShape> = children.iter().map(solid).collect();
            let mirrored = solids.iter().map(PlacedShape::mirrored).collect();
            [Image::of(solids), Image::of(mirrored)]
        };
        Self { images: lists.compounds.iter().flat_map(both).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    fn get(&self, id: ShapeId) -> Option<&Image> {
        self.images.get(usize::from(u16::MAX - id.0))
    }

    fn image(&self, id: ShapeId) -> &Image {
        &self.images[usize::from(u16::MAX - id.0)]
    }

    /// The child shapes of a compound that exists.
    pub fn solids(&self, id: ShapeId) -> Option<&[PlacedShape]> {
        self.get(id).map(|image| &image.solids[..])
    }

    pub fn solid(&self, id: ShapeId, child: u8) -> &PlacedShape {
        &self.image(id).solids[usize::from(child)]
    }

    pub fn outline(&self, id: ShapeId) -> &Shape {
        &self.image(id).outline
    }

    pub fn reach(&self, id: ShapeId) -> Vec3 {
        self.image(id).reach
    }

    /// The reach of a body of a compound in any orientation.
    pub fn reach_turned(&self, id: ShapeId) -> Vec3 {
        self.image(id).reach_turned
    }

    /// A box in the frame of a body that rotates; it holds all child shapes.
    pub fn hull(&self, id: ShapeId) -> &Shape {
        &self.image(id).hull
    }

    /// The inertia of a body of a compound about the axes of its frame, or the reason for which it cannot
    /// rotate.
    pub fn inertia(&self, id: ShapeId, mass: u32) -> Result<Inertia, ShapeError> {
        self.image(id).spread.as_ref().map_err(|error| *error)?.inertia(mass)
    }

    /// True if any child shape is a capsule, an oriented box or a hull.
    pub fn leans(&self, id: ShapeId) -> bool {
        self.image(id).leans
    }

    /// True if all child shapes are in the plane of a flat world and upright on it.
    pub fn is_upright(&self, id: ShapeId) -> bool {
        self.image(id).is_upright
    }
}

impl Image {
    fn of(solids: Vec<PlacedShape>) -> Self {
        let half = solids.iter().map(PlacedShape::reach).fold(Vec3::ZERO, Vec3::max);
        let more = solids.iter().map(|solid| lean(&solid.shape)).fold(Scalar::ZERO, Scalar::max);
        let leans = |solid: &PlacedShape| solid.shape.leans();
        let is_upright = |solid: &PlacedShape| solid.offset.z == 0 && solid.shape.is_upright();
        let hull = Shape::Obb(Obb::along_axes(half + Vec3::splat(HULL_SPARE)));
        let radius = hull.bounding_radius().unwrap_or_default();
        Self {
            spread: Spread::of(solids.iter().map(|solid| (&solid.shape, solid.offset))),
            reach_turned: Vec3::splat(radius + turning_skin(&hull) + SKIN + more),
            hull,
            outline: Shape::aabb(half),
            reach: half + Vec3::splat(SKIN + more),
            leans: solids.iter().any(leans),
            is_upright: solids.iter().all(is_upright),
            solids,
        }
    }
}

impl Lists {
    /// Checks every child shape of every compound.
    pub(super) fn check_compounds(&self) -> Result<(), StateError> {
        for (index, children) in (0..).zip(&self.compounds) {
            let count = children.len() as u64;
            if count == 0 || count > ChildShape::COUNT_MAX {
                return Err(StateError::Compound {
                    index,
                    child: count,
                    reason: "a compound has 1 to 32 child shapes",
                });
            }
            for (child, given) in (0..).zip(children) {
                self.check_child(given).map_err(|reason| StateError::Compound { index, child, reason })?;
            }
        }
        Ok(())
    }

    fn check_child(&self, child: &ChildShape) -> Result<(), &'static str> {
        let half = match self.shapes.get(usize::from(child.shape.0)) {
            None => return Err("the scenery has no such shape, or it is a compound"),
            Some(shape) => shape
                .half_extent()
                .ok_or("a child shape is a sphere, an aabb, an obb, a capsule or a hull")?,
        };
        if child.layer.is_some_and(|layer| layer >= LayerTable::LAYERS) {
            return Err("layer must be in 0..=15");
        }
        let fits = child.offset.within(SIZE_MAX) && (child.offset.map_raw(i64::abs) + half).within(SIZE_MAX);
        if fits { Ok(()) } else { Err("it reaches farther from the center than 4096") }
    }

    /// Number of shape ids in use: one for each shape, two for each compound.
    pub(super) fn names(&self) -> u64 {
        self.shapes.len() as u64 + 2 * self.compounds.len() as u64
    }
}

impl CompoundId {
    /// The id that a builder gives to the next compound.
    pub(super) const fn next(count: usize) -> Self {
        Self(count as u16) // `build` refuses a list that is too long
    }
}
