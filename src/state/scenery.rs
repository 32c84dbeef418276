//! The static level: shapes and compounds, materials and statics, none of which change while a world lives.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::{
    CompoundId, LayerTable, Material, MaterialId, SKIN, ShapeId, StateError, StaticId, skin::lean,
    turning_skin, wire,
};
use crate::{
    broad::Grid,
    geom::{Aabb, Tree, Vec3},
    num::{Scalar, lit},
    shape::{Facet, SIZE_MAX, Shape, ShapeError},
};

/// The static level: shapes, materials and statics under one content hash, checked once and shared by every
/// world, snapshot and replay that uses them.
#[derive(Debug)]
pub struct Scenery {
    lists: Lists,
    content_hash: u128,
    /// The statics with bounds, in a tree; a leaf's number is an index into `bounded`.
    tree: Tree,
    /// The same statics, for queries of small regions.
    grid: Grid,
    bounded: Vec<StaticId>,
    facets: Facets,
    /// The first static that does not fit a flat world.
    leaning: Option<StaticId>,
    /// The boundless statics, each with the region well in front of it.
    boundless: Vec<(StaticId, Front)>,
    /// The region well in front of all planes along the axes; the other planes are in `slanting`, too.
    free: Aabb,
    slanting: Vec<(StaticId, Front)>,
    /// A region without statics, bounded or boundless.
    clear: Option<Aabb>,
    /// The reach of a body of each shape, with its skin, from its center on each axis.
    reaches: Vec<Vec3>,
    /// The same reach in any orientation.
    reaches_turned: Vec<Vec3>,
    /// The compounds and their mirror images.
    compounds: Compounds,
    /// The open sides, in the order of their shapes.
    open_sides: Vec<OpenSide>,
    /// True if a pair may have restitution 0.
    has_inelastic: bool,
    /// True if a body may be a capsule, an oriented box, a hull or a compound: a shape that rotation changes.
    pub(crate) has_leaning: bool,
}

/// The encoded lists, from which a scenery is built.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
struct Lists {
    shapes: Vec<Shape>,
    materials: Vec<Material>,
    statics: Vec<Static>,
    compounds: Vec<Vec<ChildShape>>,
    /// The one-way platforms, in the order of the shapes, each once.
    one_ways: Vec<OneWay>,
}

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
    lists: Lists,
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

    /// Checks and returns the scenery.
    ///
    /// # Errors
    ///
    /// Names the first entry that is refused, and the reason.
    pub fn build(self) -> Result<Arc<Scenery>, StateError> {
        Scenery::of(self.lists).map(Arc::new)
    }
}

impl Scenery {
    /// The largest coordinate of a static or of a plane's point, in units.
    pub const EXTENT_MAX: Scalar = lit("16777216");
    /// The largest number of shapes plus twice the compounds, and of materials.
    pub const NAMES_MAX: u64 = 1 << 16;
    /// The largest number of statics.
    pub const STATICS_MAX: u64 = 1 << 24;
    /// The largest number of facets of all statics that are meshes: each placement of a mesh takes some 300 bytes for each of its facets.
    pub const FACETS_MAX: u64 = 1 << 22;

    /// Reads and checks the bytes of [`encode`](Self::encode).
    ///
    /// # Errors
    ///
    /// If the bytes are malformed or the scenery is refused, with the reason.
    pub fn decode(bytes: &[u8]) -> Result<Arc<Self>, StateError> {
        let lists = wire::decode(bytes).map_err(|error| StateError::Malformed(error.to_string()))?;
        Self::of(lists).map(Arc::new)
    }

