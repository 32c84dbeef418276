//! The static level: shapes and compounds, materials and statics. While a world lives nothing of it changes but heights of the ground.

use std::{
    cell::{Cell, RefCell},
    sync::Arc,
};

use super::{Material, MaterialId, ShapeId, StateError, StaticId, Terrain, skin::lean, wire};
use crate::{
    geom::{Aabb, Vec3},
    num::Scalar,
    shape::{Facet, Shape},
};

/// The static level: shapes, materials and statics under one content hash, checked once and shared by every
/// world, snapshot and replay that uses them.
///
/// The ground of a world's scenery is as its commands have left it; the hash and the bytes are those of the level that it began with.
#[derive(Clone, Debug)]
pub struct Scenery {
    level: Arc<Level>,
    /// The grounds of heights as they are now.
    grounds: Grounds,
    /// The heights in which they differ from those of the level.
    terrain: Terrain,
}

impl Scenery {
    /// The largest coordinate of a static or of a plane's point, in units.
    pub const EXTENT_MAX: Scalar = Lists::EXTENT_MAX;
    /// The largest number of shapes plus twice the compounds, and of materials.
    pub const NAMES_MAX: u64 = Lists::NAMES_MAX;
    /// The largest number of statics.
    pub const STATICS_MAX: u64 = Lists::STATICS_MAX;
    /// The largest number of facets of all statics that are meshes, of which each placement takes some 300 bytes for each of its facets; of heights every triangle counts.
    pub const FACETS_MAX: u64 = Lists::FACETS_MAX;

