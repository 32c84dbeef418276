//! One body's part of the state.

use serde::{Deserialize, Serialize};

use super::{MaterialId, ShapeId};
use crate::{
    geom::{Pose, Rotation, Vec3},
    num::round::div_nearest,
};

/// A dynamic body.
///
/// Momentum is the state and velocity follows from it: an impulse is an integer that one body loses
/// and another gains, so momentum is conserved to the last bit whatever the masses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Body {
    /// The center, in world units.
    pub position: Vec3,
    /// Mass times velocity, in mass units times units per tick.
    pub momentum: Vec3,
    /// The mass: a whole number of mass units, at least 1.
    pub mass: u32,
    /// Which shape of the scenery.
    pub shape: ShapeId,
    /// Which material of the scenery.
    pub material: MaterialId,
    /// How it turns; `None` for a body that keeps its orientation, as all do under these rules.
    pub spin: Option<Spin>,
}

/// The turning part of a body's state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spin {
    /// The orientation.
    pub orientation: Rotation,
    /// The angular momentum.
    pub angular_momentum: Vec3,
}

impl Body {
    /// The velocity in units per tick.
    ///
    /// **Rounding**: momentum over mass to nearest, halves away from zero.
    #[must_use]
    pub fn velocity(&self) -> Vec3 {
        velocity_nearest(self.momentum, self.mass)
    }

    /// Where the body is and how it is turned.
    #[must_use]
    pub fn pose(&self) -> Pose {
        let orientation = self.spin.map_or(Rotation::IDENTITY, |spin| spin.orientation);
        Pose { position: self.position, orientation }
    }
}

/// Momentum over mass, to nearest, halves away from zero.
pub(crate) fn velocity_nearest(momentum: Vec3, mass: u32) -> Vec3 {
    momentum.map_raw(|raw| div_nearest(raw.into(), mass.into()) as i64)
}

/// Mass times velocity, exact.
///
/// **Range**: the product fits, as `2^16 * 2^46 raw` does.
pub(crate) fn momentum_wide(velocity: Vec3, mass: u32) -> Vec3 {
    velocity.map_raw(|raw| raw * i64::from(mass))
}
