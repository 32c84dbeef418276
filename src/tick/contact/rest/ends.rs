//! The points of contacts at the end of the tick, and the impulses there.

use super::{
    carry::is_shorter, internal_edges::has_left_face, points::push_vector, rows::PUSH_MAX,
    settle::IMPULSE_MAX,
};
use crate::tick::contact::ContactStage;
use crate::tick::contact::NONE;
use crate::{
    geom::{Normal, Vec3},
    num::{
        Toi,
        bound::{Bound, Width},
        mul_div::mul_div_nearest,
        round::{div_nearest, div_zero},
    },
    shape::length_ceil,
    tick::{
        bodies::body::{BodyIndex, Partner},
        contact::rest::memory::{Contact, Rest},
    },
};

/// A push along the normal, and one across it, which is clamped to 2^61.
pub(in crate::tick::contact) const WIDTH: Width = {
    let push = Bound::number(PUSH_MAX as u64).plus(Bound::power(61));
    Width { number: "`push * 2^60` at a point", bound: push.shifted(60), held_in: 128 }
};
const _: () = WIDTH.check();

impl ContactStage<'_> {
    /// Brings the contacts with points to the end of the tick: as they were where neither of two has moved much or
    /// turned, else where the two touch there.
    pub(super) fn renew_points(&mut self) {
        let rest = &mut self.scratch.rest;
        if rest.touches.is_empty() {
            return;
        }
        let mut old = std::mem::take(&mut rest.unsorted);
        std::mem::swap(&mut old, &mut rest.contacts);
        rest.contacts.clear();
        for pair in old.chunk_by(|a, b| a.touch != NONE && a.is_of_same(b)) {
            if pair[0].touch == NONE {
                self.scratch.rest.contacts.extend_from_slice(pair);
                continue;
            }
            // Two that met in spite of a contact have another one behind it.
            let live = pair.iter().position(|contact| !contact.dropped).unwrap_or(pair.len());
            if live < pair.len() {
                self.renew_pair(&pair[live..]);
            }
        }
        self.scratch.rest.unsorted = old;
    }

    fn renew_pair(&mut self, pair: &[Contact]) {
        let first = &pair[0];
        let pulls = self.state.gravity != Vec3::ZERO;
        let (place, _) = self.contacts().low_at(first, Toi::END);
        let offset = self.sim.all()[first.high as usize].path.position - place;
        let has_turned = |index: u32| self.bodies().turned_by(&self.sim.all()[index as usize]) != 0;
        let turned = has_turned(first.high) || first.low_mover().is_some_and(has_turned);
        // What moves bodies apart that overlap is no load.
        let is_displaced = self.bodies().is_displaced(BodyIndex(first.high))
            || first.low_mover().is_some_and(|low| self.bodies().is_displaced(BodyIndex(low)));
        let load = |contact: &Contact| match is_displaced {
            true => 0,
            false => (contact.push + contact.wanted().min(0)).max(0),
        };
        let stays = !turned && is_shorter(offset - first.offset, (first.rest_gap - first.skin) / 2);
        // The face carried the body to its border; what carries it beyond is found in the next tick.
        let has_left = || {
            pair.iter().any(|contact| load(contact) > 0)
                && has_left_face(self.bodies(), &first.seen_from(first.high), offset)
        };
        if stays || has_left() {
            self.keep_points(pair, offset, (stays, pulls, is_displaced), load);
            return;
        }
        let sides = [first.low, Partner::Body(BodyIndex(first.high))];
        let Some(found) = self.bodies().plane_between(sides, first.parts, offset, Toi::END) else { return };
        let plane =
            Contact { normal: found.normal, reach: found.reach, offset, push: 0, touch: NONE, ..*first };
        let from = self.scratch.rest.contacts.len();
        if self.push_points(&plane, Toi::END, None) {
            let loads: i64 = pair.iter().map(load).sum();
            let added = &mut self.scratch.rest.contacts[from..];
            let count = added.len() as i64;
            let each = if pulls { 2 * loads } else { loads } / count;
            // Where they pressed, what has opened is the bend of the turn: it is no room to fall into.
            let least = added.iter().map(|contact| contact.room).min().unwrap_or(0).max(0);
            let opened = if turned && loads > 0 { least } else { 0 };
            for contact in added {
                (contact.room, contact.push) = (contact.room - opened, each);
            }
        }
    }

    /// Brings the points of a pair to the end of the tick along their normal, given the offset between the centers there:
    /// of a pair that hardly moved, or (`!stays`) that left its face.
    fn keep_points(
        &mut self,
        pair: &[Contact],
        offset: Vec3,
        (stays, pulls, is_displaced): (bool, bool, bool),
        load: impl Fn(&Contact) -> i64,
    ) {
        let apart = offset - pair[0].offset;
        // A point on what is not pushed stays with the body. Else each side's point goes half of the way to the other's:
        // the push is at one and the same.
        let is_pushed = pair[0].low_mover().is_some_and(|low| self.sim.all()[low as usize].is_free());
        let shifts = if stays || is_pushed { [apart, -apart] } else { [apart + apart, Vec3::ZERO] };
        for contact in pair {
            let gained = (contact.normal.dot_wide(offset - contact.offset) >> Normal::BITS) as i64;
            let room = if stays { contact.room + gained } else { 0 };
            let push = match load(contact) {
                load if pulls => 2 * load,
                0 => 0,
                load => load + (contact.room.max(0) - room.max(0)).max(0),
            };
            if let Some(touch) = self.scratch.rest.touches.get_mut(contact.touch as usize) {
                let [low, high] = touch.arms_twice;
                touch.arms_twice = [low + shifts[0], high + shifts[1]];
                // Gravity pulls a velocity by twice what it moves.
                let rub = |c: i64| if pulls { 2 * c } else { c };
                touch.rub = if is_displaced { [0; 3] } else { touch.rub.map(rub) };
            }
            self.scratch.rest.contacts.push(Contact { room, push, offset, ..*contact });
        }
    }

    /// Turns the push at a point into an impulse there that one loses and the other gains.
    pub(super) fn give_point_push(&mut self, contact: &Contact) {
        let Some(&touch) = self.scratch.rest.touch_of(contact) else { return };
        let push = push_vector(contact, contact.push, touch.rub);
        if push == [0; 3] {
            return;
        }
        // Along the axes the length of a normal is what its bits say, and nothing is left of its square.
        let is_plain = contact.whole & ((1 << 60) - 1) == 0;
        let impulse = push.map(|c| {
            let wide = if is_plain {
                div_nearest(i128::from(c) * i128::from(contact.masses), contact.whole >> 60)
            } else {
                mul_div_nearest(i128::from(c) << 60, contact.masses.into(), contact.whole)
            };
            wide.clamp(-IMPULSE_MAX, IMPULSE_MAX) as i64
        });
        let impulse = Vec3::from_raw(impulse);
        self.events.note_impulse(BodyIndex(contact.high), contact.low, -impulse);
        let sides = [(contact.low, -impulse), (Partner::Body(BodyIndex(contact.high)), impulse)];
        for ((which, change), arm) in sides.into_iter().zip(touch.arms_twice) {
            self.bodies_mut().account_push(which, Toi::END, arm, change);
            self.change_momentum(which, change);
            self.bodies_mut().apply_moment(which, arm, change);
        }
    }

    /// Marks those that still close at a point by more than a little.
    pub(super) fn mark_closing_points(&mut self, slack: i64) {
        if self.scratch.rest.touches.is_empty() {
            return;
        }
        self.gather_spins();
        let rest = &mut self.scratch.rest;
        for index in 0..rest.contacts.len() {
            let contact = rest.contacts[index];
            if contact.touch == NONE {
                continue;
            }
            let closing = -rest.normal_rate(&contact, &rest.rates, &rest.spins);
            if closing > contact.room.max(0) + slack {
                for mover in [Some(contact.high), contact.low_mover()].into_iter().flatten() {
                    rest.marks[mover as usize].closes = true;
                }
            }
        }
    }

    /// Takes from a body in contact the turning that it could not have: more than twice what it turned, and what
    /// gravity adds to a velocity in a tick.
    pub(super) fn brace_turning(&mut self, index: usize, gravity: i64) {
        let turned = self.bodies().turned_by(&self.sim.all()[index]);
        let mover = &self.sim.all()[index];
        let Some(spinner) = self.sim.rotation(mover) else { return };
        let spin = spinner.spin();
        let slack = if spinner.is_slowed { 0 } else { gravity };
        let most = turned.saturating_mul(2).saturating_add(slack);
        let speed = i128::from(length_ceil(spin).to_bits());
        if speed <= i128::from(most) {
            return;
        }
        let slower = |raw: i64| div_zero(i128::from(raw) * i128::from(most), speed) as i64;
        self.bodies_mut().correct_angular_momentum(BodyIndex(index as u32), slower);
    }
}

impl Rest {
    /// Adds what the pushes at points work to what their islands do: see `lower_energy`.
    pub(super) fn work_of_points(&mut self) {
        for index in 0..self.contacts.len() {
            if self.contacts[index].is_known {
                continue;
            }
            let contact = self.contacts[index];
            let Some(touch) = self.touch_of(&contact) else { continue };
            let push = push_vector(&contact, contact.push, touch.rub);
            let along = |rates: &[[i64; 3]], spins: &[[i64; 3]]| -> i128 {
                let rate = self.point_rate(&contact, rates, spins);
                (0..3).map(|i| (i128::from(rate[i]) * i128::from(push[i])) >> 16).sum()
            };
            let mass = contact.reduced_mass_q12();
            let first = along(&self.before, &self.spins_before) * mass;
            let last = along(&self.rates, &self.spins) * mass;
            let [gain, cost] = &mut self.works[self.islands[contact.high as usize] as usize];
            *gain -= first;
            *cost += last - first;
        }
    }
}

#[cfg(test)]
mod tests;
