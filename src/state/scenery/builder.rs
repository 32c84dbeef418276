//! Making a scenery, list by list.

use std::sync::Arc;

use super::{ChildShape, Face, Scenery, Static, lists::Lists};
use crate::{
    geom::Vec3,
    shape::Shape,
    state::{CompoundId, Material, MaterialId, ShapeId, StateError, StaticId},
};

/// Builds a scenery.
///
/// ```
/// use bitstep::{
///     geom::Vec3,
///     num::lit,
///     shape::Shape,
///     state::{Material, SceneryBuilder},
/// };
/// let mut builder = SceneryBuilder::default();
/// let rubber = builder.material(Material::new(lit("0.8")).unwrap());
/// let wall = builder.shape(Shape::aabb(Vec3::lit("0.1", "4", "4")));
/// builder.fixed(wall, rubber, Vec3::lit("10", "0", "0"));
/// let scenery = builder.build().unwrap();
/// assert_eq!(scenery.statics().len(), 1);
/// ```
#[derive(Clone, Default, Debug)]
pub struct SceneryBuilder {
    pub(super) lists: Lists,
}

impl SceneryBuilder {
    /// Adds a shape and returns its id.
    pub fn shape(&mut self, shape: Shape) -> ShapeId {
        self.lists.shapes.push(shape);
        ShapeId((self.lists.shapes.len() - 1) as u16) // `build` refuses a list that is too long
    }

    /// Adds a compound and returns its id; [`ShapeId::of_compound`] makes it a body's shape.
    ///
    /// A body that rotates may have it if the center of mass of all child shapes, of equal density whatever
    /// their layers, is the body's center, and the products of inertia are 0:
    /// [`inertia_of_children`](crate::shape::inertia_of_children) has the tolerances.
    /// [`center_of_children`](crate::shape::center_of_children) returns the vector to subtract from all offsets.
    ///
    /// ```
    /// use bitstep::{
    ///     World,
    ///     geom::Vec3,
    ///     num::lit,
    ///     shape::Shape,
    ///     state::{BodyId, Command, Limits, Material, ChildShape, SceneryBuilder, ShapeId, Spawn},
    /// };
    ///
    /// // A fighter: a trunk to stand on and, on another layer, a fist that it holds out.
    /// let mut scenery = SceneryBuilder::default();
    /// scenery.material(Material::INELASTIC);
    /// let trunk = scenery.shape(Shape::aabb(Vec3::lit("0.4", "0.9", "0.4")));
    /// let fist = scenery.shape(Shape::sphere(lit("0.125")));
    /// let offset = Vec3::lit("0.75", "0.5", "0");
    /// let punch = scenery.compound(vec![ChildShape::new(trunk), ChildShape { shape: fist, offset, layer: Some(3) }]);
    /// let mut world = World::new(Limits::new(60), scenery.build()?)?;
    ///
    /// let body = BodyId::from_parts(0, 0);
    /// let spawn = Spawn::new(ShapeId::of_compound(punch, false), Vec3::ZERO);
    /// let turn_left = Command::SetCompound { body, compound: punch, mirrored: true, allow_overlap: false };
    /// world.apply(&[Command::Spawn(spawn), turn_left]).accepted()?;
    /// let solids: Vec<_> = world.body(body).unwrap().solids(world.scenery()).collect();
    /// assert_eq!((solids[1].offset.x, solids[1].layer), (lit("-0.75"), Some(3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compound(&mut self, children: Vec<ChildShape>) -> CompoundId {
        self.lists.compounds.push(children);
        CompoundId::next(self.lists.compounds.len() - 1)
    }

    /// Adds a material and returns its id.
    pub fn material(&mut self, material: Material) -> MaterialId {
        self.lists.materials.push(material);
        MaterialId((self.lists.materials.len() - 1) as u16)
    }

    /// Adds a static in layer 0 and returns its id.
    pub fn fixed(&mut self, shape: ShapeId, material: MaterialId, position: Vec3) -> StaticId {
        self.add(Static { shape, material, position, layer: 0 })
    }

    /// Adds a static and returns its id.
    pub fn add(&mut self, fixed: Static) -> StaticId {
        self.lists.statics.push(fixed);
        StaticId((self.lists.statics.len() - 1) as u32)
    }

    /// Opens a shape on one of its faces, in place of any other open face. All statics and bodies of this
    /// shape then collide only with a body that was apart from them on that side when the tick began.
    ///
    /// *On that side* is beyond the plane of the face, exactly, with all child shapes that the layers make
    /// solid to it; touching is beyond. The plane of a slanting face is lowered by less than 2^-26 of the
    /// size of both shapes, because its normal is rounded, and then the two must not overlap either. No other
    /// body collides with it in that tick: one that jumps up through it, passes through it or was placed
    /// inside it. So it never counts as an overlap, and no command is refused for it. A body that rests on
    /// it, moves along it or is carried by it collides as with any solid; an ignored pair
    /// ([`Command::IgnorePair`](crate::state::Command::IgnorePair)) lets the body drop through.
    ///
    /// A mesh, or ground of heights, is open on its front ([`Face::Front`]): each of its facets collides with a body that has no point of the mesh in its
    /// inside and whose origin is in front of the facet, and of those beside it that rise, or in front of one that falls away. So hills are
    /// passed from below and hold what is on them. A change of heights refuses nothing there.
    ///
    /// The shape is an aabb, an obb or a mesh, is in no compound, and belongs to no dynamic body and to none that
    /// rotates.
    ///
    /// ```
    /// use bitstep::{
    ///     geom::Vec3,
    ///     shape::Shape,
    ///     state::{Face, Material, SceneryBuilder},
    /// };
    /// let mut builder = SceneryBuilder::default();
    /// let wood = builder.material(Material::INELASTIC);
    /// let ledge = builder.shape(Shape::aabb(Vec3::lit("2", "0.1", "1")));
    /// builder.one_way(ledge, Face::PlusY);
    /// builder.fixed(ledge, wood, Vec3::lit("0", "3", "0"));
    /// assert_eq!(builder.build()?.open_face(ledge), Some(Face::PlusY));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn one_way(&mut self, shape: ShapeId, open: Face) {
        let list = &mut self.lists.one_ways;
        match list.binary_search_by_key(&shape, |&(shape, _)| shape) {
            Ok(place) => list[place].1 = open,
            Err(place) => list.insert(place, (shape, open)),
        }
    }

    /// Checks and returns the scenery.
    ///
    /// # Errors
    ///
    /// Names the first entry that is refused, and the reason.
    pub fn build(self) -> Result<Arc<Scenery>, StateError> {
        Scenery::of(self.lists).map(Arc::new)
    }
}
