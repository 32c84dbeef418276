//! Penetration depth of two shapes, and the shortest way out.

use super::separation::{Separation, reach_along, separating_normal, separation_shapes};
use crate::{
    geom::{Normal, Vec3},
    shape::{Obb as ObbShape, Shape},
};

/// Two shapes that overlap, or nearly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Penetration {
    /// The direction in which B leaves A soonest, of length 2^30 up to its rounding; `None` if the centers do
    /// not determine one.
    pub normal: Option<Normal>,
    /// Distance that B must move along it, in raw, rounded up; zero or less where they are apart. Without a
    /// normal, the largest distance of the centers at which the two touch.
    pub depth: i64,
}

/// The penetration of two shapes; `offset` is B's origin minus A's.
///
/// Along the axes of the world in `level`, boxes that lie along them count as endless, so the way out never
/// follows such an axis. Antisymmetric in the shapes, and the same for mirrored and permuted ones.
pub(crate) fn penetration_shapes(a: &Shape, b: &Shape, offset: Vec3, level: [bool; 3]) -> Penetration {
    let (mut a, mut b) = (*a, *b);
    for axis in (0..3).filter(|&axis| level[axis]) {
        let most = size_of(&a) + size_of(&b) + offset.raw()[axis].abs();
        (a, b) = (endless(a, axis, 4 * most), endless(b, axis, 4 * most));
    }
    match shortest(&a, &b, offset) {
        Some(Separation { normal, reach }) => {
            let depth = -((normal.dot_wide(offset) - reach) >> Normal::BITS) as i64;
            Penetration { normal: Some(normal), depth }
        }
        None => Penetration { normal: None, depth: size_of(&a).saturating_add(size_of(&b)) },
    }
}

/// The separating plane: along the shortest way out, or along the line between the centers where shortest
/// ways cancel.
fn shortest(a: &Shape, b: &Shape, offset: Vec3) -> Option<Separation> {
    separation_shapes(a, b, offset)
        .or_else(|| {
            // Inside a box along the axes there is no nearest point.
            let normal = separating_normal(&as_obb(a), &as_obb(b), offset)?;
            Some(Separation { normal, reach: reach_along(a, b, normal)? })
        })
        .or_else(|| {
            let normal = Normal::from_vector(offset)?.unit_q30()?;
            Some(Separation { normal, reach: reach_along(a, b, normal)? })
        })
}

fn as_obb(shape: &Shape) -> Shape {
    match shape {
        Shape::Aabb { half } => Shape::Obb(ObbShape::along_axes(*half)),
        _ => *shape,
    }
}

/// The largest half extent, in raw; 0 of a plane.
fn size_of(shape: &Shape) -> i64 {
    shape.half_extent().map_or(0, |half| half.raw().into_iter().fold(0, i64::max))
}

