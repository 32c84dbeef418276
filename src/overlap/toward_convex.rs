//! The direction between two convex solids.

use super::gjk::{Gjk, way_out};
use crate::{
    geom::{Normal, Vec3},
    shape::Convex,
};

/// The direction between the nearest points of two convex solids, of length 2^30 up to its rounding; if they overlap without their radii, the one in which B
/// leaves A soonest.
pub(crate) fn separating_normal_convex(a: &Convex<'_>, b: &Convex<'_>, offset: Vec3) -> Option<Normal> {
    match Gjk::new(a, b, offset).and_then(Gjk::settled) {
        Some(walk) => walk.unit_normal(),
        None => way_out(a, b, offset)?.unit_q30(),
    }
}
