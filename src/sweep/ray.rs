//! What rays share.

use super::Hit;
use crate::{
    geom::{Normal, Vec3},
    num::Toi,
};

/// The answer for a ray that starts inside a solid: at once, along its own way, so that it goes
/// against the motion of the solid as in every other hit. No way, no hit.
pub(super) fn ray_inside(way: Vec3) -> Option<Hit> {
    Normal::from_vector(way).map(|normal| Hit { toi: Toi::START, normal })
}
