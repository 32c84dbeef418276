//! The motions of the tick's beginning: nearly such that no contact closes.

use super::{quench::CREEP_SHIFT, rows::Effort};
use crate::tick::contact::NONE;
use crate::tick::contact::{ContactBuffers, ContactStage};
use crate::{
    geom::Vec3,
    state::BodyType,
    tick::bodies::body::{BodyIndex, SimBody},
};

/// Contacts are solved when none of them is further from it than this part of gravity: 2^-20.
const SOLVED_SHIFT: u32 = 20;

/// Where there is none, when none is further from it than this part of the least gap at rest: 2^-1. Nothing penetrates
/// then, and the next tick asks for what is left.
const SOLVED_GAP_SHIFT: u32 = 1;

/// A body's loads are guessed when they change by no more than this part of gravity: 2^-8.
const GUESSED_SHIFT: u32 = 8;

/// How many steps the solve of the motions takes at most.
const STEPS: i64 = 64;

/// The same without gravity: most jams are solved in fewer, and what is left of one costs the projection more than these.
const STEPS_WITHOUT_GRAVITY: i64 = 128;

impl ContactStage<'_> {
    /// Changes the motions of bodies in contact so that they hardly close.
    pub(super) fn carry(&mut self) {
        let (solved, gravity) = (self.solved(), self.sim.gravity);
        let half_pull = self.state.gravity.map_raw(|g| g / 2);
        let movers = &self.sim.all();
        let rest = &mut self.scratch.rest;
        rest.rates.clear();
        rest.rates.extend(movers.iter().map(|mover| mover.path.displacement.raw()));
        rest.find_grounds(self.state.gravity, |index| {
            let mover = &movers[index as usize];
            (mover.held || mover.filter.body_type == BodyType::Kinematic)
                .then(|| mover.path.displacement.raw())
        });
        self.gather_spins();
        let rest = &mut self.scratch.rest;
        rest.guess_loads(gravity >> GUESSED_SHIFT);
        let still = gravity >> (CREEP_SHIFT + 1);
        let steps = if gravity == 0 { STEPS_WITHOUT_GRAVITY } else { STEPS };
        rest.solve_motions(Effort { steps, looks: i64::MAX, solved, still });
        rest.piled.clear();
        rest.find_piled();
        for index in 0..self.sim.all().len() {
            let (movers, ContactBuffers { rest, .. }) = (self.sim.all(), &*self.scratch);
            if rest.first[index] == NONE {
                continue;
            }
            let motion = Vec3::from_raw(rest.rates[index]);
            let SimBody { path, locks, .. } = &movers[index];
            let still = rest.grounds[index].map(|ground| locks.free_part(Vec3::from_raw(ground)));
            let still = still.filter(|&still| {
                let rests = path.displacement - still == locks.free_part(half_pull);
                let creep = rest.piled[index].creep(rests, gravity);
                let spin = rest.spins.get(index).map_or(Vec3::ZERO, |&spin| Vec3::from_raw(spin));
                is_shorter(motion - still, creep) && is_shorter(spin, self.spin_creep(index, creep))
            });
            let is_still = still.is_some();
            self.bodies_mut().set_unchecked_motion(BodyIndex(index as u32), still.unwrap_or(motion));
            self.set_turn(index, is_still);
        }
    }

    /// How far from solved contacts may be, in raw per tick.
    pub(super) fn solved(&self) -> i64 {
        let part = match self.sim.gravity {
            0 => {
                let gaps = self.scratch.rest.contacts.iter().map(|contact| contact.rest_gap - contact.skin);
                gaps.min().unwrap_or(0) >> SOLVED_GAP_SHIFT
            }
            gravity => gravity >> SOLVED_SHIFT,
        };
        part.max(1)
    }
}

/// Whether a vector is shorter than a number of raw.
pub(super) fn is_shorter(vector: Vec3, raw: i64) -> bool {
    vector.length_squared_wide() < u128::from(raw.unsigned_abs()).pow(2)
}
