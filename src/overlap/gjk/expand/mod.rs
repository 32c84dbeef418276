//! The shortest way out of two convex solids that overlap, by a polytope that grows inside of their difference.
//!
//! The depth is the least distance from the origin to a face of the Minkowski difference. The polytope starts as a triangle
//! of its corners, seen from both sides. Its nearest face, and before all others one with the origin in front of it, asks for the corner
//! of the difference that is farthest outward. If that lies in the plane of the face, so does a face of the difference, and no other is nearer, because
//! the polytope is inside of it. Otherwise the corner joins the polytope: there are finitely many, so this ends.
//!
//! Which corner is farthest and which faces it sees are exact signs. Distances of faces are rounded, far below a raw.
//!
//! **Source**: van den Bergen, *Proximity Queries and Penetration Depth Computation on 3D Game Objects* (2001).

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use super::sign::{lengthened, sign_of_dot};
use crate::{
    geom::{Normal, Vec3},
    num::root::sqrt_ceil,
    shape::Convex,
};

/// The bits of a face normal of which its distance is computed.
const NORMAL_BITS: u32 = 54;
/// The fraction bits of a distance.
const DISTANCE_BITS: u32 = 8;

/// The direction in which B leaves A soonest, of two solids that overlap without their radii.
///
/// Exactly antisymmetric in the solids. Of several ways that are equally short it is one, which depends on the order of corners and on
/// axes; if the origins are the same, it may be none.
///
/// **Rounding**: [`Normal::from_wide`] of the exact normal of a face of the difference, without common factors. The distance of that face
/// exceeds the least by 2^-7 raw and 2^-52 of the sizes at most, the extents along the rounded normal by 2^-29 of the sizes more.
/// **Range**: corners of the difference within 2^61 raw.
pub(in crate::overlap) fn way_out(a: &Convex<'_>, b: &Convex<'_>, offset: Vec3) -> Option<Normal> {
    let forth = || Difference { a, b, offset }.nearest_face();
    let back = || Difference { a: b, b: a, offset: -offset }.nearest_face().map(|normal| -normal);
    // The polytope of an exchanged pair may come by another face of several; so one order counts.
    match offset.raw().cmp(&[0; 3]) {
        Ordering::Greater => forth(),
        Ordering::Less => back(),
        Ordering::Equal => forth().filter(|normal| back() == Some(*normal)),
    }
}

/// The differences between a point of B and one of A.
struct Difference<'a> {
    a: &'a Convex<'a>,
    b: &'a Convex<'a>,
    offset: Vec3,
}

impl Difference<'_> {
    /// The normal of the face that is nearest to the origin, inward.
    fn nearest_face(&self) -> Option<Normal> {
        let mut faces = self.first_triangle()?;
        loop {
            let nearest = faces.iter().min_by_key(|face| face.distance)?;
            let corner = self.farthest(nearest.normal)?;
            if !nearest.is_seen_from(corner) {
                let inward = without_common_factor(nearest.normal).map(|part| -part);
                return Normal::from_wide(inward).map(Normal::lengthened);
            }
            grow(&mut faces, corner);
        }
    }

    /// Both sides of a triangle of three corners, or `None` where all are on a line.
    fn first_triangle(&self) -> Option<Vec<Face>> {
        let way = if self.offset == Vec3::ZERO { [1, 0, 0] } else { self.offset.raw().map(i128::from) };
        let (first, second) = (self.farthest(way.map(|part| -part))?, self.farthest(way)?);
        let along = second - first;
        let off = |axis: Vec3| -> Option<Vec3> {
            let across = axis.cross_wide(along);
            let is_off = |corner: &Vec3| (*corner - first).cross_wide(along) != [0; 3];
            [across, across.map(|part| -part)].into_iter().filter_map(|way| self.farthest(way)).find(is_off)
        };
        let axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(Vec3::from_raw);
        let third = axes.into_iter().find_map(off)?;
        Some(vec![Face::new([first, second, third]), Face::new([third, second, first])])
    }

    /// The corner that is farthest along a way, exactly; `None` without a way.
    fn farthest(&self, way: [i128; 3]) -> Option<Vec3> {
        let normal = Normal::from_wide(way)?.lengthened();
        let on = |solid: &Convex<'_>, normal: Normal, way: [i128; 3]| {
            let is_ahead = |way_on: Vec3| sign_of_dot(way, way_on.raw().map(i128::from)).is_gt();
            let farther = |best: Vec3, corner: Vec3| if is_ahead(corner - best) { corner } else { best };
            solid.about_farthest(normal).reduce(farther)
        };
        Some(self.offset + on(self.b, normal, way)? - on(self.a, -normal, way.map(|part| -part))?)
    }
}

/// A triangle of a polytope.
struct Face {
    /// Counterclockwise, seen from outside.
    corners: [Vec3; 3],
    /// Outward.
    normal: [i128; 3],
    /// The distance of the origin behind it, in raw with [`DISTANCE_BITS`] fraction bits, rounded.
    distance: i128,
}

impl Face {
    fn new(corners: [Vec3; 3]) -> Self {
        let [p, q, r] = corners;
        let normal = (q - p).cross_wide(r - p);
        let long = Vec3::from_raw(lengthened(normal, NORMAL_BITS));
        let length = sqrt_ceil(long.length_squared_wide()) as i128; // below 2^55
        let distance = (long.dot_wide(p) << DISTANCE_BITS) / length.max(1); // below 2^124, then 2^71
        Self { corners, normal, distance }
    }

    /// True if a point is strictly in front of it.
    fn is_seen_from(&self, point: Vec3) -> bool {
        sign_of_dot(self.normal, (point - self.corners[0]).raw().map(i128::from)).is_gt()
    }

    /// The edges, each from corner to corner.
    fn edges(&self) -> [[Vec3; 2]; 3] {
        let [p, q, r] = self.corners;
        [[p, q], [q, r], [r, p]]
    }
}

/// The faces around a polytope and a corner in front of at least one of them.
///
/// The faces that it sees give way to those between their border and it. A corner in the plane of a face and outside of it sees
/// a face beside that one, and is never in line with an edge of the border: no new face is flat.
fn grow(faces: &mut Vec<Face>, corner: Vec3) {
    let mut border: Vec<[Vec3; 2]> = Vec::new();
    faces.retain(|face| {
        let is_seen = face.is_seen_from(corner);
        for [from, to] in face.edges().into_iter().filter(|_| is_seen) {
            // Between two faces that it sees.
            match border.iter().position(|edge| *edge == [to, from]) {
                Some(place) => drop(border.swap_remove(place)),
                None => border.push([from, to]),
            }
        }
        !is_seen
    });
    faces.extend(border.into_iter().map(|[from, to]| Face::new([from, to, corner])));
}

/// A vector without a common factor of its components, so that it depends only on its direction.
fn without_common_factor(vector: [i128; 3]) -> [i128; 3] {
    let factor = vector.iter().fold(0, |factor, part| common_factor(factor, part.unsigned_abs()));
    vector.map(|part| part / factor.max(1) as i128)
}

/// The greatest factor of both; the other one where one is zero.
fn common_factor(mut a: u128, mut b: u128) -> u128 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    while b != 0 {
        a >>= a.trailing_zeros();
        b >>= b.trailing_zeros();
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a << twos
}
