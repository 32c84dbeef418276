//! Penetration depth of two shapes, and the shortest way out.

use std::borrow::Cow;

use super::{
    reach::Separation,
    separation::{reach_along, separating_normal, separation_shapes},
};
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
/// Along the axes of the world in `level`, boxes that lie along them and hulls with corners in pairs along them count as endless, so
/// the way out never follows such an axis. Antisymmetric in the shapes, and the same for mirrored and permuted ones.
pub(crate) fn penetration_shapes(a: &Shape, b: &Shape, offset: Vec3, level: [bool; 3]) -> Penetration {
    let (mut a, mut b) = (Cow::Borrowed(a), Cow::Borrowed(b));
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
            Some(Separation { normal, reach: reach_along(a, b, offset, normal)? })
        })
        .or_else(|| {
            let normal = Normal::from_vector(offset)?.unit_q30()?;
            Some(Separation { normal, reach: reach_along(a, b, offset, normal)? })
        })
}

fn as_obb(shape: &Shape) -> Cow<'_, Shape> {
    match shape {
        Shape::Aabb { half } => Cow::Owned(Shape::Obb(ObbShape::along_axes(*half))),
        _ => Cow::Borrowed(shape),
    }
}

/// The largest half extent, in raw; 0 of a plane.
fn size_of(shape: &Shape) -> i64 {
    shape.half_extent().map_or(0, |half| half.raw().into_iter().fold(0, i64::max))
}

