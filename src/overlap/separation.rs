//! A plane between two shapes: which direction keeps them apart, and how far they reach along it.

use super::{
    closest_point_aabb,
    toward_obb::toward_obb,
    widest::{Rank, Widest},
};
use crate::{
    geom::{Normal, Vec3},
    num::round::{div_ceil, div_nearest},
    shape::Shape::{self, Aabb, Obb, Plane, Sphere},
};

/// A direction and the sum of both shapes' extents along it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Separation {
    /// From A to B, of length 2^30 up to its rounding.
    pub normal: Normal,
    /// The extents of both along the normal, times its length, rounded up: the shapes are apart
    /// while `normal . offset` is no less.
    pub reach: i128,
}

/// The plane between the closest points of two shapes that are apart.
pub(crate) fn separation_shapes(a: &Shape, b: &Shape, offset: Vec3) -> Option<Separation> {
    let direction = match (a, b) {
        (Sphere { .. }, Sphere { .. }) => Normal::from_vector(offset),
        (Sphere { .. }, Aabb { half }) => Normal::from_vector(offset + closest_point_aabb(-offset, *half)),
        (Aabb { half }, Sphere { .. }) => Normal::from_vector(offset - closest_point_aabb(offset, *half)),
        (Sphere { .. }, Obb(obb)) => toward_obb(offset, obb),
        (Obb(obb), Sphere { .. }) => toward_obb(-offset, obb).map(|n| -n),
        (Aabb { half: p }, Aabb { half: q }) => {
            let mut widest = Widest::default();
            let reach = (*p + *q).raw();
            for (axis, normal) in [Normal::X, Normal::Y, Normal::Z].into_iter().enumerate() {
                widest.offer(normal, offset, reach[axis].into(), Rank::Face);
            }
            widest.normal()
        }
        (Plane(plane), _) => return against_plane(plane, b),
        (_, Plane(plane)) => {
            let found = against_plane(plane, a)?;
            return Some(Separation { normal: -found.normal, ..found });
        }
        (Obb(_), Aabb { .. } | Obb(_)) | (Aabb { .. }, Obb(_)) => None,
    }?;
    let normal = with_unit_length(direction)?;
    Some(Separation { normal, reach: extent(a, normal)? + extent(b, -normal)? })
}

fn against_plane(plane: &crate::geom::Plane, other: &Shape) -> Option<Separation> {
    let normal = with_unit_length(plane.normal())?;
    Some(Separation { normal, reach: normal.dot_wide(plane.point()) + extent(other, -normal)? })
}

/// How far a shape reaches along a normal of length 2^30, times that length, rounded up.
///
/// For a ball the length is taken from `sqrt(1 + d) <= 1 + d / 2`.
fn extent(shape: &Shape, normal: Normal) -> Option<i128> {
    let q32 = match shape {
        Sphere { radius } => {
            let over = i128::from(normal.length_squared()) - (1 << 60);
            i128::from(radius.to_bits()) * ((1 << 62) + 2 * over + 1)
        }
        _ => shape.support_q32_ceil(normal)?,
    };
    Some(div_ceil(q32, 1 << 32))
}

fn with_unit_length(direction: Normal) -> Option<Normal> {
    let square = u128::from(direction.length_squared());
    if square == 0 {
        return None;
    }
    let length = (square << 62).isqrt() as i128; // |n| * 2^31
    let [x, y, z] = direction.components().map(|c| div_nearest(i128::from(c) << 61, length) as i32);
    Some(Normal::new(x, y, z))
}
