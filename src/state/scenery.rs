//! The static level: shapes and compounds, materials and statics, none of which change while a world lives.

use std::{
    cell::{Cell, RefCell},
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::{
    LayerTable, Material, MaterialId, SKIN, ShapeId, StateError, StaticId, skin::lean, turning_skin, wire,
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

impl Scenery {
    /// The largest coordinate of a static or of a plane's point, in units.
    pub const EXTENT_MAX: Scalar = lit("16777216");
    /// The largest number of shapes plus twice the compounds, and of materials.
    pub const NAMES_MAX: u64 = 1 << 16;
    /// The largest number of statics.
    pub const STATICS_MAX: u64 = 1 << 24;
    /// The largest number of facets of all statics that are meshes, of which each placement takes some 300 bytes for each of its facets; of heights every triangle counts.
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

    /// All compounds; a [`CompoundId`](super::CompoundId) is an index into them.
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
        self.facets.fixed(id)
    }

    /// The shape of a static, or of a facet.
    #[inline]
    pub(crate) fn shape_of(&self, id: StaticId) -> &Shape {
        self.facets.shape_of(id, &self.lists.statics, &self.lists.shapes)
    }

    /// Number of ids: of the statics, behind them of the facets of those that are meshes, and then of the triangles of those that are grounds of heights, of which
    /// each that begins a facet names it.
    #[must_use]
    pub fn static_count(&self) -> usize {
        self.facets.count()
    }

    /// The static that an id belongs to, which is itself unless it names a facet; and the triangles of the facet, as their mesh numbers them.
    ///
    /// Reports, events and queries name facets: their ids follow those of all statics.
    #[must_use]
    pub fn mesh_part(&self, id: StaticId) -> Option<(StaticId, &[u32])> {
        self.facets.part(id, &self.lists.shapes)
    }

    /// The facet that an id names, and the position of its origin; `None` for an id of a static.
    #[must_use]
    pub fn facet(&self, id: StaticId) -> Option<(&Facet, Vec3)> {
        match self.facets.owner(id).map(|_| self.shape_of(id)) {
            Some(Shape::Facet(facet)) => Some((facet, self.fixed(id).position)),
            _ => None,
        }
    }

    /// The static that an id belongs to: that of a facet is the mesh.
    pub(crate) fn owner_of(&self, id: StaticId) -> StaticId {
        self.facets.owner(id).unwrap_or(id)
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
            Shape::Facet(_) => self.has_wanted_triangle(id, &mut |bounds: &Aabb| bounds.touches(region)),
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
        let mut found =
            |leaf: u32| self.expand(leaf, &mut |bounds: &Aabb| bounds.touches(region), &mut found);
        if !self.grid.query(region, &mut found) {
            self.tree.query(region, found);
        }
    }

    /// Calls `found` with the static of a leaf, or with those facets of it that have a triangle whose box is `wanted`.
    #[inline]
    fn expand(&self, leaf: u32, wanted: &mut impl FnMut(&Aabb) -> bool, found: &mut impl FnMut(StaticId)) {
        let (id, grounds) = (self.bounded[leaf as usize], &self.facets.grounds);
        let is_ground = !grounds.is_empty() && grounds.search(id, &mut *wanted, &mut *found);
        if !is_ground && self.has_wanted_triangle(id, wanted) {
            found(id);
        }
    }

    /// True if a facet has a triangle whose box is `wanted`; for another static, too.
    #[inline]
    fn has_wanted_triangle(&self, id: StaticId, wanted: &mut impl FnMut(&Aabb) -> bool) -> bool {
        if (id.0 as usize) < self.lists.statics.len() {
            return true;
        }
        let (Shape::Facet(facet), place) = (self.shape_of(id), self.fixed(id).position) else { return true };
        let any = Cell::new(false);
        let moved = |bounds: &Aabb| Aabb { min: bounds.min + place, max: bounds.max + place };
        facet.search(|bounds| !any.get() && wanted(&moved(bounds)), |_| any.set(true));
        any.get()
    }

    /// Calls `found` with every static whose bounds are `wanted`, as in [`Tree::search`], and with
    /// every boundless one.
    pub(crate) fn search(&self, wanted: impl FnMut(&Aabb) -> bool, mut found: impl FnMut(StaticId)) {
        self.boundless.iter().for_each(|(id, _)| found(*id));
        // Facets are asked for while the tree is searched.
        let wanted = RefCell::new(wanted);
        let is_wanted = |bounds: &Aabb| (wanted.borrow_mut())(bounds);
        self.tree
            .search(is_wanted, |leaf| self.expand(leaf, &mut |bounds: &Aabb| is_wanted(bounds), &mut found));
    }

    fn of(lists: Lists) -> Result<Self, StateError> {
        lists.check()?;
        let content_hash = xxh3_128(&wire::encode(&lists));
        let (mut bounds, mut bounded, mut boundless) = (Vec::new(), Vec::new(), Vec::new());
        let facets = Facets::of(&lists.statics, &lists.shapes);
        for (id, fixed) in (0..).map(StaticId).zip(&facets.statics) {
            let shape = facets.shape_of(id, &lists.statics, &lists.shapes);
            match shape {
                Shape::Mesh(mesh) => {
                    // Facets that are no ground's follow.
                    bounds.extend(mesh.ground().map(|ground| ground.bounds_at(fixed.position)));
                    bounded.extend(mesh.ground().map(|_| id));
                }
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
            Shape::Mesh(mesh) => match mesh.ground() {
                Some(ground) => ground.triangle_count() as u64,
                None => mesh.facets().len() as u64,
            },
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

pub(super) mod builder;
mod compounds;
mod fixed;
mod front;
mod grounds;
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
