//! One body's part of the state.

use serde::{Deserialize, Serialize};

use super::{Drive, Filter, Kind, Locks, MaterialId, OnHit, Scenery, ShapeId, Solid, StateError};
use crate::{
    geom::{Inertia, InertiaError, Pose, Rotation, Vec3, along_own_axes, angular_velocity_nearest},
    num::round::div_nearest_even_64,
    shape::Shape,
};

/// A body.
///
/// Momentum is the state and velocity follows from it: an impulse is an integer that one body loses
/// and another gains, so momentum is conserved to the last bit whatever the masses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Body {
    /// The center, in world units.
    pub position: Vec3,
    /// Mass times velocity, in mass units times units per tick; of a kinematic body only its velocity
    /// means anything.
    pub momentum: Vec3,
    /// The mass: a whole number of mass units, at least 1.
    pub mass: u32,
    /// Which shape of the scenery, or which set of them.
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
    /// The axes of the world along which it does not move, and those of its own about which it does not turn.
    pub locks: Locks,
    /// The part of its momentum that it loses in each tick, times 2^16.
    pub damping_q16: u16,
    /// Whatever the game keeps with it; no tick reads or changes it.
    pub user: u64,
    /// How it turns; `None` for a body that keeps its orientation for ever.
    pub spin: Option<Spin>,
    /// For how many more ticks it is frozen: see [`Command::Freeze`](super::Command::Freeze); 0 of a static body.
    pub frozen: u16,
    /// What becomes of it at its first impact in a tick; only a dynamic body does anything but continue.
    pub on_hit: OnHit,
    /// What velocity it goes towards by itself, if any; only of a dynamic body.
    pub drive: Option<Drive>,
    /// Who yields where it overlaps others: see [`Limits::separation_speed`](super::Limits::separation_speed). It does to whoever
    /// has as much or more, [`UNYIELDING`](Self::UNYIELDING) to nobody. Static, kinematic, frozen and held bodies never
    /// yield; they have 0.
    pub priority: u8,
    /// Whether it is one of a pair in [`State::exceptions`](super::State::exceptions), which must say so, too.
    pub excepted: bool,
}

/// The turning part of a body's state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spin {
    /// The orientation: what turns the frame of the body's shape into the world's.
    pub orientation: Rotation,
    /// The angular momentum about the center, in the world's frame, in mass units times units squared per
    /// tick; of a kinematic body only its angular velocity means anything.
    pub angular_momentum: Vec3,
}

