//! How far a point is from an oriented box.

use super::closest_point_obb;
use crate::{
    geom::Vec3,
    num::{Scalar, Wide, least::least_from, root::sqrt_ceil},
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
/// Gomez, *Simple Intersection Tests for Games* (1999), "Box-sphere".
#[must_use]
pub fn distance_point_obb_ceil(offset: Vec3, obb: &Obb) -> Scalar {
    let point = -offset;
    if is_inside(point, obb) {
        return Scalar::ZERO;
    }
    let mut nearest = Nearest::new(point, obb);
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

type Large = Wide<5>;

/// The least distance of the features offered.
struct Nearest {
    /// Rounded up, in raw; the point is outside, so it is never zero.
    distance: u128,
    /// Where the search for a distance begins: the rounded nearest point is about as far.
    guess: u128,
}

impl Nearest {
    fn new(point: Vec3, obb: &Obb) -> Self {
        /// Beyond this a corner is as good a guess as any.
        const NEAR: Scalar = Scalar::lit("65536");
        let corner = point - (obb.half_edges[0] + obb.half_edges[1] + obb.half_edges[2]);
        let guess = if point.within(NEAR) { point - closest_point_obb(point, obb) } else { corner };
        let distance = sqrt_ceil(corner.length_squared_wide());
        Self { distance, guess: guess.length_squared_wide().isqrt() }
    }

    fn offer_point(&mut self, way: Vec3) {
        let square = way.length_squared_wide();
        if square <= (self.distance - 1) * (self.distance - 1) {
            self.distance = sqrt_ceil(square);
        }
    }

    /// The foot on the line is within the edge; the distance squared is `|way x along|^2 / along^2`.
    fn offer_edge(&mut self, way: Vec3, along: Vec3) {
        let length_squared = along.dot_wide(along);
        if way.dot_wide(along).abs() <= length_squared {
            let [x, y, z] = way.cross_wide(along).map(Large::from);
            self.offer(x * x + y * y + z * z, Large::from(length_squared));
        }
    }

    /// With the foot at `s p + t q`, Cramer's rule gives `s` and `t` over `|p x q|^2`; the distance
    /// squared is `(way . (p x q))^2 / |p x q|^2`.
    fn offer_face(&mut self, way: Vec3, p: Vec3, q: Vec3) {
        let wide = |a: Vec3, b: Vec3| Large::from(a.dot_wide(b));
        let (pp, pq, qq) = (wide(p, p), wide(p, q), wide(q, q));
        let (wp, wq) = (wide(way, p), wide(way, q));
        let normal_squared = pp * qq - pq * pq;
        let within = |share: Large| share.abs() <= normal_squared;
        if within(wp * qq - wq * pq) && within(wq * pp - wp * pq) {
            let height = triple(way, p, q);
            self.offer(height * height, normal_squared);
        }
    }

    /// A feature at the root of `square / divisor`.
    fn offer(&mut self, square: Large, divisor: Large) {
        let reached = |distance: u128| divisor * squared(distance) >= square;
        if reached(self.distance - 1) {
            self.distance = least_from(self.guess.min(self.distance - 1), reached);
        }
    }
}

/// Whether a point is in the box or on its surface: `|p . (y x z)| <= |x . (y x z)|` and so on.
fn is_inside(point: Vec3, obb: &Obb) -> bool {
    let [x, y, z] = obb.half_edges;
    let volume = triple(x, y, z).abs();
    [(y, z), (z, x), (x, y)].into_iter().all(|(p, q)| triple(point, p, q).abs() <= volume)
}

/// `way . (p x q)`, exact.
fn triple(way: Vec3, p: Vec3, q: Vec3) -> Large {
    let [x, y, z] = way.raw().map(|c| Large::from(i128::from(c)));
    let [nx, ny, nz] = p.cross_wide(q).map(Large::from);
    x * nx + y * ny + z * nz
}

/// The square of a distance in a world; exact.
fn squared(distance: u128) -> Large {
    let wide = Large::from(distance as i128); // below 2^61
    wide * wide
}
