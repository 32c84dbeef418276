//! What holds between the stages of a tick. Checked by debug assertions only: on in tests, gone in a release.

use super::{
    Ledger, TickReport,
    bodies::{Bodies, mover::Mover},
    pairs::{PathBoxes, subdivision::Swath},
    slots::FreeSlots,
};
use crate::{
    geom::Vec3,
    num::Toi,
    state::{Kind, State},
};

/// The sums over all dynamic bodies that the ledgers of a tick account for.
pub(super) struct Sums {
    momentum: [i128; 3],
    /// Twice the angular momentum about the origin, modulo 2^128.
    angular: [i128; 3],
}

impl Sums {
    pub fn of(state: &State) -> Self {
        let (mut momentum, mut angular) = ([0_i128; 3], [0_i128; 3]);
        for (_, body) in state.bodies().filter(|(_, body)| body.kind == Kind::Dynamic) {
            let about_center = body.spin.map_or(Vec3::ZERO, |spin| spin.angular_momentum).raw();
            let about_origin = body.position.cross_wide(body.momentum);
            for axis in 0..3 {
                momentum[axis] += i128::from(body.momentum.raw()[axis]);
                let part = about_origin[axis] + (i128::from(about_center[axis]) << 32);
                angular[axis] = angular[axis].wrapping_add(part.wrapping_mul(2));
            }
        }
        Self { momentum, angular }
    }

    /// True if the ledgers of a report account for the change to another state: to the last bit for momentum;
    /// for angular momentum within the slack of its ledger.
    pub fn are_accounted(&self, state: &State, report: &TickReport) -> bool {
        let now = Self::of(state);
        let Ledger { commands, .. } = report.ledger;
        let total = report.ledger.total();
        let is_exact =
            (0..3).all(|axis| now.momentum[axis] - self.momentum[axis] == total[axis] - commands[axis]);
        let (angular, slack) = (report.angular.total(), report.angular.slack());
        let is_near = |axis: usize| {
            let change = now.angular[axis].wrapping_sub(self.angular[axis]);
            change.wrapping_sub(angular[axis]).unsigned_abs() <= slack.unsigned_abs()
        };
        is_exact && (report.angular == Default::default() || (0..3).all(is_near))
    }
}

/// True if the movers are in the order of their slots, each spinner belongs to the mover that names it, and a
/// static body is held.
pub(super) fn movers_are_in_order(bodies: Bodies) -> bool {
    let movers = &bodies.sim.movers;
    let mut next = 0..bodies.sim.spinners.len() as u32;
    let rotates =
        |mover: &Mover| bodies.state.slots[mover.slot as usize].body.is_some_and(|b| b.spin.is_some());
    movers.windows(2).all(|pair| pair[0].slot < pair[1].slot)
        && movers.iter().all(|mover| mover.held || mover.filter.kind != Kind::Static)
        && movers.iter().filter(|mover| rotates(mover)).all(|mover| Some(mover.spinner) == next.next())
}

/// True if the box of each path holds it.
pub(super) fn boxes_hold_paths(bodies: Bodies, boxes: &PathBoxes) -> bool {
    let is_held = |(mover, bounds): (&Mover, &crate::geom::Aabb)| {
        bounds.holds(&Swath::of(mover, bodies.scenery).bounds())
    };
    boxes.swept.len() == bodies.sim.movers.len() && bodies.sim.movers.iter().zip(&boxes.swept).all(is_held)
}

/// True if every body has arrived inside of the world, a reverted one where it began.
pub(super) fn all_have_arrived(bodies: Bodies) -> bool {
    bodies.sim.movers.iter().all(|mover| {
        let place = mover.path.pose.position;
        mover.path.start == Toi::END
            && place.within(bodies.state.limits.extent)
            && (!mover.reverted || place == bodies.entry(mover))
    })
}

/// True if the list of free slots is what the state says.
pub(super) fn free_slots_are_known(state: &State, free: &FreeSlots) -> bool {
    let mut fresh = FreeSlots::default();
    fresh.rebuild(state);
    free.is_same(&fresh)
}
