//! Which pairs become contacts when the tick begins.

use crate::tick::contact::{ContactBuffers, ContactStage};
use crate::{
    geom::{Aabb, Normal, Vec3},
    num::{Scalar, Toi},
    overlap::{Separation, is_beyond},
    shape::Shape,
    state::BodyType,
    tick::{
        bodies::body::{BodyIndex, ChildPair, Partner, SimBody, WHOLE},
        contact::rest::{
            contacts::Apart,
            internal_edges::{BodyContact, covers, has_edges, is_at_face},
            memory::Contact,
        },
        queue::QueuedImpact,
    },
};

/// Two that may become a contact.
pub(super) struct Near {
    pub a: u32,
    pub b: Partner,
    pub parts: ChildPair,
    pub found: Separation,
    pub apart: Apart,
    /// How fast B closes with A by the motions of both, in raw per tick.
    closing: i64,
    /// How far they may close, in raw.
    pub room: i64,
}

impl ContactStage<'_> {
    /// Takes a pair as a contact if it is near and not fast.
    ///
    /// What slides by fast is none unless it does not close: its edges would stop bodies that only
    /// pass them.
    pub(super) fn consider(&mut self, a: u32, b: Partner) {
        if self.bodies().both_sleep(BodyIndex(a), b) || self.bodies().only_hits(BodyIndex(a), b) {
            return;
        }
        if self.scenery.has_compounds() {
            self.consider_each_part(a, b);
        } else {
            self.consider_parts(a, b, WHOLE);
        }
    }

    fn consider_each_part(&mut self, a: u32, b: Partner) {
        for parts in self.bodies().pairs_of_children(BodyIndex(a), b) {
            if self.parts_are_near(a, b, parts) {
                self.consider_parts(a, b, parts);
            }
        }
    }

    /// Whether parts of two would be looked at if they were bodies of their own.
    fn parts_are_near(&self, a: u32, b: Partner, parts: ChildPair) -> bool {
        let own = self.room_of_part(a, parts[0]);
        match b {
            Partner::Body(BodyIndex(b)) => own.touches(&self.room_of_part(b, parts[1])),
            Partner::Static(id) => self.scenery.may_touch(id, &own),
        }
    }

    /// The box in which a part's contacts are looked for.
    fn room_of_part(&self, index: u32, part: u8) -> Aabb {
        let mover = &self.sim.all()[index as usize];
        let room = self.bodies().box_of_child(BodyIndex(index), part, &self.bounds_of(index));
        if mover.filter.body_type == BodyType::Static || mover.rotates() {
            return room;
        }
        let [own, whole] = [self.scenery.child(mover.shape, part), self.scenery.outline(mover.shape)];
        room.pad(self.rest_room(own) - self.rest_room(whole))
    }

    fn consider_parts(&mut self, a: u32, b: Partner, parts: ChildPair) {
        self.budget.spend(1);
        self.consider_kept((a, b, parts));
    }

    /// The same where nothing is known of the last tick.
    pub(super) fn consider_anew(&mut self, a: u32, b: Partner, parts: ChildPair) {
        let Some(near) = self.near(a, b, parts) else { return };
        if self.grips(a, b) {
            self.consider_points(&near);
            return;
        }
        let pulls = self.state.gravity != Vec3::ZERO;
        let is_pressed = if pulls { self.press_touching(&near) } else { self.press_meeting(&near) };
        if is_pressed {
            return;
        }
        let gravity = self.sim.gravity;
        if near.is_near(gravity) {
            let velocity = self.velocity_between(a, b, Toi::START);
            let slides = closing(&near.found, velocity) <= gravity / 16;
            if slides || is_no_longer(velocity, self.bodies().rest_speed()) {
                self.push_near(&near, false);
            }
        }
    }

    /// Parts of two that are apart and solid for each other, of which one at least gives way.
    fn near(&self, a: u32, b: Partner, parts: ChildPair) -> Option<Near> {
        let mover = |index: u32| &self.sim.all()[index as usize];
        let other = if let Partner::Body(BodyIndex(b)) = b { Some(mover(b)) } else { None };
        let is_free = mover(a).is_free() || other.is_some_and(SimBody::is_free);
        if !is_free || !self.bodies().is_solid_pair(BodyIndex(a), b, parts) {
            return None;
        }
        let offset = self.bodies().place_of(b, Toi::START) - mover(a).path.position;
        let motion = other.map_or(Vec3::ZERO, |other| other.path.displacement) - mover(a).path.displacement;
        let apart = self.apart(a, b, parts, offset);
        if self.is_beyond_reach((a, b, parts), &apart, motion) {
            return None;
        }
        let found =
            self.bodies().plane_between([Partner::Body(BodyIndex(a)), b], parts, offset, Toi::START)?;
        let gap = ((found.normal.dot_wide(offset) - found.reach) >> Normal::BITS) as i64;
        if gap < 0 {
            return None;
        }
        let closing = closing(&found, motion);
        Some(Near { a, b, parts, found, apart, closing, room: gap - apart.skin })
    }

    /// True if a pair with a facet is certain not to be near, given the motion of B against A: it is farther apart than the two rest, by more than
    /// they close or are pulled.
    fn is_beyond_reach(&self, (a, b, parts): (u32, Partner, ChildPair), apart: &Apart, motion: Vec3) -> bool {
        let (body, pulls) = (Partner::Body(BodyIndex(a)), self.state.gravity != Vec3::ZERO);
        let Partner::Static(id) = b else { return false };
        let Shape::Facet(facet) = self.scenery.shape_of(id) else { return false };
        let closing = if self.grips(a, b) {
            self.closing_at_most([body, b])
        } else if pulls {
            motion.raw().into_iter().fold(0, |sum: i64, part| sum.saturating_add(part.saturating_abs()))
        } else {
            return false;
        };
        // Normals may be longer than they are, by 2^-28 of what is along them.
        let reach = apart.skin + apart.rest_gap + 2 * self.sim.gravity + 16;
        let Some(distance) = reach.checked_add(closing).and_then(|sum| sum.checked_add(closing >> 20)) else {
            return false;
        };
        let offset = apart.offset + self.bodies().arms_apart([body, b], parts, Toi::START);
        self.bodies().with_forms([body, b], parts, Toi::START, |solid, _| {
            is_beyond(facet, solid, -offset, Scalar::from_bits(distance))
        })
    }

    /// Presses a pair together that touches and does not bounce, however fast; returns whether it does.
    fn press_touching(&mut self, near: &Near) -> bool {
        let &Near { a, b, .. } = near;
        if !near.is_near(self.sim.gravity)
            || !near.touches()
            || self.bodies().restitution_q16(BodyIndex(a), b) != 0
        {
            return false;
        }
        let velocity = self.velocity_between(a, b, Toi::START);
        let is_blow = closing(&near.found, velocity) > self.bodies().rest_speed().to_bits();
        if is_blow {
            if let Some(event) = self.time_of_impact().of(BodyIndex(a), b, near.parts) {
                let closing = self.meeting(&event).closing();
                self.scratch.blows.push((QueuedImpact { toi: Toi::START, ..event }, closing));
            }
        }
        self.push_near(near, is_blow)
    }

    /// Makes a pair a contact from the beginning of the tick on.
    pub(super) fn push_near(&mut self, near: &Near, forced: bool) -> bool {
        self.push_contact((near.a, near.b, near.parts), &near.found, &near.apart, (Toi::START, forced))
    }

    /// Where there is no gravity, presses a pair together that does not bounce and touches or will; returns
    /// whether it does.
    ///
    /// An impact without restitution ends where the pair would be if it had closed evenly over the whole
    /// tick, so the solve may take all such impacts of a tick at once. The plane is the one of the impact. A
    /// pair that will not meet is a contact, too: others may push it together. One that passes by is none
    /// unless it touches. Kinematic bodies are stopped by impacts only, at the instant at which they must.
    fn press_meeting(&mut self, near: &Near) -> bool {
        let (&Near { a, b, room, apart, .. }, touches) = (near, near.touches());
        if !touches
            && (room > apart.rest_gap << crate::tick::bodies::limits::INELASTIC_SHIFT
                || self.is_kinematic(a, b))
        {
            return false;
        }
        if self.bodies().restitution_q16(BodyIndex(a), b) != 0 {
            return false;
        }
        let mut found = near.found;
        if near.closing > room {
            let mut event = QueuedImpact {
                toi: Toi::START,
                a: BodyIndex(a),
                b,
                children: near.parts,
                stamps: [0; 2],
                normal: Some(found.normal),
            };
            if !touches {
                let Some(met) = self.time_of_impact().of(BodyIndex(a), b, near.parts) else { return false };
                let Some(plane) = self.plane_at(near, met.toi) else { return false };
                (event.toi, event.normal, found) = (met.toi, Some(plane.normal), plane);
            }
            self.note_blow(event);
        }
        self.push_contact((a, b, near.parts), &found, &apart, (Toi::START, true))
    }

    /// The plane between two at an instant.
    fn plane_at(&self, near: &Near, toi: Toi) -> Option<Separation> {
        let mover = &self.sim.all()[near.a as usize];
        let offset = self.bodies().place_of(near.b, toi) - mover.path.at(toi);
        let found = self.bodies().plane_between(
            [Partner::Body(BodyIndex(near.a)), near.b],
            near.parts,
            offset,
            toi,
        )?;
        (found.normal.dot_wide(near.apart.offset) >= found.reach).then_some(found)
    }

    fn is_kinematic(&self, a: u32, b: Partner) -> bool {
        let is = |index: u32| self.sim.all()[index as usize].filter.body_type == BodyType::Kinematic;
        is(a) || matches!(b, Partner::Body(BodyIndex(b)) if is(b))
    }

    /// Notes the impact of a pair that is pressed together if it is fast.
    fn note_blow(&mut self, event: QueuedImpact) {
        let velocity = self.velocity_between(event.a.0, event.b, event.toi);
        let closing = -event.known_normal().dot_wide(velocity) >> Normal::BITS;
        let closing = Scalar::from_bits(closing as i64);
        if closing > self.bodies().rest_speed() {
            self.scratch.blows.push((event, closing));
        }
    }

    /// Without gravity, forgets the impacts of pairs that nothing pressed together: others came between.
    pub(super) fn forget_idle_blows(&mut self) {
        if self.state.gravity != Vec3::ZERO {
            return;
        }
        let ContactBuffers { rest, blows, .. } = &mut *self.scratch;
        blows.retain(|(event, _)| {
            rest.contacts_of(event.a.0)
                .map(|index| &rest.contacts[index as usize])
                .any(|contact| contact.push > 0 && contact.is_of(event.b, event.children))
        });
    }

    /// Removes the contacts at internal edges, and the impacts that were noted for them. The contacts are sorted,
    /// before and after.
    pub(super) fn remove_internal_edges(&mut self) {
        let mut internal = std::mem::take(&mut self.scratch.rest.internal);
        internal.clear();
        for points in self.scratch.rest.contacts.chunk_by(Contact::is_of_same) {
            // Three points are an area, and so a face.
            let is_internal = points.len() < 3 && self.is_internal_edge(&points[0]);
            internal.extend(points.iter().map(|_| is_internal));
        }
        if internal.contains(&true) {
            let mut flags = internal.iter();
            self.scratch.rest.contacts.retain(|_| flags.next() == Some(&false));
            self.sort_contacts();
            let ContactBuffers { rest, blows, .. } = &mut *self.scratch;
            blows.retain(|(event, _)| {
                let mut contacts = rest.contacts_of(event.a.0).map(|index| &rest.contacts[index as usize]);
                contacts.any(|contact| contact.is_of(event.b, event.children))
            });
        }
        self.scratch.rest.internal = internal;
    }

    /// True if a contact is with a box, not at a face, and another contact of the body covers it; for either body.
    fn is_internal_edge(&self, contact: &Contact) -> bool {
        let (bodies, upper) = (self.bodies(), Partner::Body(BodyIndex(contact.high)));
        let of_low = has_edges(bodies.shape_of(upper, contact.parts[1]));
        let of_high = has_edges(bodies.shape_of(contact.low, contact.parts[0]));
        let low = contact.low_mover().filter(|_| of_low);
        let high = Some(contact.high).filter(|_| of_high);
        [low, high].into_iter().flatten().any(|body| self.is_covered(contact, body))
    }

    fn is_covered(&self, contact: &Contact, body: u32) -> bool {
        let (bodies, rest) = (self.bodies(), &self.scratch.rest);
        let edge = contact.seen_from(body);
        let mut others = rest
            .contacts_of(body)
            .map(|index| &rest.contacts[index as usize])
            .filter(|other| !other.is_of_same(contact))
            .map(|other| other.seen_from(body))
            .peekable();
        // Most contacts are at faces: what carries many bodies is not compared with each for each.
        others.peek().is_some()
            && !is_at_face(bodies, &edge)
            && others.any(|face| face.normal != edge.normal && covers(bodies, &face, &edge))
    }

    /// The velocity of B less that of A at an instant.
    fn velocity_between(&self, a: u32, b: Partner, toi: Toi) -> Vec3 {
        let of = |index: u32| self.bodies().velocity_at(&self.sim.all()[index as usize], toi);
        let other = if let Partner::Body(BodyIndex(b)) = b { of(b) } else { Vec3::ZERO };
        other - of(a)
    }
}