impl Spin {
    /// As it lies, without angular momentum.
    pub(crate) const fn stopped(self) -> Self {
        Self { angular_momentum: Vec3::ZERO, ..self }
    }
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
            frozen: 0,
            on_hit: OnHit::Continue,
            drive: None,
            priority: 0,
            excepted: false,
        }
    }

    /// The priority of a body that never yields.
    pub const UNYIELDING: u8 = u8::MAX;

    /// Whether it is frozen, stops or goes at an impact, or is driven.
    #[inline]
    pub(crate) fn has_rules(&self) -> bool {
        // One test for all, as it is asked of everybody in each tick.
        self.frozen | u16::from(self.on_hit as u8) | u16::from(self.drive.is_some()) != 0
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

    /// Its solid as it lies in space, about its center: the shape itself where it does not turn. Of a set of shapes
    /// it is a box along the axes, with the same center, that holds all parts, which [`solids`](Self::solids) are; of one that
    /// turns that box turns with it, and is 8 raw larger each way.
    ///
    /// **Rounding**: as [`Shape::turned`].
    ///
    /// # Panics
    ///
    /// If the scenery has no such shape.
    #[must_use]
    pub fn form(&self, scenery: &Scenery) -> Shape {
        match self.spin {
            Some(spin) => scenery.hull(self.shape).turned(spin.orientation),
            None => *scenery.outline(self.shape),
        }
    }

    /// What it is made of, as it lies in space: its one solid, or each part of its set.
    ///
    /// **Rounding**: as [`Shape::turned`]; offsets as [`Rotation::turn_nearest`].
    ///
    /// # Panics
    ///
    /// If the scenery has no such shape.
    pub fn solids<'a>(&'a self, scenery: &'a Scenery) -> impl Iterator<Item = Solid> + 'a {
        (0..scenery.part_count(self.shape)).map(|part| {
            let solid = scenery.solid(self.shape, part);
            match self.spin {
                Some(spin) => solid.turned(spin.orientation),
                None => solid,
            }
        })
    }

    /// How it resists being turned about the axes of its own frame, or why it cannot turn.
    ///
    /// # Errors
    ///
    /// Says what shape a body that turns has, and how the parts of a set must lie; names a moment or a ratio of moments and
    /// its limit.
    ///
    /// # Panics
    ///
    /// If the scenery has no such shape, or the mass is above 2^16.
    pub fn inertia(&self, scenery: &Scenery) -> Result<Inertia, StateError> {
        let shape = scenery.hull(self.shape);
        let refuse = |error| StateError::Inertia { field: "spin".to_owned(), error };
        let never = || StateError::Impossible { field: "spin".to_owned(), reason: why_not(shape) };
        if matches!(shape, Shape::Aabb { .. } | Shape::Plane(_)) {
            return Err(never());
        }
        let inertia = scenery
            .inertia(self.shape, self.mass)
            .map_err(|error| if error == InertiaError::Askew { never() } else { refuse(error) })?;
        match (0..).zip(inertia.moments()).find(|&(_, value)| value > Self::MOMENT_MAX) {
            Some((axis, value)) => Err(refuse(InertiaError::Moment { axis, value, limit: Self::MOMENT_MAX })),
            None => Ok(inertia),
        }
    }

    /// The angular velocity in the world's frame, in radians per tick; zero where it does not turn, `None`
    /// where it cannot, or so much faster than [`ANGULAR_SPEED_MAX`](crate::geom::ANGULAR_SPEED_MAX) that
    /// there is no telling.
    ///
    /// **Rounding**: as [`angular_velocity_nearest`].
    ///
    /// # Panics
    ///
    /// If the scenery has no such shape, or the mass is above 2^16.
    #[must_use]
    pub fn angular_velocity(&self, scenery: &Scenery) -> Option<Vec3> {
        let Some(spin) = self.spin else { return Some(Vec3::ZERO) };
        let inertia = self.inertia(scenery).ok()?;
        if !self.locks.locks_turning() {
            return angular_velocity_nearest(spin.orientation, spin.angular_momentum, &inertia);
        }
        let angular_momentum = self.free_turning(spin.angular_momentum);
        let velocity = angular_velocity_nearest(spin.orientation, angular_momentum, &inertia)?;
        Some(self.free_turning(velocity))
    }

    /// What a vector has along the axes of the body about which it turns.
    ///
    /// **Rounding**: as [`along_own_axes`]; exact where nothing is locked.
    pub(crate) fn free_turning(&self, vector: Vec3) -> Vec3 {
        match self.spin {
            Some(Spin { orientation, .. }) if self.locks.locks_turning() => {
                along_own_axes(vector, self.locks.free_turns(), orientation, orientation)
            }
            _ => vector,
        }
    }

    /// The largest moment of inertia of a body that turns, 2^92 mass units times raw squared: at the
    /// greatest angular speed its angular momentum is below
    /// [`ANGULAR_MOMENTUM_MAX`](crate::geom::ANGULAR_MOMENTUM_MAX). A ball of mass 65,536 has it at a radius
    /// of 101 units.
    pub const MOMENT_MAX: u128 = 1 << 92;
}

/// Why a body of a shape does not turn, whatever its mass.
const fn why_not(shape: &Shape) -> &'static str {
    match shape {
        Shape::Aabb { .. } => "an aabb never turns: take an obb",
        Shape::Capsule(_) => "the half axis of a capsule that turns must lie along an axis of its own frame",
        Shape::Obb(_) => "the half edges of an obb that turns must lie along the axes of its own frame",
        Shape::Plane(_) | Shape::Sphere { .. } => "a body that turns is a sphere, a capsule or an obb",
    }
}

/// Momentum over mass, to nearest, halves to even: away from zero, even masses would gain speed on average.
pub(crate) fn velocity_nearest(momentum: Vec3, mass: u32) -> Vec3 {
    if mass == 1 {
        return momentum; // the mass of many, and three divisions less
    }
    momentum.map_raw(|raw| div_nearest_even_64(raw, mass.into()))
}

/// Mass times velocity, exact.
///
/// **Range**: the product fits, as `2^16 * 2^46 raw` does.
pub(crate) fn momentum_wide(velocity: Vec3, mass: u32) -> Vec3 {
    velocity.map_raw(|raw| raw * i64::from(mass))
}