/// A box with another extent along an axis of the world, if it lies along that axis.
fn endless(shape: Shape, axis: usize, most: i64) -> Shape {
    let longer = |vector: Vec3| {
        let mut raw = vector.raw();
        raw[axis] = if raw[axis] < 0 { -most } else { most };
        Vec3::from_raw(raw)
    };
    match shape {
        Shape::Aabb { half } => Shape::Aabb { half: longer(half) },
        Shape::Obb(obb) => {
            let lies = |edge: &Vec3| (0..3).all(|other| (edge.raw()[other] != 0) == (other == axis));
            let is_across = |edge: &Vec3| edge.raw()[axis] == 0;
            let count = obb.half_edges.iter().filter(|edge| lies(edge)).count();
            if count == 1 && obb.half_edges.iter().filter(|edge| is_across(edge)).count() == 2 {
                let half_edges = obb.half_edges.map(|edge| if lies(&edge) { longer(edge) } else { edge });
                return Shape::Obb(ObbShape { half_edges });
            }
            shape
        }
        _ => shape,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::{Plane, Rotation},
        num::{Rng, lit},
        overlap::overlap_shapes,
    };

    fn v(x: &str, y: &str, z: &str) -> Vec3 {
        Vec3::new(x.parse().unwrap(), y.parse().unwrap(), z.parse().unwrap())
    }

    fn shapes() -> Vec<Shape> {
        let turned = Rotation::from_quaternion(lit("0.9"), lit("0.3"), lit("-0.2"), lit("0.5")).unwrap();
        let slope = Plane::from_point_normal(Vec3::splat(lit("0.125")), Normal::new(3, 4, -1)).unwrap();
        let half = v("0.75", "0.25", "1.5");
        vec![
            Shape::sphere(lit("0.5")),
            Shape::aabb(half),
            Shape::obb(half, turned),
            Shape::Plane(slope),
            Shape::capsule(v("0.25", "-0.5", "0.25"), lit("0.375")),
        ]
    }

    #[test]
    fn going_as_far_as_said_takes_two_apart_and_less_does_not() {
        let shapes = shapes();
        let (mut deep, mut apart) = (0, 0);
        for case in 0..30_000_u64 {
            let mut draws = Rng::new(3).at(0, case, 0);
            let mut pick = || shapes[draws.below(shapes.len() as u64) as usize];
            let (a, b) = (pick(), pick());
            if matches!((a, b), (Shape::Plane(_), Shape::Plane(_))) {
                continue;
            }
            let offset = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 32, 1 << 32)));
            let found = penetration_shapes(&a, &b, offset, [false; 3]);
            let back = penetration_shapes(&b, &a, -offset, [false; 3]);
            assert_eq!((back.normal, back.depth), (found.normal.map(|n| -n), found.depth), "{a:?} {b:?}");
            let normal = found.normal.unwrap();
            let gone = |depth: i64| {
                let along = normal.components().map(|n| ((i128::from(n) * i128::from(depth)) >> 30) as i64);
                offset + Vec3::from_raw(along)
            };
            if overlap_shapes(&a, &b, offset) {
                deep += 1;
                assert!(found.depth > 0, "{a:?} {b:?} {offset}");
                assert!(!overlap_shapes(&a, &b, gone(found.depth + 16)), "{a:?} {b:?} {offset} {found:?}");
                assert!(overlap_shapes(&a, &b, gone(found.depth / 2)), "{a:?} {b:?} {offset} {found:?}");
            } else {
                apart += 1;
                assert!(found.depth <= 16, "{a:?} {b:?} {offset} {found:?}");
            }
        }
        assert!(deep > 5_000 && apart > 5_000, "{deep} {apart}");
    }

    #[test]
    fn penetration_leaves_no_box_along_the_excluded_axis() {
        let (flat, ball) = (Shape::aabb(v("1", "1", "0.125")), Shape::sphere(lit("0.25")));
        let upright = Shape::Obb(ObbShape::along_axes(v("1", "1", "0.125")));
        for disc in [flat, upright] {
            for other in [disc, ball] {
                let offset = v("0.75", "0.5", "0");
                let found = penetration_shapes(&disc, &other, offset, [false, false, true]);
                assert_eq!(found.normal.unwrap().components(), [1 << 30, 0, 0], "{other:?}");
                assert_ne!(penetration_shapes(&disc, &other, offset, [false; 3]), found);
            }
        }
    }

    #[test]
    fn centers_that_coincide_leave_it_open() {
        for shape in shapes().into_iter().filter(|shape| !matches!(shape, Shape::Plane(_))) {
            let found = penetration_shapes(&shape, &shape, Vec3::ZERO, [false; 3]);
            assert!(found.normal.is_none() && found.depth > 0, "{shape:?} {found:?}");
        }
        // Level centers have no shortest way out.
        let cube = Shape::aabb(Vec3::splat(lit("1")));
        let found =
            penetration_shapes(&cube, &Shape::aabb(v("0.125", "1", "1")), v("0", "0.25", "0"), [false; 3]);
        assert_eq!(found.normal.unwrap().components(), [0, 1 << 30, 0]);
    }
}
