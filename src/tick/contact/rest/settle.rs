//! The momenta at the end of the tick: what presses is taken from them.

use super::{
    carry::is_shorter,
    press::shares,
    rows::{Effort, add as add_to},
};
use crate::tick::contact::ContactStage;
use crate::tick::contact::NONE;
use crate::{
    geom::{Normal, Vec3},
    num::{
        Scalar, Toi,
        bound::{Bound, Width},
        mul_div::mul_div_nearest,
        round::{div_zero, shr_nearest},
    },
    shape::length_ceil,
    state::{BodyType, momentum_wide, velocity_nearest},
    tick::{
        bodies::body::{BodyIndex, Partner},
        contact::rest::memory::{Contact, Rest},
    },
};

/// The largest component of an impulse, in raw.
pub(super) const IMPULSE_MAX: i128 = 1 << 61;

/// A momentum beyond this, in raw, is brought back to the speed limit before more is added.
const MOMENTUM_MAX: i64 = 1 << 60;

/// The momentum before it is clamped: to [`MOMENTUM_MAX`], or to the limit of speed, which is less.
pub(in crate::tick::contact) const WIDTH: Width = Width {
    number: "momentum of a body after an impulse",
    bound: Bound::number(MOMENTUM_MAX as u64).plus(Bound::number(IMPULSE_MAX as u64)),
    held_in: 64,
};
const _: () = WIDTH.check();

/// Two normals of length 2^30 are the same if their product is no less: within a degree. A body that
/// slides over an edge is still carried by the face that it leaves.
const SAME_WAY: i128 = (1 << 60) - (1 << 47);

/// How many steps the solve of the momenta takes at most.
const STEPS: i64 = 32;

/// How many rows of an island they look at where there is no gravity. There the next tick goes on with what is left,
/// and a large crowd is hardly ever solved to the end.
const LOOKS: i64 = 1 << 11;

/// It is done when no contact is further from it than this part of gravity: 2^-8.
const SOLVED_SHIFT: u32 = 8;

/// It is done, too, when no body moves by this part of gravity: what lies on others is brought to rest then.
const STILL_SHIFT: u32 = 5;

