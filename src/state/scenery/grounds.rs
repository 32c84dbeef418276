//! Statics that are grounds of heights: their facets are made when something first comes near, and kept.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use super::fixed::Static;
use crate::{
    geom::{Aabb, Vec3},
    shape::{Facet, Ground, Mesh, Shape},
    state::{MaterialId, StaticId},
};

/// The grounds as they are now, in the order of their statics. Each has an id for each of its triangles, of which those that begin a facet name something.
#[derive(Clone, Debug, Default)]
pub(super) struct Grounds {
    all: Vec<Arc<Grounded>>,
    /// Number of all ids, of the statics and facets before them, too.
    count: u32,
}

struct Grounded {
    owner: StaticId,
    fixed: Static,
    /// The mesh of its present heights.
    shape: Shape,
    /// The id of its first triangle; those of the others follow.
    first: u32,
    /// The facets by their first triangles, in blocks that are made with the first of their facets.
    blocks: Vec<OnceLock<Block>>,
}

/// The facets that begin with triangles that follow one another.
type Block = Box<[OnceLock<Option<Box<Part>>>]>;

/// The number of triangles of a block.
const BLOCK: usize = 256;

/// A facet with the position and the material of its own.
pub(super) struct Part {
    pub fixed: Static,
    pub shape: Shape,
    /// Its triangles as the mesh numbers them, once they were asked for.
    triangles: OnceLock<Vec<u32>>,
}

impl Grounds {
    /// The grounds among statics, whose triangles have the ids from one on.
    pub(super) fn of(statics: &[Static], shapes: &[Shape], first: u32) -> Self {
        let mut grounds = Self { all: Vec::new(), count: first };
        for (owner, fixed) in (0..).map(StaticId).zip(statics) {
            if let Shape::Mesh(mesh) = &shapes[usize::from(fixed.shape.0)] {
                grounds.add(owner, *fixed, mesh);
            }
        }
        grounds
    }

