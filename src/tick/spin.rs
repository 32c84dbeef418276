//! How movers turn: what `integrate.rs` and `launch.rs` are for their centers.

use std::borrow::Cow;

use super::{angular::add_turning, parts::Parts, step::Step};
use crate::{
    geom::{Pose, Rotation, Turning, Vec3},
    num::{Scalar, Toi, round::div_away},
    shape::{Shape, gyration_nearest},
    state::{Body, Kind, Locks, SKIN, skin, turning_skin},
    tick::{
        mover::{Mover, NONE, Partner},
        scratch::Scratch,
        spinner::{Spinner, axes_of},
    },
};

impl Step<'_> {
    /// Makes the turning part of a body's mover; returns its place.
    pub(super) fn spin_up(&mut self, body: &Body) -> u32 {
        let Some(spin) = body.spin else { return NONE };
        let shape = self.scenery.hull(body.shape);
        // The state was checked: a body that turns has moments.
        let Ok(inertia) = self.scenery.inertia(body.shape, body.mass) else { return NONE };
        let (mass, gyration) = (body.mass, gyration_nearest(&inertia, body.mass));
        let angular_momentum = match body.kind {
            Kind::Dynamic => damped(spin.angular_momentum, body.damping_q16),
            Kind::Kinematic | Kind::Static => spin.angular_momentum,
        };
        let (turning, form) = (Turning::still(spin.orientation), shape.turned(spin.orientation));
        let (locks, axes) = (body.locks, axes_of(shape, body.locks, spin.orientation));
        let (turns, is_slowed) = (0, false);
        let mut spinner = Spinner {
            mass,
            locks,
            angular_momentum,
            turning,
            inertia,
            gyration,
            is_set: self.scenery.is_set(body.shape),
            form,
            axes,
            turns,
            is_slowed,
        };
        if spinner.turn_free() {
            self.report.speed_clamped += 1;
            add_turning(&mut self.report.angular.clamps, angular_momentum, spinner.angular_momentum);
        }
        let place = self.scratch.spinners.len() as u32;
        self.scratch.spinners.push(spinner);
        place
    }

    /// Keeps everybody in the plane of a flat world in which somebody turns, whatever the rounding of normals.
    pub(super) fn keep_flat(&mut self) {
        if self.state.limits.flat && !self.scratch.spinners.is_empty() {
            self.scratch.movers.iter_mut().for_each(|mover| mover.locks = mover.locks.and(Locks::Z));
        }
    }

    /// Takes out of angular momenta what they have about locked axes when the tick ends, and what no state may have.
    pub(super) fn take_locked(&mut self) {
        let Scratch { movers, spinners, .. } = &mut *self.scratch;
        for mover in movers.iter().filter(|mover| mover.filter.kind == Kind::Dynamic) {
            let Some(spinner) = spinners.get_mut(mover.spinner as usize) else { continue };
            let before = spinner.angular_momentum;
            spinner.take_locked();
            add_turning(&mut self.report.angular.locks, before, spinner.angular_momentum);
            let before = spinner.angular_momentum;
            if spinner.keep_to_limit() {
                self.report.speed_clamped += 1;
                add_turning(&mut self.report.angular.clamps, before, spinner.angular_momentum);
            }
        }
    }

    /// The turning part of a mover.
    pub(super) fn spinner_of(&self, index: u32) -> Option<&Spinner> {
        self.scratch.spinners.get(self.scratch.movers[index as usize].spinner as usize)
    }

    /// The gap that a mover and its partner keep, by their shapes: more where they turn.
    #[inline(always)]
    pub(super) fn skin_of(&self, a: u32, b: Partner, shapes: [&Shape; 2]) -> Scalar {
        if !self.scenery.has_leaning {
            return SKIN; // of balls and boxes along the axes, even where they turn
        }
        skin(shapes[0], shapes[1]) + self.turning_skin_of(a, b, shapes)
    }

    /// Whether no body of the world turns: then nothing needs to be looked up.
    #[inline(always)]
    pub(super) fn nobody_turns(&self) -> bool {
        self.scratch.spinners.is_empty()
    }

    /// How much more it is than between bodies that never turn.
    #[inline]
    pub(super) fn turning_skin_of(&self, a: u32, b: Partner, shapes: [&Shape; 2]) -> Scalar {
        if self.nobody_turns() {
            return Scalar::ZERO;
        }
        let more = |index: u32, shape| match self.spinner_of(index) {
            Some(spinner) if spinner.is_set => self.scenery.turning_skin(self.mover(index).shape, shape),
            Some(_) => turning_skin(shape),
            None => Scalar::ZERO,
        };
        more(a, shapes[0]) + if let Partner::Mover(b) = b { more(b, shapes[1]) } else { Scalar::ZERO }
    }

    /// Whether all solids look in the whole tick as in the scenery: nobody turns, or only balls do.
    #[inline(always)]
    pub(super) fn has_no_forms(&self) -> bool {
        !self.scenery.has_leaning || self.nobody_turns()
    }

    /// Whether a mover's solid turns in what is left of the tick, so that sweeps must know.
    #[inline(always)]
    pub(super) fn changes_form(&self, index: u32) -> bool {
        !self.has_no_forms() && self.spinner_of(index).is_some_and(Spinner::changes_form)
    }

    /// Whether the sweeps of a mover must know how it is turned, if only for where its parts are.
    #[inline(always)]
    pub(super) fn is_swept_turning(&self, index: u32) -> bool {
        !self.has_no_forms() && self.spinner_of(index).is_some_and(Spinner::is_swept)
    }

    /// A single shape, or a part of a set that does not turn, in the world's axes where the path of its mover begins.
    #[inline(always)]
    pub(super) fn form(&self, index: u32, part: u8) -> &Shape {
        let mover = &self.scratch.movers[index as usize];
        if self.has_no_forms() {
            return self.scenery.part(mover.shape, part);
        }
        match self.scratch.spinners.get(mover.spinner as usize) {
            Some(spinner) => &spinner.form,
            None => self.scenery.part(mover.shape, part),
        }
    }

    /// A part of a mover in the world's axes at an instant.
    pub(super) fn form_at(&self, index: u32, part: u8, toi: Toi) -> Cow<'_, Shape> {
        let mover = &self.scratch.movers[index as usize];
        match self.spinner_of(index) {
            Some(spinner) if spinner.is_set => {
                let orientation = self.orientation_of(spinner, mover, toi);
                Cow::Owned(self.scenery.part(mover.shape, part).turned(orientation))
            }
            Some(spinner) if toi > mover.path.start && spinner.changes_form() => {
                let orientation = spinner.turning.at(toi.since(mover.path.start));
                Cow::Owned(self.scenery.shape(mover.shape).turned(orientation))
            }
            _ => Cow::Borrowed(self.form(index, part)),
        }
    }

    /// Asks something about parts of two as they lie at an instant.
    #[inline(always)]
    pub(super) fn with_forms<T>(
        &self,
        sides: [Partner; 2],
        parts: Parts,
        toi: Toi,
        ask: impl FnOnce(&Shape, &Shape) -> T,
    ) -> T {
        if self.has_no_forms() {
            return ask(self.shape_of(sides[0], parts[0]), self.shape_of(sides[1], parts[1]));
        }
        let [a, b] = [0, 1].map(|side: usize| self.form_of(sides[side], parts[side], toi));
        ask(&a, &b)
    }

    /// How a mover lies at an instant; before its path begins as it does there.
    fn orientation_of(&self, spinner: &Spinner, mover: &Mover, toi: Toi) -> Rotation {
        if toi > mover.path.start {
            spinner.turning.at(toi.since(mover.path.start))
        } else {
            spinner.orientation()
        }
    }

    /// From the center of a mover to the origin of a part of it at an instant.
    ///
    /// **Rounding**: of one that turns to nearest, as [`Rotation::turn_nearest`].
    pub(super) fn arm_at(&self, index: u32, part: u8, toi: Toi) -> Vec3 {
        let mover = &self.scratch.movers[index as usize];
        let offset = self.scenery.part_offset(mover.shape, part);
        match self.spinner_of(index) {
            Some(spinner) if spinner.is_set => self.orientation_of(spinner, mover, toi).turn_nearest(offset),
            _ => offset,
        }
    }

    /// The arm of a part in the frame of its body.
    pub(super) fn own_arm(&self, which: Partner, part: u8) -> Vec3 {
        match which {
            Partner::Mover(index) => {
                self.scenery.part_offset(self.scratch.movers[index as usize].shape, part)
            }
            Partner::Static(_) => Vec3::ZERO,
        }
    }

    /// The arm of a part in the frame of its body if that turns, and else zero; and its arm in the world's axes if it does
    /// not turn, else zero.
    pub(super) fn arm_in_sweep(&self, which: Partner, part: u8) -> [Vec3; 2] {
        let arm = self.own_arm(which, part);
        let turns = matches!(which, Partner::Mover(index) if self.spinner_of(index).is_some());
        if turns { [arm, Vec3::ZERO] } else { [Vec3::ZERO, arm] }
    }

    /// A part of whatever a mover meets, at an instant.
    #[inline]
    pub(super) fn form_of(&self, which: Partner, part: u8, toi: Toi) -> Cow<'_, Shape> {
        match which {
            Partner::Mover(index) => self.form_at(index, part, toi),
            Partner::Static(id) => Cow::Borrowed(self.scenery.shape(self.scenery.fixed(id).shape)),
        }
    }

    /// How a mover turns from an instant on.
    pub(super) fn turning_from(&self, index: u32, toi: Toi) -> Turning {
        let mover = &self.scratch.movers[index as usize];
        match self.spinner_of(index) {
            Some(spinner) => spinner.turning.rest(toi.since(mover.path.start)),
            None => Turning::still(mover.path.pose.orientation),
        }
    }

    /// Takes a mover to an instant of its path.
    #[inline]
    pub(super) fn bring(&mut self, mover: &mut Mover, toi: Toi) {
        if mover.spinner != NONE {
            self.bring_turning(mover, toi);
        }
        let before = mover.path.pose.position;
        mover.path = mover.path.from(toi);
        self.account_way(mover, before, mover.path.pose.position);
    }

    /// Turns a mover as far as at an instant of its path.
    #[inline(never)]
    fn bring_turning(&mut self, mover: &mut Mover, toi: Toi) {
        let Some(spinner) = self.scratch.spinners.get_mut(mover.spinner as usize) else { return };
        let angular_momentum = spinner.angular_momentum;
        spinner.bring(toi.since(mover.path.start), self.scenery.hull(mover.shape));
        mover.path.pose.orientation = spinner.orientation();
        if mover.filter.kind == Kind::Dynamic {
            add_turning(&mut self.report.angular.locks, angular_momentum, spinner.angular_momentum);
        }
    }

    /// Lets a mover turn on from where its path begins as its angular momentum says.
    pub(super) fn turn_on(&mut self, mover: &Mover) {
        let Some(spinner) = self.scratch.spinners.get_mut(mover.spinner as usize) else { return };
        let before = spinner.angular_momentum;
        spinner.take_locked();
        add_turning(&mut self.report.angular.locks, before, spinner.angular_momentum);
        let before = spinner.angular_momentum;
        if spinner.turn_free() {
            self.report.speed_clamped += 1;
            add_turning(&mut self.report.angular.clamps, before, spinner.angular_momentum);
        }
    }

    /// Stops a mover's turning where its path begins; returns the angular momentum that a dynamic one loses.
    pub(super) fn stop_turning(&mut self, mover: &Mover) -> Vec3 {
        let Some(spinner) = self.scratch.spinners.get_mut(mover.spinner as usize) else { return Vec3::ZERO };
        spinner.stand_still();
        match mover.filter.kind {
            Kind::Dynamic => std::mem::replace(&mut spinner.angular_momentum, Vec3::ZERO),
            Kind::Kinematic | Kind::Static => Vec3::ZERO,
        }
    }

    /// How a body lay when the tick began: the state keeps it until the tick ends.
    pub(super) fn entry_pose(&self, mover: &Mover) -> Pose {
        self.state.slots[mover.slot as usize].body.map_or(mover.path.pose, |body| body.pose())
    }
}

/// An angular momentum after damping; what is taken goes away from zero, as from a momentum.
pub(super) fn damped(angular_momentum: Vec3, damping_q16: u16) -> Vec3 {
    let part_q16 = i128::from(damping_q16);
    angular_momentum.map_raw(|raw| raw - div_away(i128::from(raw) * part_q16, 1 << 16) as i64)
}
