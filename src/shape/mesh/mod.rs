//! Triangle meshes for statics, baked once: in a grid, so that every question about them is one of integers.
//!
//! What collides are not triangles but facets: all triangles that lie in one plane, hang together and have one material. An edge
//! between triangles says nothing by itself; what counts is whether a body can touch it before it touches a face (`edges.rs`).

mod bake;
mod edges;
mod exact;
mod facets;
mod ground;
mod heights;
mod peaks;
mod report;
mod source;
#[cfg(test)]
mod tests;
mod wire;

#[cfg(test)]
pub(super) use exact::WIDTH;
pub(crate) use ground::{Ground, Swept};
#[cfg(test)]
pub(super) use heights::WIDTH as HEIGHT_WIDTH;
pub use heights::{Cell, Heights};
pub use report::MeshReport;
pub(crate) use source::{Beyond, Border, MeshFacet};

use std::{
    fmt,
    hash::{Hash, Hasher},
    sync::{Arc, OnceLock},
};

use xxhash_rust::xxh3::xxh3_128;

use self::source::{Baked, STEP_BITS, Source, Writing, in_raw};
use super::{ShapeError, size};
use crate::{
    geom::Vec3,
    num::{Scalar, round::shr_nearest_64},
};

/// A static triangle mesh, baked: points in a grid of 2^-16 unit, each once, and triangles that have an area, each once. Copies share it.
///
/// Triangles are thin, and solid from both sides; which way round their corners run makes no difference to what collides.
#[derive(Clone)]
pub struct Mesh(Arc<Form>);

/// The ways to make a mesh.
enum Form {
    Triangles(Baked),
    /// Heights, which collide as they are: their triangles are baked for what asks for a list of them.
    Ground(Ground, OnceLock<Box<Baked>>),
}

impl Mesh {
    /// The largest number of points, and of triangles.
    pub const COUNT_MAX: usize = size::MESH_COUNT_MAX;
    /// The largest coordinate of a point; the box around all is at most 8,192 units long.
    pub const EXTENT_MAX: Scalar = size::MESH_EXTENT_MAX;

    /// Bakes a mesh with one material, from points and the places of each triangle's corners among them.
    ///
    /// Points at one place are one; triangles without an area and repeated ones are left out. The [`report`](Self::report) lists them.
    ///
    /// **Rounding**: each coordinate to the nearest step of the grid, 2^-16 unit, halves away from zero.
    ///
    /// # Errors
    ///
    /// If there are too many points or triangles or no triangle is left, a place is beyond the list, or points are too far away or apart.
    ///
    /// ```
    /// use bitstep::{geom::Vec3, shape::Mesh};
    ///
    /// let v = Vec3::lit;
    /// let square = [v("0", "0", "0"), v("0", "0", "8"), v("8", "0", "8"), v("8", "0", "0")];
    /// let floor = Mesh::new(&square, &[[0, 1, 2], [2, 3, 0], [0, 0, 1]])?;
    /// assert_eq!((floor.triangles().len(), floor.report().facets), (2, 1));
    /// assert_eq!(floor.report().degenerate, [2]);
    /// # Ok::<(), bitstep::shape::ShapeError>(())
    /// ```
    pub fn new(points: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self, ShapeError> {
        Self::with_materials(points, triangles, &[])
    }

    /// Bakes a mesh with a number for the material of each triangle, or none for 0 everywhere. A static says which materials of its scenery these are.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and if there is not one number for each triangle.
    pub fn with_materials(
        points: &[Vec3],
        triangles: &[[u32; 3]],
        materials: &[u8],
    ) -> Result<Self, ShapeError> {
        bake::check_counts(points.len(), triangles.len(), materials.len())?;
        if let Some(point) = points.iter().position(|point| !point.within(Self::EXTENT_MAX)) {
            return Err(ShapeError::PointTooFar { point: point as u32 });
        }
        let step = |raw: i64| shr_nearest_64(raw, STEP_BITS) as i32; // at most 2^30
        let in_grid: Vec<[i32; 3]> = points.iter().map(|point| point.raw().map(step)).collect();
        let mut baked = bake::bake(&in_grid, triangles, materials)?;
        let is_rounded = |point: &&Vec3| point.raw().iter().any(|raw| raw.trailing_zeros() < STEP_BITS);
        baked.report.rounded = points.iter().filter(is_rounded).count() as u32;
        Ok(Self::of_baked(baked))
    }

    /// Makes ground from heights over a grid of square cells: two triangles for each that is no hole, with fronts above.
    ///
    /// # Errors
    ///
    /// If all cells are holes, or points are too far apart.
    pub fn of_heights(heights: Heights) -> Result<Self, ShapeError> {
        heights.check()?;
        heights.check_ground()?;
        Ok(Self(Arc::new(Form::Ground(Ground::of(heights), OnceLock::new()))))
    }

    fn of_baked(baked: Baked) -> Self {
        Self(Arc::new(Form::Triangles(baked)))
    }

    /// The heights of which it was made.
    #[must_use]
    pub fn heights(&self) -> Option<&Heights> {
        self.ground().map(Ground::heights)
    }

    pub(crate) fn ground(&self) -> Option<&Ground> {
        match &*self.0 {
            Form::Ground(ground, _) => Some(ground),
            Form::Triangles(_) => None,
        }
    }

    /// The ground, to be changed; copies of this mesh stay as they are.
    pub(crate) fn ground_mut(&mut self) -> Option<&mut Ground> {
        if Arc::get_mut(&mut self.0).is_none() {
            self.0 = Arc::new(Form::Ground(self.ground()?.clone(), OnceLock::new()));
        }
        match Arc::get_mut(&mut self.0)? {
            Form::Ground(ground, baked) => {
                *baked = OnceLock::new();
                Some(ground)
            }
            Form::Triangles(_) => None,
        }
    }

    /// The counts of what was found, and what was left out.
    #[must_use]
    pub fn report(&self) -> &MeshReport {
        &self.0.baked().report
    }

    /// The points.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Vec3> + '_ {
        self.0.baked().source.points.iter().map(|point| in_raw(*point))
    }

