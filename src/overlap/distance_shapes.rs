//! The distance between any two solids: the one table.

use super::{
    aabb_plane::reach_wide,
    convex_plane::clearance_convex_q32,
    distance_capsule_capsule_ceil, distance_convex_convex_ceil, distance_obb_capsule_ceil,
    distance_point_shape_ceil,
    facet::{distance_pieces_ceil, plane_under},
    plane_capsule::clearance_capsule_q32,
};
use crate::{
    geom::{Normal, Plane, Vec3},
    num::{Scalar, Wide, least::least_from, round::div_ceil},
    shape::{
        Obb,
        Shape::{self, Aabb, Capsule as Rod, Facet, Obb as Oriented, Plane as HalfSpace, Sphere},
    },
};

/// The distance between two solids, as their sweep measures it; zero where they touch or overlap, and `None`
/// for two planes, which are boundless.
///
/// `offset` is B's origin minus A's, in units. With a sphere or a capsule it is the true distance. Between
/// boxes it is the largest separation along the three axes of space, or along the fifteen axes of a pair with
/// an oriented box: the measure of their sweep, nowhere more than the true distance.
///
/// **Rounding**: up to the next raw; exact where the distance is a whole number of raw, so it is at most `r`
/// raw exactly if the answer is. A plane's normal has the length [`Plane::length_up_q32`]. **Range**:
/// [`OFFSET_MAX`](crate::sweep::OFFSET_MAX), for a plane's point too; sizes within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX).
#[must_use]
pub fn distance_shapes_ceil(a: &Shape, b: &Shape, offset: Vec3) -> Option<Scalar> {
    let distance = match (a, b) {
        (Facet(facet), _) => match plane_under(facet, b, offset) {
            Some(plane) => return distance_shapes_ceil(&plane, b, offset),
            None => return distance_pieces_ceil(facet, b, offset),
        },
        (_, Facet(_)) => return distance_shapes_ceil(b, a, -offset),
        (Sphere { radius }, _) => (distance_point_shape_ceil(offset, b) - *radius).max(Scalar::ZERO),
        (Aabb { half: p }, Aabb { half: q }) => between_aabbs(offset, *p + *q),
        (Aabb { half }, Oriented(obb)) => between_obbs(offset, &Obb::along_axes(*half), obb),
        (Aabb { half }, HalfSpace(plane)) => above_plane(offset, reach_wide(*half, plane.normal()), plane),
        (Aabb { half }, Rod(rod)) => distance_obb_capsule_ceil(offset, &Obb::along_axes(*half), rod),
        (Oriented(obb), Rod(rod)) => distance_obb_capsule_ceil(offset, obb, rod),
        (HalfSpace(plane), Rod(rod)) => {
            let clearance = clearance_capsule_q32(offset, plane, rod, Scalar::ZERO);
            Scalar::from_bits(div_ceil(clearance.max(0), i128::from(plane.length_up_q32())) as i64)
        }
        (Rod(p), Rod(q)) => distance_capsule_capsule_ceil(offset, p, q),
        (Oriented(p), Oriented(q)) => between_obbs(offset, p, q),
        (Oriented(obb), HalfSpace(plane)) => above_plane(offset, obb.support_wide(plane.normal()), plane),
        (HalfSpace(_), HalfSpace(_)) => return None,
        (Aabb { .. }, Sphere { .. })
        | (Oriented(_), Sphere { .. } | Aabb { .. })
        | (HalfSpace(_), Sphere { .. } | Aabb { .. } | Oriented(_))
        | (Rod(_), Sphere { .. } | Aabb { .. } | Oriented(_) | HalfSpace(_)) => {
            return distance_shapes_ceil(b, a, -offset);
        }
        (_, HalfSpace(plane)) => {
            let room = &mut [Vec3::ZERO; 8];
            let clearance = clearance_convex_q32(offset, &a.as_convex(room)?, plane, Scalar::ZERO);
            Scalar::from_bits(div_ceil(clearance.max(0), i128::from(plane.length_up_q32())) as i64)
        }
        (HalfSpace(_), _) => return distance_shapes_ceil(b, a, -offset),
        _ => Shape::both_as_convex(a, b, |a, b| distance_convex_convex_ceil(offset, a, b))?,
    };
    Some(distance)
}

