//! The distance of a point from an oriented box.

use super::{
    closest_point_obb,
    features::{Features, Nearest, triple},
};
use crate::{
    geom::Vec3,
    num::{Scalar, root::sqrt_ceil},
    shape::Obb,
};

/// The distance of a point from an oriented box; zero inside and on its surface.
///
/// `offset` is the box's center minus the point, in raw like the half edges. The box counts as the
/// parallelepiped of its integer half edges. Its nearest point lies within a face, within an edge or at
/// a corner: the answer is the least distance of these 26 features whose foot is within them.
///
/// **Rounding**: up to the next raw; exact where the distance is a whole number of raw. So the distance
/// is at most `r` raw exactly if the answer is.
/// **Range**: [`OFFSET_MAX`](crate::sweep::OFFSET_MAX), boxes within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX), of volume above 0: products stay below 2^304, taken in 320 bits.
///
/// **Source**: Arvo, *A Simple Method for Box-Sphere Intersection Testing*, Graphics Gems (1990);
/// Gomez, *Simple Intersection Tests for Games* (1999), "A Box-Sphere Intersection Test".
#[must_use]
pub fn distance_point_obb_ceil(offset: Vec3, obb: &Obb) -> Scalar {
    let point = -offset;
    if is_inside(point, obb) {
        return Scalar::ZERO;
    }
    let mut nearest = nearest(point, obb);
    let [x, y, z] = obb.half_edges;
    for corner in [x + y + z, x + y - z, x - y + z, x - y - z] {
        nearest.offer_point(point - corner);
        nearest.offer_point(point + corner);
    }
    for (along, p, q) in [(x, y, z), (y, z, x), (z, x, y)] {
        for middle in [p + q, p - q] {
            nearest.offer_edge(point - middle, along);
            nearest.offer_edge(point + middle, along);
        }
        nearest.offer_face(point - along, p, q);
        nearest.offer_face(point + along, p, q);
    }
    Scalar::from_bits(nearest.distance as i64)
}

/// The search begins at the distance of the rounded nearest point, which is about as far.
fn nearest(point: Vec3, obb: &Obb) -> Nearest {
    /// Beyond this a corner is as good a guess as any.
    const NEAR: Scalar = Scalar::lit("65536");
    let corner = point - (obb.half_edges[0] + obb.half_edges[1] + obb.half_edges[2]);
    let guess = if point.within(NEAR) { point - closest_point_obb(point, obb) } else { corner };
    Nearest::new(sqrt_ceil(corner.length_squared_wide()), guess.length_squared_wide().isqrt())
}

/// True if a point is in the box or on its surface: `|p . (y x z)| <= |x . (y x z)|` and so on.
pub(super) fn is_inside(point: Vec3, obb: &Obb) -> bool {
    let [x, y, z] = obb.half_edges;
    let volume = triple(x, y, z).abs();
    [(y, z), (z, x), (x, y)].into_iter().all(|(p, q)| triple(point, p, q).abs() <= volume)
}
