//! Sets of shapes: the solids of a body that is more than one.
//!
//! A body's `shape` names one shape, or a set: a list of parts, each a shape at an offset from the body's center, on the
//! body's layer or on its own. A set has two names, its own and its mirror image's, so a fighter has one for each frame
//! of its animation and each side that it may face, and a command goes from one to another. Nothing is worked out
//! while a world runs: both images are made here, when the scenery is built.
//!
//! Who meets whom is said by pairs of parts. A single shape is part 0 of itself, with no offset, so a pair of bodies
//! is a pair of parts wherever neither is a set, at no cost. The whole of a set has no shape: nothing but searches
//! for who is near sees its outline, a box around the center that holds all parts.

use serde::{Deserialize, Serialize};

use super::{Lists, SKIN, SceneryError, lean, turning_skin};
use crate::{
    geom::{Inertia, InertiaError, Rotation, Vec3},
    num::Scalar,
    shape::{Capsule, Obb, SIZE_MAX, Shape, Spread},
    state::{LayerTable, SetId, ShapeId},
};

/// One of the solids of a set, as a scenery is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// Which shape of the scenery: no plane, and no set.
    pub shape: ShapeId,
    /// From the body's center to the shape's origin, in units.
    pub offset: Vec3,
    /// Its layer, `0..=15`; `None` for its body's.
    pub layer: Option<u8>,
}

/// One of the solids that a body is made of, as it lies in space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solid {
    /// Around its own origin.
    pub shape: Shape,
    /// From the body's center to that origin, in units, in the axes of the world.
    pub offset: Vec3,
    /// Its layer; `None` for its body's.
    pub layer: Option<u8>,
}

impl Part {
    /// The most parts of a set.
    pub const COUNT_MAX: u64 = 32;

    /// A part in the middle of its body and on its layer.
    #[must_use]
    pub const fn new(shape: ShapeId) -> Self {
        Self { shape, offset: Vec3::ZERO, layer: None }
    }
}

impl Solid {
    /// A shape in the middle of its body and on its layer.
    #[must_use]
    pub const fn new(shape: Shape) -> Self {
        Self { shape, offset: Vec3::ZERO, layer: None }
    }

    /// Its mirror image on the other side of the plane through the body's center where x is 0; exact.
    fn mirrored(&self) -> Self {
        let mirror = |vector: Vec3| Vec3 { x: -vector.x, ..vector };
        let shape = match self.shape {
            Shape::Obb(Obb { half_edges }) => Shape::Obb(Obb { half_edges: half_edges.map(mirror) }),
            Shape::Capsule(Capsule { half_axis, radius }) => Shape::capsule(mirror(half_axis), radius),
            even @ (Shape::Sphere { .. } | Shape::Aabb { .. } | Shape::Plane(_)) => even,
        };
        Self { shape, offset: mirror(self.offset), ..*self }
    }

    /// The same as part of a body that is turned.
    ///
    /// **Rounding**: as [`Shape::turned`]; the offset as [`Rotation::turn_nearest`].
    #[must_use]
    pub fn turned(&self, orientation: Rotation) -> Self {
        let offset = orientation.turn_nearest(self.offset);
        Self { shape: self.shape.turned(orientation), offset, ..*self }
    }

    /// How far it and its skin reach on each axis from its own origin.
    pub(crate) fn own_reach(&self) -> Vec3 {
        self.shape.half_extent().unwrap_or_default() + Vec3::splat(SKIN + lean(&self.shape))
    }

    /// How far it reaches on each axis from its body's center.
    fn reach(&self) -> Vec3 {
        self.offset.map_raw(i64::abs) + self.shape.half_extent().unwrap_or_default()
    }
}

/// All sets and their mirror images, in the order of their names from the last one down.
#[derive(Default, Debug)]
pub(super) struct Sets {
    images: Vec<Image>,
}

#[derive(Debug)]
struct Image {
    solids: Vec<Solid>,
    outline: Shape,
    /// How far a body of this set and its skin reach from its center on each axis.
    reach: Vec3,
    /// How its mass is spread, or why a body of this set cannot turn.
    spread: Result<Spread, InertiaError>,
    /// A box in the frame of a body that turns which holds all parts, however they are turned and rounded.
    hull: Shape,
    /// The reach of a body that may be turned anyhow.
    reach_turned: Vec3,
    leans: bool,
    is_upright: bool,
}

/// How far beyond all its parts the hull of a set goes on each axis: a part's offset and its edges are turned and rounded
/// each for itself, and so are the edges of the hull.
const HULL_SPARE: Scalar = Scalar::from_bits(8);

