//! Impulses on bodies, and bodies that their first impact ends.

use super::{
    BodiesMut,
    mover::{Conduct, Partner},
};
use crate::{
    geom::Vec3,
    state::{BodyType, velocity_nearest},
    tick::ledger::{add, add_change, add_moment, add_turning},
};

impl BodiesMut<'_> {
    /// Adds an impulse to the momentum of one side of a pair, without a limit on speed; returns the index of a
    /// body that it moves. Locks cancel their part of it, and an immovable collider absorbs all of it.
    #[inline(always)]
    pub fn apply_impulse(&mut self, which: Partner, impulse: Vec3) -> Option<u32> {
        let ledger = &mut self.report.ledger;
        let Partner::Mover(index) = which else {
            add(&mut ledger.statics, -impulse);
            return None;
        };
        let mover = &mut self.sim.movers[index as usize];
        if mover.is_free() {
            let kept = mover.locks.free_part(impulse);
            add_change(&mut ledger.locks, impulse, kept);
            mover.momentum += kept;
            return Some(index);
        }
        match mover.filter.body_type {
            BodyType::Static => add(&mut ledger.statics, -impulse),
            BodyType::Kinematic => add(&mut ledger.kinematics, -impulse),
            BodyType::Dynamic => add(&mut ledger.holds, -impulse),
        }
        None
    }

    /// Adds to the angular momentum of one side of a pair what an impulse at half of `arm_twice` from its
    /// center gives; nothing of a body that does not rotate or that no impulse moves.
    pub fn apply_moment(&mut self, which: Partner, arm_twice: Vec3, impulse: Vec3) {
        let Partner::Mover(index) = which else { return };
        let mover = &self.sim.movers[index as usize];
        if !mover.is_free() {
            return;
        }
        if let Some(spinner) = self.sim.spinners.get_mut(mover.spinner as usize) {
            spinner.twist_twice(arm_twice, impulse);
        }
    }

    /// Clamps a body's velocity to the speed limit.
    pub fn clamp_speed_of(&mut self, index: u32) {
        let mover = &self.sim.movers[index as usize];
        if mover.is_free() && self.bodies().is_too_fast(velocity_nearest(mover.momentum, mover.mass)) {
            let mut mover = *mover;
            self.clamp_speed(&mut mover);
            self.sim.movers[index as usize] = mover;
        }
    }

    /// Holds a body where it is for the rest of the tick, without any momentum: its first impact stops or
    /// removes it.
    pub fn end_at_hit(&mut self, index: u32, conduct: Conduct) {
        let mut mover = *self.bodies().mover(index);
        let turning = self.stop_turning(&mover);
        let (ledger, angular) = (&mut self.report.ledger.on_hit, &mut self.report.angular.on_hit);
        add_change(ledger, mover.momentum, Vec3::ZERO);
        add_moment(angular, mover.path.position, mover.momentum, Vec3::ZERO);
        add_turning(angular, turning, Vec3::ZERO);
        (mover.momentum, mover.path.displacement) = (Vec3::ZERO, Vec3::ZERO);
        (mover.held, mover.conduct) = (true, conduct);
        mover.stamp += 1; // a body that was already held gets no new path
        self.sim.movers[index as usize] = mover;
    }
}
