//! The motions of the tick's beginning: nearly such that no contact closes.

use crate::{
    geom::Vec3,
    tick::{report::add_change, step::Step},
    world::{Contact, Kind, NONE, Rest, Scratch, momentum_wide, velocity_nearest},
};

/// Contacts are solved when none of them is further from it than this part of gravity: 2^-20.
const SOLVED_SHIFT: u32 = 20;

/// Where there is none, when none is further from it than this part of the least gap at rest: 2^-3.
const SOLVED_GAP_SHIFT: u32 = 3;

/// A body that lies on others stands still where it would creep by less than this part of gravity in a
/// tick: 1/32, as far as gravity takes it on a slope of 1/16 in its first tick.
const CREEP_SHIFT: u32 = 5;

impl Step<'_> {
    /// Changes the motions of bodies in contact so that they hardly close.
    pub(super) fn carry(&mut self) {
        let (solved, creep) = (self.solved(), self.gravity_length() >> CREEP_SHIFT);
        let movers = &self.scratch.movers;
        let rest = &mut self.scratch.rest;
        rest.rates.clear();
        rest.rates.extend(movers.iter().map(|mover| mover.path.motion.raw()));
        rest.find_grounds(|index| {
            let mover = &movers[index as usize];
            (mover.held || mover.filter.kind == Kind::Kinematic).then(|| mover.path.motion.raw())
        });
        rest.guess_loads(solved);
        rest.solve(solved, Contact::wanted);
        rest.find_piled();
        for index in 0..self.scratch.movers.len() {
            let Scratch { rest, movers, .. } = &*self.scratch;
            if rest.first[index] == NONE {
                continue;
            }
            let motion = Vec3::from_raw(rest.rates[index]);
            let still = rest.still_motion(index).map(|still| movers[index].locks.free_part(still));
            let still = still.filter(|still| is_shorter(motion - *still, creep));
            self.scratch.movers[index].path.motion = still.unwrap_or(motion);
        }
    }

    /// How far from solved contacts may be, in raw per tick.
    pub(super) fn solved(&self) -> i64 {
        let part = match self.gravity_length() {
            0 => {
                let gaps = self.scratch.rest.contacts.iter().map(|contact| contact.rest_gap - contact.skin);
                gaps.min().unwrap_or(0) >> SOLVED_GAP_SHIFT
            }
            gravity => gravity >> SOLVED_SHIFT,
        };
        part.max(1)
    }

    /// Brings to rest what lies on other bodies and hardly moves; what it lies on may move.
    ///
    /// Without friction a heap flows for a long time, ever more slowly. What lies on statics alone is not
    /// kept: it slides on.
    pub(super) fn quench(&mut self) {
        let creep = 2 * (self.gravity_length() >> CREEP_SHIFT);
        self.scratch.rest.find_piled();
        for index in 0..self.scratch.movers.len() {
            let mut mover = self.scratch.movers[index];
            let Some(still) = self.scratch.rest.still_motion(index).filter(|_| mover.is_free()) else {
                continue;
            };
            let still = mover.locks.free_part(still);
            let moved = mover.path.pose.position - self.entry(&mover);
            let velocity = velocity_nearest(mover.momentum, mover.mass);
            if is_shorter(velocity - still, creep) && is_shorter(moved - still, creep) {
                let momentum = momentum_wide(still, mover.mass);
                add_change(&mut self.report.ledger.braces, mover.momentum, momentum);
                mover.momentum = momentum;
                self.scratch.movers[index] = mover;
            }
        }
    }
}

/// Whether a vector is shorter than a number of raw.
pub(super) fn is_shorter(vector: Vec3, raw: i64) -> bool {
    vector.length_squared_wide() < u128::from(raw.unsigned_abs()).pow(2)
}

impl Rest {
    /// Marks the bodies that another body presses.
    fn find_piled(&mut self) {
        self.piled.clear();
        self.piled.resize(self.first.len(), false);
        for contact in &self.contacts {
            let both_give_way = contact.steps.iter().all(|step| *step != [0; 3]);
            if let (Some(low), true) = (contact.low_mover(), contact.push > 0 && both_give_way) {
                self.piled[low as usize] = true;
                self.piled[contact.high as usize] = true;
            }
        }
    }

    /// The motion of the ground under a body that lies on others.
    fn still_motion(&self, index: usize) -> Option<Vec3> {
        self.grounds[index].filter(|_| self.piled[index]).map(Vec3::from_raw)
    }
}
