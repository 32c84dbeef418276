//! A facet of a ground of heights with several triangles: each of them is made when something comes near, and kept.

use std::sync::OnceLock;

use super::Piece;
use crate::{
    geom::{Aabb, Vec3},
    shape::Mesh,
};

/// The triangles of a ground that hang together with one.
pub(super) struct Region {
    mesh: Mesh,
    first: u32,
    /// The facet's origin from that of the ground.
    middle: Vec3,
    /// The box around it from the facet's origin.
    bounds: Aabb,
    /// The first triangle of each row, and its place; places count from each row's first triangle to its last.
    rows: Vec<[u32; 2]>,
    /// The triangles that were made, by their places.
    blocks: Vec<OnceLock<Block>>,
}

/// Triangles that follow one another.
type Block = Box<[OnceLock<Box<Piece>>]>;

/// The number of triangles of a block.
const BLOCK: u32 = 128;

impl Region {
    /// The region with the first and the last triangle of each row, the facet's origin from that of the ground, and the box around it.
    pub fn new(mesh: &Mesh, spans: &[[u32; 2]], middle: Vec3, bounds: Aabb) -> Self {
        let mut count = 0;
        let place = |[first, last]: &[u32; 2]| {
            let place = count;
            count += last - first + 1; // no more than the triangles of the ground
            [*first, place]
        };
        let rows: Vec<[u32; 2]> = spans.iter().map(place).collect();
        let blocks = (0..count.div_ceil(BLOCK)).map(|_| OnceLock::new()).collect();
        let first = rows.first().map_or(0, |row| row[0]);
        Self { mesh: mesh.clone(), first, middle, bounds, rows, blocks }
    }

    /// Calls `found` with each triangle whose box is `wanted`, as in [`Tree::search`](crate::geom::Tree::search).
    pub fn search<'a>(&'a self, mut wanted: impl FnMut(&Aabb) -> bool, mut found: impl FnMut(&'a Piece)) {
        let Some(ground) = self.mesh.ground() else { return };
        let wanted = |bounds: &Aabb| bounds.touches(&self.bounds) && wanted(bounds);
        ground.search_triangles(-self.middle, wanted, |triangle| {
            if ground.first_of(triangle) == self.first {
                found(self.piece(triangle));
            }
        });
    }

    /// Calls `found` with each triangle whose box touches a region.
    pub fn find_touching<'a>(&'a self, region: &Aabb, mut found: impl FnMut(&'a Piece)) {
        let Some(ground) = self.mesh.ground() else { return };
        if !self.bounds.touches(region) {
            return;
        }
        ground.find_touching(-self.middle, region, |triangle| {
            if ground.first_of(triangle) == self.first {
                found(self.piece(triangle));
            }
        });
    }

    pub fn first_piece(&self) -> &Piece {
        self.piece(self.first)
    }

    /// The corners of all triangles from the facet's origin.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        let ground = self.mesh.ground();
        let all = ground.map(|ground| ground.corners_of(self.first)).into_iter().flatten();
        all.map(|corners| corners.map(|corner| corner - self.middle))
    }

    fn piece(&self, triangle: u32) -> &Piece {
        let row = self.rows.partition_point(|row| row[0] <= triangle) - 1;
        let [first, place] = self.rows[row];
        let number = place + triangle - first;
        let empty = || (0..BLOCK).map(|_| OnceLock::new()).collect();
        let block = self.blocks[(number / BLOCK) as usize].get_or_init(empty);
        block[(number % BLOCK) as usize].get_or_init(|| {
            let ground = self.mesh.ground().expect("a region is of a ground");
            let (corners, edges, at_corners) = ground.piece(triangle);
            Box::new(Piece::new(triangle, (corners, self.middle), edges, at_corners))
        })
    }
}
