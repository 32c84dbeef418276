//! The paths of bodies: their motions, the speed limit, and bodies that are held.

use super::{BodiesMut, mover::Mover};
use crate::{
    geom::Vec3,
    num::{Scalar, Toi, root::sqrt_ceil, round::div_zero},
    state::{BodyType, momentum_wide, velocity_nearest},
    sweep::MOTION_MAX,
    tick::ledger::{add_change, add_moment, add_turning},
};

/// Half of the largest motion of a pair that a sweep accepts.
const MOTION_MAX_OF_ONE: Scalar = Scalar::from_bits(MOTION_MAX.to_bits() / 2);

impl BodiesMut<'_> {
    /// Clamps a momentum to the speed limit.
    ///
    /// **Rounding**: toward zero, so the speed is at or just below the limit.
    #[inline]
    pub fn clamp_speed(&mut self, mover: &mut Mover) {
        let velocity = velocity_nearest(mover.momentum, mover.mass);
        self.clamped(mover, velocity);
    }

    /// Clamps a momentum to the speed limit, given the body's velocity; returns the velocity after it.
    #[inline]
    pub fn clamped(&mut self, mover: &mut Mover, velocity: Vec3) -> Vec3 {
        if !self.bodies().is_too_fast(velocity) {
            return velocity;
        }
        self.slow_down(mover, velocity);
        velocity_nearest(mover.momentum, mover.mass)
    }

    #[cold]
    fn slow_down(&mut self, mover: &mut Mover, velocity: Vec3) {
        let most = i128::from(self.state.limits.speed_max.to_bits());
        let length = sqrt_ceil(velocity.length_squared_wide()) as i128;
        let slower = velocity.map_raw(|raw| div_zero(i128::from(raw) * most, length) as i64);
        let momentum = momentum_wide(slower, mover.mass);
        add_change(&mut self.report.ledger.clamps, mover.momentum, momentum);
        let clamps = &mut self.report.angular.clamps;
        add_moment(clamps, mover.path.pose.position, mover.momentum, momentum);
        self.report.speed_clamped += 1;
        mover.momentum = momentum;
        debug_assert!(!self.bodies().is_too_fast(velocity_nearest(momentum, mover.mass)));
    }

    /// Sets a body's motion from the start of its path.
    ///
    /// A body that would leave the world is held; so is one whose separation from heavy and fast bodies would
    /// exceed the motion that a sweep accepts.
    #[inline(always)]
    pub fn set_motion(&mut self, mover: &mut Mover, motion: Vec3) {
        if !motion.within(MOTION_MAX_OF_ONE) {
            self.hold_fast(mover);
            return;
        }
        mover.path.motion = motion;
        let end = mover.path.at(Toi::END).position;
        if !end.within(self.state.limits.extent) {
            self.hold_inside(mover);
        }
        debug_assert!(mover.path.at(Toi::END).position.within(self.state.limits.extent));
    }

    #[cold]
    fn hold_fast(&mut self, mover: &mut Mover) {
        self.report.impact_limited.push(self.state.id_of(mover.slot));
        self.hold(mover);
    }

    #[cold]
    fn hold_inside(&mut self, mover: &mut Mover) {
        self.report.out_of_bounds.push(self.state.id_of(mover.slot));
        self.hold(mover);
    }

    /// Holds a body at the start of its path for the rest of the tick.
    ///
    /// A dynamic body's velocity becomes the displacement that it made in this tick, so neither gravity nor a
    /// jam builds up a velocity that did not occur. If it is displaced by depenetration its velocity becomes
    /// zero, because that displacement has no momentum. The velocity of a kinematic body belongs to the game.
    pub fn hold(&mut self, mover: &mut Mover) {
        mover.held = true;
        mover.path.motion = Vec3::ZERO;
        let turning = self.stop_turning(mover);
        if mover.filter.body_type != BodyType::Dynamic {
            return;
        }
        let is_shifted = self.bodies().shift_of(mover) != Vec3::ZERO;
        let way = mover.path.pose.position - self.bodies().entry(mover);
        let made = if is_shifted { Vec3::ZERO } else { momentum_wide(way, mover.mass) };
        add_change(&mut self.report.ledger.holds, mover.momentum, made);
        let holds = &mut self.report.angular.holds;
        add_moment(holds, mover.path.pose.position, mover.momentum, made);
        add_turning(holds, turning, Vec3::ZERO);
        mover.momentum = made;
        self.clamp_speed(mover);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        num::lit,
        shape::Shape,
        state::{Command, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
        tick::{TickReport, World, stages::Step},
    };

    #[test]
    fn a_motion_that_no_sweep_accepts_is_held_where_it_begins() {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::INELASTIC);
        builder.shape(Shape::sphere(lit("0.5")));
        let limits = Limits { speed_max: lit("2048"), ..Limits::new(60) };
        let mut world = World::new(limits, builder.build().unwrap()).unwrap();
        let (shape, material, velocity) = (ShapeId(0), MaterialId(0), Vec3::ZERO);
        let spawn = Spawn { material, velocity, ..Spawn::new(shape, Vec3::ZERO) };
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
        for (speed, held) in [("4096", false), ("-4096", false), ("4096.0000000003", true), ("-5000", true)] {
            let mut report = TickReport::default();
            let World { state, scenery, scratch, .. } = &mut world;
            let mut step = Step { state, scenery, scratch, report: &mut report };
            step.integrate();
            let mut mover = step.scratch.sim.movers[0];
            step.contact()
                .bodies_mut()
                .set_motion(&mut mover, Vec3::new(lit("0"), speed.parse().unwrap(), lit("0")));
            assert_eq!((mover.held, report.impact_limited.len()), (held, usize::from(held)), "{speed}");
            assert_eq!(mover.path.motion == Vec3::ZERO, held);
        }
    }

    /// A displacement by depenetration has no momentum: a body that is held during it keeps no velocity.
    #[test]
    fn a_held_body_has_the_speed_of_its_own_path() {
        for (shift, held) in [("0", "0.125"), ("0.5", "0"), ("-0.0000000003", "0")] {
            let mut builder = SceneryBuilder::default();
            builder.material(Material::INELASTIC);
            builder.shape(Shape::sphere(lit("0.5")));
            let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
            let velocity = Vec3::new(lit("1"), lit("0"), lit("0"));
            let spawn = Spawn { velocity, mass: 3, ..Spawn::new(ShapeId(0), Vec3::ZERO) };
            assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
            let mut report = TickReport::default();
            let World { state, scenery, scratch, .. } = &mut world;
            let mut step = Step { state, scenery, scratch, report: &mut report };
            step.integrate();
            step.scratch.sim.shifts = vec![Vec3::new(shift.parse().unwrap(), lit("0"), lit("0"))];
            let mut mover = step.scratch.sim.movers[0];
            mover.path.pose.position = velocity.map_raw(|raw| raw / 8);
            step.contact().bodies_mut().hold(&mut mover);
            let speed = Vec3::new(held.parse().unwrap(), lit("0"), lit("0"));
            assert_eq!(mover.momentum, momentum_wide(speed, 3), "{shift}");
            let lost = mover.momentum - momentum_wide(velocity, 3);
            assert_eq!(report.ledger.holds, lost.raw().map(i128::from));
        }
    }
}
