//! One body's part of the state.

use serde::{Deserialize, Serialize};

use super::{Filter, Kind, Locks, MaterialId, ShapeId};
use crate::{
    geom::{Pose, Rotation, Vec3},
    num::round::div_nearest_even,
};

/// A body.
///
/// Momentum is the state and velocity follows from it: an impulse is an integer that one body loses
/// and another gains, so momentum is conserved to the last bit whatever the masses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Body {
    /// The center, in world units.
    pub position: Vec3,
    /// Mass times velocity, in mass units times units per tick; of a kinematic body only its velocity
    /// means anything.
    pub momentum: Vec3,
    /// The mass: a whole number of mass units, at least 1.
    pub mass: u32,
    /// Which shape of the scenery.
    pub shape: ShapeId,
    /// Which material of the scenery.
    pub material: MaterialId,
    /// What moves it.
    pub kind: Kind,
    /// Whether the end of the next tick stops it, as it does a kinematic body under `MoveTo`.
    pub stops: bool,
    /// Its layer, `0..=15`; the state's table says which layers meet.
    pub layer: u8,
    /// Bodies of the same group other than 0 ignore each other.
    pub group: u16,
    /// The axes along which it does not move.
    pub locks: Locks,
    /// The part of its momentum that it loses in each tick, times 2^16.
    pub damping_q16: u16,
    /// Whatever the game keeps with it; no tick reads or changes it.
    pub user: u64,
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
    /// A dynamic body of mass 1 at rest, in material 0, layer 0 and no group, with everything else
    /// zero.
    #[must_use]
    pub const fn new(shape: ShapeId, position: Vec3) -> Self {
        Self {
            position,
            momentum: Vec3::ZERO,
            mass: 1,
            shape,
            material: MaterialId(0),
            kind: Kind::Dynamic,
            stops: false,
            layer: 0,
            group: 0,
            locks: Locks::NONE,
            damping_q16: 0,
            user: 0,
            spin: None,
        }
    }

    /// What decides whom it meets.
    #[must_use]
    pub const fn filter(&self) -> Filter {
        Filter { kind: self.kind, layer: self.layer, group: self.group }
    }

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

/// Momentum over mass, to nearest, halves to even: away from zero, even masses would gain speed on average.
pub(crate) fn velocity_nearest(momentum: Vec3, mass: u32) -> Vec3 {
    if mass == 1 {
        return momentum; // the mass of many, and three divisions less
    }
    momentum.map_raw(|raw| div_nearest_even(raw.into(), mass.into()) as i64)
}

/// Mass times velocity, exact.
///
/// **Range**: the product fits, as `2^16 * 2^46 raw` does.
pub(crate) fn momentum_wide(velocity: Vec3, mass: u32) -> Vec3 {
    velocity.map_raw(|raw| raw * i64::from(mass))
}
