//! The state of one body.

use serde::{Deserialize, Serialize};

use super::{BodyType, Drive, Filter, Locks, MaterialId, OnHit, PlacedShape, Scenery, ShapeId, StateError};
use crate::{
    geom::{GeomError, IVec3, Inertia, Pose, Rotation, Vec3, along_own_axes, angular_velocity_nearest},
    num::{
        bound::{Bound, Width},
        round::div_nearest_even_64,
    },
    shape::{Shape, ShapeError},
};

/// A body.
///
/// Momentum is the state and velocity is derived from it. An impulse is an integer that one body loses and
/// another gains, so momentum is conserved to the last bit whatever the masses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Body {
    /// The center, in world units.
    pub position: Vec3,
    /// Mass times velocity, in mass units times units per tick. Of a kinematic body only the velocity has a
    /// meaning.
    pub momentum: Vec3,
    /// The mass: a whole number of mass units, at least 1.
    pub mass: u32,
    /// A shape of the scenery, or a compound.
    pub shape: ShapeId,
    /// A material of the scenery.
    pub material: MaterialId,
    /// The body type.
    pub body_type: BodyType,
    /// True if the end of the next tick stops the body, as for a kinematic body under `MoveKinematic`.
    pub stops: bool,
    /// The layer, `0..=15`; the state's table has the rule of each pair of layers.
    pub layer: u8,
    /// Bodies of the same group other than 0 ignore each other.
    pub group: u16,
    /// The axes of the world along which it does not move, and its own axes about which it does not rotate.
    pub locks: Locks,
    /// The fraction of its momentum that it loses in each tick, times 2^16.
    pub damping_q16: u16,
    /// User data; no tick reads or changes it.
    pub user: u64,
    /// The rotational state; `None` for a body of fixed orientation.
    pub spin: Option<Spin>,
    /// Number of further ticks for which it is frozen: see [`Command::Freeze`](super::Command::Freeze); 0 for
    /// a static body.
    pub frozen: u16,
    /// The effect of its first impact in a tick; always to continue unless the body is dynamic.
    pub on_hit: OnHit,
    /// The drive, if any; only for a dynamic body.
    pub drive: Option<Drive>,
    /// The dominance in soft overlaps: see [`Limits::separation_speed`](super::Limits::separation_speed). The
    /// body yields to bodies of the same dominance or a higher one; with [`UNYIELDING`](Self::UNYIELDING) it
    /// never yields. Static, kinematic, frozen and held bodies never yield; they have 0.
    pub dominance: u8,
}

/// The rotational part of a body's state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spin {
    /// The orientation: rotates the frame of the body's shape into the frame of the world.
    pub orientation: Rotation,
    /// The angular momentum about the center, in the world's frame, in mass units times units squared per
    /// tick. Of a kinematic body only the angular velocity has a meaning.
    pub angular_momentum: Vec3,
}

impl Spin {
    /// The same orientation, without angular momentum.
    pub(crate) const fn stopped(self) -> Self {
        Self { angular_momentum: Vec3::ZERO, ..self }
    }
}

impl Body {
    /// A dynamic body of mass 1 at rest, in material 0, layer 0 and no group, with everything else zero.
    #[must_use]
    pub const fn new(shape: ShapeId, position: Vec3) -> Self {
        Self {
            position,
            momentum: Vec3::ZERO,
            mass: 1,
            shape,
            material: MaterialId(0),
            body_type: BodyType::Dynamic,
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
            dominance: 0,
        }
    }

    /// The dominance of a body that never yields.
    pub const UNYIELDING: u8 = u8::MAX;

    /// True if the body is frozen, driven, or stops or is removed at an impact.
    #[inline]
    pub(crate) fn has_rules(&self) -> bool {
        // One test for all three, because each tick runs it for every body.
        self.frozen | u16::from(self.on_hit as u8) | u16::from(self.drive.is_some()) != 0
    }

