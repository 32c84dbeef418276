//! The contacts of a tick as they are, to read.

use super::memory::{Contact, Rest};
use crate::{
    geom::{Normal, Vec3},
    num::{Toi, round::div_ceil},
    overlap::reach_along,
    shape::{Shape, length_ceil},
    sweep::largest_derivatives,
    tick::{
        bodies::{
            Bodies,
            body::{BodyIndex, ChildPair, Partner},
        },
        narrow::KnownContacts,
    },
};

/// The least gap that a contact keeps is this much less than the skin, so that the rounding of
/// motions does not make a pair that is carried at its skin an impact.
const SLACK_RAW: i64 = 40;

/// A read-only view of the contacts, on the paths that the bodies have.
#[derive(Clone, Copy)]
pub struct ContactView<'a> {
    pub bodies: Bodies<'a>,
    pub rest: &'a Rest,
}

impl KnownContacts for ContactView<'_> {
    /// Whether parts of two have a contact that says something.
    fn in_contact(&self, a: BodyIndex, b: Partner, parts: ChildPair) -> bool {
        let rest = self.rest;
        if !rest.is_open() {
            return false;
        }
        rest.contacts_of(a.0).any(|index| {
            let contact = &rest.contacts[index as usize];
            contact.is_of(b, parts) && !contact.dropped
        })
    }

    /// Whether it is certain that a pair in contact stays apart for the rest of the tick, as its paths are now.
    ///
    /// Along a normal that goes straight from that of the contact to that at the end, the separation is nowhere below the
    /// straight line between its ends by more than `t (1 - t) / 2` of a bound on how it bends: by the bends of
    /// both ways, and twice the change of the normal times the fastest that two points pass.
    fn is_kept_apart(&self, a: BodyIndex, b: Partner, parts: ChildPair, toi: Toi) -> bool {
        let rest = self.rest;
        let mut found = rest.contacts_of(a.0).map(|index| &rest.contacts[index as usize]).filter(|contact| {
            contact.is_of(b, parts)
                && !contact.dropped
                && rest.touch_of(contact).is_some_and(|touch| touch.keeps)
        });
        found.any(|contact| self.is_certain(contact, toi).unwrap_or(false))
    }
}

