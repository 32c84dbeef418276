//! A convex solid and a half-space.

use crate::{
    geom::{Plane, Vec3},
    num::Scalar,
    shape::Convex,
};

/// True if a convex solid and the half-space behind a plane share interior points; touching is not overlap.
///
/// `offset` is the plane's placement minus the solid's origin, in units. The plane is relative to its placement.
///
/// **Rounding**: none, exact; the plane's normal has the length [`Plane::length_up_q32`], by which a radius counts as larger by at most
/// `2^-32 / |normal|` of itself. **Range**: components of the offset and of the plane's point up to 2^25 units, corners and the radius
/// within [`SIZE_MAX`](crate::shape::SIZE_MAX).
///
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Sphere-Plane Sweep Test", for the lowest corner.
#[must_use]
pub fn overlap_convex_plane(offset: Vec3, convex: &Convex<'_>, plane: &Plane) -> bool {
    clearance_convex_q32(offset, convex, plane, Scalar::ZERO) < 0
}

/// Distance of a convex solid in front of a plane, less a gap, times the length of the normal and 2^32.
///
/// Below 2^124 in the range of [`overlap_convex_plane`].
pub(crate) fn clearance_convex_q32(offset: Vec3, convex: &Convex<'_>, plane: &Plane, gap: Scalar) -> i128 {
    let lowest = convex.farthest(-plane.normal());
    let reach = i128::from((convex.radius() + gap).to_bits());
    (plane.height_wide(lowest - offset) << 32) - reach * i128::from(plane.length_up_q32())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{geom::Normal, num::lit, shape::Obb};

    #[test]
    fn a_solid_on_a_plane_touches_it_and_overlaps_it_a_raw_deeper() {
        let plane = Plane::from_point_normal(Vec3::lit("0", "3", "0"), Normal::Y).unwrap();
        let corners = Obb::along_axes(Vec3::splat(lit("1"))).corners();
        let box_around = |radius: &str| Convex::new(&corners, radius.parse().unwrap()).unwrap();
        for (solid, height) in [(box_around("0"), "4"), (box_around("0.25"), "4.25")] {
            let at = |raw: i64| {
                let place = Vec3::lit("7", height, "-5") + Vec3::from_raw([0, raw, 0]);
                overlap_convex_plane(-place, &solid, &plane)
            };
            assert_eq!([at(1), at(0), at(-1)], [false, false, true], "{height}");
        }
    }
}
