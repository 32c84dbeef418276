//! Impulses on bodies, changes of their momenta, and bodies that their first impact ends.

use super::{
    BodiesMut,
    body::{BodyIndex, Conduct, Partner},
};
use crate::{
    geom::Vec3,
    state::BodyType,
    tick::ledger::{add, add_change, add_moment, add_turning, add_turning_wide},
};

impl BodiesMut<'_> {
    /// Adds an impulse to the momentum of one side of a pair, without a limit on speed; returns the index of a
    /// body that it moves. Locks cancel their part of it, and an immovable collider absorbs all of it.
    #[inline(always)]
    pub fn apply_impulse(&mut self, which: Partner, impulse: Vec3) -> Option<BodyIndex> {
        let ledger = &mut self.report.ledger;
        let Partner::Body(index) = which else {
            add(&mut ledger.statics, -impulse);
            return None;
        };
        let body = &mut self.sim.bodies[index.place()];
        if body.is_free() {
            let kept = body.locks.free_part(impulse);
            add_change(&mut ledger.locks, impulse, kept);
            body.momentum += kept;
            return Some(index);
        }
        match body.filter.body_type {
            BodyType::Static => add(&mut ledger.statics, -impulse),
            BodyType::Kinematic => add(&mut ledger.kinematics, -impulse),
            BodyType::Dynamic => add(&mut ledger.holds, -impulse),
        }
        None
    }

    /// Adds to the angular momentum of one side of a pair what an impulse at half of `arm_twice` from its
    /// center gives; nothing of a body that does not rotate or that no impulse moves.
    pub fn apply_moment(&mut self, which: Partner, arm_twice: Vec3, impulse: Vec3) {
        let Partner::Body(index) = which else { return };
        if !self.bodies().body(index).is_free() {
            return;
        }
        if let Some(rotation) = self.sim.rotation_mut(index) {
            let clamped = rotation.apply_moment_twice(arm_twice, impulse);
            add_turning_wide(&mut self.report.angular.clamps, clamped);
        }
    }

    /// Marks a body whose momentum an impact has changed.
    pub fn mark_struck(&mut self, index: BodyIndex) {
        self.sim.bodies[index.place()].struck = true;
    }

    /// Sets the momentum of a body in contact; the change is in the line `velocity_corrections`.
    pub fn correct_momentum(&mut self, index: BodyIndex, momentum: Vec3) {
        let is_accounted = self.bodies().is_accounted();
        let body = &mut self.sim.bodies[index.place()];
        add_change(&mut self.report.ledger.velocity_corrections, body.momentum, momentum);
        if is_accounted {
            add_moment(
                &mut self.report.angular.velocity_corrections,
                body.path.position,
                body.momentum,
                momentum,
            );
        }
        body.momentum = momentum;
    }

    /// Changes the angular momentum of a body in contact; the change is in the line `velocity_corrections`.
    pub fn correct_angular_momentum(&mut self, index: BodyIndex, change: impl Fn(i64) -> i64) {
        if let Some(rotation) = self.sim.rotation_mut(index) {
            let before = rotation.angular_momentum;
            rotation.angular_momentum = before.map_raw(change);
            add_turning(&mut self.report.angular.velocity_corrections, before, rotation.angular_momentum);
        }
    }

    /// Holds a body where it is for the rest of the tick, without any momentum: its first impact stops or
    /// removes it.
    pub fn end_at_hit(&mut self, index: BodyIndex, conduct: Conduct) {
        let turning = self.stop_turning(index);
        let body = &mut self.sim.bodies[index.place()];
        let (ledger, angular) = (&mut self.report.ledger.on_hit, &mut self.report.angular.on_hit);
        add_change(ledger, body.momentum, Vec3::ZERO);
        add_moment(angular, body.path.position, body.momentum, Vec3::ZERO);
        add_turning(angular, turning, Vec3::ZERO);
        (body.momentum, body.path.displacement) = (Vec3::ZERO, Vec3::ZERO);
        (body.held, body.conduct) = (true, conduct);
        body.stamp += 1; // a body that was already held gets no new path
    }
}
