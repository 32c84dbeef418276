//! The rotation of bodies: the counterpart of `trajectory.rs` for their orientations.

use super::{
    BodiesMut,
    body::{BodyIndex, SimBody},
    damping::damped,
    rotation::{SimRotation, axes_of},
};
use crate::{
    geom::{AngularMotion, Vec3},
    num::{Toi, index::IndexOf},
    shape::gyration_nearest,
    state::{Body, BodyType, Locks},
    tick::ledger::add_turning,
};

impl BodiesMut<'_> {
    /// Creates the rotation of a body that rotates; returns its index.
    pub(super) fn spin_up(&mut self, body: &Body) -> Option<IndexOf<SimRotation>> {
        let (spin, shape) = (body.spin?, self.scenery.hull(body.shape));
        // The state was checked: a body that rotates has moments of inertia.
        let inertia = self.scenery.inertia(body.shape, body.mass).ok()?;
        let angular_momentum = match body.body_type {
            BodyType::Dynamic => damped(spin.angular_momentum, body.damping_q16),
            BodyType::Kinematic | BodyType::Static => spin.angular_momentum,
        };
        let mut rotation = SimRotation {
            mass: body.mass,
            locks: body.locks,
            angular_momentum,
            turning: AngularMotion::still(spin.orientation),
            inertia,
            gyration: gyration_nearest(&inertia, body.mass),
            is_compound: self.scenery.is_compound(body.shape),
            form: shape.turned(spin.orientation),
            axes: axes_of(shape, body.locks, spin.orientation),
            turns: 0,
            is_slowed: false,
        };
        if rotation.free_step() {
            self.report.speed_clamped += 1;
            if body.body_type == BodyType::Dynamic {
                add_turning(&mut self.report.angular.clamps, angular_momentum, rotation.angular_momentum);
            }
        }
        IndexOf::push(&mut self.sim.rotations, rotation)
    }

    /// Keeps all rotating bodies in the plane of a flat world, whatever the rounding of normals.
    pub(super) fn keep_flat(&mut self) {
        if self.state.limits.flat && self.sim.any_rotates() {
            self.sim.bodies.iter_mut().for_each(|body| body.locks = body.locks.and(Locks::Z));
        }
    }

    /// Removes the angular momenta about locked axes at the end of the tick, and clamps the rest to the limit
    /// of a state.
    pub fn take_locked(&mut self) {
        for index in self.sim.indices() {
            if self.bodies().body(index).filter.body_type != BodyType::Dynamic {
                continue;
            }
            let Some(rotation) = self.sim.rotation_mut(index) else { continue };
            let before = rotation.angular_momentum;
            rotation.take_locked();
            let free = rotation.angular_momentum;
            let is_clamped = rotation.keep_to_limit();
            let kept = rotation.angular_momentum;
            add_turning(&mut self.report.angular.locks, before, free);
            if is_clamped {
                self.report.speed_clamped += 1;
                add_turning(&mut self.report.angular.clamps, free, kept);
            }
        }
    }

    /// Advances a body to an instant of its path.
    #[inline]
    pub fn advance(&mut self, index: BodyIndex, toi: Toi) {
        if self.bodies().body(index).rotates() {
            self.advance_rotation(index, toi);
        }
        let body = &mut self.sim.bodies[index.place()];
        let before = body.path.position;
        body.path = body.path.from(toi);
        let after = body.path.position;
        self.account_way(index, before, after);
    }

    /// Rotates a body to an instant of its path.
    #[inline(never)]
    fn advance_rotation(&mut self, index: BodyIndex, toi: Toi) {
        let SimBody { path, shape, filter, .. } = *self.bodies().body(index);
        let Some(rotation) = self.sim.rotation_mut(index) else { return };
        let before = rotation.angular_momentum;
        rotation.advance(toi.since(path.start), self.scenery.hull(shape));
        if filter.body_type == BodyType::Dynamic {
            add_turning(&mut self.report.angular.locks, before, rotation.angular_momentum);
        }
    }

    /// Sets a body's rotation from the start of its path by its angular momentum.
    pub fn set_rotation(&mut self, index: BodyIndex) {
        let Some(rotation) = self.sim.rotation_mut(index) else { return };
        let before = rotation.angular_momentum;
        rotation.take_locked();
        let free = rotation.angular_momentum;
        let is_clamped = rotation.free_step();
        let kept = rotation.angular_momentum;
        add_turning(&mut self.report.angular.locks, before, free);
        if is_clamped {
            self.report.speed_clamped += 1;
            add_turning(&mut self.report.angular.clamps, free, kept);
        }
    }

    /// Sets a body's rotation from the start of its path about a constant axis; its angular momentum stays.
    pub fn rotate_by(&mut self, index: BodyIndex, spin: Vec3) {
        if let Some(rotation) = self.sim.rotation_mut(index) {
            rotation.rotate_by(spin);
        }
    }

    /// Ends a body's rotation at the start of its path; its angular momentum stays.
    pub fn stand_still(&mut self, index: BodyIndex) {
        if let Some(rotation) = self.sim.rotation_mut(index) {
            rotation.stand_still();
        }
    }

    /// Slows a body's rotation by a power of two for the rest of the tick; its angular momentum stays.
    pub fn slow_rotation(&mut self, index: BodyIndex, shift: u32) {
        if let Some(rotation) = self.sim.rotation_mut(index) {
            rotation.slow_down(shift);
        }
    }

    /// Marks a body that rotates less than its momentum implies.
    pub fn mark_slowed(&mut self, index: BodyIndex) {
        if let Some(rotation) = self.sim.rotation_mut(index) {
            rotation.is_slowed = true;
        }
    }

    /// Stops a body's rotation at the start of its path; returns the angular momentum that a dynamic body
    /// loses.
    pub(super) fn stop_turning(&mut self, index: BodyIndex) -> Vec3 {
        let body_type = self.bodies().body(index).filter.body_type;
        let Some(rotation) = self.sim.rotation_mut(index) else { return Vec3::ZERO };
        rotation.stand_still();
        match body_type {
            BodyType::Dynamic => std::mem::replace(&mut rotation.angular_momentum, Vec3::ZERO),
            BodyType::Kinematic | BodyType::Static => Vec3::ZERO,
        }
    }
}
