//! Code that rays share.

use super::Hit;
use crate::{
    geom::{Normal, Vec3},
    num::Toi,
};

/// The answer for a ray that starts inside a solid: a hit at once, with the ray's own direction as the
/// normal, so that it goes against the motion as in every other hit. A ray of no length does not hit.
pub(super) fn ray_inside(displacement: Vec3) -> Option<Hit> {
    Normal::from_vector(displacement).map(|normal| Hit { toi: Toi::START, normal })
}
