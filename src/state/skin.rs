//! The gap that solids keep.

use super::Limits;
use crate::{
    num::{
        Scalar,
        scalar::{FRACTION_BITS, ONE_RAW},
    },
    shape::Shape,
};

/// The gap that a pair of solids keeps: two bodies are in contact when they are this close.
///
/// Each segment of a path rounds the body's position by less than a raw; four raw for each impact within the
/// limit leave room for both bodies of a pair.
pub const SKIN: Scalar = Scalar::from_bits(4 * Limits::BUDGET_MAX as i64);

/// The additional gap of a pair with an oriented box, a capsule or a hull, in raw per unit of both bounding radii:
/// the normals of its sweeps have 30 bits, which tilts a face or a side by up to 2^-28 of its size.
const LEAN_RAW: i64 = 1 << (FRACTION_BITS - 28);

/// The gap that a pair of shapes keeps, in units: [`SKIN`], and for a pair with an oriented box, a
/// capsule or a hull 16 raw for each unit of both bounding radii, rounded up.
#[must_use]
#[inline]
pub fn skin(a: &Shape, b: &Shape) -> Scalar {
    if a.leans() || b.leans() { SKIN + lean(a) + lean(b) } else { SKIN }
}

/// The largest contribution of a shape to the skin of any pair.
pub(super) fn lean(shape: &Shape) -> Scalar {
    // Bodies rest on the plane of a facet, whatever its size.
    let own = if matches!(shape, Shape::Facet(_)) { None } else { shape.bounding_radius() };
    let radius = own.unwrap_or_default().to_bits();
    let units_ceil = (radius + ONE_RAW - 1) >> FRACTION_BITS; // a radius is not negative
    Scalar::from_bits(units_ceil * LEAN_RAW)
}

/// The contribution of a shape to the [`skin`] of a pair if its body may rotate, in units: for an oriented
/// box, a capsule and a hull 256 raw for each unit of its bounding radius, rounded up, otherwise 0.
///
/// An impact rounds its orientation to 30 bits, which moves its outermost points by up to 16 raw for each
/// unit of its radius; and a body has up to 16 impacts.
#[must_use]
pub fn turning_skin(shape: &Shape) -> Scalar {
    if shape.leans() {
        Scalar::from_bits(lean(shape).to_bits() * Limits::BUDGET_MAX as i64)
    } else {
        Scalar::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::{Rotation, Vec3},
        num::lit,
        shape::Obb,
    };

    #[test]
    fn pairs_with_an_oriented_box_keep_more_with_their_size() {
        let ball = Shape::sphere(lit("2.5"));
        let cube = Shape::aabb(Vec3::splat(lit("1")));
        let ramp = Shape::Obb(Obb::new(Vec3::new(lit("30"), lit("40"), lit("1")), Rotation::IDENTITY));
        assert_eq!(skin(&ball, &cube).to_bits(), 64);
        // The ramp's bounding radius is a little over 50.
        assert_eq!(skin(&ball, &ramp).to_bits(), 64 + 16 * (3 + 51));
        assert_eq!(skin(&ramp, &cube), skin(&cube, &ramp));
    }
}
