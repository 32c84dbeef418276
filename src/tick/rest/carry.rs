//! The motions of the tick's beginning: nearly such that no contact closes.

use super::solve::Effort;
use crate::{
    geom::Vec3,
    tick::{
        angular::{add_moment, add_turning},
        report::add_change,
        step::Step,
    },
    world::{Kind, Mover, NONE, Partner, Piled, Rest, Scratch, momentum_wide, velocity_nearest},
};

/// Contacts are solved when none of them is further from it than this part of gravity: 2^-20.
const SOLVED_SHIFT: u32 = 20;

/// Where there is none, when none is further from it than this part of the least gap at rest: 2^-3.
const SOLVED_GAP_SHIFT: u32 = 3;

/// A body's loads are guessed when they change by no more than this part of gravity: 2^-8.
const GUESSED_SHIFT: u32 = 8;

/// How many steps the solve of the motions takes at most.
const STEPS: i64 = 32;

/// A body that lies on others is brought to rest where it would creep by less than this part of gravity in a
/// tick: 1/16, as far as gravity takes it on a slope of 1/8 in its first tick.
const CREEP_SHIFT: u32 = 4;

/// And one that rests there stays so up to this part of gravity, 1/8: twice as much, so that what the solve leaves
/// does not wake it.
const REST_SHIFT: u32 = 3;

/// One that others only touch is so up to 2^-12: more than what the solve leaves.
const NOISE_SHIFT: u32 = 12;

impl Step<'_> {
    /// Changes the motions of bodies in contact so that they hardly close.
    pub(super) fn carry(&mut self) {
        let (solved, gravity) = (self.solved(), self.scratch.gravity);
        let half_pull = self.state.gravity.map_raw(|g| g / 2);
        let movers = &self.scratch.movers;
        let rest = &mut self.scratch.rest;
        rest.rates.clear();
        rest.rates.extend(movers.iter().map(|mover| mover.path.motion.raw()));
        rest.find_grounds(self.state.gravity, |index| {
            let mover = &movers[index as usize];
            (mover.held || mover.filter.kind == Kind::Kinematic).then(|| mover.path.motion.raw())
        });
        self.gather_spins();
        let rest = &mut self.scratch.rest;
        rest.guess_loads(gravity >> GUESSED_SHIFT);
        let still = gravity >> (CREEP_SHIFT + 1);
        let (effort, may_recall) =
            (Effort { steps: STEPS, looks: i64::MAX, solved, still }, self.may_recall());
        let rest = &mut self.scratch.rest;
        rest.solve_motions(effort, may_recall);
        rest.piled.clear();
        rest.find_piled();
        for index in 0..self.scratch.movers.len() {
            let Scratch { rest, movers, .. } = &*self.scratch;
            if rest.first[index] == NONE {
                continue;
            }
            let motion = Vec3::from_raw(rest.rates[index]);
            let Mover { path, locks, .. } = &movers[index];
            let still = rest.grounds[index].map(|ground| locks.free_part(Vec3::from_raw(ground)));
            let still = still.filter(|&still| {
                let rests = path.motion - still == locks.free_part(half_pull);
                let creep = rest.creep(index, rests, gravity);
                let spin = rest.spins.get(index).map_or(Vec3::ZERO, |&spin| Vec3::from_raw(spin));
                is_shorter(motion - still, creep) && is_shorter(spin, creep)
            });
            self.scratch.movers[index].path.motion = still.unwrap_or(motion);
            self.set_turn(index, still.is_some());
        }
    }

    /// How far from solved contacts may be, in raw per tick.
    pub(super) fn solved(&self) -> i64 {
        let part = match self.scratch.gravity {
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
        let gravity = 2 * self.scratch.gravity;
        self.scratch.rest.find_piled();
        for index in 0..self.scratch.movers.len() {
            let mut mover = self.scratch.movers[index];
            let Some(ground) = self.scratch.rest.grounds[index].filter(|_| mover.is_free()) else { continue };
            let still = mover.locks.free_part(Vec3::from_raw(ground));
            let moved = mover.path.pose.position - self.entry(&mover);
            let velocity = velocity_nearest(mover.momentum, mover.mass);
            let turned = self.turned_by(&mover);
            let rests = moved == still && turned == 0;
            let creep = self.scratch.rest.creep(index, rests, gravity);
            let spin = Vec3::from_raw(self.spin_of(Partner::Mover(index as u32)));
            let is_slow =
                [velocity - still, moved - still, spin].into_iter().all(|part| is_shorter(part, creep));
            if is_slow && turned < creep.max(1) {
                let turning = self.stop_turning(&mover);
                let momentum = momentum_wide(still, mover.mass);
                add_change(&mut self.report.ledger.braces, mover.momentum, momentum);
                if self.is_accounted() {
                    let braces = &mut self.report.angular.braces;
                    add_moment(braces, mover.path.pose.position, mover.momentum, momentum);
                    add_turning(braces, turning, Vec3::ZERO);
                }
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
    /// Marks the bodies that others touch or press, or have before in the tick.
    fn find_piled(&mut self) {
        self.piled.resize(self.first.len(), Piled::Alone);
        for contact in &self.contacts {
            if self.touch_of(contact).is_some_and(|touch| touch.friction_q16 > 0) && contact.push > 0 {
                let piled = &mut self.piled[contact.high as usize];
                *piled = Piled::Touched.max(*piled);
            }
            let both_give_way = contact.steps.iter().all(|step| *step != [0; 3]);
            if let (Some(low), true) = (contact.low_mover(), both_give_way) {
                let by = if contact.push > 0 { Piled::Pressed } else { Piled::Touched };
                for mover in [low, contact.high] {
                    let piled = &mut self.piled[mover as usize];
                    *piled = by.max(*piled);
                }
            }
        }
    }

    /// How near to that of its ground a body's motion must be to be the same, for it rests there or is
    /// brought to rest.
    fn creep(&self, index: usize, rests: bool, gravity: i64) -> i64 {
        match (self.piled[index], rests) {
            (Piled::Pressed, true) => gravity >> REST_SHIFT,
            (Piled::Pressed, false) => gravity >> CREEP_SHIFT,
            (Piled::Touched, _) => gravity >> NOISE_SHIFT,
            (Piled::Alone, _) => 0,
        }
    }
}
