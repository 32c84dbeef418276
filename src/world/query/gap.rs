//! How far apart two solids are, as their sweep measures it, and along which direction.

use crate::{
    geom::{Normal, Plane, Vec3},
    num::{Scalar, Wide, least::least_from, round::div_ceil},
    overlap::{
        clearance_capsule_q32, closest_point_aabb, distance_capsule_capsule_ceil, distance_obb_capsule_ceil,
        distance_point_shape_ceil, reach_wide,
        toward_capsule::{toward_segment, toward_segment_from_obb, toward_segment_from_segment},
        toward_obb::toward_obb,
        widest::{Rank, Widest},
    },
    shape::{
        Capsule, Obb,
        Shape::{self, Aabb, Capsule as Rod, Obb as Oriented, Plane as HalfSpace, Sphere},
    },
    sweep::{axes_toward, farthest_axes},
};

/// The distance between two solids, and the direction from A to B.
#[derive(Clone, Copy)]
pub(super) struct Gap {
    /// Zero where they touch or overlap; rounded up to the next raw.
    pub(super) distance: Scalar,
    /// Not of unit length; `None` where the centers leave it open.
    pub(super) normal: Option<Normal>,
}

/// The gap of two solids, or `None` for two planes; `offset` is B's origin minus A's, in units.
///
/// With a sphere or a capsule it is the distance of the center or segment, less the radius. Between boxes it is the largest
/// separation along the three axes of space, or along the fifteen axes of a pair with an oriented box:
/// the measure of their sweep, nowhere more than the true distance.
///
/// **Rounding**: the distance up; a plane's normal has the length
/// [`Plane::length_up_q32`]. **Range**: [`OFFSET_MAX`](crate::sweep::OFFSET_MAX), sizes within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX).
pub(super) fn gap_shapes(a: &Shape, b: &Shape, offset: Vec3) -> Option<Gap> {
    match (a, b) {
        (Sphere { radius }, _) => {
            let distance = distance_point_shape_ceil(offset, b) - *radius;
            Some(Gap { distance: distance.max(Scalar::ZERO), normal: normal_sphere_shape(offset, b) })
        }
        (Aabb { half: p }, Aabb { half: q }) => Some(gap_aabb_aabb(offset, *p + *q)),
        (Aabb { half }, Oriented(obb)) => Some(gap_obb_obb(offset, &Obb::along_axes(*half), obb)),
        (Aabb { half }, HalfSpace(plane)) => {
            Some(gap_plane(offset, reach_wide(*half, plane.normal()), plane))
        }
        (Aabb { half }, Rod(rod)) => Some(gap_obb_capsule(offset, &Obb::along_axes(*half), rod)),
        (Oriented(obb), Rod(rod)) => Some(gap_obb_capsule(offset, obb, rod)),
        (HalfSpace(plane), Rod(rod)) => Some(gap_plane_capsule(offset, plane, rod)),
        (Rod(p), Rod(q)) => {
            let normal = toward_segment_from_segment(offset, p.half_axis, q.half_axis);
            Some(Gap { distance: distance_capsule_capsule_ceil(offset, p, q), normal })
        }
        (Oriented(p), Oriented(q)) => Some(gap_obb_obb(offset, p, q)),
        (Oriented(obb), HalfSpace(plane)) => Some(gap_plane(offset, obb.support_wide(plane.normal()), plane)),
        (HalfSpace(_), HalfSpace(_)) => None,
        (Aabb { .. }, Sphere { .. })
        | (Oriented(_), Sphere { .. } | Aabb { .. })
        | (HalfSpace(_), Sphere { .. } | Aabb { .. } | Oriented(_))
        | (Rod(_), Sphere { .. } | Aabb { .. } | Oriented(_) | HalfSpace(_)) => {
            let Gap { distance, normal } = gap_shapes(b, a, -offset)?;
            Some(Gap { distance, normal: normal.map(|normal| -normal) })
        }
    }
}

