//! The road as triangles.

use bitstep::{
    geom::Vec3,
    num::{Scalar, lit},
    shape::{Mesh, ShapeError},
};

use super::{HALF_WIDTH, LENGTH, Place};

/// Number of rows of points along the course: one every two and a half units.
const ROWS: u32 = 241;
/// The points of a row: how far left, and how high above the road. The borders lean a little.
const ACROSS: [(&str, &str); 5] = [("-7.3", "1"), ("-7", "0"), ("0", "0"), ("7", "0"), ("7.3", "1")];

/// The road and its borders.
///
/// # Errors
///
/// None for this course: it is the mesh that may refuse one.
pub fn mesh() -> Result<Mesh, ShapeError> {
    let points: Vec<Vec3> = (0..ROWS).flat_map(row).collect();
    let width = ACROSS.len() as u32;
    let mut triangles = Vec::new();
    for at in 0..ROWS {
        for part in 0..width - 1 {
            let (here, there) = (at * width + part, (at + 1) % ROWS * width + part);
            triangles.extend([[here, there, there + 1], [here, there + 1, here + 1]]);
        }
    }
    Mesh::new(&points, &triangles)
}

fn row(at: u32) -> impl Iterator<Item = Vec3> {
    let along = Scalar::from_bits(LENGTH.to_bits() / i64::from(ROWS) * i64::from(at));
    ACROSS.into_iter().map(move |(left, up)| {
        let left: Scalar = lit(left);
        // A border stands on the edge of the road.
        let edge = left.clamp(-HALF_WIDTH, HALF_WIDTH);
        let place = Place { along, left }.point();
        Vec3 { y: Place { along, left: edge }.point().y + lit(up), ..place }
    })
}
