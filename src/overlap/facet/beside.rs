//! Proofs that a solid is apart from a facet, by its plane, the sides of its triangles and the faces of a box: cheaper than the nearest points.
//!
//! A rounded direction has extents of its own, so it proves what an exact one would.

use super::super::convex_plane::clearance_convex_q32;
use crate::{
    geom::{Normal, Vec3},
    num::Scalar,
    shape::{Convex, Facet, Obb, Piece, Shape},
};

/// A solid near a facet.
pub(super) struct Placed<'a> {
    pub shape: &'a Shape,
    /// The same as corners and a radius.
    pub convex: Convex<'a>,
    /// Its origin minus the facet's.
    pub offset: Vec3,
}

/// True if a solid is proved to be farther than a distance from the plane of a facet, or to be aside of its only triangle by that. False proves nothing.
pub(super) fn is_off(facet: &Facet, solid: &Placed<'_>, distance: Scalar) -> bool {
    let is_above = |plane| clearance_convex_q32(-solid.offset, &solid.convex, plane, distance) > 0;
    facet.planes().iter().any(is_above)
        || facet.only_piece().is_some_and(|piece| is_aside(facet, piece, solid, distance))
}

/// True if a solid is proved to be no nearer to a triangle than a distance: it is aside of that, or, if it is a turned box, in front of it with one of its
/// faces. Then neither has a point in the other's inside.
pub(super) fn is_apart(facet: &Facet, piece: &Piece, solid: &Placed<'_>, distance: Scalar) -> bool {
    is_aside(facet, piece, solid, distance) || is_behind_face(piece, solid, distance)
}

/// True if a solid is a turned box and a triangle is in front of one of its faces by no less than a distance.
pub(super) fn is_behind_face(piece: &Piece, solid: &Placed<'_>, distance: Scalar) -> bool {
    matches!(solid.shape, Shape::Obb(obb) if is_before(obb, piece, solid.offset, distance))
}

/// True if a solid is beyond one edge of a triangle, seen along the plane, by no less than a distance.
fn is_aside(facet: &Facet, piece: &Piece, solid: &Placed<'_>, distance: Scalar) -> bool {
    let (corners, convex) = (piece.corners(), &solid.convex);
    let up = Vec3::from_raw(facet.planes()[0].normal().components().map(i64::from));
    (0..3).any(|i: usize| {
        let outward = (corners[(i + 1) % 3] - corners[i]).cross_wide(up);
        let Some(normal) = Normal::from_wide(outward) else { return false };
        let [_, border] = extents(corners, normal);
        let gap = normal.dot_wide(solid.offset + convex.farthest(-normal)) - border;
        is_as_wide(gap, normal, convex.radius() + distance)
    })
}

/// True if a triangle is in front of one face of a box by no less than a distance.
fn is_before(obb: &Obb, piece: &Piece, offset: Vec3, distance: Scalar) -> bool {
    obb.face_normals_wide().into_iter().filter_map(Normal::from_wide).any(|normal| {
        let [least, most] = extents(piece.corners(), normal);
        let height = normal.dot_wide(offset);
        let gap = (height - most).max(least - height) - obb.support_wide(normal);
        is_as_wide(gap, normal, distance)
    })
}

/// True if a gap, times the length of a normal, is no less than a distance.
pub(super) const fn is_as_wide(gap: i128, normal: Normal, distance: Scalar) -> bool {
    let distance = distance.to_bits();
    gap >= 0 && (distance == 0 || gap >= distance as i128 * normal.length_up() as i128)
}

/// The least and the largest product of a normal with a corner.
fn extents(corners: &[Vec3; 3], normal: Normal) -> [i128; 2] {
    let [a, b, c] = corners.map(|corner| normal.dot_wide(corner));
    [a.min(b).min(c), a.max(b).max(c)]
}