impl ContactView<'_> {
    pub(super) fn is_certain(&self, contact: &Contact, toi: Toi) -> Option<bool> {
        let touch = self.rest.touch_of(contact)?;
        let fresh = touch.end.filter(|_| touch.turns == self.turns_of(contact));
        let (normal, reach) = fresh.or_else(|| self.end_plane(contact))?;
        let least = Self::least_gap(contact);
        let now = self.gap_along(contact.normal, self.offset_at(contact, toi), self.reach_at(contact, toi)?);
        let last = self.gap_along(normal, self.offset_at(contact, Toi::END), reach) - least;
        let first = now - least;
        if first < 0 || last < 0 {
            return Some(false);
        }
        let (from, to) = (contact.normal.components(), normal.components());
        let change = [0, 1, 2].map(|i: usize| i64::from(to[i]) - i64::from(from[i]));
        let change = length_ceil(Vec3::from_raw(change)).to_bits();
        let left = i128::from(toi.remaining().raw());
        let turned = div_ceil(2 * i128::from(change) * i128::from(self.passing(contact)), 1 << Normal::BITS);
        let bend = i128::from(self.bend_of(contact, toi)) + div_ceil(turned * left, 1 << Toi::BITS) + 2;
        let (first, last) = (i128::from(first), i128::from(last));
        Some(first + last + 2 * first.min(last) >= div_ceil(bend, 2))
    }

    /// How fast two points of both pass each other at most, in raw per tick.
    pub(super) fn passing(&self, contact: &Contact) -> i64 {
        let surface = |index: u32| {
            let shape = self.bodies.scenery.hull(self.bodies.sim.all()[index as usize].shape);
            let radius = shape.bounding_radius().unwrap_or_default().to_bits();
            self.bodies.rotation_of(BodyIndex(index)).map_or(0, |spinner| spinner.surface_speed(radius))
        };
        let motion = |index: u32| self.bodies.sim.all()[index as usize].path.displacement;
        let low = contact.low_mover();
        let straight = length_ceil(motion(contact.high) - low.map_or(Vec3::ZERO, motion)).to_bits();
        straight + surface(contact.high) + low.map_or(0, surface)
    }

    /// How much the ways of points of both bend in what is left of the tick, in raw.
    pub(super) fn bend_of(&self, contact: &Contact, toi: Toi) -> i64 {
        let of = |index: u32| {
            let Some(rotation) = self.bodies.rotation_of(BodyIndex(index)) else { return 0 };
            let hull = self.bodies.scenery.hull(self.bodies.sim.all()[index as usize].shape);
            rotation.derivatives.unwrap_or_else(|| largest_derivatives(hull, &rotation.turning))[0]
        };
        let bend = of(contact.high) + contact.low_mover().map_or(0, of);
        let left = i128::from(toi.remaining().raw());
        // Twice down by the part of the tick that is left.
        div_ceil(div_ceil(bend * left, 1 << Toi::BITS) * left, 1 << Toi::BITS) as i64
    }

    /// How far both reach along a contact's normal at an instant.
    pub fn reach_at(&self, contact: &Contact, toi: Toi) -> Option<i128> {
        if self.bodies.no_body_rotates() {
            return Some(contact.reach);
        }
        let (sides, parts) = ([contact.low, Partner::Body(BodyIndex(contact.high))], contact.parts);
        let arms = self.bodies.arms_apart(sides, parts, toi);
        let offset = self.offset_at(contact, toi) + arms;
        let along = |a: &Shape, b: &Shape| reach_along(a, b, offset, contact.normal);
        Some(self.bodies.with_forms(sides, parts, toi, along)? - contact.normal.dot_wide(arms))
    }

    pub(super) fn turns_any(&self, contact: &Contact) -> bool {
        self.bodies.changes_form(BodyIndex(contact.high))
            || contact.low_mover().is_some_and(|low| self.bodies.changes_form(BodyIndex(low)))
    }

    pub(super) fn gap_along(&self, normal: Normal, offset: Vec3, reach: i128) -> i64 {
        ((normal.dot_wide(offset) - reach) >> Normal::BITS) as i64
    }

    /// From the lower to the upper center at an instant.
    pub(super) fn offset_at(&self, contact: &Contact, toi: Toi) -> Vec3 {
        self.bodies.sim.all()[contact.high as usize].path.at(toi) - self.low_at(contact, toi).0
    }

    pub(super) fn end_plane(&self, contact: &Contact) -> Option<(Normal, i128)> {
        let sides = [contact.low, Partner::Body(BodyIndex(contact.high))];
        let found =
            self.bodies.plane_between(sides, contact.parts, self.offset_at(contact, Toi::END), Toi::END);
        let along = || Some((contact.normal, self.reach_at(contact, Toi::END)?));
        found.map(|found| (found.normal, found.reach)).or_else(along)
    }

    pub(super) fn turns_of(&self, contact: &Contact) -> [u32; 2] {
        let of = |index: u32| {
            self.bodies.rotation_of(BodyIndex(index)).map_or(0, |spinner| spinner.rotation_changes)
        };
        [contact.low_mover().map_or(0, of), of(contact.high)]
    }

    /// The place of the lower one at an instant, and its motion.
    #[inline]
    pub fn low_at(&self, contact: &Contact, toi: Toi) -> (Vec3, Vec3) {
        match contact.low {
            Partner::Body(BodyIndex(index)) => {
                let path = &self.bodies.sim.all()[index as usize].path;
                (path.at(toi), path.displacement)
            }
            Partner::Static(id) => (self.bodies.scenery.fixed(id).position, Vec3::ZERO),
        }
    }

    /// The gap along a contact's normal at an instant, in raw, rounded down.
    pub fn gap_at(&self, contact: &Contact, toi: Toi) -> i64 {
        let high = self.bodies.sim.all()[contact.high as usize].path.at(toi);
        let offset = high - self.low_at(contact, toi).0;
        ((contact.normal.dot_wide(offset) - contact.reach) >> Normal::BITS) as i64
    }

    /// The least gap that a contact keeps, in raw.
    pub const fn least_gap(contact: &Contact) -> i64 {
        contact.skin - SLACK_RAW
    }
}

#[cfg(test)]
mod tests;