    /// True if the body has neither momentum nor angular momentum.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.momentum == Vec3::ZERO && self.spin.is_none_or(|spin| spin.angular_momentum == Vec3::ZERO)
    }

    /// The angular momentum about the origin, in 2^-64 mass units times units squared per tick; exact.
    pub(crate) fn angular_momentum_wide(&self) -> IVec3<i128> {
        let about_center = self.spin.map_or(Vec3::ZERO, |spin| spin.angular_momentum);
        IVec3(self.position.cross_wide(self.momentum))
            + IVec3::from(about_center).map(|raw| i128::from(raw) << 32)
    }

    /// The values that select the rule of a pair with this body.
    #[must_use]
    pub const fn filter(&self) -> Filter {
        Filter { body_type: self.body_type, layer: self.layer, group: self.group }
    }

    /// The velocity in units per tick; per step, where a tick has several.
    ///
    /// **Rounding**: momentum over mass to nearest, halves to even.
    #[must_use]
    pub fn velocity(&self) -> Vec3 {
        velocity_nearest(self.momentum, self.mass)
    }

    /// The position and the orientation.
    #[must_use]
    pub fn pose(&self) -> Pose {
        let orientation = self.spin.map_or(Rotation::IDENTITY, |spin| spin.orientation);
        Pose { position: self.position, orientation }
    }

    /// The body's shape about its center, in the orientation that it has in the world; the shape itself if
    /// the body does not rotate. For a compound it is a box along the axes, with the same center, that holds
    /// all child shapes ([`solids`](Self::solids)). If the body rotates, that box rotates with it, and is 8
    /// raw larger each way.
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
            None => scenery.outline(self.shape).clone(),
        }
    }

    /// The body's child shapes in the orientation that they have in the world: its one shape, or each child
    /// shape of its compound.
    ///
    /// **Rounding**: as [`Shape::turned`]; offsets as [`Rotation::turn_nearest`].
    ///
    /// # Panics
    ///
    /// If the scenery has no such shape.
    pub fn solids<'a>(&'a self, scenery: &'a Scenery) -> impl Iterator<Item = PlacedShape> + 'a {
        (0..scenery.child_count(self.shape)).map(|child| {
            let solid = scenery.solid(self.shape, child);
            match self.spin {
                Some(spin) => solid.turned(spin.orientation),
                None => solid,
            }
        })
    }

    /// The inertia about the axes of the body's own frame.
    ///
    /// # Errors
    ///
    /// If the body cannot rotate: with the shapes that can, with the condition on the child shapes of a
    /// compound, or with a moment or a ratio of moments and its limit.
    ///
    /// # Panics
    ///
    /// If the scenery has no such shape, or the mass is above 2^16.
    pub fn inertia(&self, scenery: &Scenery) -> Result<Inertia, StateError> {
        let shape = scenery.hull(self.shape);
        let refuse = |error| StateError::Inertia { field: "spin".to_owned(), error };
        let never = || StateError::Impossible { field: "spin".to_owned(), reason: why_not(shape) };
        if matches!(shape, Shape::Aabb { .. }) || shape.is_static() {
            return Err(never());
        }
        let inertia = scenery
            .inertia(self.shape, self.mass)
            .map_err(|error| if error == ShapeError::NotAxisAligned { never() } else { refuse(error) })?;
        match (0..).zip(inertia.moments()).find(|&(_, value)| value > Self::MOMENT_MAX) {
            Some((axis, value)) => {
                Err(refuse(GeomError::Moment { axis, value, limit: Self::MOMENT_MAX }.into()))
            }
            None => Ok(inertia),
        }
    }

    /// The angular velocity in the world's frame, in radians per tick. Zero if the body does not rotate.
    /// `None` if it cannot, or if the velocity is so far above
    /// [`ANGULAR_SPEED_MAX`](crate::geom::ANGULAR_SPEED_MAX) that it has no value.
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

    /// The part of a vector along the body's own axes about which it rotates.
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

    /// The largest moment of inertia of a body that rotates, 2^92 mass units times raw squared. At the
    /// greatest angular speed its angular momentum is below
    /// [`ANGULAR_MOMENTUM_MAX`](crate::geom::ANGULAR_MOMENTUM_MAX). A sphere of mass 65,536 has this moment
    /// at a radius of 101 units.
    pub const MOMENT_MAX: u128 = 1 << 92;
}

/// The reason for which a body of a shape cannot rotate, whatever its mass.
const fn why_not(shape: &Shape) -> &'static str {
    match shape {
        Shape::Aabb { .. } => "an aabb never rotates: take an obb",
        Shape::Capsule(_) => {
            "the half axis of a capsule that rotates must lie along an axis of its own frame"
        }
        Shape::Obb(_) => "the half edges of an obb that rotates must lie along the axes of its own frame",
        Shape::Hull(_) => "the axes of the frame of a hull that rotates must be its principal axes",
        _ => "a rotating body is a sphere, a capsule, an obb or a hull",
    }
}

/// Momentum over mass, to nearest, halves to even: with halves away from zero, even masses would gain speed
/// on average.
pub(crate) fn velocity_nearest(momentum: Vec3, mass: u32) -> Vec3 {
    if mass == 1 {
        return momentum; // many bodies have mass 1: this saves three divisions
    }
    momentum.map_raw(|raw| div_nearest_even_64(raw, mass.into()))
}

pub(crate) const WIDTH: Width = Width {
    number: "momentum of a body, `mass * velocity`",
    bound: Bound::power(16).times(Bound::power(46)),
    held_in: 64,
};
pub(crate) const SUM_WIDTH: Width =
    Width { number: "momentum of all bodies", bound: WIDTH.bound.times(Bound::power(20)), held_in: 128 };
const _: () = WIDTH.check();
const _: () = SUM_WIDTH.check();

/// Mass times velocity, exact.
///
/// **Range**: the product fits, as `2^16 * 2^46 raw` does.
pub(crate) fn momentum_wide(velocity: Vec3, mass: u32) -> Vec3 {
    velocity.map_raw(|raw| raw * i64::from(mass))
}
