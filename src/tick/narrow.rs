//! The time of impact of a pair of child shapes on the paths that their bodies have.

use super::limits::CARRIED_CLOSER;
use super::{
    bodies::{
        Bodies,
        body::{BodyIndex, ChildPair, Partner},
    },
    queue::QueuedImpact,
};
use crate::{
    geom::{Path, Vec3},
    num::{Scalar, Toi},
    state::StaticId,
    sweep::{Advance, RelativeMotion, sweep_shapes, sweep_turning_known},
};

/// The contacts of the tick: a pair in contact closes by less than an impact would.
pub trait KnownContacts {
    /// True if child shapes of a pair are in contact.
    fn in_contact(&self, a: BodyIndex, b: Partner, children: ChildPair) -> bool;

    /// True if it is certain that a pair in contact stays apart from an instant to the end of the tick.
    fn is_kept_apart(&self, a: BodyIndex, b: Partner, children: ChildPair, toi: Toi) -> bool;
}

/// The times of impact of bodies.
pub struct TimeOfImpact<'a, C> {
    pub bodies: Bodies<'a>,
    pub contacts: C,
}

impl<C: KnownContacts> TimeOfImpact<'_, C> {
    /// The impact of children of two.
    pub fn of(&self, a: BodyIndex, b: Partner, children: ChildPair) -> Option<QueuedImpact> {
        match b {
            Partner::Body(b) => self.of_bodies(a, b, children),
            Partner::Static(b) => self.of_static(a, b, children),
        }
    }

    pub fn of_bodies(&self, a: BodyIndex, b: BodyIndex, children: ChildPair) -> Option<QueuedImpact> {
        let (body_a, body_b) = (self.bodies.body(a), self.bodies.body(b));
        // One test for both: most worlds have no forms, and this runs for every pair that comes near.
        let (shape_a, shape_b) = if self.bodies.has_no_forms() {
            (
                self.bodies.scenery.child(body_a.shape, children[0]),
                self.bodies.scenery.child(body_b.shape, children[1]),
            )
        } else if self.bodies.is_swept_turning(a) || self.bodies.is_swept_turning(b) {
            return self.of_rotating(a, Partner::Body(b), children);
        } else if body_a.path.displacement == body_b.path.displacement {
            return None; // without an approach there is no impact
        } else {
            (self.bodies.form(a, children[0]), self.bodies.form(b, children[1]))
        };
        let start = body_a.path.start.max(body_b.path.start);
        let offset = body_b.path.at(start) - body_a.path.at(start);
        let offset = offset + self.bodies.arms_apart([Partner::Body(a), Partner::Body(b)], children, start);
        let motion = body_b.path.displacement - body_a.path.displacement;
        let skin = self.bodies.skin_of(a, Partner::Body(b), [shape_a, shape_b]);
        let mut hit = sweep_shapes(shape_a, shape_b, offset, motion, skin)?;
        if self.contacts.in_contact(a, Partner::Body(b), children) {
            hit = sweep_shapes(shape_a, shape_b, offset, motion, skin - CARRIED_CLOSER)?;
        }
        self.impact(start, Advance::Hit(hit), (a, Partner::Body(b), children))
    }

    pub fn of_static(&self, a: BodyIndex, b: StaticId, children: ChildPair) -> Option<QueuedImpact> {
        if self.bodies.is_swept_turning(a) {
            return self.of_rotating(a, Partner::Static(b), children);
        }
        let Path { start, position, displacement } = self.bodies.body(a).path;
        if displacement == Vec3::ZERO {
            return None; // without an approach there is no impact
        }
        let fixed = self.bodies.scenery.fixed(b);
        let (shape_a, shape_b) = (self.bodies.form(a, children[0]), self.bodies.scenery.shape_of(b));
        let offset = fixed.position - position;
        let offset = offset + self.bodies.arms_apart([Partner::Body(a), Partner::Static(b)], children, start);
        let skin = self.bodies.skin_of(a, Partner::Static(b), [shape_a, shape_b]);
        let mut hit = sweep_shapes(shape_a, shape_b, offset, -displacement, skin)?;
        if self.contacts.in_contact(a, Partner::Static(b), children) {
            hit = sweep_shapes(shape_a, shape_b, offset, -displacement, skin - CARRIED_CLOSER)?;
        }
        self.impact(start, Advance::Hit(hit), (a, Partner::Static(b), children))
    }

    /// The impact of a body that rotates, or of one with a rotating partner.
    ///
    /// If the search does not converge, an impact without a normal has the instant that it reached.
    fn of_rotating(&self, a: BodyIndex, b: Partner, children: ChildPair) -> Option<QueuedImpact> {
        let sides = [Partner::Body(a), b];
        let [motion_a, motion_b] = sides.map(|which| self.bodies.motion(which));
        let start = motion_a.path.start.max(motion_b.path.start);
        if self.contacts.is_kept_apart(a, b, children, start) {
            return None;
        }
        let [shape_a, shape_b] = [0, 1].map(|side: usize| self.bodies.shape_of(sides[side], children[side]));
        // The child shape of a body that does not rotate is at its offset.
        let [[arm_a, still_a], [arm_b, still_b]] =
            [0, 1].map(|side: usize| self.bodies.arm_in_sweep(sides[side], children[side]));
        let between = RelativeMotion::between(&motion_a, &motion_b, start);
        let relative =
            RelativeMotion { offset: between.offset + (still_b - still_a), arms: [arm_a, arm_b], ..between };
        let closer = if self.contacts.in_contact(a, b, children) { CARRIED_CLOSER } else { Scalar::ZERO };
        let skin = self.bodies.skin_of(a, b, [shape_a, shape_b]);
        let derivatives = sides.map(|which| self.bodies.derivatives_of(which));
        let found = sweep_turning_known([shape_a, shape_b], &relative, skin - closer, derivatives);
        self.impact(start, found, (a, b, children))
    }

    /// The impact that a sweep from an instant found, unless it comes at the end of the tick or later: then it is
    /// the next tick's.
    fn impact(
        &self,
        start: Toi,
        found: Advance,
        (a, b, children): (BodyIndex, Partner, ChildPair),
    ) -> Option<QueuedImpact> {
        let (passed, normal) = match found {
            Advance::Clear => return None,
            Advance::Hit(hit) => (hit.toi, Some(hit.normal)),
            Advance::Unresolved(toi) => (toi, None),
        };
        let toi = start.checked_add(passed).filter(|&toi| toi < Toi::END)?;
        let impact = QueuedImpact { toi, a, b, children, stamps: [0; 2], normal };
        Some(QueuedImpact { stamps: self.bodies.stamps(&impact), ..impact })
    }
}
