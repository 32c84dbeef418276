//! What lies still: which bodies are brought to rest, and how others roll out.

use super::carry::is_shorter;
use crate::tick::contact::ContactStage;
use crate::{
    geom::Vec3,
    num::round::{div_ceil, div_zero},
    shape::length_ceil,
    state::{momentum_wide, velocity_nearest},
    tick::{
        bodies::body::{BodyIndex, Partner, SimBody},
        contact::rest::memory::{Bearing, Piled, Rest},
    },
};

/// A body that lies on others is brought to rest where it would creep by less than this part of gravity in a
/// tick: 1/16, as far as gravity takes it on a slope of 1/8 in its first tick.
pub(super) const CREEP_SHIFT: u32 = 4;

/// And one that rests there stays so up to this part of gravity, 1/8: twice as much, so that what the solve leaves
/// does not wake it.
const REST_SHIFT: u32 = 3;

/// One that others only touch is so up to 2^-12, and where it grips stays so up to 2^-7, as on a slope of 1/128: more than what
/// the solve leaves.
const NOISE_SHIFT: u32 = 12;
const TOUCHED_SHIFT: u32 = 7;

/// A ball that is pressed may spin 2^4 times as fast as it creeps: up to what gravity adds in a tick. That moves nothing, and
/// its load rubs it off within a tick or two; but a push back beside it may turn it on and on.
const SPIN_SHIFT: u32 = 4;

/// What rolls or spins on what rubs loses this part of what gravity adds to a velocity in a tick: 2^-12, as a steel ball
/// on hard ground does. Without it one ball that rolls on between others would keep a heap from ever lying still.
const ROLL_SHIFT: u32 = 12;

impl ContactStage<'_> {
    /// Brings to rest what lies on other bodies and hardly moves; what it lies on may move.
    ///
    /// Without friction a heap flows for a long time, ever more slowly. What lies on statics alone is not
    /// kept: it slides on, or rolls out.
    pub(super) fn quench(&mut self) {
        self.scratch.rest.find_piled();
        for index in 0..self.sim.all().len() {
            let mover = self.sim.all()[index];
            let Some(ground) = self.scratch.rest.grounds[index].filter(|_| mover.is_free()) else { continue };
            let still = mover.locks.free_part(Vec3::from_raw(ground));
            if self.hardly_moves(index, &mover, still) {
                self.leave_part(index, still, 0, 1);
            } else if self.scratch.rest.piled[index].rubs {
                self.roll_out(index, still);
            }
        }
    }

    /// Whether a body has come to rest: it is where it was over its ground, or nearly, and what is left of its
    /// velocities is no more than what a solve leaves.
    fn hardly_moves(&self, index: usize, mover: &SimBody, still: Vec3) -> bool {
        let piled = self.scratch.rest.piled[index];
        let moved = mover.path.position - self.bodies().entry(mover);
        let turned = self.bodies().turned_by(mover);
        let rests = moved == still && turned == 0;
        let creep = match piled.by {
            Bearing::Pressed if rests && piled.has_points && !mover.struck => self.kept_creep(index),
            // Wedged between statics: the solve leaves a part of what gravity adds, and the motion says that it is held.
            Bearing::Alone | Bearing::Rubs
                if rests && piled.is_pressed && still == Vec3::ZERO && !mover.struck =>
            {
                2 * self.sim.gravity
            }
            _ => piled.creep(rests, 2 * self.sim.gravity),
        };
        let velocity = velocity_nearest(mover.momentum, mover.mass);
        let spin = Vec3::from_raw(self.spin_of(Partner::Body(BodyIndex(index as u32))));
        let is_slow = [velocity - still, moved - still].into_iter().all(|part| is_shorter(part, creep));
        let most = self.spin_creep(index, creep);
        is_slow && is_shorter(spin, most) && turned < most.max(1)
    }

    /// How much a body may spin that creeps by no more than so much, and is brought to rest.
    pub(super) fn spin_creep(&self, index: usize, creep: i64) -> i64 {
        let is_pressed = self.scratch.rest.piled[index].by == Bearing::Pressed;
        let is_ball = is_pressed && self.keeps_form(Partner::Body(BodyIndex(index as u32)));
        if is_ball { creep.saturating_mul(1 << SPIN_SHIFT) } else { creep }
    }

    /// How much velocity is left over of what was kept exactly in its place by points of others, and struck by nothing. Its
    /// momentum is solved apart from its motion, and it is the motion that says whether it is held: all of a ball's. What
    /// has corners may be kept by nets only, and is to go on when they let it: what gravity adds in a tick.
    fn kept_creep(&self, index: usize) -> i64 {
        if self.keeps_form(Partner::Body(BodyIndex(index as u32))) { i64::MAX } else { self.sim.gravity }
    }

    /// Takes from a body that rolls or spins what rolling costs; what slides and hardly turns loses as much less.
    fn roll_out(&mut self, index: usize, still: Vec3) {
        let mover = &self.sim.all()[index];
        let over = length_ceil(velocity_nearest(mover.momentum, mover.mass) - still).to_bits();
        let spin =
            length_ceil(Vec3::from_raw(self.spin_of(Partner::Body(BodyIndex(index as u32))))).to_bits();
        if spin == 0 {
            return;
        }
        let speed = over.max(spin);
        let cost =
            div_ceil(i128::from(self.sim.gravity >> ROLL_SHIFT) * i128::from(spin), speed.into()) as i64;
        self.leave_part(index, still, (speed - cost.max(1)).max(0), speed);
    }

    /// Leaves a part of what a body has of momentum over its ground, and of angular momentum, toward zero.
    fn leave_part(&mut self, index: usize, still: Vec3, part: i64, whole: i64) {
        let mover = &self.sim.all()[index];
        let kept = |raw: i64| div_zero(i128::from(raw) * i128::from(part), whole.into()) as i64;
        let carried = momentum_wide(still, mover.mass);
        let momentum = carried + (mover.momentum - carried).map_raw(kept);
        let mut bodies = self.bodies_mut();
        if part == 0 {
            bodies.stand_still(BodyIndex(index as u32));
        }
        bodies.correct_angular_momentum(BodyIndex(index as u32), kept);
        bodies.correct_momentum(BodyIndex(index as u32), momentum);
    }
}

