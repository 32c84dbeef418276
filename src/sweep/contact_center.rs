//! The center of a ball at its time of impact.

use crate::{geom::Vec3, num::Toi};

/// The center of a moving ball at a time of impact: `C0 + u (C1 - C0)`.
///
/// `start` is the center at the start and `motion` its displacement over the tick, in units. At
/// [`Toi::END`] it is exactly `start + motion`. [`Path::at`](crate::geom::Path::at) gives the same
/// place for a body.
///
/// **Rounding**: each component to nearest, halves away from zero.
/// **Range**: the center and the motion stay within 2^30 units.
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Sphere-Plane Sweep Test": `Ci`.
#[must_use]
pub fn contact_center(start: Vec3, motion: Vec3, toi: Toi) -> Vec3 {
    start + motion.map_raw(|length| toi.of_nearest(length))
}
