//! Collision response of a single impact.

use crate::tick::contact::ContactStage;
use crate::{
    geom::{Normal, Vec3},
    num::{
        Scalar, Toi,
        mul_div::mul_div_nearest,
        round::{div_away, div_floor},
    },
    state::{BodyType, Collider, Locks},
    tick::{
        Impact,
        bodies::body::{BodyIndex, Partner, SimBody},
        queue::QueuedImpact,
    },
};

/// The least separating speed of a pair in the rest of the tick after an impact, in raw per tick.
///
/// It is in the motion of that tick only, never in a momentum. It exceeds the loss by rounded positions in a
/// path, so a gap inside the skin grows back.
pub(super) const PARTING_RAW: i64 = 16;

/// Number of impacts of a body in a tick after which all further ones become contacts.
const WORN: u16 = 6;

/// The largest component of an impulse, in raw. Only a body that is locked along all but a grazing
/// normal could take more; the speed limit clamps it much lower.
const IMPULSE_MAX: i128 = 1 << 61;

/// The response to an impulse: a mass, along the axes that are not locked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Inertia {
    mass: u32,
    pub(super) locks: Locks,
}

/// The inertia of a collider that no impulse moves.
const IMMOVABLE: Option<Inertia> = None;

/// Two bodies at an impact; one may stand still.
pub(super) struct Meeting {
    toi: Toi,
    pub(super) normal: Normal,
    /// The normal's length, rounded up.
    pub(super) length: i128,
    /// The inertias of A and B; `None` for a collider that no impulse moves.
    pub(super) inertias: [Option<Inertia>; 2],
    /// The relative velocity along the normal at the impact, times the normal's length.
    pub(super) now: i128,
    /// The relative velocity along the normal at the end of the tick if nothing else happens, times the
    /// normal's length.
    pub(super) end: i128,
    pub(super) restitution_q16: u32,
}

