//! Gravity, and a path for everybody.

use super::{report::add, step::Step};
use crate::{
    geom::{Path, Vec3},
    num::Toi,
    world::{Mover, SKIN, lean, momentum_wide},
};

impl Step<'_> {
    /// Gathers the bodies, adds the whole tick's gravity to their momenta and gives them paths.
    pub(super) fn integrate(&mut self) {
        self.scratch.places = None;
        let mut movers = std::mem::take(&mut self.scratch.movers);
        movers.clear();
        for (id, body) in self.state.bodies() {
            let kick = momentum_wide(self.state.gravity, body.mass);
            add(&mut self.report.ledger.gravity, kick);
            let shape = self.scenery.shape(body.shape);
            movers.push(Mover {
                slot: id.slot,
                mass: body.mass,
                shape: body.shape,
                impacts: 0,
                stamp: 0,
                doubtful: false,
                held: false,
                reach: shape.half_extent().unwrap_or_default() + Vec3::splat(SKIN + lean(shape)),
                entry: body.position,
                momentum: body.momentum + kick,
                path: Path::new(body.pose(), Vec3::ZERO),
            });
        }
        for mover in &mut movers {
            self.clamp_speed(mover);
            let motion = self.free_motion(mover, Toi::START);
            self.launch(mover, motion);
        }
        self.scratch.movers = movers;
    }
}
