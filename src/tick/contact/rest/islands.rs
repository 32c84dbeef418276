//! Islands with points: hands them to `grip.rs`, and back what came out.

use super::rows::{DIRECTION_BITS, Effort, PUSH_MAX};
use crate::tick::contact::NONE;
use crate::{
    num::round::shr_nearest_64,
    state::Locks,
    tick::{
        bodies::levers::LEVER_BITS,
        contact::rest::{
            grip_rows::{Grip, Held, Point},
            memory::{Contact, Rest},
        },
    },
};

/// The fraction bits of directions and levers in points.
const NARROW_BITS: u32 = 20;

/// How many steps a solve takes at most. With 128 a heap that lands comes to rest no sooner; with 32 boxes do so later.
const STEPS: i64 = 64;

/// How many rows the steps of any island may look at, so that a small one takes more of them: what is wedged in a groove slides
/// on by what a solve leaves.
const LOOKS: i64 = 1 << 10;

/// A body that lies on the ground alone is only brought to rest where it moves by less than what a solve leaves, so
/// such islands go on for longer: until they move by so much less, as a power of two.
const STILL_SHIFT: u32 = 8;

/// For the same reason momenta are solved so much more exactly, as a power of two.
const SOLVED_SHIFT: u32 = 6;

impl Rest {
    /// Whether an island has a contact with a point.
    pub(super) fn has_points(&self, island: &[u64]) -> bool {
        !self.touches.is_empty() && island.iter().any(|&key| self.contacts[key as u32 as usize].touch != NONE)
    }

    /// Changes the pushes of an island with points as `solve` does those of others.
    pub(super) fn solve_points(
        &mut self,
        island: &[u64],
        which: usize,
        effort: Effort,
        bound: impl Fn(&Contact) -> i64,
    ) {
        let mut grip = std::mem::take(&mut self.grip);
        grip.clear();
        let mut places = std::mem::take(&mut self.places);
        for &key in island {
            let contact = self.contacts[key as u32 as usize];
            let point = self.point_of(&contact, &mut grip, &mut places, bound(&contact));
            grip.points.push(point);
        }
        self.places = places;
        let solved = effort.solved >> [0, SOLVED_SHIFT][which];
        let steps = STEPS.max(LOOKS / island.len() as i64);
        let effort = Effort { steps, solved, still: effort.still >> STILL_SHIFT, ..effort };
        #[cfg(feature = "trace")]
        if which == 0 {
            grip.keep_largest();
        }
        grip.solve(effort, which == 0);
        for (&key, point) in island.iter().zip(&grip.points) {
            let index = key as u32 as usize;
            let old = self.contacts[index];
            self.contacts[index].push = point.push;
            match self.touches.get_mut(old.touch as usize) {
                Some(touch) => {
                    let rub = std::mem::replace(&mut touch.rub, point.grip);
                    let more = [0, 1, 2].map(|i: usize| point.grip[i] - rub[i]);
                    self.add_push(&old, point.push - old.push, more);
                }
                None => self.add_plain_push(&old, point.push - old.push),
            }
        }
        self.grip = grip;
    }

    /// Takes back what was guessed for those that do not turn of islands with points: they guess their loads themselves.
    pub(super) fn forget_guesses(&mut self, grouped: &[u64]) {
        for island in grouped.chunk_by(|a, b| a >> u32::BITS == b >> u32::BITS) {
            if !self.has_points(island) {
                continue;
            }
            for &key in island {
                let contact = self.contacts[key as u32 as usize];
                if contact.push != 0 {
                    self.add_plain_push(&contact, -contact.push);
                    self.contacts[key as u32 as usize].push = 0;
                }
            }
        }
    }

    fn point_of(&self, contact: &Contact, grip: &mut Grip, places: &mut [u32], bound: i64) -> Point {
        let sides = [contact.low_mover(), Some(contact.high)];
        let sides = [0, 1].map(|which: usize| match sides[which] {
            Some(mover) if contact.steps[which] != [0; 3] => {
                let index = mover as usize;
                if places[index] == 0 {
                    places[index] = grip.held.len() as u32;
                    grip.held.push(self.held_of(index, contact, which));
                }
                places[index]
            }
            _ => 0,
        });
        let rate = self.point_rate(contact, &self.outset, &self.spins_outset);
        let along = contact.rate([0; 3], rate);
        let normal = contact.direction;
        let slip = [0, 1, 2].map(|i: usize| {
            let part = i128::from(normal[i]) * i128::from(along);
            rate[i] - crate::num::round::shr_nearest(part, DIRECTION_BITS) as i64
        });
        let narrow = |number: i32, bits: u32| shr_nearest_64(number.into(), bits - NARROW_BITS) as i32;
        let touch = self.touch_of(contact);
        Point {
            sides,
            normal: normal.map(|c| narrow(c, DIRECTION_BITS)),
            levers: touch.map_or([[[0; 3]; 3]; 2], |touch| {
                touch.levers.map(|levers| levers.map(|row| row.map(|lever| narrow(lever, LEVER_BITS))))
            }),
            friction_q16: touch.map_or(0, |touch| touch.friction_q16),
            level: contact.level,
            excess: along.saturating_add(bound),
            slip,
            push: contact.push.min(PUSH_MAX),
            grip: touch.map_or([0; 3], |touch| touch.rub),
        }
    }

    fn held_of(&self, index: usize, contact: &Contact, which: usize) -> Held {
        let locks = self.touch_of(contact).map_or(Locks::NONE, |touch| touch.locks[which]);
        let mut drift = [1 << 60; 6];
        if let Some(ground) = self.grounds[index] {
            (0..3).for_each(|i| {
                drift[i] = self.outset[index][i].saturating_sub(ground[i]);
                drift[3 + i] = self.spins_outset[index][i];
            });
        }
        let mass = self.masses[index];
        Held { mass, locked: [0, 1, 2].map(|axis| locks.has(axis)), drift }
    }

    /// Adds what a push does to the velocities of two that do not turn.
    fn add_plain_push(&mut self, contact: &Contact, push: i64) {
        for (which, mover) in [contact.low_mover(), Some(contact.high)].into_iter().enumerate() {
            if let Some(mover) = mover {
                super::rows::add(&mut self.rates[mover as usize], contact.added(which, push));
            }
        }
    }
}