    /// The canonical bytes: equal sceneries give equal bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        wire::encode(&self.lists)
    }

    /// The 128-bit hash of the canonical bytes.
    #[must_use]
    pub const fn content_hash(&self) -> u128 {
        self.content_hash
    }

    /// All shapes; a [`ShapeId`] is an index into them, or names a compound.
    #[must_use]
    pub fn shapes(&self) -> &[Shape] {
        &self.lists.shapes
    }

    /// All compounds; a [`CompoundId`] is an index into them.
    #[must_use]
    pub fn compounds(&self) -> &[Vec<ChildShape>] {
        &self.lists.compounds
    }

    /// All materials; a [`MaterialId`] is an index into them.
    #[must_use]
    pub fn materials(&self) -> &[Material] {
        &self.lists.materials
    }

    /// True if a material has restitution 0.
    pub(crate) const fn has_inelastic_material(&self) -> bool {
        self.has_inelastic
    }

    /// All statics; a [`StaticId`] is an index into them.
    #[must_use]
    pub fn statics(&self) -> &[Static] {
        &self.lists.statics
    }

    /// The shape of an id that was checked on input.
    pub(crate) fn shape(&self, id: ShapeId) -> &Shape {
        &self.lists.shapes[usize::from(id.0)]
    }

    /// The material of an id that was checked on input.
    pub(crate) fn material(&self, id: MaterialId) -> Material {
        self.lists.materials[usize::from(id.0)]
    }

    /// The static of an id that this scenery gave out; a facet as one with the position and the material of its own.
    pub(crate) fn fixed(&self, id: StaticId) -> &Static {
        &self.facets.statics[id.0 as usize]
    }

    /// The shape of a static, or of a facet.
    #[inline]
    pub(crate) fn shape_of(&self, id: StaticId) -> &Shape {
        self.facets.shape_of(id, &self.lists.statics, &self.lists.shapes)
    }

    /// Number of ids that name something solid: of the statics, and behind them of the facets of those that are meshes.
    #[must_use]
    pub fn static_count(&self) -> usize {
        self.facets.statics.len()
    }

    /// The static that an id belongs to, which is itself unless it names a facet; and the triangles of the facet, as their mesh numbers them.
    ///
    /// Reports, events and queries name facets: their ids follow those of all statics.
    #[must_use]
    pub fn mesh_part(&self, id: StaticId) -> Option<(StaticId, &[u32])> {
        let (owner, place) = self.facets.part(id)?;
        let Shape::Mesh(mesh) = self.shape(self.fixed(owner).shape) else { return None };
        Some((owner, &mesh.facets().get(place)?.triangles))
    }

    /// The facet that an id names, and the position of its origin; `None` for an id of a static.
    #[must_use]
    pub fn facet(&self, id: StaticId) -> Option<(&Facet, Vec3)> {
        match self.facets.part(id).map(|_| self.shape_of(id)) {
            Some(Shape::Facet(facet)) => Some((facet, self.fixed(id).position)),
            _ => None,
        }
    }

    /// The static that an id belongs to: that of a facet is the mesh.
    pub(crate) fn owner_of(&self, id: StaticId) -> StaticId {
        self.facets.part(id).map_or(id, |(owner, _)| owner)
    }

    /// The first static that is not in the plane z = 0 or does not stand upright on it.
    pub(crate) const fn leaning(&self) -> Option<StaticId> {
        self.leaning
    }

    /// The reach of a body of a shape, with its skin, from its center on each axis; in any orientation if it
    /// rotates.
    pub(crate) fn reach(&self, shape: ShapeId, rotates: bool) -> Vec3 {
        let reaches = if rotates { &self.reaches_turned } else { &self.reaches };
        match reaches.get(usize::from(shape.0)) {
            Some(reach) => *reach,
            None if rotates => self.compounds.reach_turned(shape),
            None => self.compounds.reach(shape),
        }
    }

    /// Number of boundless statics: each is a candidate for every moving body.
    pub(crate) fn boundless_count(&self) -> usize {
        self.boundless.len()
    }

    /// True if a region is inside the region without statics: then no query finds any.
    #[inline]
    pub(crate) fn is_clear(&self, region: &Aabb) -> bool {
        self.clear.is_some_and(|clear| clear.holds(region))
    }

    /// Calls `found` with every static that a body whose swept box is a region could hit.
    pub(crate) fn query(&self, region: &Aabb, mut found: impl FnMut(StaticId)) {
        self.query_boundless(region, &mut found);
        self.query_bounded(region, found);
    }

    /// True if [`query`](Self::query) finds a static for a region.
    pub(crate) fn may_touch(&self, id: StaticId, region: &Aabb) -> bool {
        let fixed = self.fixed(id);
        match self.shape_of(id) {
            Shape::Plane(plane) => !Front::of(plane.moved(fixed.position)).holds(region),
            shape => {
                let bounds = shape.bounds(fixed.position).map(|bounds| bounds.pad(lean(shape)));
                bounds.is_none_or(|bounds| bounds.touches(region))
            }
        }
    }

    /// Calls `found` with every boundless static except those that a region is well in front of.
    pub(crate) fn query_boundless(&self, region: &Aabb, mut found: impl FnMut(StaticId)) {
        if self.boundless.is_empty() {
            return;
        }
        let fronts = if self.free.holds(region) { &self.slanting } else { &self.boundless };
        for (id, front) in fronts {
            if !front.holds(region) {
                found(*id);
            }
        }
    }

    /// Calls `found` with every static whose bounds touch a region.
    pub(crate) fn query_bounded(&self, region: &Aabb, mut found: impl FnMut(StaticId)) {
        if self.is_clear(region) {
            return;
        }
        let mut found = |leaf: u32| found(self.bounded[leaf as usize]);
        if !self.grid.query(region, &mut found) {
            self.tree.query(region, found);
        }
    }

    /// Calls `found` with every static whose bounds are `wanted`, as in [`Tree::search`], and with
    /// every boundless one.
    pub(crate) fn search(&self, wanted: impl FnMut(&Aabb) -> bool, mut found: impl FnMut(StaticId)) {
        self.boundless.iter().for_each(|(id, _)| found(*id));
        self.tree.search(wanted, |leaf| found(self.bounded[leaf as usize]));
    }

    fn of(lists: Lists) -> Result<Self, StateError> {
        lists.check()?;
        let content_hash = xxh3_128(&wire::encode(&lists));
        let (mut bounds, mut bounded, mut boundless) = (Vec::new(), Vec::new(), Vec::new());
        let facets = Facets::of(&lists.statics, &lists.shapes);
        for (id, fixed) in (0..).map(StaticId).zip(&facets.statics) {
            let shape = facets.shape_of(id, &lists.statics, &lists.shapes);
            match shape {
                Shape::Mesh(_) => {} // its facets follow
                Shape::Plane(plane) => boundless.push((id, Front::of(plane.moved(fixed.position)))),
                _ => {
                    bounds.extend(shape.bounds(fixed.position).map(|aabb| aabb.pad(lean(shape))));
                    bounded.push(id);
                }
            }
        }
        let mut tree = Tree::default();
        tree.build(&bounds);
        let grid = Grid::of(bounds);
        let leaning = lists.first_leaning();
        let skin = |shape: &Shape| Vec3::splat(SKIN + lean(shape));
        let reach = |shape: &Shape| shape.half_extent().unwrap_or_default() + skin(shape);
        let reaches = lists.shapes.iter().map(reach).collect();
        let ball = |shape: &Shape| {
            let radius = shape.bounding_radius().unwrap_or_default();
            Vec3::splat(radius + turning_skin(shape)) + skin(shape)
        };
        let reaches_turned = lists.shapes.iter().map(ball).collect();
        let is_slanting = |(_, front): &&(StaticId, Front)| matches!(front, Front::Slanting(_));
        let slanting: Vec<_> = boundless.iter().filter(is_slanting).copied().collect();
        let free = free_of(&boundless);
        let among = if bounded.is_empty() { Some(free) } else { grid.clear() };
        let both = |a: Aabb| Aabb { min: a.min.max(free.min), max: a.max.min(free.max) };
        let clear = among.map(both).filter(|_| slanting.is_empty());
        let has_inelastic = lists.materials.iter().any(|material| material.restitution_q16 == 0);
        let has_leaning = !lists.compounds.is_empty() || lists.shapes.iter().any(Shape::leans);
        Ok(Self {
            compounds: Compounds::of(&lists),
            open_sides: lists.open_sides(),
            lists,
            content_hash,
            tree,
            grid,
            bounded,
            facets,
            leaning,
            boundless,
            free,
            slanting,
            clear,
            reaches,
            reaches_turned,
            has_inelastic,
            has_leaning,
        })
    }
}

