//! A mesh as data.

use serde::{Deserialize, Serialize};

use super::{heights::Heights, report::MeshReport};
use crate::{
    geom::Vec3,
    num::Scalar,
    shape::{ShapeError, size::SIZE_MAX},
};

/// The bits of a raw that the grid leaves out: its step is 2^-16 unit.
pub(super) const STEP_BITS: u32 = 16;

/// All of a mesh of triangles.
pub(super) struct Baked {
    pub source: Source,
    pub facets: Vec<MeshFacet>,
    pub report: MeshReport,
}

/// The written part of a mesh: all else is found again.
#[derive(Deserialize)]
pub(super) enum Written {
    Triangles(Source),
    Heights(Heights),
}

/// The same, of a mesh that stays.
#[derive(PartialEq, Eq, Hash, Serialize)]
pub(super) enum Writing<'a> {
    Triangles(&'a Source),
    Heights(&'a Heights),
}

/// A mesh as points and triangles.
#[derive(PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Source {
    /// Coordinates in steps of the grid, in the order of their first use.
    pub points: Vec<[i32; 3]>,
    pub triangles: Vec<[u32; 3]>,
    /// One for each triangle, or none if all are 0.
    pub materials: Vec<u8>,
}

/// Triangles that lie in one plane, hang together over edges, and have one material.
pub(crate) struct MeshFacet {
    /// The numbers of the triangles, ascending.
    pub triangles: Vec<u32>,
    /// The normal of the front in lowest terms; exact. The front is that of the first triangle.
    pub normal: [i64; 3],
    pub material: u8,
    /// The corners of each triangle from the mesh's origin, counterclockwise as seen from the front.
    pub corners: Vec<[Vec3; 3]>,
    /// The edge of each triangle from each corner to the next.
    pub borders: Vec<[Border; 3]>,
}

/// An edge of a triangle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Border {
    /// True if nothing in front, or behind, can touch it before it touches a face.
    pub closed: [bool; 2],
    pub beyond: Beyond,
}

/// The faces that share an edge with a triangle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Beyond {
    #[default]
    Nothing,
    /// One of the same facet.
    Level,
    /// One at an angle: its normal in lowest terms, toward the triangle.
    Bent([i64; 3]),
    /// Several, or one of another material in the same plane.
    Several,
}

impl Beyond {
    /// The faces with one more.
    pub(super) fn and(self, other: Self) -> Self {
        if self == Self::Nothing { other } else { Self::Several }
    }
}

/// A point of the grid.
pub(super) fn in_raw(point: [i32; 3]) -> Vec3 {
    Vec3::from_raw(point.map(|part| i64::from(part) << STEP_BITS))
}

/// Fails for points that are too far apart along an axis.
pub(super) fn check_extent(points: impl Iterator<Item = [i32; 3]>) -> Result<(), ShapeError> {
    let (mut min, mut max) = ([i32::MAX; 3], [i32::MIN; 3]);
    for point in points {
        min = [0, 1, 2].map(|axis: usize| min[axis].min(point[axis]));
        max = [0, 1, 2].map(|axis: usize| max[axis].max(point[axis]));
    }
    for axis in 0..3 {
        let size = (i64::from(max[axis as usize]) - i64::from(min[axis as usize])).max(0) << STEP_BITS;
        let (size, limit) = (Scalar::from_bits(size), 2 * SIZE_MAX);
        if size > limit {
            return Err(ShapeError::TooFarApart { axis, size, limit });
        }
    }
    Ok(())
}
