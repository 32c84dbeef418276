//! The direction from one solid to a capsule's axis, for use as a certificate.
//!
//! Each is good to 2^-30 however small the distance is: it is taken from the features (face, edge, corner)
//! that are nearest, not from rounded points. The choice of features need not be exact: any direction is a
//! valid certificate. Where the solids overlap it is along a shortest way out; `None` where such ways cancel.

use super::{
    toward_obb::{toward_obb, with_62_bits},
    widest::{Rank, Widest},
};
use crate::{
    geom::{IVec3, Normal, Vec3},
    shape::Obb,
};

/// The direction from the origin to the nearest point of a segment: its middle is at `offset`, its ends
/// `along` to either side. `None` for the origin on the segment.
pub(crate) fn toward_segment(offset: Vec3, along: Vec3) -> Option<Normal> {
    let (share, square) = (offset.dot_wide(along), along.dot_wide(along));
    let normal = if share.abs() < square {
        across(offset, along)
    } else {
        Normal::from_vector(offset + along.map_raw(|c| if share < 0 { c } else { -c }))
    };
    normal.map(Normal::lengthened)
}

/// The direction from a segment around the origin to another one at `offset`, by their half lengths `a` and
/// `b`.
///
/// The differences between points of both make a parallelogram: its nearest point is on one of the four
/// sides, or inside, along the normal of both. Of these directions it is the one that shows them farthest
/// apart.
pub(crate) fn toward_segment_from_segment(offset: Vec3, a: Vec3, b: Vec3) -> Option<Normal> {
    let mut widest = Widest::default();
    let mut offer = |normal: Option<Normal>, rank: Rank| {
        if let Some(normal) = normal {
            let reach = normal.dot_wide(a).abs() + normal.dot_wide(b).abs();
            widest.offer(normal, offset, reach, rank);
        }
    };
    offer(Normal::from_wide(a.cross_wide(b)).map(Normal::lengthened), Rank::Crossed);
    for (side, along) in [(a, b), (b, a)] {
        offer(toward_segment(offset + side, along), Rank::Face);
        offer(toward_segment(offset - side, along), Rank::Face);
    }
    widest.normal()
}

/// The direction from an oriented box around the origin to a segment at `offset`, by its half length.
///
/// Of the face normals, the crossed edges, the directions to both ends and those from corners to the
/// segment, it is the one that shows them farthest apart.
pub(crate) fn toward_segment_from_obb(offset: Vec3, obb: &Obb, along: Vec3) -> Option<Normal> {
    let mut widest = Widest::default();
    let mut offer = |normal: Normal, rank: Rank| {
        let reach = obb.support_wide(normal) + normal.dot_wide(along).abs();
        widest.offer(normal, offset, reach, rank);
    };
    let crossed = obb.half_edges.map(|edge| edge.cross_wide(along));
    let faces = obb.face_normals_wide();
    for normal in faces.into_iter().filter_map(Normal::from_wide) {
        offer(normal.lengthened(), Rank::Face);
    }
    for normal in crossed.into_iter().filter_map(Normal::from_wide) {
        offer(normal.lengthened(), Rank::Crossed);
    }
    for end in [offset + along, offset - along] {
        if let Some(normal) = toward_obb(-end, obb) {
            offer(-normal, Rank::Face);
        }
    }
    let (square, share) = (along.dot_wide(along), offset.dot_wide(along));
    let shares = obb.half_edges.map(|edge| edge.dot_wide(along));
    for sides in 0..8 {
        let sign = |i: usize| if sides >> i & 1 == 0 { 1 } else { -1 };
        // Otherwise the corner is nearest to an end.
        if (share - sign(0) * shares[0] - sign(1) * shares[1] - sign(2) * shares[2]).abs() < square {
            if let Some(normal) = from_corner(offset, obb, along, [0, 1, 2].map(|i| sign(i) as i64)) {
                offer(normal, Rank::Face);
            }
        }
    }
    widest.normal()
}

/// The direction from a corner to the middle of a segment, at a right angle to it, if the corner is as
/// far out along it as the box goes, up to rounding.
fn from_corner(offset: Vec3, obb: &Obb, along: Vec3, sides: [i64; 3]) -> Option<Normal> {
    let end = |i: usize| obb.half_edges[i].map_raw(|c| c * sides[i]);
    let edges = [end(0), end(1), end(2)];
    let way = offset - edges[0] - edges[1] - edges[2];
    let normal = across(way, along)?.lengthened();
    edges.into_iter().all(|edge| normal.dot_wide(edge) >= -rounded(edge)).then_some(normal)
}

/// Twice the error in a normal's product with an edge that comes from rounding the normal by half a unit on
/// each axis.
///
/// An edge that is parallel to the segment, or nearly, is at a right angle to the normal: only this bound
/// tells that the corner is as far out as the other end of the edge.
fn rounded(edge: Vec3) -> i128 {
    edge.raw().into_iter().map(|c| i128::from(c.abs())).sum()
}

/// The part of a vector at a right angle to a direction, times the square of that; `None` where it is zero.
fn across(way: Vec3, along: Vec3) -> Option<Normal> {
    Normal::from_wide(with_62_bits(along.cross_wide(way)).cross(IVec3::from(along)).0)
}
