//! The direction from a point to an oriented box, for use as a certificate.

use super::{
    closest_point_obb::{EDGE, box_coordinates},
    widest::{Rank, Widest},
};
use crate::{
    geom::{IVec3, Normal, Vec3},
    shape::Obb,
};

/// The direction from the origin to the nearest point of a box at `offset`.
///
/// From inside, it is the face normal along which the way out is shortest, pointing to the box's center;
/// `None` where ways out of equal length cancel, as they do from the center itself.
///
/// It is taken from the feature (face, edge or corner) that holds the nearest point and not from that point,
/// so it is good to 2^-30 however small the distance is. The choice of the feature need not be exact: any
/// direction is a valid certificate.
pub(crate) fn toward_obb(offset: Vec3, obb: &Obb) -> Option<Normal> {
    nearest_feature(offset, obb).or_else(|| shortest_way_out(offset, obb)).map(Normal::lengthened)
}

/// The direction to the feature that holds the nearest point; `None` from inside, or on it.
fn nearest_feature(offset: Vec3, obb: &Obb) -> Option<Normal> {
    let shares = box_coordinates(-offset, obb);
    let mut sides = shares.map(|share| if share.abs() >= EDGE { share.signum() } else { 0 });
    while let Some(normal) = across_feature(offset, obb, sides) {
        // Where the box reaches farther inward along an edge than the feature does, the feature
        // extends along that edge.
        let inward = |&i: &usize| i128::from(sides[i]) * normal.dot_wide(obb.half_edges[i]) > 0;
        match (0..3).find(inward) {
            Some(i) => sides[i] = 0,
            None => return Some(normal),
        }
    }
    None
}

/// The direction to a feature's plane, line or point; `None` for the interior and where it is zero.
///
/// `sides` holds, per half edge, -1 or 1 for an end and 0 for all of the edge.
fn across_feature(offset: Vec3, obb: &Obb, sides: [i64; 3]) -> Option<Normal> {
    let edges = obb.half_edges;
    let end = |i: usize| edges[i].map_raw(|c| c * sides[i]);
    let to_feature = offset + end(0) + end(1) + end(2);
    let free = |i: &usize| sides[*i] == 0;
    match (0..3).filter(free).count() {
        0 => Normal::from_vector(to_feature),
        1 => {
            let along = edges[(0..3).find(free)?];
            Normal::from_wide(with_62_bits(along.cross_wide(to_feature)).cross(IVec3::from(along)).0)
        }
        2 => {
            let fixed = (0..3).find(|i| !free(i))?;
            let normal = with_62_bits(edges[(fixed + 1) % 3].cross_wide(edges[(fixed + 2) % 3]));
            let outward = normal.dot(IVec3::from(end(fixed)));
            Normal::from_wide(if outward > 0 { -normal } else { normal }.0)
        }
        _ => None,
    }
}

/// Among the face normals, toward the box's center, the one with the shortest way out.
fn shortest_way_out(offset: Vec3, obb: &Obb) -> Option<Normal> {
    let mut widest = Widest::default();
    for normal in obb.face_normals_wide().into_iter().filter_map(Normal::from_wide) {
        widest.offer(normal, offset, obb.support_wide(normal), Rank::Face);
    }
    widest.normal()
}

/// A vector scaled down, where need be, to components of at most 62 bits, to nearest.
///
/// So its products with an edge of 45 bits are exact.
pub(super) fn with_62_bits(vector: [i128; 3]) -> IVec3<i128> {
    let most = vector.iter().fold(0, |most, c| most | c.unsigned_abs());
    IVec3(vector).shr_nearest((128 - most.leading_zeros()).saturating_sub(62))
}
