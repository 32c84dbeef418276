//! The writers of momenta, which enter what they change in the ledgers, and the moments of motions and impulses.

use super::{
    Bodies, BodiesMut,
    body::{BodyIndex, Partner},
    rotation::SimRotation,
};
use crate::{
    geom::Vec3,
    num::Toi,
    state::{BodyType, momentum_wide},
    tick::{
        Cause,
        ledger::{twice, wide},
    },
};

impl Bodies<'_> {
    /// The index of a body that an impulse on one side of a pair moves, or the line of what absorbs it.
    #[inline(always)]
    pub(super) fn receiver(&self, which: Partner) -> Result<BodyIndex, Cause> {
        let Partner::Body(index) = which else { return Err(Cause::Statics) };
        let body = self.body(index);
        match body.filter.body_type {
            BodyType::Static => Err(Cause::Statics),
            BodyType::Kinematic => Err(Cause::Kinematics),
            BodyType::Dynamic if body.held => Err(Cause::Holds),
            BodyType::Dynamic => Ok(index),
        }
    }
}

impl BodiesMut<'_> {
    /// Sets the momentum of a dynamic body.
    pub(super) fn set_momentum(&mut self, index: BodyIndex, momentum: Vec3, cause: Cause) {
        let is_accounted = self.bodies().is_accounted();
        let body = &mut self.sim.bodies[index.place()];
        let place = is_accounted.then_some(body.path.position);
        self.report.record(cause, place, body.momentum, momentum);
        body.momentum = momentum;
    }

    /// Changes the rotation of a body that rotates, and enters the change of its angular momentum if it is dynamic.
    #[inline]
    pub(super) fn change_rotation<T>(
        &mut self,
        index: BodyIndex,
        cause: Cause,
        change: impl FnOnce(&mut SimRotation) -> T,
    ) -> Option<T> {
        let body_type = self.bodies().body(index).filter.body_type;
        let rotation = self.sim.rotation_mut(index)?;
        let before = rotation.angular_momentum;
        let result = change(rotation);
        if body_type == BodyType::Dynamic {
            self.report.record_spin(cause, before, rotation.angular_momentum);
        }
        Some(result)
    }

    /// Accounts for a body's displacement from one position to another.
    #[inline(always)]
    pub(super) fn account_way(&mut self, index: BodyIndex, from: Vec3, to: Vec3) {
        if self.bodies().is_accounted() && from != to {
            self.account_pull(index, from, to);
        }
    }

    fn account_pull(&mut self, index: BodyIndex, from: Vec3, to: Vec3) {
        let body = &self.sim.bodies[index.place()];
        if body.filter.body_type != BodyType::Dynamic {
            return;
        }
        let way = wide(to) - wide(from);
        let kick = momentum_wide(self.state.gravity, body.mass);
        let kept = body.locks.free_part(kick);
        let angular = &mut self.report.angular;
        // Gravity acted at the positions in between, not at the start.
        angular.add(Cause::Gravity, way.wrapping_cross(wide(kick)));
        angular.add(Cause::Locks, way.wrapping_cross(wide(kept) - wide(kick)));
        let double = wide(body.momentum).map(|raw| 2 * raw) - wide(kept);
        angular.add(Cause::Motions, way.wrapping_cross(double));
    }

    /// Accounts for an impulse on one side of a contact, at a point at half of `arm_twice` from its center.
    pub fn account_push(&mut self, which: Partner, toi: Toi, arm_twice: Vec3, change: Vec3) {
        if !self.bodies().is_accounted() {
            return;
        }
        let place = self.bodies().place_of(which, toi);
        let (arm, back) = (wide(arm_twice), wide(-change));
        match self.bodies().receiver(which) {
            Err(absorber) => {
                self.report.angular.add(absorber, (twice(place) + arm).wrapping_cross(back));
            }
            Ok(index) => {
                let body = self.bodies().body(index);
                let lost = wide(body.locks.free_part(change)) - wide(change);
                let rotates = body.rotates();
                let angular = &mut self.report.angular;
                angular.add_moment(Cause::Locks, place, lost);
                if rotates {
                    angular.roundings += 1;
                } else {
                    angular.add(Cause::Unturned, arm.wrapping_cross(back));
                }
            }
        }
    }

    /// Accounts for an impulse on B at a point at half of each of `arms_twice` from its center.
    pub fn account_impact(&mut self, sides: [Partner; 2], toi: Toi, arms_twice: [Vec3; 2], impulse: Vec3) {
        let [a, b] = sides;
        let rotates = |which: Partner| match which {
            Partner::Body(index) => self.bodies().body(index).rotates(),
            Partner::Static(_) => false,
        };
        if rotates(a) || rotates(b) {
            self.account_push(a, toi, arms_twice[0], -impulse);
            self.account_push(b, toi, arms_twice[1], impulse);
        } else {
            self.account_plain(sides, toi, impulse); // all points move alike, and none was found
        }
    }

    /// Accounts for an impulse on B of a pair that does not rotate: its points are not needed.
    #[inline(always)]
    pub fn account_plain(&mut self, sides: [Partner; 2], toi: Toi, impulse: Vec3) {
        if self.bodies().is_accounted() {
            self.account_both(sides, toi, impulse);
        }
    }

    fn account_both(&mut self, [a, b]: [Partner; 2], toi: Toi, impulse: Vec3) {
        for (which, other, change) in [(a, b, -impulse), (b, a, impulse)] {
            let Ok(index) = self.bodies().receiver(which) else { continue };
            let body = self.bodies().body(index);
            let (place, kept) = (body.path.at(toi), body.locks.free_part(change));
            let absorber = self.bodies().receiver(other).err().unwrap_or(Cause::Unturned);
            let angular = &mut self.report.angular;
            angular.add_moment(Cause::Locks, place, wide(kept) - wide(change));
            angular.add_moment(absorber, place, wide(change));
        }
    }
}
