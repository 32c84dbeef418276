//! Two convex solids.

use super::gjk::{Gjk, SquaredDistance, Step};
use crate::{
    geom::{Normal, Vec3},
    num::Scalar,
    shape::Convex,
};

/// True if two convex solids share interior points; touching is not overlap.
///
/// `offset` is B's origin minus A's. One of the two has a volume, or a radius above zero; a point in the other is overlap.
///
/// **Rounding**: exact: of two rounded solids it is the distance of their hulls that is compared with the radii. **Range**:
/// any offset, corners and radii within [`SIZE_MAX`](crate::shape::SIZE_MAX).
///
/// **Source**: Gilbert, Johnson, Keerthi, *A Fast Procedure for Computing the Distance Between Complex Objects in Three-Dimensional
/// Space* (1988); what is exact of it is derived in `docs/numerics/hulls.md`.
///
/// ```
/// use bitstep::{geom::Vec3, num::{Scalar, lit}, overlap::overlap_convex_convex, shape::{Convex, Hull}};
/// let wedge = Hull::prism(&[[lit("-2"), lit("-1")], [lit("2"), lit("-1")], [lit("0"), lit("2")]], lit("1"))?;
/// let wedge = Convex::new(wedge.corners(), Scalar::ZERO).expect("a hull has corners");
/// let ball = Convex::new(&[Vec3::ZERO], lit("0.5")).expect("a ball has a center");
/// assert!(!overlap_convex_convex(Vec3::lit("1", "-1.5", "0"), &wedge, &ball)); // touches the lower side
/// assert!(overlap_convex_convex(Vec3::lit("1", "-1.499999999", "0"), &wedge, &ball));
/// # Ok::<(), bitstep::shape::ShapeError>(())
/// ```
#[must_use]
pub fn overlap_convex_convex(offset: Vec3, a: &Convex<'_>, b: &Convex<'_>) -> bool {
    let radius = a.radius() + b.radius();
    let reach = a.half_extent() + b.half_extent() + Vec3::splat(radius);
    let is_apart = |axis: usize| offset.raw()[axis].unsigned_abs() >= reach.raw()[axis].unsigned_abs();
    if (0..3).any(is_apart) {
        return false;
    }
    Gjk::new(a, b, offset).is_none_or(|walk| overlap_by(walk, radius))
}

/// The same by a walk that begins anywhere, for a solid and a triangle: from the corners that face each other along a normal.
pub(super) fn overlap_convex_triangle(
    offset: Vec3,
    triangle: &Convex<'_>,
    solid: &Convex<'_>,
    normal: Normal,
) -> bool {
    overlap_by(Gjk::along(triangle, solid, offset, normal), solid.radius())
}

/// True if the solids of a walk overlap, given the sum of their radii.
fn overlap_by(mut walk: Gjk<'_>, radius: Scalar) -> bool {
    loop {
        let Some(normal) = walk.normal() else { return true };
        let corner = walk.corner_toward(normal);
        let between = normal.dot_wide(corner) << 32;
        if between >= i128::from(radius.to_bits()) * i128::from(normal.length_up_q32()) {
            return false;
        }
        match walk.step(normal, corner) {
            Step::Inside => return true,
            Step::Closer => {}
            Step::Settled => break,
        }
    }
    radius > Scalar::ZERO
        && SquaredDistance::of(&walk.nearest()).is_below(radius.to_bits().unsigned_abs().into())
}