impl ContactStage<'_> {
    /// Takes from the momenta of bodies in contact what still closes, by equal and opposite impulses.
    pub(in crate::tick) fn settle(&mut self) {
        if self.scratch.rest.contacts.is_empty() {
            return;
        }
        if self.scratch.rest.is_unsorted {
            self.sort_contacts();
        }
        self.find_groups();
        let movers = &self.sim.all();
        let rest = &mut self.scratch.rest;
        rest.rates.clear();
        rest.rates.extend(movers.iter().map(|mover| match mover.filter.body_type {
            _ if mover.held => [0; 3],
            BodyType::Dynamic => velocity_nearest(mover.momentum, mover.mass).raw(),
            BodyType::Kinematic | BodyType::Static => mover.path.displacement.raw(),
        }));
        for index in 0..self.scratch.rest.contacts.len() {
            if self.scratch.rest.contacts[index].touch == NONE {
                self.renew(index);
            }
        }
        self.renew_points();
        self.scratch.rest.contacts.retain(|contact| !contact.dropped);
        let effort = self.effort();
        let rest = &mut self.scratch.rest;
        rest.before.clone_from(&rest.rates);
        self.gather_spins();
        self.scratch.rest.solve_momenta(effort);
        for index in 0..self.scratch.rest.contacts.len() {
            self.give_push(index);
        }
        self.quench();
        self.brace();
        self.keep_budgets();
    }

    /// Momenta need be solved less exactly than motions: the next tick's motions do not close whatever they are.
    fn effort(&self) -> Effort {
        match self.sim.gravity {
            // They need the pushes that the motions had, which is where this begins.
            0 => Effort { steps: STEPS, looks: LOOKS, solved: self.solved(), still: 0 },
            gravity => {
                let (solved, still) = (gravity >> SOLVED_SHIFT, gravity >> STILL_SHIFT);
                Effort { steps: STEPS, looks: i64::MAX, solved, still }
            }
        }
    }

    /// Brings a contact to the end of the tick: its plane there, or as it was where the bodies hardly moved, the room of the next tick, and the
    /// push that the motion took: where there is gravity twice, since it pulls a velocity by twice what it moves.
    fn renew(&mut self, index: usize) {
        let old = &self.scratch.rest.contacts[index];
        if old.dropped || old.is_idle() {
            self.scratch.rest.contacts[index].dropped = true;
            return;
        }
        // What brought them back to where they rest was no load, nor what moves them apart from others.
        let is_displaced = self.bodies().is_displaced(BodyIndex(old.high))
            || old.low_mover().is_some_and(|low| self.bodies().is_displaced(BodyIndex(low)));
        let load = if is_displaced { 0 } else { (old.push + old.wanted().min(0)).max(0) };
        let pulls = self.state.gravity != Vec3::ZERO;
        let push = |room: i64| match load {
            _ if pulls => 2 * load,
            0 => 0,
            // The motion was stopped by what was left of the room, the velocity is by all.
            _ => load + (old.room.max(0) - room.max(0)).max(0),
        };
        let (place, _) = self.contacts().low_at(old, Toi::END);
        let high = &self.sim.all()[old.high as usize];
        let offset = high.path.position - place;
        if is_shorter(offset - old.offset, (old.rest_gap - old.skin) / 2) {
            let gap = ((old.normal.dot_wide(offset) - old.reach) >> Normal::BITS) as i64;
            let (room, push) = (gap - old.rest_gap, push(gap - old.rest_gap));
            let contact = &mut self.scratch.rest.contacts[index];
            (contact.room, contact.push) = (room, push);
            return;
        }
        let sides = [old.low, Partner::Body(BodyIndex(old.high))];
        let found = self.bodies().plane_between(sides, old.parts, offset, Toi::END);
        let new = match found {
            Some(found) if old.push == 0 || is_same_way(old.normal, found.normal) => {
                let gap = ((found.normal.dot_wide(offset) - found.reach) >> Normal::BITS) as i64;
                let inertias = [old.low, Partner::Body(BodyIndex(old.high))].map(|which| self.inertia(which));
                shares(found.normal, inertias).map(|shared| Contact {
                    normal: found.normal,
                    reach: found.reach,
                    direction: shared.direction,
                    steps: shared.steps,
                    whole: shared.whole,
                    masses: shared.masses,
                    load_q16: shared.load_q16,
                    room: gap - old.rest_gap,
                    push: push(gap - old.rest_gap),
                    ..*old
                })
            }
            // The bodies have gone round each other, but it was along this plane that they pressed.
            _ => Some(Contact { room: 0, push: push(0), ..*old }),
        };
        self.scratch.rest.contacts[index] = new.unwrap_or(Contact { dropped: true, ..*old });
    }

    /// Turns a push into an impulse that one loses and the other gains.
    fn give_push(&mut self, index: usize) {
        let &Contact { low, high, normal, push, masses, whole, touch, .. } =
            &self.scratch.rest.contacts[index];
        if touch != NONE {
            let contact = self.scratch.rest.contacts[index];
            self.give_point_push(&contact);
            return;
        }
        if push == 0 {
            return;
        }
        let impulse = impulse_of(normal, push, masses, whole);
        self.events.note_impulse(BodyIndex(high), low, -impulse);
        self.bodies_mut().account_plain([low, Partner::Body(BodyIndex(high))], Toi::END, impulse);
        for (which, change) in [(low, -impulse), (Partner::Body(BodyIndex(high)), impulse)] {
            self.change_momentum(which, change);
        }
    }

    /// Gives a body an impulse; what is not pushed leaves it to the ledger.
    pub(super) fn change_momentum(&mut self, which: Partner, change: Vec3) {
        if let Some(index) = self.bodies_mut().apply_impulse(which, change) {
            let momentum = self.bodies().body(index).momentum;
            if !momentum.within(Scalar::from_bits(MOMENTUM_MAX)) {
                self.bodies_mut().clamp_speed_if_free(index);
            }
        }
    }

    /// Takes from bodies in contact the speed that they could not have: more than twice what they moved,
    /// and what gravity adds in a tick.
    ///
    /// A jam may close faster than the solve can follow; what it cannot pass on would grow without end.
    /// Bodies that an impact has struck are spared unless they still close, and so are all where nothing pulls.
    fn brace(&mut self) {
        let gravity = self.sim.gravity;
        let slack = (gravity / 16).max(2 * self.solved());
        let mut rates = std::mem::take(&mut self.scratch.rest.rates);
        rates.clear();
        rates.extend(self.sim.all().iter().map(|mover| self.bodies().velocity_at(mover, Toi::END).raw()));
        let Rest { contacts, marks, .. } = &mut self.scratch.rest;
        for contact in contacts.iter().filter(|contact| contact.touch == NONE) {
            let low = contact.low_mover().map_or([0; 3], |low| rates[low as usize]);
            let closing = -contact.rate(low, rates[contact.high as usize]);
            if closing > contact.room.max(0) + slack {
                for mover in [Some(contact.high), contact.low_mover()].into_iter().flatten() {
                    marks[mover as usize].closes = true;
                }
            }
        }
        self.scratch.rest.rates = rates;
        self.mark_closing_points(slack);
        for index in 0..self.sim.all().len() {
            let mover = &self.sim.all()[index];
            if self.scratch.rest.first[index] != NONE && mover.is_free() {
                let is_pulled = gravity != 0 && !mover.struck;
                if self.scratch.rest.marks[index].closes || is_pulled {
                    self.brace_one(index, gravity);
                    self.brace_turning(index, gravity);
                }
                self.bodies_mut().clamp_speed(BodyIndex(index as u32));
            }
        }
    }

    fn brace_one(&mut self, index: usize, gravity: i64) {
        let mover = &self.sim.all()[index];
        let velocity = velocity_nearest(mover.momentum, mover.mass);
        let is_slowed = self.sim.rotation(mover).is_some_and(|rotation| rotation.is_slowed);
        let slack = if is_slowed { 0 } else { gravity };
        if is_shorter(velocity, slack) {
            return;
        }
        let moved = length_ceil(mover.path.position - self.bodies().entry(mover)).to_bits();
        let moved = moved + length_ceil(self.bodies().displacement_of(mover)).to_bits(); // it may have gone so far against it
        let (most, speed) = (2 * moved + slack, length_ceil(velocity).to_bits());
        if speed <= most {
            return;
        }
        let slower =
            velocity.map_raw(|raw| div_zero(i128::from(raw) * i128::from(most), i128::from(speed)) as i64);
        let momentum = momentum_wide(slower, mover.mass);
        self.report.velocity_corrected.push(self.state.id_of(mover.slot));
        self.bodies_mut().correct_momentum(BodyIndex(index as u32), momentum);
    }
}

