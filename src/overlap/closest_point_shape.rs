//! The point of any shape that is nearest to another point: the one table.

use super::{closest_point_aabb, closest_point_obb, facet::piece_nearest_to, gjk::Gjk};
use crate::{
    geom::{Plane, Vec3},
    num::{Scalar, mul_div::mul_div_nearest, root::sqrt_floor},
    shape::{Capsule, Convex, Shape},
};

/// The point of a solid that is nearest to `point`, both relative to the shape's origin, in units. A point
/// inside is its own nearest point.
///
/// **Rounding**: to nearest, halves away from zero, so mirrored shapes give mirrored points. For a box along
/// the axes exact; for an oriented box as [`closest_point_obb`]; for a sphere or a plane each component
/// within one raw of the exact nearest point, so for a hull, for a capsule within two. **Range**: `point` up to 2^17 units
/// along each axis, for a plane's point too; sizes within [`SIZE_MAX`](crate::shape::SIZE_MAX).
#[must_use]
pub fn closest_point_shape(point: Vec3, shape: &Shape) -> Vec3 {
    match shape {
        Shape::Sphere { radius } => closest_on_ball(point, *radius),
        Shape::Aabb { half } => closest_point_aabb(point, *half),
        Shape::Obb(obb) => closest_point_obb(point, obb),
        Shape::Plane(plane) => closest_on_plane(point, plane),
        Shape::Capsule(capsule) => closest_on_capsule(point, capsule),
        Shape::Hull(hull) => closest_on_convex(point, &hull.as_convex()),
        Shape::Mesh(_) => point, // its facets are asked
        Shape::Triangle(triangle) => {
            closest_on_convex(point, &Convex::around(triangle.corners(), Scalar::ZERO))
        }
        Shape::Facet(facet) => piece_nearest_to(facet, point)
            .map_or(point, |piece| closest_point_shape(point - piece.place, &piece.shape()) + piece.place),
    }
}

fn closest_on_ball(point: Vec3, radius: Scalar) -> Vec3 {
    let (square, radius) = (point.length_squared_wide(), i128::from(radius.to_bits()));
    if square <= (radius * radius) as u128 {
        return point;
    }
    // The length with as many fraction bits as its square has room for, so that its rounding is far below a
    // raw.
    let shift = square.leading_zeros() / 2 - 1;
    let length = sqrt_floor(square << (2 * shift)) as i128;
    point.map_raw(|c| mul_div_nearest(i128::from(c) << shift, radius, length) as i64)
}

fn closest_on_plane(point: Vec3, plane: &Plane) -> Vec3 {
    let height = plane.height_wide(point);
    if height <= 0 {
        return point;
    }
    let (normal, square) = (plane.normal().components(), i128::from(plane.normal().length_squared()));
    let [x, y, z] = normal.map(|c| mul_div_nearest(height, c.into(), square) as i64);
    point - Vec3::from_raw([x, y, z])
}

fn closest_on_convex(point: Vec3, convex: &Convex<'_>) -> Vec3 {
    let walk = Gjk::new(&Convex::POINT, convex, -point).and_then(Gjk::settled);
    walk.map_or(point, |walk| point + walk.nearest().foot_nearest())
}

fn closest_on_capsule(point: Vec3, capsule: &Capsule) -> Vec3 {
    let axis = capsule.half_axis;
    let (share, square) = (point.dot_wide(axis), axis.dot_wide(axis));
    let share = share.clamp(-square, square);
    let spine = axis.map_raw(|c| mul_div_nearest(c.into(), share, square) as i64);
    spine + closest_on_ball(point - spine, capsule.radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        num::{Rng, lit},
        overlap::{
            distance_point_shape_ceil,
            sample_hulls::{brick, hulls},
        },
    };

    #[test]
    fn nearest_points_of_hulls_have_the_hull_behind_them() {
        let hulls = hulls();
        let (mut outside, mut inside) = (0, 0);
        for case in 0..20_000_u64 {
            let mut draws = Rng::new(12).at(0, case, 0);
            let Shape::Hull(hull) = &hulls[draws.below(4) as usize] else { panic!("all are hulls") };
            let solid = Shape::Hull(hull.clone());
            let most = 1 << [31, 33, 49][draws.below(3) as usize];
            let point = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
            let found = closest_point_shape(point, &solid);
            let distance = distance_point_shape_ceil(-point, &solid).to_bits();
            if found == point {
                assert_eq!(distance, 0, "{point} {solid:?}");
                inside += 1;
                continue;
            }
            outside += 1;
            let way = point - found;
            let length = sqrt_floor(way.length_squared_wide()) as i128;
            assert!((length - i128::from(distance)).abs() <= 4, "{point} {found} {distance}");
            assert!(distance_point_shape_ceil(-found, &solid).to_bits() <= 2, "{point} {found}");
            // No corner is ahead of the plane through it, across the way, by more than its rounding turns the way.
            for corner in hull.corners() {
                let across = sqrt_floor((*corner - found).length_squared_wide()) as i128;
                let slack = 2 * length + 2 * across;
                assert!(way.dot_wide(*corner - found) <= slack, "{point} {found} {corner}");
            }
        }
        assert!(outside > 10_000 && inside > 1_000, "{outside} {inside}");
    }

    #[test]
    fn nearest_points_of_a_box_are_those_of_the_hull_of_its_corners() {
        let half = Vec3::new(lit("1"), lit("0.5"), lit("2"));
        let (hull, solid) = (brick(half), Shape::aabb(half));
        let mut beside = 0;
        for case in 0..20_000_u64 {
            let mut draws = Rng::new(13).at(0, case, 0);
            let steps = 1 << [34, 3][draws.below(2) as usize];
            let cell = (1 << 34) / steps;
            let point = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-steps, steps) * cell));
            let (of_hull, of_box) = (closest_point_shape(point, &hull), closest_point_shape(point, &solid));
            assert!((of_hull - of_box).within(Scalar::DELTA), "{point} {of_hull} {of_box}");
            let distance = distance_point_shape_ceil(-point, &hull);
            assert_eq!(distance, distance_point_shape_ceil(-point, &solid), "{point}");
            beside += u32::from(distance == 0 && of_hull == point);
        }
        assert!(beside > 300, "{beside}");
    }
}
