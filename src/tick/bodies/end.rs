//! The end of the paths, and what the state becomes.

use super::{
    BodiesMut, SimBodies,
    body::{BodyIndex, Conduct},
};
use crate::{
    geom::Vec3,
    num::Toi,
    state::{Body, BodyType, State},
    tick::{Cause, TickReport},
};

impl BodiesMut<'_> {
    /// Advances every body to the end of its path.
    pub fn advance_all(&mut self) {
        if !self.sim.any_rotates() {
            // Nothing to account for on the way.
            self.sim.bodies.iter_mut().for_each(|body| body.path = body.path.from(Toi::END));
            return;
        }
        for index in self.sim.indices() {
            self.advance(index, Toi::END);
        }
    }

    /// Reverts a body to its pose at the start of the tick. A dynamic body loses its momentum; the velocity
    /// of a kinematic body belongs to the game, and a static one is already there.
    pub fn revert(&mut self, index: BodyIndex) {
        let entry = self.bodies().entry_pose(self.bodies().body(index));
        let body = &mut self.sim.bodies[index.place()];
        body.reverted = true;
        let body_type = body.filter.body_type;
        if body_type == BodyType::Static || body.conduct == Conduct::Frozen {
            return;
        }
        let (hull, is_dynamic) = (self.scenery.hull(body.shape), body_type == BodyType::Dynamic);
        if is_dynamic {
            self.set_momentum(index, Vec3::ZERO, Cause::Holds);
        }
        self.sim.bodies[index.place()].path.position = entry.position;
        self.change_rotation(index, Cause::Holds, |rotation| {
            rotation.put(entry.orientation, hull);
            if is_dynamic {
                rotation.angular_momentum = Vec3::ZERO;
            }
        });
        let id = self.bodies().id_of(index);
        self.report.reverted.push(id);
    }
}

impl SimBodies {
    /// Writes the bodies into the state at the end of a step, the last one of its tick or not.
    pub fn write(&self, state: &mut State, is_last: bool) {
        for body in &self.bodies {
            let Some(stored) = &mut state.slots[body.slot.place()].body else { continue };
            if body.conduct == Conduct::Frozen {
                stored.frozen = stored.frozen.saturating_sub(u16::from(is_last));
                continue;
            }
            stored.position = body.path.at(Toi::END);
            stored.momentum = body.momentum;
            let stops = stored.stops & is_last;
            if stops {
                (stored.stops, stored.momentum) = (false, Vec3::ZERO);
            }
            if let (Some(spin), Some(rotation)) = (&mut stored.spin, self.rotation(body)) {
                spin.orientation = self.motion(body).at(Toi::END).orientation;
                spin.angular_momentum = if stops { Vec3::ZERO } else { rotation.angular_momentum };
            }
        }
    }
    /// Brings a stored dynamic body to rest after the tick.
    pub fn bring_to_rest(&self, body: &mut Body, report: &mut TickReport, cause: Cause) {
        let place = self.any_rotates().then_some(body.position);
        report.record(cause, place, body.momentum, Vec3::ZERO);
        body.momentum = Vec3::ZERO;
        if let Some(spin) = &mut body.spin {
            report.record_spin(cause, spin.angular_momentum, Vec3::ZERO);
            spin.angular_momentum = Vec3::ZERO;
        }
    }
}