impl Contact {
    /// What both oppose to being pushed apart: a mass in 2^-12.
    pub(super) fn reduced_mass_q12(&self) -> i128 {
        div_zero(i128::from(self.masses) << 32, self.whole >> 40)
    }
}

/// The impulse of a push along a normal of length 2^30, on the upper one.
///
/// `masses` and `whole` are those of [`Contact`]. **Rounding**: each component to nearest, halves away from zero, of
/// what is right to 2^-14 raw. **Range**: pushes up to `PUSH_MAX`.
fn impulse_of(normal: Normal, push: i64, masses: i64, whole: i128) -> Vec3 {
    const FINE_BITS: u32 = 14;
    let wide = i128::from(push) << (2 * Normal::BITS + FINE_BITS);
    let size = mul_div_nearest(wide, masses.into(), whole);
    let component = |n: i32| {
        let along = shr_nearest(i128::from(n) * size, Normal::BITS + FINE_BITS);
        along.clamp(-IMPULSE_MAX, IMPULSE_MAX) as i64
    };
    Vec3::from_raw(normal.components().map(component))
}

/// A part of something larger, in 2^-16, toward zero; of the largest works without their lowest bits.
const fn part_q16(part: i128, whole: i128) -> i128 {
    let lost = (i128::BITS - whole.leading_zeros()).saturating_sub(110);
    div_zero((part >> lost) << 16, whole >> lost)
}

fn is_same_way(a: Normal, b: Normal) -> bool {
    let (a, b) = (a.components().map(i128::from), b.components().map(i128::from));
    (0..3).map(|i| a[i] * b[i]).sum::<i128>() >= SAME_WAY
}

impl Rest {
    /// Scales the pushes of an island that would gain energy by them: then they take what they can.
    ///
    /// A contact works by its impulse times the mean of how fast the two part before and after. Over the
    /// part of all pushes that acts, the energy is a parabola; it ends no higher than it begins up to twice the
    /// part at which it is least. What the game moves may work: only relative speeds count.
    pub(super) fn lower_energy(&mut self) {
        let Self { contacts, works, islands, before, rates, .. } = self;
        works.clear();
        works.resize(rates.len(), [0; 2]);
        for contact in contacts.iter().filter(|contact| contact.push != 0 && !contact.is_known) {
            if contact.touch != NONE {
                continue;
            }
            let rate = |rates: &[[i64; 3]]| {
                let low = contact.low_mover().map_or([0; 3], |low| rates[low as usize]);
                i128::from(contact.rate(low, rates[contact.high as usize]))
            };
            let (first, last, mass) = (rate(before), rate(rates), contact.reduced_mass_q12());
            let work = |rate: i128| ((rate * i128::from(contact.push)) >> 16) * mass;
            let [gain, cost] = &mut works[islands[contact.high as usize] as usize];
            *gain -= work(first);
            *cost += work(last - first);
        }
        self.work_of_points();
        let Self { contacts, touches, works, islands, .. } = self;
        for contact in contacts.iter_mut().filter(|contact| !contact.is_known) {
            let [gain, cost] = works[islands[contact.high as usize] as usize];
            if 2 * gain < cost {
                let part_q16 = if gain <= 0 { 0 } else { part_q16(gain, cost) };
                contact.push = ((i128::from(contact.push) * part_q16) >> 16) as i64;
                if let Some(touch) = touches.get_mut(contact.touch as usize) {
                    // Toward zero.
                    touch.rub = touch.rub.map(|c| div_zero(i128::from(c) * part_q16, 1 << 16) as i64);
                }
            }
        }
    }

    /// Adds what all pushes do to the velocities.
    pub(super) fn apply_pushes(&mut self) {
        let with_points = if self.touches.is_empty() { 0 } else { self.contacts.len() };
        for index in 0..with_points {
            if self.contacts[index].is_known {
                continue;
            }
            let contact = self.contacts[index];
            if let Some(touch) = self.touches.get(contact.touch as usize) {
                let rub = touch.rub;
                self.add_push(&contact, contact.push, rub);
            }
        }
        let Self { contacts, rates, .. } = self;
        for contact in contacts.iter().filter(|contact| contact.touch == NONE && !contact.is_known) {
            for (which, mover) in [contact.low_mover(), Some(contact.high)].into_iter().enumerate() {
                if let Some(mover) = mover {
                    add_to(&mut rates[mover as usize], contact.added(which, contact.push));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