    fn of(lists: Lists) -> Result<Self, StateError> {
        let level = Arc::new(Level::of(lists)?);
        let Lists { statics, shapes, .. } = &level.lists;
        let grounds = Grounds::of(statics, shapes, level.facets.count());
        Ok(Self { level, grounds, terrain: Terrain::default() })
    }

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
        wire::encode(&self.level.lists)
    }

    /// The 128-bit hash of the canonical bytes.
    #[must_use]
    pub fn content_hash(&self) -> u128 {
        self.level.content_hash
    }

    /// All shapes; a [`ShapeId`] is an index into them, or names a compound.
    #[must_use]
    pub fn shapes(&self) -> &[Shape] {
        &self.level.lists.shapes
    }

    /// All compounds; a [`CompoundId`](super::CompoundId) is an index into them.
    #[must_use]
    pub fn compounds(&self) -> &[Vec<ChildShape>] {
        &self.level.lists.compounds
    }

    /// All materials; a [`MaterialId`] is an index into them.
    #[must_use]
    pub fn materials(&self) -> &[Material] {
        &self.level.lists.materials
    }

    /// True if a body may be a capsule, an oriented box, a hull or a compound: a shape that rotation changes.
    pub(crate) fn has_leaning(&self) -> bool {
        self.level.has_leaning
    }

    /// True if a material has restitution 0.
    pub(crate) fn has_inelastic_material(&self) -> bool {
        self.level.has_inelastic
    }

    /// All statics; a [`StaticId`] is an index into them.
    #[must_use]
    pub fn statics(&self) -> &[Static] {
        &self.level.lists.statics
    }

    /// The shape of an id that was checked on input.
    pub(crate) fn shape(&self, id: ShapeId) -> &Shape {
        &self.level.lists.shapes[usize::from(id.0)]
    }

    /// The material of an id that was checked on input.
    pub(crate) fn material(&self, id: MaterialId) -> Material {
        self.level.lists.materials[usize::from(id.0)]
    }

    /// The static of an id that this scenery gave out; a facet as one with the position and the material of its own.
    pub(crate) fn fixed(&self, id: StaticId) -> &Static {
        self.level.facets.fixed(id).unwrap_or_else(|| &self.of_ground(id).fixed)
    }

    /// The shape of a static, or of a facet.
    #[inline]
    pub(crate) fn shape_of(&self, id: StaticId) -> &Shape {
        let Lists { statics, shapes, .. } = &self.level.lists;
        self.level.facets.shape_of(id, statics, shapes).unwrap_or_else(|| &self.of_ground(id).shape)
    }

    fn of_ground(&self, id: StaticId) -> &Part {
        self.grounds.part(id).expect("an id that names a static or a facet").1
    }

    /// Number of ids: of the statics, behind them of the facets of those that are meshes, and then of the triangles of those that are grounds of heights, of which
    /// each that begins a facet names it.
    #[must_use]
    pub fn static_count(&self) -> usize {
        self.grounds.count()
    }

    /// The static that a facet belongs to, and the triangles of the facet, as their mesh numbers them; `None` for an id of a static.
    ///
    /// Reports, events and queries name facets: their ids follow those of all statics.
    #[must_use]
    pub fn mesh_part(&self, id: StaticId) -> Option<(StaticId, &[u32])> {
        self.level.facets.part(id, &self.level.lists.shapes).or_else(|| self.grounds.triangles(id))
    }

    /// The static that a facet is of, as [`mesh_part`](Self::mesh_part) says it, without a list of triangles; `None` for an id that names no facet.
    #[must_use]
    pub fn facet_owner(&self, id: StaticId) -> Option<StaticId> {
        self.level.facets.owner(id).or_else(|| self.grounds.part(id).map(|(owner, _)| owner))
    }

    /// The facet that an id names, and the position of its origin; `None` for an id of a static.
    #[must_use]
    pub fn facet(&self, id: StaticId) -> Option<(&Facet, Vec3)> {
        match self.facet_owner(id).map(|_| self.shape_of(id)) {
            Some(Shape::Facet(facet)) => Some((facet, self.fixed(id).position)),
            _ => None,
        }
    }

    /// The static that an id belongs to: that of a facet is the mesh.
    pub(crate) fn owner_of(&self, id: StaticId) -> StaticId {
        self.facet_owner(id).unwrap_or(id)
    }

    /// True if an id names a facet of ground of heights.
    pub(crate) fn is_of_ground(&self, id: StaticId) -> bool {
        self.grounds.part(id).is_some()
    }

    /// The first static that is not in the plane z = 0 or does not stand upright on it.
    pub(crate) fn leaning(&self) -> Option<StaticId> {
        self.level.leaning
    }

    /// The reach of a body of a shape, with its skin, from its center on each axis; in any orientation if it
    /// rotates.
    pub(crate) fn reach(&self, shape: ShapeId, rotates: bool) -> Vec3 {
        let reaches = if rotates { &self.level.reaches_turned } else { &self.level.reaches };
        match reaches.get(usize::from(shape.0)) {
            Some(reach) => *reach,
            None if rotates => self.level.compounds.reach_turned(shape),
            None => self.level.compounds.reach(shape),
        }
    }

    /// Number of boundless statics: each is a candidate for every moving body.
    pub(crate) fn boundless_count(&self) -> usize {
        self.level.boundless.len()
    }

    /// True if a region is inside the region without statics: then no query finds any.
    #[inline]
    pub(crate) fn is_clear(&self, region: &Aabb) -> bool {
        self.level.clear.is_some_and(|clear| clear.holds(region))
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
            Shape::Facet(_) => self.has_triangle_near(id, region),
            shape => {
                let bounds = shape.bounds(fixed.position).map(|bounds| bounds.pad(lean(shape)));
                bounds.is_none_or(|bounds| bounds.touches(region))
            }
        }
    }

    /// Calls `found` with every boundless static except those that a region is well in front of.
    pub(crate) fn query_boundless(&self, region: &Aabb, mut found: impl FnMut(StaticId)) {
        if self.level.boundless.is_empty() {
            return;
        }
        let fronts = if self.level.free.holds(region) { &self.level.slanting } else { &self.level.boundless };
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
        let mut found = |leaf: u32| {
            let id = self.level.bounded[leaf as usize];
            let is_ground = !self.grounds.is_empty() && self.grounds.find_touching(id, region, &mut found);
            if !is_ground && self.has_triangle_near(id, region) {
                found(id);
            }
        };
        if !self.level.grid.query(region, &mut found) {
            self.level.tree.query(region, found);
        }
    }

    /// Calls `found` with the static of a leaf, or with those facets of it that have a triangle whose box is `wanted`.
    #[inline]
    fn expand(&self, leaf: u32, wanted: &mut impl FnMut(&Aabb) -> bool, found: &mut impl FnMut(StaticId)) {
        let (id, grounds) = (self.level.bounded[leaf as usize], &self.grounds);
        let is_ground = !grounds.is_empty() && grounds.search(id, &mut *wanted, &mut *found);
        if !is_ground && self.has_wanted_triangle(id, wanted) {
            found(id);
        }
    }

    /// True if a facet has a triangle whose box touches a region; for another static, too.
    #[inline]
    fn has_triangle_near(&self, id: StaticId, region: &Aabb) -> bool {
        if (id.0 as usize) < self.level.lists.statics.len() {
            return true;
        }
        let (Shape::Facet(facet), place) = (self.shape_of(id), self.fixed(id).position) else { return true };
        facet.any_near(&Aabb { min: region.min - place, max: region.max - place }, |_| true)
    }

    /// True if a facet has a triangle whose box is `wanted`; for another static, too.
    #[inline]
    fn has_wanted_triangle(&self, id: StaticId, wanted: &mut impl FnMut(&Aabb) -> bool) -> bool {
        if (id.0 as usize) < self.level.lists.statics.len() {
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
        self.level.boundless.iter().for_each(|(id, _)| found(*id));
        // Facets are asked for while the tree is searched.
        let wanted = RefCell::new(wanted);
        let is_wanted = |bounds: &Aabb| (wanted.borrow_mut())(bounds);
        self.level
            .tree
            .search(is_wanted, |leaf| self.expand(leaf, &mut |bounds: &Aabb| is_wanted(bounds), &mut found));
    }
}

pub(super) mod builder;
mod compounds;
mod dig;
mod fixed;
mod front;
mod grounds;
mod level;
mod lists;
mod meshes;
mod names;
mod one_way;
#[cfg(test)]
mod tests;

pub use compounds::{ChildShape, PlacedShape};
pub use fixed::Static;
pub use one_way::Face;

use front::Front;
use grounds::{Grounds, Part};
use level::Level;
use lists::Lists;
