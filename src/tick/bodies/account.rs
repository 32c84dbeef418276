//! What changes angular momentum is accounted for, by cause.

use super::{
    BodiesMut,
    body::{BodyIndex, Conduct, Partner},
    damping::damped,
};
use crate::{
    geom::Vec3,
    num::Toi,
    state::{Body, BodyType, momentum_wide},
    tick::ledger::{add_moment, add_to, add_turning, twice, wide},
};

impl BodiesMut<'_> {
    /// Accounts for damping and gravity before any body moves.
    pub fn account_integrate(&mut self) {
        if !self.bodies().is_accounted() {
            return;
        }
        for sim_body in &self.sim.bodies {
            let Some(body) = self.state.slots[sim_body.slot as usize].body else { continue };
            if sim_body.filter.body_type != BodyType::Dynamic || sim_body.conduct == Conduct::Frozen {
                continue; // sleepers included
            }
            let (angular, undriven) = (&mut self.report.angular, body.momentum);
            let momentum = body.drive.map_or(undriven, |drive| self.state.driven(&body, &drive));
            let body = Body { momentum, ..body };
            add_moment(&mut angular.drives, body.position, undriven, momentum);
            let left = damped(body.momentum, body.damping_q16);
            let kick = momentum_wide(self.state.gravity, body.mass);
            add_moment(&mut angular.damping, body.position, body.momentum, left);
            add_moment(&mut angular.gravity, body.position, Vec3::ZERO, kick);
            let pulled = left + kick;
            add_moment(&mut angular.locks, body.position, pulled, body.locks.free_part(pulled));
            if let Some(spin) = body.spin {
                let left = damped(spin.angular_momentum, body.damping_q16);
                add_turning(&mut angular.damping, spin.angular_momentum, left);
            }
        }
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
        add_to(&mut angular.gravity, way.wrapping_cross(wide(kick)));
        add_to(&mut angular.locks, way.wrapping_cross(wide(kept) - wide(kick)));
        let double = wide(body.momentum).map(|raw| 2 * raw) - wide(kept);
        add_to(&mut angular.motions, way.wrapping_cross(double));
    }

    /// Accounts for an impulse on one side of a contact, at a point at half of `arm_twice` from its center.
    pub fn account_push(&mut self, which: Partner, toi: Toi, arm_twice: Vec3, change: Vec3) {
        if !self.bodies().is_accounted() {
            return;
        }
        let place = self.bodies().place_of(which, toi);
        let angular = &mut self.report.angular;
        let arm = wide(arm_twice);
        let back = wide(-change);
        let moment = || (twice(place) + arm).wrapping_cross(back);
        let body = match which {
            Partner::Body(index) => &self.sim.bodies[index.place()],
            Partner::Static(_) => return add_to(&mut angular.statics, moment()),
        };
        match body.filter.body_type {
            BodyType::Static => add_to(&mut angular.statics, moment()),
            BodyType::Kinematic => add_to(&mut angular.kinematics, moment()),
            BodyType::Dynamic if body.held => add_to(&mut angular.holds, moment()),
            BodyType::Dynamic => {
                add_moment(&mut angular.locks, place, change, body.locks.free_part(change));
                if body.rotates() {
                    angular.roundings += 1;
                } else {
                    add_to(&mut angular.unturned, arm.wrapping_cross(back));
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
            let Partner::Body(index) = which else { continue };
            let body = &self.sim.bodies[index.place()];
            if !body.is_free() {
                continue;
            }
            let (place, locks) = (body.path.at(toi), body.locks);
            let kind = |index: BodyIndex| self.sim.bodies[index.place()].filter.body_type;
            let is_free = |index: BodyIndex| self.sim.bodies[index.place()].is_free();
            let angular = &mut self.report.angular;
            add_moment(&mut angular.locks, place, change, locks.free_part(change));
            let line = match other {
                Partner::Static(_) => &mut angular.statics,
                Partner::Body(index) if is_free(index) => &mut angular.unturned,
                Partner::Body(index) => match kind(index) {
                    BodyType::Static => &mut angular.statics,
                    BodyType::Kinematic => &mut angular.kinematics,
                    BodyType::Dynamic => &mut angular.holds,
                },
            };
            add_moment(line, place, Vec3::ZERO, change);
        }
    }
}
