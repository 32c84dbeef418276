//! A box in any orientation and a half-space: first contact.

use super::{Hit, MOTION_MAX, OFFSET_MAX, REACH_MAX, aabb_plane::land};
use crate::{
    geom::{Plane, Vec3},
    num::Scalar,
    shape::Obb,
};

/// The first time at which a moving oriented box is `gap` from the half-space behind a plane, or
/// `None`.
///
/// `offset` is the plane's placement minus the box's center at the start, `motion` the plane's
/// displacement minus the box's over the tick; all in units. The plane is relative to its
/// placement. The normal is the plane's, reversed. A box that starts nearer than `gap`, or behind
/// the plane, hits at the start if it approaches.
///
/// With the normal n out of the half-space, the height of the box's lowest corner is
/// `n . center - sum of |edge_i . n|`, exact and linear in time: `u = (height - gap |n|) / descent`.
///
/// **Rounding**: the time down, `|n|` up by at most 2^-32. At the time, the box is no more than
/// `max(1, |motion|)` raw farther than `gap`, plus `gap / |n|` raw with `gap` in units.
/// **Range**: [`OFFSET_MAX`] (for the plane's point too), [`MOTION_MAX`], [`REACH_MAX`].
///
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Sphere-Plane Sweep Test",
/// with the box's reach along the normal in place of the radius.
#[must_use]
pub fn sweep_obb_plane(offset: Vec3, motion: Vec3, obb: &Obb, plane: &Plane, gap: Scalar) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX));
    debug_assert!((obb.half_extent() + Vec3::splat(gap)).within(REACH_MAX) && gap >= 0);
    let height = plane.height_wide(-offset) - obb.support_wide(plane.normal());
    land(height, motion, plane, gap)
}