impl ContactStage<'_> {
    /// Resolves an impact: equal and opposite impulses along its normal, and new motions.
    ///
    /// Held bodies do not move and absorb any momentum; kinematic ones continue and absorb any. A kinematic
    /// body that collides with a held one is held as well.
    pub fn respond(&mut self, event: &QueuedImpact) {
        if self.grips(event.a.0, event.b) {
            self.respond_together(std::slice::from_ref(event));
            return;
        }
        let meeting = self.meeting(event);
        self.note(event, &meeting);
        if meeting.mobility() == 0 {
            self.block_kinematic(event);
            return;
        }
        if self.carries(event, &meeting) {
            return;
        }
        let impulse = meeting.impulse(self.bodies().rest_speed());
        self.bodies_mut().account_plain([Partner::Body(event.a), event.b], event.toi, impulse);
        self.give(event, impulse);
        for index in [Some(event.a.0), event.partner_number()].into_iter().flatten() {
            self.bodies_mut().clamp_speed_if_free(BodyIndex(index));
        }
        self.part(event, &meeting);
    }

    /// Holds the kinematic body of a pair in which neither can be pushed along the normal.
    pub(super) fn block_kinematic(&mut self, event: &QueuedImpact) {
        let Some(b) = event.partner_number() else { return };
        for (index, other) in [(event.a.0, b), (b, event.a.0)] {
            let mover = &self.sim.all()[index as usize];
            if mover.filter.body_type == BodyType::Kinematic && !mover.held {
                self.block(index, other, event.toi);
            }
        }
    }

    /// Makes an impact a resting contact for the rest of the tick, if it is slow or one of many; returns true
    /// if it does. In a world without resting contacts only one of many that decay is.
    ///
    /// The momenta are settled at the end of the tick.
    pub(super) fn carries(&mut self, event: &QueuedImpact, meeting: &Meeting) -> bool {
        let is_worn = |index: u32| self.sim.all()[index as usize].impacts > WORN;
        let is_worn = is_worn(event.a.0) || event.partner_number().is_some_and(is_worn);
        if !(self.bodies().has_rest() || is_worn && self.decays(event, meeting))
            || self.bodies().overlapped(event.a, event.b, event.children)
            || self.bodies().only_hits(event.a, event.b)
        {
            return false;
        }
        if !self.scratch.rest.is_open() {
            self.open_contacts();
        }
        (is_worn || meeting.is_slow(self.bodies().rest_speed())) && self.join(event, is_worn)
    }

    /// True if the impacts of a pair come ever faster one after the other, and end in a contact: it rotates or rubs, and
    /// each of them takes energy from it.
    fn decays(&self, event: &QueuedImpact, meeting: &Meeting) -> bool {
        meeting.restitution_q16 < 1 << 16 && self.grips(event.a.0, event.b)
    }

    pub(super) fn meeting(&self, event: &QueuedImpact) -> Meeting {
        let a = &self.sim.all()[event.a.place()];
        let b = event.partner_number().map(|index| &self.sim.all()[index as usize]);
        let velocities = |mover: Option<&SimBody>| match mover {
            Some(mover) => {
                (self.bodies().velocity_at(mover, event.toi), self.bodies().velocity_at(mover, Toi::END))
            }
            None => (Vec3::ZERO, Vec3::ZERO),
        };
        let ((now_a, end_a), (now_b, end_b)) = (velocities(Some(a)), velocities(b));
        let inertia = |mover: &SimBody| {
            let SimBody { mass, locks, .. } = *mover;
            if mover.is_free() { Some(Inertia { mass, locks }) } else { IMMOVABLE }
        };
        Meeting {
            toi: event.toi,
            normal: event.known_normal(),
            length: event.known_normal().length_up().into(),
            inertias: [inertia(a), b.and_then(inertia)],
            now: event.known_normal().dot_wide(now_b - now_a),
            end: event.known_normal().dot_wide(end_b - end_a),
            restitution_q16: self.bodies().restitution_q16(event.a, event.b),
        }
    }

    pub(super) fn note(&mut self, event: &QueuedImpact, meeting: &Meeting) {
        self.note_impact(event, meeting.closing(), false);
    }

    /// Reports an impact.
    pub(super) fn note_impact(&mut self, event: &QueuedImpact, closing: Scalar, pressed: bool) {
        let id = |index: u32| self.state.id_of(self.sim.all()[index as usize].slot);
        let b = match event.b {
            Partner::Body(BodyIndex(index)) => Collider::Body(id(index)),
            Partner::Static(fixed) => Collider::Static(fixed),
        };
        let a = id(event.a.0);
        let (normal, QueuedImpact { toi, children: parts, .. }) = (event.known_normal(), *event);
        self.report.impacts.push(Impact { toi, a, b, children: parts, normal, closing, pressed });
    }

    /// Subtracts an impulse from A and adds it to B, without a limit on speed.
    pub(super) fn give(&mut self, event: &QueuedImpact, impulse: Vec3) {
        self.events.note_impulse(event.a, event.b, impulse);
        for (which, change) in [(Partner::Body(event.a), -impulse), (event.b, impulse)] {
            if let Some(index) = self.bodies_mut().apply_impulse(which, change) {
                self.bodies_mut().mark_struck(index);
            }
        }
    }

    /// Gives both new paths, separating along the normal.
    fn part(&mut self, event: &QueuedImpact, meeting: &Meeting) {
        let indices = [Some(event.a.0), event.partner_number()];
        let motions = indices.map(|index| match index.map(|index| self.bodies().body(BodyIndex(index))) {
            Some(mover) if !mover.held => self.bodies().free_motion(mover, meeting.toi),
            _ => Vec3::ZERO,
        });
        let is_pressed = meeting.is_pressed(self.bodies().rest_speed());
        let corrections = meeting.corrections(motions[1] - motions[0], 0, is_pressed);
        let changed = [motions[0] - corrections[0], motions[1] + corrections[1]];
        for (index, motion) in indices.into_iter().zip(changed) {
            if let Some(index) = index.filter(|&index| self.sim.all()[index as usize].is_free()) {
                self.bodies_mut().set_motion(BodyIndex(index), motion);
            }
        }
    }
}

impl Meeting {
    /// The closing speed, rounded down.
    pub(super) fn closing(&self) -> Scalar {
        Scalar::from_bits(div_floor(-self.now, self.length) as i64)
    }

