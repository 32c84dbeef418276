//! Impulses on bodies, changes of their momenta, and bodies that their first impact ends.

use super::{
    BodiesMut,
    body::{BodyIndex, Conduct, Partner},
};
use crate::{
    geom::Vec3,
    tick::{Cause, ledger::wide},
};

impl BodiesMut<'_> {
    /// Adds an impulse to the momentum of one side of a pair, without a limit on speed; returns the index of a
    /// body that it moves. Locks cancel their part of it, and an immovable collider absorbs all of it.
    #[inline(always)]
    pub fn apply_impulse(&mut self, which: Partner, impulse: Vec3) -> Option<BodyIndex> {
        match self.bodies().receiver(which) {
            Ok(index) => {
                let body = &mut self.sim.bodies[index.place()];
                let kept = body.locks.free_part(impulse);
                self.report.ledger.add(Cause::Locks, wide(kept) - wide(impulse));
                body.momentum += kept;
                Some(index)
            }
            Err(absorber) => {
                self.report.ledger.add(absorber, -wide(impulse));
                None
            }
        }
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
            self.report.angular.add_spin(Cause::Clamps, clamped);
        }
    }

    /// Marks a body whose momentum an impact has changed.
    pub fn mark_struck(&mut self, index: BodyIndex) {
        self.sim.bodies[index.place()].struck = true;
    }

    /// Sets the momentum of a body in contact; the change is in the line `velocity_corrections`.
    pub fn correct_momentum(&mut self, index: BodyIndex, momentum: Vec3) {
        self.set_momentum(index, momentum, Cause::VelocityCorrections);
    }

    /// Changes the angular momentum of a body in contact; the change is in the line `velocity_corrections`.
    pub fn correct_angular_momentum(&mut self, index: BodyIndex, change: impl Fn(i64) -> i64) {
        self.change_rotation(index, Cause::VelocityCorrections, |rotation| {
            rotation.angular_momentum = rotation.angular_momentum.map_raw(change);
        });
    }

    /// Holds a body where it is for the rest of the tick, without any momentum: its first impact stops or
    /// removes it.
    pub fn end_at_hit(&mut self, index: BodyIndex, conduct: Conduct) {
        self.stop_turning(index, Cause::OnHit);
        self.set_momentum(index, Vec3::ZERO, Cause::OnHit);
        let body = &mut self.sim.bodies[index.place()];
        body.path.displacement = Vec3::ZERO;
        (body.held, body.conduct) = (true, conduct);
        if conduct == Conduct::Gone {
            body.stamp += 1; // whether it was held or not: it is hit by nothing more
        }
    }
}