/// A box with another extent along an axis of the world, if it lies along that axis; so a hull whose corners are in pairs along it.
fn endless(shape: Cow<'_, Shape>, axis: usize, most: i64) -> Cow<'_, Shape> {
    let longer = |vector: Vec3| {
        let mut raw = vector.raw();
        raw[axis] = if raw[axis] < 0 { -most } else { most };
        Vec3::from_raw(raw)
    };
    match &*shape {
        Shape::Aabb { half } => Cow::Owned(Shape::Aabb { half: longer(*half) }),
        Shape::Obb(obb) => {
            let lies = |edge: &Vec3| (0..3).all(|other| (edge.raw()[other] != 0) == (other == axis));
            let is_across = |edge: &Vec3| edge.raw()[axis] == 0;
            let count = obb.half_edges.iter().filter(|edge| lies(edge)).count();
            if count == 1 && obb.half_edges.iter().filter(|edge| is_across(edge)).count() == 2 {
                let half_edges = obb.half_edges.map(|edge| if lies(&edge) { longer(edge) } else { edge });
                return Cow::Owned(Shape::Obb(ObbShape { half_edges }));
            }
            shape
        }
        Shape::Hull(form) => match form.prolonged(axis, most) {
            Some(prism) => Cow::Owned(Shape::Hull(prism)),
            None => shape,
        },
        _ => shape,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::{Plane, Rotation},
        num::{Rng, Scalar, lit},
        overlap::{
            overlap_shapes,
            sample_hulls::{brick, hulls, wedge},
        },
        shape::Hull,
    };

    fn v(x: &str, y: &str, z: &str) -> Vec3 {
        Vec3::new(x.parse().unwrap(), y.parse().unwrap(), z.parse().unwrap())
    }

    fn shapes() -> Vec<Shape> {
        let turned = Rotation::from_quaternion(lit("0.9"), lit("0.3"), lit("-0.2"), lit("0.5")).unwrap();
        let slope = Plane::from_point_normal(Vec3::splat(lit("0.125")), Normal::new(3, 4, -1)).unwrap();
        let half = v("0.75", "0.25", "1.5");
        let others = vec![
            Shape::sphere(lit("0.5")),
            Shape::aabb(half),
            Shape::obb(half, turned),
            Shape::Plane(slope),
            Shape::capsule(v("0.25", "-0.5", "0.25"), lit("0.375")),
        ];
        others.into_iter().chain(hulls()).collect()
    }

    #[test]
    fn going_as_far_as_said_takes_two_apart_and_less_does_not() {
        let shapes = shapes();
        let (mut deep, mut apart) = (0, 0);
        for case in 0..30_000_u64 {
            let mut draws = Rng::new(3).at(0, case, 0);
            let mut pick = || &shapes[draws.below(shapes.len() as u64) as usize];
            let (a, b) = (pick(), pick());
            if matches!((a, b), (Shape::Plane(_), Shape::Plane(_))) {
                continue;
            }
            let most = [1 << 32, 3 << 31][(case % 2) as usize];
            let offset = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
            let found = penetration_shapes(a, b, offset, [false; 3]);
            let back = penetration_shapes(b, a, -offset, [false; 3]);
            assert_eq!((back.normal, back.depth), (found.normal.map(|n| -n), found.depth), "{a:?} {b:?}");
            let normal = found.normal.unwrap();
            let gone = |depth: i64| {
                let along = normal.components().map(|n| ((i128::from(n) * i128::from(depth)) >> 30) as i64);
                offset + Vec3::from_raw(along)
            };
            if overlap_shapes(a, b, offset) {
                deep += 1;
                assert!(found.depth > 0, "{a:?} {b:?} {offset}");
                assert!(!overlap_shapes(a, b, gone(found.depth + 16)), "{a:?} {b:?} {offset} {found:?}");
                assert!(overlap_shapes(a, b, gone(found.depth / 2)), "{a:?} {b:?} {offset} {found:?}");
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
            for other in [disc.clone(), ball.clone()] {
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

    #[test]
    fn boxes_are_as_deep_as_hulls_with_their_corners() {
        let (mut deep, mut along) = (0, 0);
        for case in 0..6_000_u64 {
            let mut draws = Rng::new(5).at(0, case, 0);
            let mut pick = || {
                let half = Vec3::from_raw([0; 3].map(|_: i32| draws.between(1, 16) << 29));
                let part = [0; 4].map(|_: i32| Scalar::from_bits(draws.between(-1 << 32, 1 << 32)));
                let turn = Rotation::from_quaternion(part[0], part[1], part[2], part[3]).unwrap();
                let turn = if draws.below(2) == 0 { turn } else { Rotation::IDENTITY };
                (Shape::obb(half, turn), brick(half).turned(turn))
            };
            let ((a, hull_a), (b, hull_b)) = (pick(), pick());
            let offset = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-3 << 31, 3 << 31)));
            let found = penetration_shapes(&a, &b, offset, [false; 3]);
            if found.depth <= 64 {
                continue;
            }
            for (a, b) in [(&hull_a, &hull_b), (&a, &hull_b), (&hull_a, &b)] {
                let of_hulls = penetration_shapes(a, b, offset, [false; 3]);
                assert!((of_hulls.depth - found.depth).abs() <= 64, "{a:?} {b:?} {offset}");
                if let Some(axis) = found.normal.and_then(Normal::axis) {
                    assert_eq!(of_hulls.normal.and_then(Normal::axis), Some(axis), "{a:?} {b:?} {offset}");
                    along += 1;
                }
            }
            deep += 1;
        }
        assert!(deep > 2_000 && along > 2_000, "{deep} {along}");
    }

    /// Prisms are polygons, seen from above, and overlap as deeply as these.
    #[test]
    fn prisms_leave_each_other_level_where_the_world_is() {
        let hexagon = |half_length: &str| {
            Shape::hull(Hull::cylinder(lit("0.75"), half_length.parse().unwrap(), 6).unwrap())
        };
        let solids = |thin: &str| -> Vec<Shape> {
            let thickness: Scalar = thin.parse().unwrap();
            let half = Vec3::new(lit("0.5"), lit("1"), thickness);
            let rod = Shape::capsule(v("0.5", "0.25", "0"), lit("0.125"));
            let turn = Rotation::from_quaternion(lit("0.9"), lit("0"), lit("0"), lit("0.5")).unwrap();
            let wedge = wedge(thickness);
            let turned = [wedge.turned(turn), brick(half).turned(turn), Shape::obb(half, turn)];
            let others =
                [wedge, hexagon(thin), brick(half), Shape::aabb(half), Shape::sphere(lit("0.25")), rod];
            others.into_iter().chain(turned).collect()
        };
        let (discs, pillars) = (solids("0.03125"), solids("0.84375"));
        let is_hull = |shape: &Shape| matches!(shape, Shape::Hull(_));
        let level = [false, false, true];
        let (mut deep, mut same, mut steep) = (0, 0, 0);
        for case in 0..6_000_u64 {
            let mut draws = Rng::new(6).at(0, case, 0);
            let (a, b) = (draws.below(9) as usize, draws.below(9) as usize);
            if !is_hull(&discs[a]) && !is_hull(&discs[b]) {
                continue;
            }
            let [x, y] = [0; 2].map(|_: i32| draws.between(-1 << 32, 1 << 32));
            // A ball reaches no farther than its radius where it is aside.
            let z = if draws.below(4) == 0 { draws.between(-1 << 26, 1 << 26) } else { 0 };
            let offset = Vec3::from_raw([x, y, z]);
            let found = penetration_shapes(&discs[a], &discs[b], offset, level);
            assert_eq!(found.normal.unwrap().z, 0, "{:?} {:?} {offset} {found:?}", discs[a], discs[b]);
            let back = penetration_shapes(&discs[b], &discs[a], -offset, level);
            assert_eq!((back.normal, back.depth), (found.normal.map(|n| -n), found.depth));
            // Deeper ones leave pillars along them.
            if found.depth < 7 << 29 {
                let of_pillars = penetration_shapes(&pillars[a], &pillars[b], offset, [false; 3]);
                let [way, of_found] = [of_pillars, found].map(|found| found.normal.unwrap().components());
                let is_near = (0..3).all(|i| (way[i] - of_found[i]).abs() <= 2);
                assert!(is_near && (of_pillars.depth - found.depth).abs() <= 16, "{of_pillars:?} {found:?}");
                // To the bit where they overlap without their radii.
                same += u32::from(of_pillars == found);
            }
            deep += u32::from(found.depth > 0);
            let free = penetration_shapes(&discs[a], &discs[b], offset, [false; 3]);
            steep += u32::from(free.normal.unwrap().z != 0);
        }
        assert!(deep > 2_000 && same > 2_000 && steep > 1_000, "{deep} {same} {steep}");
    }

    #[test]
    fn hulls_without_corners_in_pairs_stay_as_they_are_in_a_level_world() {
        let axes = [v("0.75", "0", "0"), v("0", "0.75", "0"), v("0", "0", "0.25")];
        let octahedron: Vec<Vec3> = axes.into_iter().flat_map(|axis| [axis, -axis]).collect();
        let octahedron = Shape::hull(Hull::upright(&octahedron).unwrap());
        let [turned, .., tetrahedron, many] = &hulls()[..] else { panic!("there are four") };
        let ball = Shape::sphere(lit("0.5"));
        let offset = v("0.125", "0.0625", "0.25");
        for solid in [&octahedron, turned, tetrahedron, many] {
            let found = penetration_shapes(solid, &ball, offset, [false, false, true]);
            assert_eq!(found, penetration_shapes(solid, &ball, offset, [false; 3]), "{solid:?}");
            assert!(found.normal.unwrap().z != 0, "{solid:?}");
        }
    }
}