    /// The triangles as places among the points, in the order in which they were given.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.0.baked().source.triangles
    }

    /// The number for the material of a triangle; 0 for one that is not there.
    #[must_use]
    pub fn material_of(&self, triangle: u32) -> u8 {
        self.0.baked().source.materials.get(triangle as usize).copied().unwrap_or_default()
    }

    /// One more than the largest number for a material.
    #[must_use]
    pub fn material_count(&self) -> u16 {
        let most = match &*self.0 {
            Form::Ground(ground, _) => ground.heights().most_material(),
            Form::Triangles(baked) => baked.source.materials.iter().copied().max().unwrap_or_default(),
        };
        u16::from(most) + 1
    }

    /// A hash of points, triangles and materials: equal for equal meshes.
    #[must_use]
    pub fn content_hash(&self) -> u128 {
        let Source { points, triangles, materials } = &self.0.baked().source;
        let mut bytes: Vec<u8> = Vec::new();
        for length in [points.len(), triangles.len(), materials.len()] {
            bytes.extend((length as u64).to_le_bytes());
        }
        bytes.extend(points.as_flattened().iter().flat_map(|part| part.to_le_bytes()));
        bytes.extend(triangles.as_flattened().iter().flat_map(|part| part.to_le_bytes()));
        bytes.extend(materials);
        xxh3_128(&bytes)
    }

    pub(crate) fn facets(&self) -> &[MeshFacet] {
        &self.0.baked().facets
    }
}

impl Form {
    /// All triangles.
    fn baked(&self) -> &Baked {
        match self {
            Self::Triangles(baked) => baked,
            Self::Ground(ground, baked) => baked.get_or_init(|| Box::new(ground.bake())),
        }
    }

    fn writing(&self) -> Writing<'_> {
        match self {
            Self::Triangles(baked) => Writing::Triangles(&baked.source),
            Self::Ground(ground, _) => Writing::Heights(ground.heights()),
        }
    }
}

impl PartialEq for Mesh {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.writing() == other.0.writing()
    }
}

impl Eq for Mesh {}

impl Hash for Mesh {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.writing().hash(state);
    }
}

impl fmt::Debug for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.heights() {
            Some(heights) => write!(f, "Mesh(heights {:?})", heights.size()),
            None => write!(f, "Mesh({} triangles, {:032x})", self.triangles().len(), self.content_hash()),
        }
    }
}