    /// True if they close too slowly to bounce.
    pub(super) fn is_slow(&self, rest_speed: Scalar) -> bool {
        -self.now <= i128::from(rest_speed.to_bits()) * self.length
    }

    /// The impulse on B.
    ///
    /// A fast impact reverses the closing velocity, times the restitution. A slow one has the least impulse
    /// with which they close neither at the impact nor at the end of the tick: it is the normal impulse of
    /// the contact over the rest of the tick.
    ///
    /// **Rounding**: each component to nearest, halves away from zero; the same for both bodies. **Range**:
    /// the relative speed is below 2^45 raw and the normal's length below 2^31, so the product with masses
    /// and restitution is below 2^126. If locks leave a small part of the normal the quotient is below 2^125,
    /// and is clamped to 2^61.
    pub(super) fn impulse(&self, rest_speed: Scalar) -> Vec3 {
        let closing_q16 = if self.is_slow(rest_speed) {
            -self.now.min(self.end).min(0) << 16
        } else {
            -self.now * i128::from((1 << 16) + self.restitution_q16)
        };
        let [a, b] = self.masses();
        let divisor = self.mobility() << 16;
        let component = |n: i32| mul_div_nearest(closing_q16 * a * b, n.into(), divisor);
        Vec3::from_raw(self.normal.components().map(|n| bounded(component(n))))
    }

    /// The masses of A and B; 1 for a collider that no impulse moves.
    pub(super) fn masses(&self) -> [i128; 2] {
        self.inertias.map(|inertia| inertia.map_or(1, |inertia| inertia.mass.into()))
    }

    /// The mobility of the pair along the normal: the sum over the axes of `n_i^2 / m` for each body that is
    /// free along the axis, times both masses; 0 if neither can move. Below 2^79.
    pub(super) fn mobility(&self) -> i128 {
        let [mass_a, mass_b] = self.masses();
        let [a, b] = self.inertias.map(|inertia| self.free_square(inertia));
        a * mass_b + b * mass_a
    }

    /// The squared length of the part of the normal along which a side can move.
    fn free_square(&self, inertia: Option<Inertia>) -> i128 {
        let is_free = |axis: usize| inertia.is_some_and(|inertia| !inertia.locks.has(axis));
        let squares = self.normal.components().map(|n| i128::from(n) * i128::from(n));
        (0..3).filter(|&axis| is_free(axis)).map(|axis| squares[axis]).sum()
    }

    /// True if this is a slow impact and gravity presses on the pair.
    pub(super) fn is_pressed(&self, rest_speed: Scalar) -> bool {
        self.is_slow(rest_speed) && self.end <= self.now
    }

    /// The motions to add along the normal, away from each other, so that they separate.
    ///
    /// A contact that gravity presses together supports the bodies for the rest of the tick, so they separate
    /// at exactly the least speed; others at no less than it. `turning` is the least separating speed by
    /// rotation, times the normal's length.
    ///
    /// **Rounding**: away from zero, so that they separate for certain; symmetric in the bodies.
    pub(super) fn corrections(&self, motion: Vec3, turning: i128, pressed: bool) -> [Vec3; 2] {
        let rate = self.normal.dot_wide(motion) + turning;
        let least = i128::from(PARTING_RAW) * self.length;
        if rate >= least && !pressed {
            return [Vec3::ZERO; 2];
        }
        let (mobility, [mass_a, mass_b]) = (self.mobility(), self.masses());
        if mobility == 0 {
            return [Vec3::ZERO; 2]; // they only rotate
        }
        let share = |inertia: Option<Inertia>, part: i128| {
            let component = |n: i32| bounded(div_away((least - rate) * i128::from(n) * part, mobility));
            let along = Vec3::from_raw(self.normal.components().map(component));
            inertia.map_or(Vec3::ZERO, |inertia| inertia.locks.free_part(along))
        };
        [share(self.inertias[0], mass_b), share(self.inertias[1], mass_a)]
    }
}

/// An impulse or a motion clamped to a range that sums can hold.
pub(super) fn bounded(component: i128) -> i64 {
    component.clamp(-IMPULSE_MAX, IMPULSE_MAX) as i64
}
