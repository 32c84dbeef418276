//! What lies, rolls or topples gains no energy.
//!
//! A way is a straight line over the tick, so whoever turns about a point of contact leaves the circle that its
//! momentum means, and what is kept from the rest of its way keeps the momentum of all of it. Each is an energy
//! that nothing gave. So the bodies that contacts and impacts connect in a tick are counted together: what they have
//! at its end of motion, turning and height is no more than what they had when it began, or all of them slow down by
//! the same part until it is.
//!
//! Only groups are counted in which a body turns and gravity pulls, and none that touches a body which the game moves:
//! that one may do work on them.
//! What a group gains still is what lifts it back to the gap at which it rests while it stands, and below one part
//! in 2^20 of its motion, which is rounding.

use crate::tick::contact::{ContactBuffers, ContactStage};
use crate::{
    geom::Vec3,
    num::{root::sqrt_floor, round::div_zero},
    state::{BodyType, Collider, SlotIndex},
    tick::{
        bodies::body::{BodyIndex, Conduct},
        contact::rest::memory::{Budget, Rest},
    },
};

/// A gain that is a smaller part of a group's motion than this is left: 2^-20.
const ROUNDING_SHIFT: u32 = 20;

/// The fraction bits of the part that speeds are slowed down to.
const PART_BITS: u32 = 30;

/// The bits of an energy whose part is found.
const ENERGY_BITS: u32 = 64;

/// The largest speed that is squared, in raw per tick: with a mass of 16 bits it fits, many times over.
const SPEED_MAX: i64 = 1 << 50;

impl ContactStage<'_> {
    /// Joins the bodies that contacts and impacts of this tick connect.
    pub(super) fn find_groups(&mut self) {
        let rest = &mut self.scratch.rest;
        rest.groups.clear();
        if !self.sim.any_rotates() || self.sim.gravity == 0 {
            return;
        }
        let count = self.sim.all().len() as u32;
        rest.groups.extend(0..count);
        rest.budgets.clear();
        rest.budgets.resize(count as usize, Budget::default());
        for index in 0..self.scratch.rest.contacts.len() {
            let contact = self.scratch.rest.contacts[index];
            self.connect(contact.high, contact.low_mover());
        }
        for index in 0..self.report.impacts.len() {
            let impact = self.report.impacts[index];
            let movers = &self.sim.all();
            // Movers are in the order of their slots.
            let place = |slot: SlotIndex| movers.partition_point(|mover| mover.slot < slot) as u32;
            let other = if let Collider::Body(id) = impact.b { Some(place(id.slot)) } else { None };
            let a = place(impact.a.slot);
            self.connect(a, other);
        }
    }

    /// Joins two; what the game moves makes the other's group its work.
    fn connect(&mut self, a: u32, b: Option<u32>) {
        let (sim, ContactBuffers { rest, .. }) = (&*self.sim, &mut *self.scratch);
        let is_counted = |index: &u32| {
            let mover = &sim.all()[*index as usize];
            mover.filter.body_type == BodyType::Dynamic && mover.conduct != Conduct::Frozen
        };
        let both = [Some(a), b].map(|index| index.filter(is_counted));
        let drives = |index: &u32| {
            let mover = &sim.all()[*index as usize];
            let turns = sim.rotation(mover).is_some_and(|rotation| rotation.angular_momentum != Vec3::ZERO);
            mover.filter.body_type == BodyType::Kinematic && (mover.momentum != Vec3::ZERO || turns)
        };
        for index in both.into_iter().flatten() {
            let budget = &mut rest.budgets[index as usize];
            budget.is_counted = true;
            budget.is_driven |= [Some(a), b].iter().flatten().any(drives);
        }
        if let [Some(a), Some(b)] = both {
            let (a, b) = (rest.group_of(a), rest.group_of(b));
            rest.groups[a.max(b) as usize] = a.min(b);
        }
    }

    /// Slows down the groups that have gained.
    pub(super) fn keep_budgets(&mut self) {
        if self.scratch.rest.groups.is_empty() {
            return;
        }
        let mut budgets = std::mem::take(&mut self.scratch.rest.budgets);
        for index in 0..self.sim.all().len() {
            let own = budgets[index];
            if own.is_counted {
                let (motion, gain) = self.motion_and_gain(index);
                let root = self.scratch.rest.group_of(index as u32);
                let budget = &mut budgets[root as usize];
                budget.motion = budget.motion.saturating_add(motion);
                budget.gain = budget.gain.saturating_add(gain);
                budget.is_driven |= own.is_driven;
                budget.turns |= self.sim.all()[index].rotates();
            }
        }
        for index in 0..self.sim.all().len() {
            let budget = budgets[self.scratch.rest.group_of(index as u32) as usize];
            let is_within = budget.gain <= budget.motion >> ROUNDING_SHIFT;
            if budgets[index].is_counted && budget.turns && !budget.is_driven && !is_within {
                self.slow_to(index, part_q30(budget.motion - budget.gain, budget.motion));
            }
        }
        self.scratch.rest.budgets = budgets;
    }

    /// Twice the energy of a body's motion and turning, and twice what it has gained in this tick, height included.
    fn motion_and_gain(&self, index: usize) -> (i128, i128) {
        let mover = &self.sim.all()[index];
        let Some(body) = &self.state.slots[mover.slot.place()].body else { return (0, 0) };
        let mass = i128::from(mover.mass);
        let square = |momentum: Vec3| momentum.dot_wide(momentum) / mass;
        let (mut motion, mut before) = (square(mover.momentum), square(body.momentum));
        if let (Some(rotation), Some(spin)) = (self.sim.rotation(mover), body.spin) {
            let square = |spin: [i64; 3]| {
                let squares = spin.map(|c| i128::from(c.clamp(-SPEED_MAX, SPEED_MAX)).pow(2));
                mass * squares.iter().sum::<i128>()
            };
            motion += square(rotation.spin().raw());
            let mut then = rotation.clone();
            then.put(spin.orientation, self.scenery.hull(mover.shape));
            then.angular_momentum = spin.angular_momentum;
            before += square(then.spin().raw());
        }
        let risen = -self.state.gravity.dot_wide(mover.path.position - body.position);
        (motion, motion - before + 2 * mass * risen)
    }

    /// Leaves a body a part of its speed and of its turning.
    fn slow_to(&mut self, index: usize, part: i128) {
        let slower = |raw: i64| div_zero(i128::from(raw) * part, 1 << PART_BITS) as i64;
        let momentum = self.sim.all()[index].momentum.map_raw(slower);
        self.bodies_mut().correct_momentum(BodyIndex(index as u32), momentum);
        self.bodies_mut().correct_angular_momentum(BodyIndex(index as u32), slower);
    }
}

impl Rest {
    /// The least body of a group.
    fn group_of(&mut self, mover: u32) -> u32 {
        let mut at = mover;
        while self.groups[at as usize] != at {
            self.groups[at as usize] = self.groups[self.groups[at as usize] as usize];
            at = self.groups[at as usize];
        }
        at
    }
}

/// The part of all speeds with which so much of an energy is left; rounded down.
fn part_q30(left: i128, whole: i128) -> i128 {
    let shift = (i128::BITS - whole.leading_zeros()).saturating_sub(ENERGY_BITS);
    let (left, whole) = ((left >> shift).max(0), (whole >> shift).max(1));
    let square = (left.unsigned_abs() << (2 * PART_BITS)) / whole.unsigned_abs();
    (sqrt_floor(square) as i128).min(1 << PART_BITS)
}