/// True if two solids are no farther apart than a gap, by the measure of [`distance_shapes_ceil`]; exact. Two
/// planes never are.
pub(crate) fn is_within(a: &Shape, b: &Shape, offset: Vec3, gap: Scalar) -> bool {
    match (a, b) {
        (Sphere { radius: p }, Sphere { radius: q }) => {
            let reach = (*p + *q + gap).to_bits().unsigned_abs();
            offset.length_squared_wide() <= u128::from(reach) * u128::from(reach)
        }
        _ => distance_shapes_ceil(a, b, offset).is_some_and(|distance| distance <= gap),
    }
}

fn between_aabbs(offset: Vec3, half_sum: Vec3) -> Scalar {
    let (way, reach) = (offset.raw(), half_sum.raw());
    Scalar::from_bits((0..3).fold(0, |most, axis: usize| most.max(way[axis].abs() - reach[axis])))
}

/// The distance of a solid from a plane, given its reach along the plane's normal times the normal's length.
fn above_plane(offset: Vec3, reach: i128, plane: &Plane) -> Scalar {
    let height_q32 = (plane.height_wide(-offset) - reach) << 32;
    Scalar::from_bits(div_ceil(height_q32.max(0), i128::from(plane.length_up_q32())) as i64)
}

/// The largest separation along the fifteen axes, exact before it is rounded.
///
/// Along a normal of 30 bits the separation is off by less than 2^-28 of the lengths that it is the difference of; only of an axis that may be the
/// farthest is it computed in full.
fn between_obbs(offset: Vec3, a: &Obb, b: &Obb) -> Scalar {
    let mut distance = 0;
    let lengths = [offset.map_raw(i64::abs), a.half_extent(), b.half_extent()];
    let unsure = (lengths.into_iter().flat_map(Vec3::raw).map(i128::from).sum::<i128>() >> 28) + 2;
    let faces = a.face_normals_wide().into_iter().chain(b.face_normals_wide());
    let crossed = (0..9).map(|i| a.half_edges[i / 3].cross_wide(b.half_edges[i % 3]));
    for axis in faces.chain(crossed) {
        let Some(normal) = Normal::from_wide(axis).map(Normal::lengthened) else { continue };
        let reach = a.support_wide(normal) + b.support_wide(normal);
        let guess = (normal.dot_wide(offset).abs() - reach) / i128::from(normal.length_up());
        if guess + unsure >= distance as i128 {
            distance = farther(distance, guess.max(0) as u128, &Axis::new(axis, offset, [a, b]));
        }
    }
    Scalar::from_bits(distance as i64)
}

/// A candidate axis, exact: products are below 2^150, their squares below 2^300.
struct Axis {
    /// The separation of the boxes along it, times its length.
    separation: Wide<5>,
    length_squared: Wide<5>,
}

impl Axis {
    fn new(axis: [i128; 3], offset: Vec3, boxes: [&Obb; 2]) -> Self {
        let along = |vector: Vec3| dot(axis, vector.raw().map(i128::from)).abs();
        let edges = boxes.into_iter().flat_map(|obb| obb.half_edges);
        let separation = edges.fold(along(offset), |left, edge| left - along(edge));
        Self { separation, length_squared: dot(axis, axis) }
    }
}

/// The larger of a distance and the separation along an axis, rounded up.
fn farther(distance: u128, guess: u128, axis: &Axis) -> u128 {
    let reached = |distance: u128| {
        let wide = Wide::<5>::from(distance as i128); // below 2^61
        axis.separation.is_negative()
            || wide * wide * axis.length_squared >= axis.separation * axis.separation
    };
    if reached(distance) { distance } else { least_from(guess.max(distance), reached) }
}