impl Lists {
    fn check(&self) -> Result<(), StateError> {
        self.check_lengths()?;
        for (index, shape) in (0..).zip(&self.shapes) {
            shape.check(SIZE_MAX).map_err(|error| StateError::Shape { index, error })?;
            match shape {
                Shape::Plane(plane) => check_extent("shape", index, plane.point())?,
                Shape::Hull(form) if !form.is_as_made() => {
                    return Err(StateError::Shape { index, error: ShapeError::Rotated });
                }
                _ => {}
            }
        }
        self.check_compounds()?;
        self.check_one_ways()?;
        (0..).zip(&self.statics).try_for_each(|(index, fixed)| self.check_static(index, fixed))?;
        let facets = |fixed: &Static| match &self.shapes[usize::from(fixed.shape.0)] {
            Shape::Mesh(mesh) => mesh.facets().len() as u64,
            _ => 0,
        };
        let (count, limit) = (self.statics.iter().map(facets).sum(), Scenery::FACETS_MAX);
        if count > limit {
            return Err(StateError::TooMany { list: "facets of meshes", count, limit });
        }
        Ok(())
    }

    fn first_leaning(&self) -> Option<StaticId> {
        let is_leaning =
            |fixed: &Static| fixed.position.z != 0 || !self.shapes[usize::from(fixed.shape.0)].is_upright();
        (0..).map(StaticId).zip(&self.statics).find(|(_, fixed)| is_leaning(fixed)).map(|(id, _)| id)
    }