impl Sets {
    /// The images of the sets of checked lists.
    pub fn of(lists: &Lists) -> Self {
        let solid = |part: &Part| {
            let shape = lists.shapes[usize::from(part.shape.0)];
            Solid { shape, offset: part.offset, layer: part.layer }
        };
        let both = |parts: &Vec<Part>| {
            let solids: Vec<Solid> = parts.iter().map(solid).collect();
            let mirrored = solids.iter().map(Solid::mirrored).collect();
            [Image::of(solids), Image::of(mirrored)]
        };
        Self { images: lists.sets.iter().flat_map(both).collect() }
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

    /// The solids of a set that is there.
    pub fn solids(&self, id: ShapeId) -> Option<&[Solid]> {
        self.get(id).map(|image| &image.solids[..])
    }

    pub fn solid(&self, id: ShapeId, part: u8) -> &Solid {
        &self.image(id).solids[usize::from(part)]
    }

    pub fn outline(&self, id: ShapeId) -> &Shape {
        &self.image(id).outline
    }

    pub fn reach(&self, id: ShapeId) -> Vec3 {
        self.image(id).reach
    }

    /// The reach of a body of a set that may be turned anyhow.
    pub fn reach_turned(&self, id: ShapeId) -> Vec3 {
        self.image(id).reach_turned
    }

    /// A box in the frame of a body that turns which holds all parts.
    pub fn hull(&self, id: ShapeId) -> &Shape {
        &self.image(id).hull
    }

    /// How a body of a set resists being turned about the axes of its frame, or why it cannot turn.
    pub fn inertia(&self, id: ShapeId, mass: u32) -> Result<Inertia, InertiaError> {
        self.image(id).spread.as_ref().map_err(|error| *error)?.inertia(mass)
    }

    /// Whether any part is a capsule or an oriented box.
    pub fn leans(&self, id: ShapeId) -> bool {
        self.image(id).leans
    }

    /// Whether all parts are in the plane of a flat world and upright on it.
    pub fn is_upright(&self, id: ShapeId) -> bool {
        self.image(id).is_upright
    }
}

impl Image {
    fn of(solids: Vec<Solid>) -> Self {
        let half = solids.iter().map(Solid::reach).fold(Vec3::ZERO, Vec3::max);
        let more = solids.iter().map(|solid| lean(&solid.shape)).fold(Scalar::ZERO, Scalar::max);
        let leans = |solid: &Solid| matches!(solid.shape, Shape::Capsule(_) | Shape::Obb(_));
        let is_upright = |solid: &Solid| solid.offset.z == 0 && solid.shape.is_upright();
        let hull = Shape::Obb(Obb::along_axes(half + Vec3::splat(HULL_SPARE)));
        let radius = hull.bounding_radius().unwrap_or_default();
        Self {
            spread: Spread::of(solids.iter().map(|solid| (&solid.shape, solid.offset))),
            hull,
            reach_turned: Vec3::splat(radius + turning_skin(&hull) + SKIN + more),
            outline: Shape::aabb(half),
            reach: half + Vec3::splat(SKIN + more),
            leans: solids.iter().any(leans),
            is_upright: solids.iter().all(is_upright),
            solids,
        }
    }
}

impl Lists {
    /// Checks every part of every set.
    pub(super) fn check_sets(&self) -> Result<(), SceneryError> {
        for (index, parts) in (0..).zip(&self.sets) {
            let count = parts.len() as u64;
            if count == 0 || count > Part::COUNT_MAX {
                return Err(SceneryError::Set { index, part: count, reason: "a set has 1 to 32 parts" });
            }
            for (part, given) in (0..).zip(parts) {
                self.check_part(given).map_err(|reason| SceneryError::Set { index, part, reason })?;
            }
        }
        Ok(())
    }

    fn check_part(&self, part: &Part) -> Result<(), &'static str> {
        let half = match self.shapes.get(usize::from(part.shape.0)) {
            None => return Err("the scenery has no such shape, or it is a set"),
            Some(shape) => shape.half_extent().ok_or("a part is a sphere, an aabb, an obb or a capsule")?,
        };
        if part.layer.is_some_and(|layer| layer >= LayerTable::LAYERS) {
            return Err("layer must be in 0..=15");
        }
        let fits = part.offset.within(SIZE_MAX) && (part.offset.map_raw(i64::abs) + half).within(SIZE_MAX);
        if fits { Ok(()) } else { Err("it reaches farther from the center than 4096") }
    }

    /// How many names of shapes are taken: one for each shape, two for each set.
    pub(super) fn names(&self) -> u64 {
        self.shapes.len() as u64 + 2 * self.sets.len() as u64
    }
}

impl SetId {
    /// What a builder calls the set that comes next.
    pub(super) const fn next(count: usize) -> Self {
        Self(count as u16) // too long a list is refused by `build`
    }
}
