//! Sphere against oriented box.

use super::{closest_point_obb, toward_obb::toward_obb};
use crate::{
    geom::Vec3,
    num::{Scalar, Wide},
    shape::Obb,
};

/// True if a sphere and an oriented box share interior points; touching is no overlap.
///
/// `offset` is the box's center minus the sphere's, in raw like the half edges. The box counts as
/// the parallelepiped of its integer half edges, rectangular or not; a sphere of radius 0 overlaps
/// nothing.
///
/// The nearest point to the sphere's center lies inside the box, within a face, within an edge or
/// at a corner: the shapes overlap exactly if one of these 27 features is nearer than the radius.
/// Nearly all calls are decided before that: a point of the box that is near enough, or a direction
/// along which the shapes are apart, is a proof.
///
/// **Rounding**: exact. **Range**: any offset, radius within [`REACH_MAX`](crate::sweep::REACH_MAX),
/// boxes within [`SIZE_MAX`](crate::shape::SIZE_MAX): products stay below 2^275, taken in 320 bits.
///
/// **Source**: Arvo, *A Simple Method for Box-Sphere Intersection Testing*, Graphics Gems (1990);
/// Gomez, *Simple Intersection Tests for Games* (1999), "A Box-Sphere Intersection Test".
#[must_use]
pub fn overlap_sphere_obb(offset: Vec3, radius: Scalar, obb: &Obb) -> bool {
    let extent = obb.half_extent().raw();
    let apart =
        |axis: usize| offset.raw()[axis].unsigned_abs() >= (extent[axis] + radius.to_bits()).unsigned_abs();
    if radius <= 0 || (0..3).any(apart) {
        return false;
    }
    let point = -offset;
    if near(point, radius, obb) {
        return true;
    }
    if apart_along_nearest(offset, radius, obb) {
        return false;
    }
    let sphere = Sphere { center: point, square: square(radius) };
    sphere.holds_corner(obb) || sphere.meets_edge(obb) || sphere.meets_face(obb) || is_inside(point, obb)
}

/// True if the rounded nearest point is nearer than the radius by more than it was rounded.
fn near(point: Vec3, radius: Scalar, obb: &Obb) -> bool {
    const ROUNDED: Scalar = Scalar::from_bits(1); // half a raw on three axes is less than one
    let distance_squared = (point - closest_point_obb(point, obb)).length_squared_wide();
    radius > ROUNDED && distance_squared < square(radius - ROUNDED)
}

/// True if the direction to the nearest point keeps the shapes apart: an exact certificate.
fn apart_along_nearest(offset: Vec3, radius: Scalar, obb: &Obb) -> bool {
    toward_obb(offset, obb).is_some_and(|normal| {
        let between = normal.dot_wide(offset) - obb.support_wide(normal);
        between << 32 >= i128::from(radius.to_bits()) * i128::from(normal.length_up_q32())
    })
}

/// A ball in the box's frame.
struct Sphere {
    center: Vec3,
    /// The radius squared.
    square: u128,
}

impl Sphere {
    /// True if one of the eight corners is inside.
    fn holds_corner(&self, obb: &Obb) -> bool {
        let [x, y, z] = obb.half_edges;
        let corners = [x + y + z, x + y - z, x - y + z, x - y - z];
        let inside = |way: Vec3| way.length_squared_wide() < self.square;
        corners.into_iter().any(|corner| inside(self.center - corner) || inside(self.center + corner))
    }

    /// True if the foot of the center on one of the twelve edges is within the edge and the sphere.
    fn meets_edge(&self, obb: &Obb) -> bool {
        (0..3).any(|i| {
            let [along, p, q] = [0, 1, 2].map(|turn| obb.half_edges[(i + turn) % 3]);
            let middles = [p + q, p - q, -p + q, -p - q];
            middles.into_iter().any(|middle| self.meets_segment(self.center - middle, along))
        })
    }

    /// The foot of `way` on the line along an edge: its distance squared is `|way x along|^2 / along^2`.
    fn meets_segment(&self, way: Vec3, along: Vec3) -> bool {
        let length_squared = along.dot_wide(along);
        way.dot_wide(along).abs() <= length_squared && {
            let [x, y, z] = way.cross_wide(along).map(Wide::<3>::from);
            x * x + y * y + z * z < Wide::from(self.square as i128) * Wide::from(length_squared)
        }
    }

    /// True if the foot of the center on one of the six faces is within the face and the sphere.
    fn meets_face(&self, obb: &Obb) -> bool {
        (0..3).any(|i| {
            let [out, p, q] = [0, 1, 2].map(|turn| obb.half_edges[(i + turn) % 3]);
            self.meets_parallelogram(self.center - out, p, q)
                || self.meets_parallelogram(self.center + out, p, q)
        })
    }

    /// True if the foot on a parallelogram is inside it and near enough. With the foot at `s p + t q`,
    /// Cramer's rule gives `s` and `t` over `|p x q|^2`.
    fn meets_parallelogram(&self, way: Vec3, p: Vec3, q: Vec3) -> bool {
        let wide = |a: Vec3, b: Vec3| Wide::<3>::from(a.dot_wide(b));
        let (pp, pq, qq) = (wide(p, p), wide(p, q), wide(q, q));
        let (wp, wq) = (wide(way, p), wide(way, q));
        let normal_squared = pp * qq - pq * pq;
        let within = |share: Wide<3>| share.abs() <= normal_squared;
        within(wp * qq - wq * pq) && within(wq * pp - wp * pq) && {
            let height = triple(way, p, q).widen::<5>();
            height * height < Wide::from(self.square as i128) * normal_squared.widen()
        }
    }
}

/// True if a point is in the box: `|p . (y x z)| <= |x . (y x z)|` and so on. A box without volume
/// is all faces.
fn is_inside(point: Vec3, obb: &Obb) -> bool {
    let [x, y, z] = obb.half_edges;
    let volume = triple(x, y, z).abs();
    volume != Wide::ZERO
        && [(y, z), (z, x), (x, y)].into_iter().all(|(p, q)| triple(point, p, q).abs() <= volume)
}

/// `way . (p x q)`, exact.
fn triple(way: Vec3, p: Vec3, q: Vec3) -> Wide<3> {
    let [x, y, z] = way.raw().map(|c| Wide::from(i128::from(c)));
    let [nx, ny, nz] = p.cross_wide(q).map(Wide::from);
    x * nx + y * ny + z * nz
}

/// A length squared, exact.
const fn square(length: Scalar) -> u128 {
    let raw = length.to_bits().unsigned_abs() as u128;
    raw * raw
}