    fn add(&mut self, owner: StaticId, fixed: Static, mesh: &Mesh) {
        let Some(ground) = mesh.ground() else { return };
        let (count, first) = (ground.triangle_count(), self.count);
        let (shape, blocks) = (Shape::Mesh(mesh.clone()), empty(count.div_ceil(BLOCK)));
        self.all.push(Arc::new(Grounded { owner, fixed, shape, first, blocks }));
        self.count += count as u32;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Number of all ids, of the statics and facets before them, too.
    pub(super) const fn count(&self) -> usize {
        self.count as usize
    }

    /// The ground that a static is; `None` for another static.
    pub(super) fn ground_of(&self, owner: StaticId) -> Option<&Ground> {
        self.all[self.place(owner)?].ground()
    }

    /// The mesh of the present heights of a static; `None` for one that is no ground.
    pub(super) fn shape_of(&self, owner: StaticId) -> Option<&Shape> {
        Some(&self.all[self.place(owner)?].shape)
    }

    /// Replaces heights of a static: in a rectangle of so many columns from a point on, row by row. What has a clone of these grounds keeps its heights.
    pub(super) fn set_heights(&mut self, owner: StaticId, at: [u32; 2], columns: u32, heights: &[i16]) {
        let Some(place) = self.place(owner) else { return };
        let grounded = Arc::make_mut(&mut self.all[place]);
        let Shape::Mesh(mesh) = &mut grounded.shape else { return };
        if let Some(ground) = mesh.ground_mut() {
            ground.set_heights(at, columns, heights);
            grounded.blocks = empty(ground.triangle_count().div_ceil(BLOCK));
        }
    }

    fn place(&self, owner: StaticId) -> Option<usize> {
        self.all.binary_search_by_key(&owner, |ground| ground.owner).ok()
    }

    /// The facet that an id names, and the static that it is of; `None` for an id that names none of a ground.
    pub(super) fn part(&self, id: StaticId) -> Option<(StaticId, &Part)> {
        let (ground, triangle) = self.ground(id)?;
        Some((ground.owner, ground.part(triangle)?))
    }

    /// The static that a facet is of, and its triangles as the mesh numbers them.
    pub(super) fn triangles(&self, id: StaticId) -> Option<(StaticId, &[u32])> {
        let (grounded, triangle) = self.ground(id)?;
        let (part, ground) = (grounded.part(triangle)?, grounded.ground()?);
        let triangles = || ground.facet(triangle).map(|facet| facet.triangles).unwrap_or_default();
        Some((grounded.owner, part.triangles.get_or_init(triangles)))
    }

    /// The ground of an id, and the number of the triangle there.
    fn ground(&self, id: StaticId) -> Option<(&Grounded, u32)> {
        let after = self.all.partition_point(|ground| ground.first <= id.0);
        let ground = &**self.all.get(after.checked_sub(1)?)?;
        Some((ground, id.0 - ground.first))
    }

    /// Calls `found` with each facet of a static that has a triangle whose box touches a region, each once; returns false if it is no ground.
    pub(super) fn find_touching(
        &self,
        owner: StaticId,
        region: &Aabb,
        mut found: impl FnMut(StaticId),
    ) -> bool {
        self.with(owner, |ground, origin, first| {
            ground.find_facets_touching(origin, region, |triangle| found(StaticId(first + triangle)));
        })
    }

    /// Calls `found` with each facet of a static that has a triangle whose box is `wanted`, each once; returns false if it is no ground.
    pub(super) fn search(
        &self,
        owner: StaticId,
        wanted: impl FnMut(&Aabb) -> bool,
        mut found: impl FnMut(StaticId),
    ) -> bool {
        self.with(owner, |ground, origin, first| {
            ground.search(origin, wanted, |triangle| found(StaticId(first + triangle)));
        })
    }

    /// Looks at the ground that a static is, its origin, and the id of its first triangle; returns false if it is none.
    fn with(&self, owner: StaticId, look: impl FnOnce(&Ground, Vec3, u32)) -> bool {
        let Some(place) = self.place(owner) else { return false };
        let grounded = &*self.all[place];
        if let Some(ground) = grounded.ground() {
            look(ground, grounded.fixed.position, grounded.first);
        }
        true
    }
}

impl Grounded {
    fn ground(&self) -> Option<&Ground> {
        match &self.shape {
            Shape::Mesh(mesh) => mesh.ground(),
            _ => None,
        }
    }

    fn part(&self, triangle: u32) -> Option<&Part> {
        let (block, place) = (triangle as usize / BLOCK, triangle as usize % BLOCK);
        let block = self.blocks.get(block)?.get_or_init(|| empty(BLOCK).into());
        let made = || Part::new(&self.fixed, &self.shape, triangle).map(Box::new);
        block[place].get_or_init(made).as_deref()
    }
}

/// Places for so many things that are made later.
fn empty<T>(count: usize) -> Vec<OnceLock<T>> {
    (0..count).map(|_| OnceLock::new()).collect()
}

impl Clone for Grounded {
    /// Copies what it is, without its facets.
    fn clone(&self) -> Self {
        let Self { owner, fixed, shape, first, blocks } = self;
        Self {
            owner: *owner,
            fixed: *fixed,
            shape: shape.clone(),
            first: *first,
            blocks: empty(blocks.len()),
        }
    }
}

impl Part {
    fn new(of: &Static, mesh: &Shape, triangle: u32) -> Option<Self> {
        let Shape::Mesh(mesh) = mesh else { return None };
        let (facet, middle, material) = Facet::of_ground(mesh, triangle)?;
        let material = MaterialId(of.material.0 + u16::from(material));
        let fixed = Static { material, position: of.position + middle, ..*of };
        Some(Self { fixed, shape: Shape::Facet(facet), triangles: OnceLock::new() })
    }
}

impl fmt::Debug for Grounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grounded").field("owner", &self.owner).field("shape", &self.shape).finish()
    }
}