impl Rest {
    /// Marks the bodies that others touch or press, or have before in the tick.
    pub(super) fn find_piled(&mut self) {
        self.piled.resize(self.first.len(), Piled::default());
        for index in 0..self.contacts.len() {
            let contact = &self.contacts[index];
            let (presses, has_points) = (contact.push > 0, self.touch_of(contact).is_some());
            let rubs = presses && self.touch_of(contact).is_some_and(|touch| touch.friction_q16 > 0);
            let (low, high) = (contact.low_mover(), contact.high);
            let both_give_way = contact.steps.iter().all(|step| *step != [0; 3]);
            if presses {
                for mover in [low, Some(high)].into_iter().flatten() {
                    self.piled[mover as usize].is_pressed = true;
                }
            }
            if rubs {
                self.bear(high, Bearing::Rubs, has_points);
                for mover in [low, Some(high)].into_iter().flatten() {
                    self.piled[mover as usize].rubs = true;
                }
            }
            if let (Some(low), true) = (low, both_give_way) {
                let by = if presses { Bearing::Pressed } else { Bearing::Touched };
                self.bear(low, by, has_points);
                self.bear(high, by, has_points);
            }
        }
    }

    fn bear(&mut self, mover: u32, by: Bearing, has_points: bool) {
        let piled = &mut self.piled[mover as usize];
        piled.by = by.max(piled.by);
        piled.has_points |= has_points;
    }
}

impl Piled {
    /// How near to that of its ground a body's motion must be to be the same, for it rests there or is
    /// brought to rest.
    pub(super) const fn creep(self, rests: bool, gravity: i64) -> i64 {
        match (self.by, rests) {
            (Bearing::Pressed, true) => gravity >> REST_SHIFT,
            (Bearing::Pressed, false) => gravity >> CREEP_SHIFT,
            (Bearing::Touched, true) if self.has_points => gravity >> TOUCHED_SHIFT,
            (Bearing::Touched | Bearing::Rubs, _) => gravity >> NOISE_SHIFT,
            (Bearing::Alone, _) => 0,
        }
    }
}
