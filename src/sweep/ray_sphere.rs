//! A ray against a ball.

use super::{Hit, OFFSET_MAX, REACH_MAX, ray::ray_inside, sphere_sphere::first_contact};
use crate::{geom::Vec3, num::Scalar, overlap::overlap_sphere_sphere};

/// The first contact of a segment with a ball, or `None` if it does not.
///
/// `offset` is the ball's center minus the segment's first point, `displacement` the segment's last point minus its
/// first, in units; A is the ray. The hit's time is the fraction of the segment. A ray is a segment as long
/// as it matters: scale its direction.
///
/// A segment that starts inside the ball hits at once, with its own direction for a normal; one that starts
/// on the surface hits at once if it goes in. A tangent is a hit. A segment of no length hits nothing.
///
/// **Rounding**: the time down: the point is not inside the ball, and off it by less than `max(1, |displacement|)` raw
/// (and the more for small balls that [`sweep_sphere_sphere`](super::sweep_sphere_sphere) states). **Range**:
/// [`OFFSET_MAX`] for the offset and for the way, [`REACH_MAX`] for the radius. **Source**: Gomez, *Simple
/// Intersection Tests for Games* (1999), "A Sphere-Sphere Sweep Test".
#[must_use]
pub fn sweep_ray_sphere(offset: Vec3, displacement: Vec3, radius: Scalar) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && displacement.within(OFFSET_MAX));
    debug_assert!(radius >= 0 && radius <= REACH_MAX);
    if overlap_sphere_sphere(offset, radius) {
        return ray_inside(displacement);
    }
    first_contact(offset, -displacement, radius.to_bits())
}
