//! The rotation of bodies: the counterpart of `trajectory.rs` for their orientations.

use super::{
    BodiesMut, SimBodies,
    mover::{Mover, NONE},
    spinner::{Spinner, axes_of},
};
use crate::{
    geom::{AngularMotion, Vec3},
    num::{Toi, round::div_away},
    shape::gyration_nearest,
    state::{Body, BodyType, Locks},
    tick::ledger::add_turning,
};

impl BodiesMut<'_> {
    /// Creates the rotational part of a body's mover; returns its index.
    pub fn spin_up(&mut self, body: &Body) -> u32 {
        let Some(spin) = body.spin else { return NONE };
        let shape = self.scenery.hull(body.shape);
        // The state was checked: a body that rotates has moments of inertia.
        let Ok(inertia) = self.scenery.inertia(body.shape, body.mass) else { return NONE };
        let (mass, gyration) = (body.mass, gyration_nearest(&inertia, body.mass));
        let angular_momentum = match body.body_type {
            BodyType::Dynamic => damped_turning(spin.angular_momentum, body.damping_q16),
            BodyType::Kinematic | BodyType::Static => spin.angular_momentum,
        };
        let (turning, form) = (AngularMotion::still(spin.orientation), shape.turned(spin.orientation));
        let (locks, axes) = (body.locks, axes_of(shape, body.locks, spin.orientation));
        let (turns, is_slowed) = (0, false);
        let mut spinner = Spinner {
            mass,
            locks,
            angular_momentum,
            turning,
            inertia,
            gyration,
            is_set: self.scenery.is_compound(body.shape),
            form,
            axes,
            turns,
            is_slowed,
        };
        if spinner.free_step() {
            self.report.speed_clamped += 1;
            if body.body_type == BodyType::Dynamic {
                add_turning(&mut self.report.angular.clamps, angular_momentum, spinner.angular_momentum);
            }
        }
        let place = self.sim.spinners.len() as u32;
        self.sim.spinners.push(spinner);
        place
    }

    /// Keeps all rotating bodies in the plane of a flat world, whatever the rounding of normals.
    pub fn keep_flat(&mut self) {
        if self.state.limits.flat && !self.sim.spinners.is_empty() {
            self.sim.movers.iter_mut().for_each(|mover| mover.locks = mover.locks.and(Locks::Z));
        }
    }

    /// Removes the angular momenta about locked axes at the end of the tick, and clamps the rest to the limit
    /// of a state.
    pub fn take_locked(&mut self) {
        let SimBodies { movers, spinners, .. } = &mut *self.sim;
        for mover in movers.iter().filter(|mover| mover.filter.body_type == BodyType::Dynamic) {
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

    /// Advances a mover to an instant of its path.
    #[inline]
    pub fn advance(&mut self, mover: &mut Mover, toi: Toi) {
        if mover.spinner != NONE {
            self.advance_rotation(mover, toi);
        }
        let before = mover.path.position;
        mover.path = mover.path.from(toi);
        self.account_way(mover, before, mover.path.position);
    }

    /// Rotates a mover to an instant of its path.
    #[inline(never)]
    fn advance_rotation(&mut self, mover: &mut Mover, toi: Toi) {
        let Some(spinner) = self.sim.spinners.get_mut(mover.spinner as usize) else { return };
        let angular_momentum = spinner.angular_momentum;
        spinner.bring(toi.since(mover.path.start), self.scenery.hull(mover.shape));
        if mover.filter.body_type == BodyType::Dynamic {
            add_turning(&mut self.report.angular.locks, angular_momentum, spinner.angular_momentum);
        }
    }

    /// Sets a mover's rotation from the start of its path by its angular momentum.
    pub fn set_rotation(&mut self, mover: &Mover) {
        let Some(spinner) = self.sim.spinners.get_mut(mover.spinner as usize) else { return };
        let before = spinner.angular_momentum;
        spinner.take_locked();
        add_turning(&mut self.report.angular.locks, before, spinner.angular_momentum);
        let before = spinner.angular_momentum;
        if spinner.free_step() {
            self.report.speed_clamped += 1;
            add_turning(&mut self.report.angular.clamps, before, spinner.angular_momentum);
        }
    }

    /// Stops a mover's rotation at the start of its path; returns the angular momentum that a dynamic body
    /// loses.
    pub fn stop_turning(&mut self, mover: &Mover) -> Vec3 {
        let Some(spinner) = self.sim.spinners.get_mut(mover.spinner as usize) else {
            return Vec3::ZERO;
        };
        spinner.stand_still();
        match mover.filter.body_type {
            BodyType::Dynamic => std::mem::replace(&mut spinner.angular_momentum, Vec3::ZERO),
            BodyType::Kinematic | BodyType::Static => Vec3::ZERO,
        }
    }
}

/// An angular momentum after damping; the loss rounds away from zero, as for a momentum.
pub fn damped_turning(angular_momentum: Vec3, damping_q16: u16) -> Vec3 {
    let part_q16 = i128::from(damping_q16);
    angular_momentum.map_raw(|raw| raw - div_away(i128::from(raw) * part_q16, 1 << 16) as i64)
}
