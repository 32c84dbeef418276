//! What makes the motions of bodies safe that turn: the plane between two holds for the whole tick.

use super::{
    askew::askew,
    contacts::Apart,
    near::Near,
    points::{BAND_SHIFT, Sides},
    projection::MARGIN_RAW,
    view::ContactView,
    violated::Residual,
};
use crate::tick::contact::ContactStage;
use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi, round::div_zero},
    tick::{
        bodies::{
            body::{BodyIndex, ChildPair, Partner},
            gap::rest_gap,
            rotation::SimRotation,
        },
        contact::rest::memory::Contact,
        queue::QueuedImpact,
    },
};

/// How much slower a pair goes on that has met in spite of its contact: half as fast.
const SLOWER_SHIFT: u32 = 1;

/// A tick is long for a pair if gravity moves a body in it by so many gaps at which the two rest, as a power of two: what turns
/// about a contact then dips into it by more than there is room.
const COARSE_SHIFT: u32 = 5;

/// In the midst of a tick, a pair that would penetrate no deeper than this is separated, and a deeper one is left to the sweep: the
/// plane between the two may be that of other sides then. It is 2^7 times the gap at which they rest: half the least half extent
/// of the smaller one, or 2 units.
const DEEPEST_SHIFT: u32 = 7;

impl ContactStage<'_> {
    /// Takes a pair with points as contacts if it is near and not fast.
    pub(super) fn consider_points(&mut self, near: &Near) {
        let &Near { a, b, parts, apart: Apart { offset, rest_gap, .. }, .. } = near;
        let is_below = matches!(b, Partner::Body(BodyIndex(b)) if self.is_below(a, b));
        let (low, high, parts, normal, offset) = if is_below {
            (Partner::Body(BodyIndex(a)), b, parts, near.found.normal, offset)
        } else {
            (b, Partner::Body(BodyIndex(a)), [parts[1], parts[0]], -near.found.normal, -offset)
        };
        let Partner::Body(BodyIndex(high)) = high else { return };
        let (mut closing, mut fastest) = (i64::MIN, 0);
        let sides = Sides { low, high, parts, normal, offset };
        let most = self.closing_along([low, Partner::Body(BodyIndex(high))], normal);
        if self.is_far(near, most) {
            return;
        }
        let band = self.band_of(&sides, rest_gap);
        let first = self.find_touches(&sides, Toi::START, band);
        let found = first as usize..self.scratch.rest.touches.len();
        for velocity in self.velocities_at(&sides, Toi::START, found) {
            let velocity = Vec3::from_raw(velocity);
            closing = closing.max((-normal.dot_wide(velocity) >> Normal::BITS) as i64);
            fastest = fastest.max(velocity.length_squared_wide());
        }
        debug_assert!(closing <= most, "{closing} is more than {most}");
        if !self.take_near(near, closing, fastest) || !self.take_points(Toi::START, Some(first)) {
            self.scratch.rest.touches.truncate(first as usize);
        }
    }

    /// Whether two that close so fast do not come as near in the tick as they rest, nor are pulled there.
    const fn is_far(&self, near: &Near, closing: i64) -> bool {
        near.room - near.apart.rest_gap > closing.saturating_add(2 * self.sim.gravity)
    }

    /// Adds the plane of a pair with points that is near and not fast; returns whether it does.
    fn take_near(&mut self, near: &Near, closing: i64, fastest: u128) -> bool {
        let &Near { a, b, parts, apart, .. } = near;
        let (gravity, rest_speed) = (self.sim.gravity, self.bodies().rest_speed().to_bits());
        if self.is_far(near, closing) {
            return false;
        }
        let is_dead = near.touches() && self.bodies().restitution_q16(BodyIndex(a), b) == 0;
        let is_blow = closing > rest_speed;
        if is_dead && is_blow {
            if let Some(event) =
                self.time_of_impact().of(BodyIndex(a), b, parts).filter(|event| !event.is_unresolved())
            {
                let closing = Scalar::from_bits(closing);
                self.scratch.blows.push((QueuedImpact { toi: Toi::START, ..event }, closing));
            }
        }
        let is_slow = fastest <= u128::from(rest_speed.unsigned_abs()).pow(2);
        let is_taken = is_dead || (gravity != 0 && (closing <= gravity / 16 || is_slow));
        is_taken && self.push_plane((a, b, parts), &near.found, &apart, is_dead && is_blow)
    }

    /// Drops all points of a pair of which one closes too fast: then an impact is due. Returns whether they are
    /// dropped.
    pub(super) fn drop_fast_points(&mut self, index: u32, toi: Toi) -> bool {
        let rest = &self.scratch.rest;
        let contact = rest.contacts[index as usize];
        if !rest.touch_of(&contact).is_some_and(|touch| touch.keeps) {
            return false;
        }
        let sides = Sides { offset: self.contacts().offset_at(&contact, toi), ..Sides::of(&contact) };
        let closing = self.closing_of_points(&contact, &sides, toi);
        let drops = self.bounces(&contact, closing);
        if drops {
            let rest = &mut self.scratch.rest;
            let mut next = rest.first[contact.high as usize];
            while let Some(other) = rest.contacts.get_mut(next as usize) {
                next = other.next[usize::from(other.high == contact.high)];
                other.dropped |= other.is_of_same(&contact);
            }
        }
        drops
    }

    /// How fast the points of a pair close at most, in raw per tick: of those that are there at an instant.
    fn closing_of_points(&mut self, contact: &Contact, sides: &Sides, toi: Toi) -> i64 {
        let band = self.band_of(sides, contact.rest_gap - contact.skin);
        let rest = &self.scratch.rest;
        let (first, count) = (contact.touch as usize, rest.touches.len());
        // When the tick begins they are where they were found.
        let is_known = toi == Toi::START && rest.touch_of(contact).is_some_and(|touch| touch.band == band);
        let found = if is_known {
            let others = rest.touches[first + 1..].iter().take_while(|touch| !touch.keeps);
            first..first + 1 + others.count()
        } else {
            let from = self.find_touches(sides, toi, band) as usize;
            from..self.scratch.rest.touches.len()
        };
        let closing = |velocity| -contact.rate([0; 3], velocity);
        let most = self.velocities_at(sides, toi, found).map(closing).fold(i64::MIN, i64::max);
        self.scratch.rest.touches.truncate(count);
        most
    }

    /// By how much a contact with points misses the motion that it asks for: that of the first point, for all of them.
    ///
    /// Rotation changes the separating plane, so of bodies that rotate it is the plane at the end of the tick that counts. In
    /// between it is for the sweep to say. At the start of the tick rows have been solved, and miss its end by little more
    /// than paths bend.
    pub(super) fn residual_of_points(&self, contact: &Contact, toi: Toi) -> Residual {
        let Some(touch) = self.scratch.rest.touch_of(contact).filter(|touch| touch.keeps) else {
            return Residual::none(contact.normal);
        };
        if !self.contacts().turns_any(contact) {
            return self.residual_of_plane(contact, toi).unwrap_or(Residual::none(contact.normal));
        }
        let fresh = touch.end.filter(|_| touch.turns == self.contacts().turns_of(contact));
        let Some((normal, reach)) = fresh.or_else(|| self.contacts().end_plane(contact)) else {
            return Residual::none(contact.normal);
        };
        let rest = contact.rest_gap - contact.skin;
        let bend = self.contacts().bend_of(contact, toi);
        let margin = if toi == Toi::START { (bend / 8 + 1).min(rest / 4) } else { bend / 2 + 1 };
        let gap = self.contacts().gap_along(normal, self.contacts().offset_at(contact, Toi::END), reach);
        let depth = ContactView::least_gap(contact) + margin - gap;
        let most = if toi == Toi::START { bend + rest / 2 } else { self.deepest_separated(rest) };
        let is_violated = 0 < depth && depth <= most;
        Residual { velocity: Contact::allowed(depth, toi) + MARGIN_RAW, is_violated, normal }
    }

    /// How deep a pair may penetrate that is separated, given the gap at which the two rest: what is deeper is left to the sweep.
    ///
    /// Where gravity takes a body as far as [`DEEPEST_SHIFT`] says in a tick, it is a quarter of that.
    const fn deepest_separated(&self, rest: i64) -> i64 {
        let deepest = rest << DEEPEST_SHIFT;
        if self.sim.gravity > deepest { rest << BAND_SHIFT } else { deepest }
    }

    /// The residual of a pair whose rotation does not change the plane between them.
    fn residual_of_plane(&self, contact: &Contact, toi: Toi) -> Option<Residual> {
        let motion = |index: u32| self.sim.all()[index as usize].path.displacement;
        let motion = motion(contact.high) - contact.low_mover().map_or(Vec3::ZERO, motion);
        let reach = self.contacts().reach_at(contact, toi)?;
        let gap = self.contacts().gap_along(contact.normal, self.contacts().offset_at(contact, toi), reach);
        let room = gap - ContactView::least_gap(contact);
        // Nearer than that they separate, along whichever normal the sweep finds.
        let least = if room < 0 { askew(motion) } else { -Contact::allowed(room, toi) };
        let rate = (contact.normal.dot_wide(motion) >> Normal::BITS) as i64;
        Some(Residual {
            velocity: MARGIN_RAW + least - rate,
            is_violated: rate < least,
            normal: contact.normal,
        })
    }

    /// Finds the plane between the two of a contact at the end of the tick, if either turns otherwise than it did.
    pub(super) fn renew_end(&mut self, index: u32) {
        let rest = &self.scratch.rest;
        let Some(touch) = rest.touch_of(&rest.contacts[index as usize]).filter(|touch| touch.keeps) else {
            return;
        };
        let contact = rest.contacts[index as usize];
        let turns = self.contacts().turns_of(&contact);
        if touch.turns == turns && touch.end.is_some() || !self.contacts().turns_any(&contact) {
            return;
        }
        let end = self.contacts().end_plane(&contact);
        if let Some(touch) = self.scratch.rest.touches.get_mut(contact.touch as usize) {
            (touch.end, touch.turns) = (end, turns);
        }
    }

    /// Ends the contact of a pair that has met all the same: from here on it is another one, and neither turns into the other
    /// any more in this tick.
    pub(super) fn stop_turning_into(&mut self, a: u32, b: Partner, parts: ChildPair) {
        let mut next = self.scratch.rest.first[a as usize];
        while let Some(contact) = self.scratch.rest.contacts.get_mut(next as usize) {
            contact.dropped |= contact.is_of(b, parts);
            next = contact.next[usize::from(contact.high == a)];
        }
        let other = if let Partner::Body(BodyIndex(index)) = b { Some(index) } else { None };
        for index in [Some(a), other].into_iter().flatten() {
            if self.sim.all()[index as usize].is_free() {
                self.stand_still(index);
            }
        }
    }

    /// Whether a tick is long for two: see [`COARSE_SHIFT`].
    pub(super) fn is_coarse(&self, a: u32, b: Partner, parts: ChildPair) -> bool {
        let [own, other] = self.bodies().typed_shapes(BodyIndex(a), b, parts);
        self.sim.gravity >> COARSE_SHIFT > rest_gap(own, other)
    }

    /// Lets both of a pair lose at the end of the tick what they do not turn with.
    pub(super) fn lose_unturned(&mut self, a: u32, b: Partner) {
        let other = if let Partner::Body(BodyIndex(index)) = b { Some(index) } else { None };
        for index in [Some(a), other].into_iter().flatten() {
            self.bodies_mut().mark_slowed(BodyIndex(index));
        }
    }

    /// Lets a pair that has met in spite of its contact go on by a part of its ways and its turns: the dip of the one
    /// into the other falls with the square. Returns whether any of the two turns.
    pub(super) fn go_slower(&mut self, a: u32, b: Partner) -> bool {
        let other = if let Partner::Body(BodyIndex(index)) = b { Some(index) } else { None };
        let mut turns = false;
        for index in [Some(a), other].into_iter().flatten() {
            let mover = &self.sim.all()[index as usize];
            if !mover.is_free() {
                continue;
            }
            turns |= self.sim.rotation(mover).is_some_and(SimRotation::changes_form);
            let ground = Vec3::from_raw(self.scratch.rest.grounds[index as usize].unwrap_or([0; 3]));
            let still = mover.locks.free_part(ground);
            let over = mover.path.displacement - still;
            let motion = still + over.map_raw(|raw| div_zero(raw.into(), 1 << SLOWER_SHIFT) as i64);
            self.bodies_mut().slow_rotation(BodyIndex(index), SLOWER_SHIFT);
            self.bodies_mut().set_unchecked_motion(BodyIndex(index), motion);
        }
        turns
    }

    /// Lets a body turn no more in this tick, whatever its angular momentum is.
    pub(super) fn stand_still(&mut self, index: u32) {
        self.bodies_mut().stand_still(BodyIndex(index));
    }
}

#[cfg(test)]
mod tests;