impl Near {
    /// Whether the two come as near in the tick as they rest, or are pulled there.
    fn is_near(&self, gravity: i64) -> bool {
        self.room - self.apart.rest_gap <= self.closing + gravity
    }

    /// Whether they are about as near as they rest.
    pub const fn touches(&self) -> bool {
        self.room <= 2 * self.apart.rest_gap
    }
}

/// How fast two close along the normal of a plane with a relative velocity, in raw per tick.
fn closing(found: &Separation, velocity: Vec3) -> i64 {
    -(found.normal.dot_wide(velocity) >> Normal::BITS) as i64
}

impl Contact {
    /// The contact as seen from one of its bodies, as it was found.
    pub(super) fn seen_from(&self, body: u32) -> BodyContact {
        let &Self { high, low, parts, normal, offset, reach, skin, rest_gap, .. } = self;
        let gap = ((normal.dot_wide(offset) - reach) >> Normal::BITS) as i64;
        let upper = Partner::Body(BodyIndex(high));
        let (sides, children, normal, offset) = if high == body {
            ([low, upper], parts, normal, offset)
        } else {
            ([upper, low], [parts[1], parts[0]], -normal, -offset)
        };
        BodyContact { sides, children, normal, offset, gap, skin, rest_gap: rest_gap - skin }
    }

    /// Whether two that do not bounce were apart when the tick began, and nothing pressed them together in it.
    pub(super) const fn is_idle(&self) -> bool {
        self.forced && self.push == 0 && self.room > self.rest_gap - self.skin
    }
}

/// Whether a vector is no longer than a length.
fn is_no_longer(vector: Vec3, length: Scalar) -> bool {
    vector.length_squared_wide() <= u128::from(length.to_bits().unsigned_abs()).pow(2)
}

#[cfg(test)]
mod tests;
