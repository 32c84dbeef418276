//! Statics that are grounds of heights: their facets are made when something first comes near, and kept.

use std::{fmt, sync::OnceLock};

use super::fixed::Static;
use crate::{
    geom::Aabb,
    shape::{Facet, Mesh, Shape},
    state::{MaterialId, StaticId},
};

/// The grounds, in the order of their statics. Each has an id for each of its triangles, of which those that begin a facet name something.
#[derive(Debug, Default)]
pub(super) struct Grounds {
    all: Vec<Grounded>,
}

struct Grounded {
    owner: StaticId,
    fixed: Static,
    mesh: Mesh,
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
    /// Adds a static, whose triangles have the ids from one on, and returns the id after its last.
    pub(super) fn add(&mut self, owner: StaticId, fixed: &Static, mesh: &Mesh, first: u32) -> u32 {
        let Some(ground) = mesh.ground() else { return first };
        let count = ground.triangle_count();
        let blocks = (0..count.div_ceil(BLOCK)).map(|_| OnceLock::new()).collect();
        self.all.push(Grounded { owner, fixed: *fixed, mesh: mesh.clone(), first, blocks });
        first + count as u32
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The facet that an id names, and the static that it is of; `None` for an id that names none of a ground.
    pub(super) fn part(&self, id: StaticId) -> Option<(StaticId, &Part)> {
        let (ground, triangle) = self.ground(id)?;
        Some((ground.owner, ground.part(triangle)?))
    }

    /// The static that a facet is of, and its triangles as the mesh numbers them.
    pub(super) fn triangles(&self, id: StaticId) -> Option<(StaticId, &[u32])> {
        let (grounded, triangle) = self.ground(id)?;
        let (part, ground) = (grounded.part(triangle)?, grounded.mesh.ground()?);
        let triangles = || ground.facet(triangle).map(|facet| facet.triangles).unwrap_or_default();
        Some((grounded.owner, part.triangles.get_or_init(triangles)))
    }

    /// The ground of an id, and the number of the triangle there.
    fn ground(&self, id: StaticId) -> Option<(&Grounded, u32)> {
        let after = self.all.partition_point(|ground| ground.first <= id.0);
        let ground = self.all.get(after.checked_sub(1)?)?;
        Some((ground, id.0 - ground.first))
    }

    /// Calls `found` with each facet of a static that has a triangle whose box is `wanted`, each once; returns false if it is no ground.
    pub(super) fn search(
        &self,
        owner: StaticId,
        wanted: impl FnMut(&Aabb) -> bool,
        mut found: impl FnMut(StaticId),
    ) -> bool {
        let Ok(place) = self.all.binary_search_by_key(&owner, |ground| ground.owner) else { return false };
        let Grounded { fixed, first, mesh, .. } = &self.all[place];
        if let Some(ground) = mesh.ground() {
            ground.search(fixed.position, wanted, |triangle| found(StaticId(first + triangle)));
        }
        true
    }
}

impl Grounded {
    fn part(&self, triangle: u32) -> Option<&Part> {
        let (block, place) = (triangle as usize / BLOCK, triangle as usize % BLOCK);
        let block = self.blocks.get(block)?.get_or_init(|| (0..BLOCK).map(|_| OnceLock::new()).collect());
        let made = || Part::new(&self.fixed, &self.mesh, triangle).map(Box::new);
        block[place].get_or_init(made).as_deref()
    }
}

impl Part {
    fn new(of: &Static, mesh: &Mesh, triangle: u32) -> Option<Self> {
        let (facet, middle, material) = Facet::of_ground(mesh, triangle)?;
        let material = MaterialId(of.material.0 + u16::from(material));
        let fixed = Static { material, position: of.position + middle, ..*of };
        Some(Self { fixed, shape: Shape::Facet(facet), triangles: OnceLock::new() })
    }
}

impl fmt::Debug for Grounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grounded").field("owner", &self.owner).field("mesh", &self.mesh).finish()
    }
}
