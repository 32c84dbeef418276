//! The end of the paths, and what the state becomes.

use super::{BodiesMut, SimBodies, mover::Conduct};
use crate::{
    geom::Vec3,
    num::Toi,
    state::{BodyType, State},
    tick::ledger::{add_change, add_moment, add_turning},
};

impl BodiesMut<'_> {
    /// Advances every body to the end of its path.
    pub fn advance_all(&mut self) {
        if !self.sim.spinners.is_empty() {
            self.account_last_ways();
        }
        let SimBodies { movers, spinners, .. } = &mut *self.sim;
        for mover in movers {
            if let Some(spinner) = spinners.get_mut(mover.spinner as usize) {
                let before = spinner.angular_momentum;
                spinner.bring(Toi::END.since(mover.path.start), self.scenery.hull(mover.shape));
                if mover.filter.body_type == BodyType::Dynamic {
                    add_turning(&mut self.report.angular.locks, before, spinner.angular_momentum);
                }
            }
            mover.path = mover.path.from(Toi::END);
        }
    }

    /// Reverts a body to its pose at the start of the tick. A dynamic body loses its momentum; the velocity
    /// of a kinematic body belongs to the game, and a static one is already there.
    pub fn revert(&mut self, index: u32) {
        let entry = self.bodies().entry_pose(&self.sim.movers[index as usize]);
        let SimBodies { movers, spinners, .. } = &mut *self.sim;
        let mover = &mut movers[index as usize];
        mover.reverted = true;
        if mover.filter.body_type == BodyType::Static || mover.conduct == Conduct::Frozen {
            return;
        }
        if mover.filter.body_type == BodyType::Dynamic {
            add_change(&mut self.report.ledger.holds, mover.momentum, Vec3::ZERO);
            let holds = &mut self.report.angular.holds;
            add_moment(holds, mover.path.position, mover.momentum, Vec3::ZERO);
            mover.momentum = Vec3::ZERO;
        }
        if let Some(spinner) = spinners.get_mut(mover.spinner as usize) {
            spinner.put(entry.orientation, self.scenery.hull(mover.shape));
            if mover.filter.body_type == BodyType::Dynamic {
                add_turning(&mut self.report.angular.holds, spinner.angular_momentum, Vec3::ZERO);
                spinner.angular_momentum = Vec3::ZERO;
            }
        }
        mover.path.position = entry.position;
        self.report.reverted.push(self.state.id_of(mover.slot));
    }
}

impl SimBodies {
    /// Writes the bodies into the state at the end of the tick, or of a step of it that another one follows.
    pub fn write(&self, state: &mut State, goes_on: bool) {
        for mover in &self.movers {
            if let Some(body) = &mut state.slots[mover.slot as usize].body {
                if mover.conduct == Conduct::Frozen {
                    body.frozen = body.frozen.saturating_sub(u16::from(!goes_on));
                    continue;
                }
                body.position = mover.path.position;
                body.momentum = mover.momentum;
                let stops = body.stops & !goes_on;
                if stops {
                    (body.stops, body.momentum) = (false, Vec3::ZERO);
                }
                if let (Some(spin), Some(spinner)) =
                    (&mut body.spin, self.spinners.get(mover.spinner as usize))
                {
                    spin.orientation = spinner.orientation();
                    spin.angular_momentum = if stops { Vec3::ZERO } else { spinner.angular_momentum };
                }
            }
        }
    }
}
