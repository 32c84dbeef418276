//! Commands on the rotation of bodies.

use super::limits::LOCKED_MAX;
use crate::{
    geom::{ANGULAR_MOMENTUM_MAX, IVec3, Pose, Rotation, Vec3, along_own_axes, angular_momentum_nearest},
    num::{Scalar, scalar::FRACTION_BITS},
    state::{
        Body, BodyId, BodyType, Locks, Refusal, Spawn, Spin, StateError, check_angular_velocity, check_vector,
    },
    tick::World,
};

impl World {
    /// The spin of a new body, whose other properties are checked already.
    pub(super) fn spin_of_spawn(&self, spawn: &Spawn, body: &Body) -> Result<Option<Spin>, Refusal> {
        if !spawn.rotates {
            let refuse = |field, reason| Err(StateError::impossible(field, reason).into());
            if spawn.orientation != Rotation::IDENTITY {
                return refuse(
                    "orientation",
                    "a body that does not rotate has none: set rotates, or take an obb",
                );
            }
            if spawn.angular_velocity != Vec3::ZERO {
                return refuse("angular_velocity", "a body that does not rotate has none");
            }
            return Ok(None);
        }
        self.spinning(body, spawn.angular_velocity).map(Some)
    }

    /// Moves a body that rotates to a pose.
    pub(super) fn teleport_rotated(
        &mut self,
        id: BodyId,
        Pose { position, orientation }: Pose,
        allow_overlap: bool,
    ) -> Result<(), Refusal> {
        self.state.check_position(position)?;
        let body = *self.find(id)?;
        let spin = spin_of(&body)?;
        let angular_momentum = if body.locks.locks_turning() {
            along_own_axes(spin.angular_momentum, body.locks.free_turns(), spin.orientation, orientation)
        } else {
            spin.angular_momentum
        };
        let placed = Body { position, spin: Some(Spin { orientation, angular_momentum }), ..body };
        self.state.check_body(&placed, &self.scenery)?;
        self.place(id, placed, allow_overlap)
    }

    pub(super) fn set_angular_velocity(&mut self, id: BodyId, velocity: Vec3) -> Result<(), Refusal> {
        let body = *self.find_of(id, &[BodyType::Dynamic, BodyType::Kinematic])?;
        let spin = self.spinning(&body, velocity)?;
        *self.find_mut(id)? = Body { spin: Some(spin), stops: false, ..body };
        Ok(())
    }

    pub(super) fn apply_angular_impulse(&mut self, id: BodyId, angular_impulse: Vec3) -> Result<(), Refusal> {
        let body = *self.find_of(id, &[BodyType::Dynamic])?;
        spin_of(&body)?;
        let spin = self.with_angular_impulse(&body, IVec3::from(angular_impulse).wide())?;
        self.find_mut(id)?.spin = spin;
        Ok(())
    }

    pub(super) fn apply_impulse_at(
        &mut self,
        id: BodyId,
        impulse: Vec3,
        point: Vec3,
        momentum: &mut IVec3<i128>,
    ) -> Result<(), Refusal> {
        let body = *self.find_of(id, &[BodyType::Dynamic])?;
        check_vector("point", point, self.state.limits.extent)?;
        // An arm is below 2^58 raw, and a product of it below 2^122.
        let moment = IVec3::from(point - body.position).cross(IVec3::from(impulse));
        let spin = self.with_angular_impulse(&body, moment.shr_nearest(FRACTION_BITS))?;
        self.apply_impulse(id, impulse, momentum)?;
        self.find_mut(id)?.spin = spin;
        Ok(())
    }

    /// Replaces the locks; the momentum along them and the angular momentum about them are lost.
    pub(super) fn set_locks(
        &mut self,
        id: BodyId,
        locks: Locks,
        momentum: &mut IVec3<i128>,
    ) -> Result<(), Refusal> {
        let body = *self.find(id)?;
        let locks = self.state.locks_of(locks, body.spin.is_some());
        let mut locked = Body { locks, momentum: locks.free_part(body.momentum), ..body };
        let angular_momentum = body.spin.map(|spin| locked.free_turning(spin.angular_momentum));
        if let (Some(spin), Some(angular_momentum)) = (&mut locked.spin, angular_momentum) {
            spin.angular_momentum = angular_momentum;
        }
        self.state.check_body(&locked, &self.scenery)?;
        *self.find_mut(id)? = Body { momentum: body.momentum, ..locked };
        self.set_momentum(id, locked.momentum, momentum)
    }

    /// A body's spin with another angular velocity.
    fn spinning(&self, body: &Body, velocity: Vec3) -> Result<Spin, Refusal> {
        let spin = spin_of(body)?;
        check_angular_velocity(velocity)?;
        let inertia = body.inertia(&self.scenery)?;
        let free = body.free_turning(velocity);
        if !(velocity - free).within(LOCKED_MAX) {
            return Err(
                StateError::impossible("angular_velocity", "about a locked axis there is none").into()
            );
        }
        // At the greatest speed the angular momentum with the greatest moment of inertia is within the limit.
        let angular_momentum = angular_momentum_nearest(spin.orientation, free, &inertia)
            .ok_or_else(|| StateError::impossible("angular_velocity", "it makes too large a momentum"))?;
        let spin = Spin { angular_momentum: body.free_turning(angular_momentum), ..spin };
        self.state.check_body(&Body { spin: Some(spin), ..*body }, &self.scenery)?;
        Ok(spin)
    }

    /// A body's spin with additional angular momentum, in raw; `None` if the body does not rotate.
    fn with_angular_impulse(&self, body: &Body, more: IVec3<i128>) -> Result<Option<Spin>, Refusal> {
        let Some(spin) = body.spin else { return Ok(None) };
        let sum = IVec3::from(spin.angular_momentum).wide() + more;
        // A value beyond the range of a scalar is beyond the limit, too.
        let clamped = sum.map(|part| part.clamp(i64::MIN.into(), i64::MAX.into()) as i64);
        let spin = Spin { angular_momentum: clamped.into(), ..spin };
        check_vector("angular_momentum", spin.angular_momentum, ANGULAR_MOMENTUM_MAX.x)?;
        let spin = Spin { angular_momentum: body.free_turning(spin.angular_momentum), ..spin };
        let changed = Body { spin: Some(spin), ..*body };
        let velocity = changed.angular_velocity(&self.scenery).unwrap_or(Vec3::splat(Scalar::MAX));
        check_angular_velocity(velocity)?;
        Ok(changed.spin)
    }
}

/// The spin of a body that rotates.
fn spin_of(body: &Body) -> Result<Spin, StateError> {
    body.spin.ok_or_else(|| StateError::impossible("spin", "the body does not rotate"))
}