fn dot(a: [i128; 3], b: [i128; 3]) -> Wide<5> {
    let [x, y, z] = [0, 1, 2].map(|axis| Wide::<5>::from(a[axis]) * Wide::from(b[axis]));
    x + y + z
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    #[test]
    fn balls_are_within_a_gap_up_to_its_last_raw() {
        let (large, small) = (Shape::sphere(lit("1")), Shape::sphere(lit("0.5")));
        let at = |raw: i64| {
            let offset = Vec3::lit("1.75", "0", "0") + Vec3::from_raw([raw, 0, 0]);
            [is_within(&large, &small, offset, lit("0.25")), is_within(&small, &large, -offset, lit("0.25"))]
        };
        assert_eq!([at(-1), at(0), at(1)], [[true; 2], [true; 2], [false; 2]]);
    }

    #[test]
    fn a_distance_begins_where_solids_touch() {
        let half = Vec3::lit("0.5", "1", "0.25");
        let (upright, turned) = (Shape::aabb(half), Shape::Obb(Obb::along_axes(half)));
        let ground = Shape::plane(Vec3::lit("0", "1", "0")).unwrap();
        let pairs = [
            (&upright, &turned, "2"),
            (&turned, &turned, "2"),
            (&upright, &upright, "2"),
            (&ground, &upright, "1"),
            (&ground, &turned, "1"),
        ];
        for (a, b, height) in pairs {
            for (raw, expected) in [(0, 0), (-1, 0), (-(1 << 31), 0), (1, 1), (7 << 32, 7 << 32)] {
                let offset = Vec3::lit("0.125", height, "0") + Vec3::from_raw([0, raw, 0]);
                let found = [distance_shapes_ceil(a, b, offset), distance_shapes_ceil(b, a, -offset)];
                assert_eq!(found, [Some(Scalar::from_bits(expected)); 2], "{a:?} {b:?} {raw}");
            }
        }
    }

    /// The normals of the faces need more bits than a rounded one has, which is off by thousands of raw.
    #[test]
    fn large_boxes_turned_alike_are_as_far_apart_as_their_faces() {
        let [p, q] = [(1_i64 << 40) + 1, (1 << 40) - 12_345];
        let raw = |x: i64, y: i64, z: i64| Vec3::from_raw([x, y, z]);
        let obb = Obb { half_edges: [raw(p, q, 0), raw(-q, p, 0), raw(0, 0, 1 << 40)] };
        let square = i128::from(p) * i128::from(p) + i128::from(q) * i128::from(q);
        for off in [0, 1, 2, 3, 1_000, 54_321, 1 << 20] {
            // The part of it along the first edges, `off * p / length`, rounded up.
            let along = i128::from(off) * i128::from(p);
            let found = between_obbs(raw(2 * p + off, 2 * q, 0), &obb, &obb).to_bits();
            let reaches =
                |distance: i64| i128::from(distance) * i128::from(distance) * square >= along * along;
            assert!(reaches(found) && (found == 0 || !reaches(found - 1)), "{off}: {found}");
        }
    }

    /// Two ridges one above the other, along x and along z: only across these two edges are the boxes apart.
    #[test]
    fn boxes_are_as_far_apart_as_any_two_of_their_edges() {
        let v = Vec3::lit;
        let below = [v("1", "0", "0"), v("0", "1", "1"), v("0", "-1", "1")];
        let above = [v("0", "0", "1"), v("1", "1", "0"), v("-1", "1", "0")];
        for (i, j) in (0..9).map(|pair| (pair / 3, pair % 3)) {
            let [mut a, mut b] = [below, above];
            a.rotate_right(i);
            b.rotate_right(j);
            let [a, b] = [Obb { half_edges: a }, Obb { half_edges: b }];
            for raw in [-1, 0, 1, 12_345, 1 << 28] {
                let offset = v("0.125", "4", "0.25") + Vec3::from_raw([0, raw, 0]);
                assert_eq!(between_obbs(offset, &a, &b).to_bits(), raw.max(0), "{i} {j}");
            }
        }
    }
}