    fn check_lengths(&self) -> Result<(), StateError> {
        let lists = [
            ("shapes", self.shapes.len() as u64, Scenery::NAMES_MAX),
            ("compounds", self.names(), Scenery::NAMES_MAX),
            ("materials", self.materials.len() as u64, Scenery::NAMES_MAX),
            ("statics", self.statics.len() as u64, Scenery::STATICS_MAX),
        ];
        match lists.into_iter().find(|&(_, count, limit)| count > limit) {
            Some((list, count, limit)) => Err(StateError::TooMany { list, count, limit }),
            None => Ok(()),
        }
    }

    fn check_static(&self, index: u64, fixed: &Static) -> Result<(), StateError> {
        let Some(shape) = self.shapes.get(usize::from(fixed.shape.0)) else {
            return Err(StateError::Missing { index, list: "shape", value: fixed.shape.0 });
        };
        // A mesh has a run of materials, from the static's own on.
        let last = match shape {
            Shape::Mesh(mesh) => u32::from(fixed.material.0) + u32::from(mesh.material_count()) - 1,
            _ => fixed.material.0.into(),
        };
        if self.materials.len() <= last as usize {
            let value = last.try_into().unwrap_or(u16::MAX);
            return Err(StateError::Missing { index, list: "material", value });
        }
        if fixed.layer >= LayerTable::LAYERS {
            return Err(StateError::Layer { index, value: fixed.layer });
        }
        check_extent("static", index, fixed.position)?;
        match shape {
            Shape::Plane(plane) => check_extent("static", index, fixed.position + plane.point()),
            _ => Ok(()),
        }
    }
}

fn check_extent(list: &'static str, index: u64, position: Vec3) -> Result<(), StateError> {
    let limit = Scenery::EXTENT_MAX;
    if position.within(limit) { Ok(()) } else { Err(StateError::TooFar { list, index, limit }) }
}

mod compounds;
mod fixed;
mod front;
mod meshes;
mod names;
mod one_way;
#[cfg(test)]
mod tests;

pub use compounds::{ChildShape, PlacedShape};
pub use fixed::Static;
pub use one_way::Face;

use compounds::Compounds;
use front::{Front, free_of};
use meshes::Facets;
use one_way::{OneWay, OpenSide};