/// Whether two solids are no farther apart than a gap, by the same measure; exact. Two planes never are.
pub(crate) fn is_within(a: &Shape, b: &Shape, offset: Vec3, gap: Scalar) -> bool {
    match (a, b) {
        (Sphere { radius: p }, Sphere { radius: q }) => {
            let reach = (*p + *q + gap).to_bits().unsigned_abs();
            offset.length_squared_wide() <= u128::from(reach) * u128::from(reach)
        }
        _ => gap_shapes(a, b, offset).is_some_and(|found| found.distance <= gap),
    }
}

/// From a sphere's center to the nearest point of a solid; from inside, the shortest way out, reversed.
fn normal_sphere_shape(offset: Vec3, solid: &Shape) -> Option<Normal> {
    match solid {
        Sphere { .. } => Normal::from_vector(offset),
        Aabb { half } => {
            let to_box = closest_point_aabb(-offset, *half) + offset;
            Normal::from_vector(to_box).or_else(|| normal_of_axes(offset, *half))
        }
        Oriented(obb) => toward_obb(offset, obb),
        HalfSpace(plane) => Some(-plane.normal()),
        Rod(rod) => toward_segment(offset, rod.half_axis),
    }
}

fn gap_obb_capsule(offset: Vec3, obb: &Obb, capsule: &Capsule) -> Gap {
    let normal = toward_segment_from_obb(offset, obb, capsule.half_axis);
    Gap { distance: distance_obb_capsule_ceil(offset, obb, capsule), normal }
}

fn gap_plane_capsule(offset: Vec3, plane: &Plane, capsule: &Capsule) -> Gap {
    let clearance = clearance_capsule_q32(offset, plane, capsule, Scalar::ZERO);
    let distance = div_ceil(clearance.max(0), i128::from(plane.length_up_q32()));
    Gap { distance: Scalar::from_bits(distance as i64), normal: Some(plane.normal()) }
}

fn gap_aabb_aabb(offset: Vec3, half_sum: Vec3) -> Gap {
    let (way, reach) = (offset.raw(), half_sum.raw());
    let distance = (0..3).fold(0, |most, axis| most.max(way[axis].abs() - reach[axis]));
    Gap { distance: Scalar::from_bits(distance), normal: normal_of_axes(offset, half_sum) }
}

/// The axes on which boxes are farthest apart; `None` where their centers are level on all of these.
fn normal_of_axes(offset: Vec3, half_sum: Vec3) -> Option<Normal> {
    Some(axes_toward(offset, farthest_axes(offset, half_sum))).filter(|normal| normal.is_valid())
}

/// A box that reaches so far along a plane's normal, times the normal's length.
fn gap_plane(offset: Vec3, reach: i128, plane: &Plane) -> Gap {
    let height_q32 = (plane.height_wide(-offset) - reach) << 32;
    let distance = div_ceil(height_q32.max(0), i128::from(plane.length_up_q32()));
    Gap { distance: Scalar::from_bits(distance as i64), normal: Some(-plane.normal()) }
}

/// The largest separation along the fifteen axes, exact before it is rounded; the normal is that of
/// the sweep, of axes with 30 bits.
fn gap_obb_obb(offset: Vec3, a: &Obb, b: &Obb) -> Gap {
    let (mut distance, mut widest) = (0, Widest::default());
    let faces = a.face_normals_wide().into_iter().chain(b.face_normals_wide());
    let crossed = (0..9).map(|i| a.half_edges[i / 3].cross_wide(b.half_edges[i % 3]));
    let axes = faces.map(|axis| (axis, Rank::Face)).chain(crossed.map(|axis| (axis, Rank::Crossed)));
    for (axis, rank) in axes {
        let Some(normal) = Normal::from_wide(axis).map(Normal::lengthened) else { continue };
        let reach = a.support_wide(normal) + b.support_wide(normal);
        widest.offer(normal, offset, reach, rank);
        let guess = (normal.dot_wide(offset).abs() - reach) / i128::from(normal.length_up());
        distance = farther(distance, guess.max(0) as u128, &Axis::new(axis, offset, [a, b]));
    }
    Gap { distance: Scalar::from_bits(distance as i64), normal: widest.normal() }
}

/// An exact axis: products are below 2^150, their squares below 2^300.
struct Axis {
    /// How far the boxes are apart along it, times its length.
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
