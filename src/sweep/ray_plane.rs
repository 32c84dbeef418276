//! A ray against a half-space.

use super::{Hit, OFFSET_MAX, ray::ray_inside, sphere_plane::crossing_floor};
use crate::{
    geom::{Plane, Vec3},
    num::Toi,
};

/// The first contact of a segment with the half-space behind a plane, or `None` if it does not.
///
/// `offset` is the plane's placement minus the segment's first point, `displacement` the segment's last point minus
/// its first, in units; A is the ray. The hit's time is the fraction of the segment, `d0 / (d0 - d1)` with
/// the heights of its ends. A ray is a segment as long as it matters: scale its direction.
///
/// A segment that starts behind the plane hits at once, with its own direction for a normal; one that starts
/// on the plane hits at once if it goes in. A segment of no length hits nothing.
///
/// **Rounding**: the time is the exact one, rounded down. **Range**: [`OFFSET_MAX`] for the offset, the way
/// and the plane's point. **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Sphere-Plane
/// Sweep Test", with radius 0.
#[must_use]
pub fn sweep_ray_plane(offset: Vec3, displacement: Vec3, plane: &Plane) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && displacement.within(OFFSET_MAX));
    let height = plane.height_wide(-offset);
    if height < 0 {
        return ray_inside(displacement);
    }
    let toi = crossing_floor(height << Toi::BITS, -plane.normal().dot_wide(displacement))?;
    Some(Hit { toi, normal: -plane.normal() })
}
