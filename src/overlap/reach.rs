//! How far two shapes reach toward each other along a direction.

use crate::{
    geom::{Normal, Plane},
    num::Scalar,
    shape::Shape::{self, Capsule, Sphere},
};

/// A direction and the sum of both shapes' extents along it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Separation {
    /// The direction from A to B, of length 2^30 up to its rounding.
    pub normal: Normal,
    /// The extents of both along the normal, times its length, rounded up: the shapes are apart
    /// while `normal . offset` is no less.
    pub reach: i128,
}

/// The plane of a half-space, from which a bounded shape is apart.
pub(super) fn against_plane(plane: &Plane, other: &Shape) -> Option<Separation> {
    let normal = plane.normal().unit_q30()?;
    Some(Separation { normal, reach: reach_of_plane(plane, other, normal)? })
}

/// The reach of a half-space and another shape along a normal from the half-space.
pub(super) fn reach_of_plane(plane: &Plane, other: &Shape, normal: Normal) -> Option<i128> {
    Some(normal.dot_wide(plane.point()) + extent(other, -normal)?)
}

/// The extent of a shape along a normal of length 2^30, times that length, rounded up.
///
/// For a ball the length is taken from `sqrt(1 + d) <= 1 + d / 2`.
pub(super) fn extent(shape: &Shape, normal: Normal) -> Option<i128> {
    let ball = |radius: &Scalar| {
        let over = normal.length_squared() as i64 - (1 << 60); // some 2^32 at most
        i128::from(radius.to_bits()) * i128::from((1 << 62) + 2 * over + 1)
    };
    let q32 = match shape {
        Sphere { radius } => ball(radius),
        Capsule(capsule) => (normal.dot_wide(capsule.half_axis).abs() << 32) + ball(&capsule.radius),
        _ => shape.support_q32_ceil(normal)?,
    };
    Some(-(-q32 >> 32)) // rounded up, since the shift rounds down
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{geom::Vec3, num::Rng, shape::SIZE_MAX};
    use num_bigint::BigInt;

    #[test]
    fn the_extent_of_a_ball_is_its_radius_and_hardly_more() {
        let mut draws = Rng::new(4).at(0, 0, 0);
        let (mut short, mut long) = (0, 0);
        for case in 0..600 {
            let way = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 32, 1 << 32)));
            let normal = Normal::from_vector(way).and_then(Normal::unit_q30).unwrap();
            let radius = if case % 3 == 0 { SIZE_MAX } else { Scalar::from_bits(draws.between(1, 1 << 40)) };
            let found = extent(&Sphere { radius }, normal).unwrap();
            // In parts of the normal: `radius * length`, rounded up, and hardly more.
            let square = BigInt::from(radius.to_bits()).pow(2) * normal.length_squared();
            assert!(BigInt::from(found).pow(2) >= square, "{radius} {normal:?}");
            let most = found - 2 - (i128::from(radius.to_bits()) >> 28);
            assert!(BigInt::from(most).pow(2) < square, "{radius} {normal:?}");
            short += u32::from(normal.length_squared() < 1 << 60);
            long += u32::from(normal.length_squared() > 1 << 60);
        }
        assert!(short > 100 && long > 100, "{short} {long}");
    }
}
