//! The side of a surface on which a point is, as far as one facet of it knows.

use super::piece_nearest_to;
use crate::{
    geom::{Normal, Vec3},
    shape::{Bend, Facet},
};

/// True if a point is in front of a facet and of the faces that rise from it near the point, or of one that falls away from it there. On top of a
/// cliff or beyond a ridge it is behind the plane of the facet, and yet outside; below a valley it is in front of the plane of one side, and yet
/// inside. The point is relative to the facet's origin; exact but for the normals of the other faces, which have 30 bits.
pub(crate) fn is_in_front(facet: &Facet, point: Vec3) -> bool {
    let Some(near) = piece_nearest_to(facet, point) else { return false };
    // The edge that decides may be of another triangle that has the nearest corner.
    let is_behind_one = |bend: Bend| {
        facet.any_near(&near.bounds(), |piece| piece.bends(bend).any(|(face, at)| is_behind(face, at, point)))
    };
    let is_before = facet.planes()[0].height_wide(point) > 0;
    // The normal of a face beyond a crest is toward the facet, so inward.
    is_behind_one(Bend::Crest) || (is_before && !is_behind_one(Bend::Valley))
}

/// True if a point is behind the plane of a normal through another one.
fn is_behind(normal: [i64; 3], at: Vec3, point: Vec3) -> bool {
    Normal::from_wide(normal.map(i128::from)).is_some_and(|normal| normal.dot_wide(point - at) < 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_of_a_plane_is_not_behind_it() {
        let raw = |x: i64, y: i64, z: i64| Vec3::from_raw([x, y, z]);
        let at = raw(7, 7, 7);
        for (off, expected) in
            [([4, -3, 9], false), ([4, -4, 9], true), ([4, -2, 9], false), ([-4, 3, 0], false)]
        {
            let [x, y, z] = off;
            assert_eq!(is_behind([3, 4, 0], at, at + raw(x, y, z)), expected, "{off:?}");
        }
    }
}
