//! A line against a triangle.

use std::cmp::Ordering;

use crate::{geom::Vec3, overlap::sign_of_dot};

/// True if the line of a segment passes through a triangle, borders included; exact.
///
/// `offset` is the triangle's origin minus the segment's first point. A line in the plane of the triangle counts as passing.
pub(super) fn ray_hits_triangle(offset: Vec3, displacement: Vec3, corners: &[Vec3; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| corner + offset);
    let way = displacement.raw().map(i128::from);
    // The sign of the volume that the line spans with each edge.
    let signs = [(a, b), (b, c), (c, a)].map(|(from, to)| sign_of_dot(from.cross_wide(to), way));
    !(signs.contains(&Ordering::Less) && signs.contains(&Ordering::Greater))
}
