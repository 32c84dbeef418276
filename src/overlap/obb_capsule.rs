//! Oriented box against capsule.

use super::{
    features::{Features, Within, triple},
    toward_capsule::toward_segment_from_obb,
};
use crate::{
    geom::Vec3,
    num::Wide,
    shape::{Capsule, Obb},
};

/// True if an oriented box and a capsule share interior points; touching is no overlap.
///
/// `offset` is the capsule's middle minus the box's center, in raw like the half edges. The box counts as the
/// parallelepiped of its integer half edges, rectangular or not.
///
/// The capsule's segment enters the box, or its point nearest to the box is one of its ends, or lies next to
/// a corner or an edge of the box. They overlap exactly if the segment enters, or one of these features is
/// nearer than the radius. Nearly all calls are decided before that: a direction along which they are apart
/// is a proof.
///
/// **Rounding**: none, exact. **Range**: any offset, shapes within [`SIZE_MAX`](crate::shape::SIZE_MAX),
/// boxes of volume above 0: products stay below 2^304, taken in 320 bits.
///
/// **Source**: Ericson, *Real-Time Collision Detection* (2005), sections 4.5.2 and 5.1.9.
#[must_use]
pub fn overlap_obb_capsule(offset: Vec3, obb: &Obb, capsule: &Capsule) -> bool {
    let (way, far) = (offset.raw(), (obb.half_extent() + capsule.half_extent()).raw());
    if (0..3).any(|i| way[i].unsigned_abs() >= far[i].unsigned_abs()) {
        return false;
    }
    let (axis, radius) = (capsule.half_axis, i128::from(capsule.radius.to_bits()));
    let apart = toward_segment_from_obb(offset, obb, axis).is_some_and(|normal| {
        let between = normal.dot_wide(offset) - obb.support_wide(normal) - normal.dot_wide(axis).abs();
        between << 32 >= radius * i128::from(normal.length_up_q32())
    });
    !apart
        && (enters(offset, obb, axis) || {
            let mut within = Within::new(radius.unsigned_abs());
            offer_box_segment(offset, obb, axis, &mut within);
            within.found
        })
}

/// True if a segment has a point inside a box: no face normal and no crossed edge keeps them apart.
pub(super) fn enters(offset: Vec3, obb: &Obb, along: Vec3) -> bool {
    let [x, y, z] = obb.half_edges;
    let enters_across = |p: Vec3, q: Vec3| {
        let extent = [x, y, z, along].map(|edge| triple(edge, p, q).abs());
        let reach = extent[0] + extent[1] + extent[2] + extent[3];
        // Parallel edges make no axis: all is zero.
        reach == Wide::ZERO || triple(offset, p, q).abs() < reach
    };
    [(y, z), (z, x), (x, y), (x, along), (y, along), (z, along)].into_iter().all(|(p, q)| enters_across(p, q))
}

/// Offers the features of a box's surface and a segment at `offset` from it that may be nearest to each
/// other, where the segment does not enter the box.
pub(super) fn offer_box_segment(offset: Vec3, obb: &Obb, along: Vec3, features: &mut impl Features) {
    let [x, y, z] = obb.half_edges;
    for corner in [x + y + z, x + y - z, x - y + z, x - y - z] {
        for way in [offset - corner, offset + corner] {
            features.offer_edge(way, along);
            features.offer_point(way + along);
            features.offer_point(way - along);
        }
    }
    for (edge, p, q) in [(x, y, z), (y, z, x), (z, x, y)] {
        let is_across = edge.cross_wide(along) != [0; 3];
        for middle in [p + q, p - q] {
            for way in [offset - middle, offset + middle] {
                if is_across {
                    features.offer_face(way, edge, along);
                }
                features.offer_edge(way + along, edge);
                features.offer_edge(way - along, edge);
            }
        }
        for end in [offset + along, offset - along] {
            features.offer_face(end - edge, p, q);
            features.offer_face(end + edge, p, q);
        }
    }
}
