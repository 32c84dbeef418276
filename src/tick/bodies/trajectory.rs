//! The paths of bodies: their motions, the speed limit, and bodies that are held.

use super::limits::MOTION_MAX_OF_ONE;
use super::{BodiesMut, SimBodies, body::BodyIndex};
use crate::{
    geom::{Path, Vec3},
    num::{Toi, root::sqrt_ceil, round::div_zero},
    state::{BodyType, State, momentum_wide, velocity_nearest},
    tick::Cause,
};

impl BodiesMut<'_> {
    /// Clamps a body's momentum to the speed limit.
    ///
    /// **Rounding**: toward zero, so the speed is at or just below the limit.
    #[inline]
    pub fn clamp_speed(&mut self, index: BodyIndex) {
        let body = self.bodies().body(index);
        let velocity = velocity_nearest(body.momentum, body.mass);
        if self.bodies().is_too_fast(velocity) {
            self.slow_down(index, velocity);
        }
    }

    /// Clamps the momentum of a body that impacts move to the speed limit.
    pub fn clamp_speed_if_free(&mut self, index: BodyIndex) {
        if self.bodies().body(index).is_free() {
            self.clamp_speed(index);
        }
    }

    #[cold]
    fn slow_down(&mut self, index: BodyIndex, velocity: Vec3) {
        let mass = self.bodies().body(index).mass;
        let most = i128::from(self.state.limits.speed_max.to_bits());
        let length = sqrt_ceil(velocity.length_squared_wide()) as i128;
        let slower = velocity.map_raw(|raw| div_zero(i128::from(raw) * most, length) as i64);
        let momentum = momentum_wide(slower, mass);
        self.set_momentum(index, momentum, Cause::Clamps);
        self.report.speed_clamped += 1;
        debug_assert!(!self.bodies().is_too_fast(velocity_nearest(momentum, mass)));
    }

    /// True if sweeps accept the motion of a path, and it stays inside of the world.
    #[inline(always)]
    pub(super) fn accepts(&self, path: &Path) -> bool {
        path.displacement.within(MOTION_MAX_OF_ONE) && path.at(Toi::END).within(self.state.limits.extent)
    }

    /// Sets a body's displacement from the start of its path.
    ///
    /// A body that would leave the world is held; so is one whose separation from heavy and fast bodies would
    /// exceed the motion that a sweep accepts.
    #[inline(always)]
    pub fn set_motion(&mut self, index: BodyIndex, displacement: Vec3) {
        let path = &mut self.sim.bodies[index.place()].path;
        path.displacement = displacement;
        let path = *path;
        if !self.accepts(&path) {
            self.hold_from_limit(index);
        }
        debug_assert!(self.accepts(&self.bodies().body(index).path), "a path begins outside of the world");
    }

    /// Sets a body's displacement as it is found by a solver that ends with [`set_motion`](Self::set_motion).
    pub fn set_unchecked_motion(&mut self, index: BodyIndex, displacement: Vec3) {
        self.sim.bodies[index.place()].path.displacement = displacement;
    }

    /// Holds a body whose motion is not accepted, and reports why.
    #[cold]
    fn hold_from_limit(&mut self, index: BodyIndex) {
        let (id, path) = (self.bodies().id_of(index), self.bodies().body(index).path);
        let is_fast = !path.displacement.within(MOTION_MAX_OF_ONE);
        let list = if is_fast { &mut self.report.impact_limited } else { &mut self.report.out_of_bounds };
        list.push(id);
        self.hold(index);
    }

    /// Holds a body at the start of its path for the rest of the tick.
    ///
    /// A dynamic body's velocity becomes the displacement that it made in this tick, so neither gravity nor a
    /// jam builds up a velocity that did not occur. If it is displaced by depenetration its velocity becomes
    /// zero, because that displacement has no momentum. The velocity of a kinematic body belongs to the game.
    pub fn hold(&mut self, index: BodyIndex) {
        let body = &mut self.sim.bodies[index.place()];
        body.held = true;
        body.path.displacement = Vec3::ZERO;
        self.stop_turning(index, Cause::Holds);
        let body = self.bodies().body(index);
        if body.filter.body_type != BodyType::Dynamic {
            return;
        }
        let is_displaced = self.bodies().displacement_of(body) != Vec3::ZERO;
        let way = body.path.position - self.bodies().entry(body);
        let made = if is_displaced { Vec3::ZERO } else { momentum_wide(way, body.mass) };
        self.set_momentum(index, made, Cause::Holds);
        self.clamp_speed(index);
    }

    /// Counts an impact of a body.
    pub fn count_impact(&mut self, index: BodyIndex) {
        self.sim.bodies[index.place()].impacts += 1;
    }

    /// Gives a body's path a new number: impacts that were found for an earlier one are discarded.
    pub fn renew_path(&mut self, index: BodyIndex) {
        self.sim.bodies[index.place()].stamp += 1;
    }

    /// Puts a body that has hardly moved back to its position at the start of the tick.
    pub fn put_at_entry(&mut self, index: BodyIndex) {
        let entry = self.bodies().entry(self.bodies().body(index));
        self.sim.bodies[index.place()].path.position = entry;
    }
}

impl SimBodies {
    /// Adds a displacement by depenetration to the motion of a body, unless that leads out of the world.
    pub fn displace(&mut self, state: &State, index: BodyIndex, displacement: Vec3) {
        debug_assert!(displacement.within(state.limits.separation_speed), "{displacement:?} is too long");
        let body = &mut self.bodies[index.place()];
        let end = body.path.at(Toi::END) + displacement;
        if end.within(state.limits.extent) {
            body.path.displacement += displacement;
            self.displacements.resize(state.slots.len(), Vec3::ZERO);
            self.displacements[body.slot.place()] = displacement;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        num::{Scalar, lit},
        shape::Shape,
        state::{Command, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
        tick::{TickReport, World, bodies::body::SimBody, phases::Step},
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
            let displacement = Vec3::new(lit("0"), speed.parse().unwrap(), lit("0"));
            step.contact().bodies_mut().set_motion(BodyIndex(0), displacement);
            let body = *step.bodies().body(BodyIndex(0));
            assert_eq!((body.held, report.impact_limited.len()), (held, usize::from(held)), "{speed}");
            assert_eq!(body.path.displacement == Vec3::ZERO, held);
        }
    }

    /// A displacement by depenetration has no momentum: a body that is held during it keeps no velocity.
    #[test]
    fn a_held_body_has_the_velocity_of_its_own_displacement() {
        for (displacement, held) in [("0", "0.125"), ("0.5", "0"), ("-0.0000000003", "0")] {
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
            step.scratch.sim.displacements =
                vec![Vec3::new(displacement.parse().unwrap(), lit("0"), lit("0"))];
            step.scratch.sim.bodies[0].path.position = velocity.map_raw(|raw| raw / 8);
            step.contact().bodies_mut().hold(BodyIndex(0));
            let body = *step.bodies().body(BodyIndex(0));
            let speed = Vec3::new(held.parse().unwrap(), lit("0"), lit("0"));
            assert_eq!(body.momentum, momentum_wide(speed, 3), "{displacement}");
            let lost = body.momentum - momentum_wide(velocity, 3);
            assert_eq!(report.ledger[Cause::Holds], lost.raw().map(i128::from));
        }
    }

    /// A ball that rests at the origin of a small world, after a change of its path.
    fn changed(change: impl Fn(&mut Step)) -> SimBody {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::INELASTIC);
        builder.shape(Shape::sphere(lit("0.5")));
        let limits = Limits::new(60).with_extent(lit("64")).with_separation_speed(lit("0.25"));
        let mut world = World::new(limits, builder.build().unwrap()).unwrap();
        world.apply(&[Command::Spawn(Spawn::new(ShapeId(0), Vec3::ZERO))]).accepted().unwrap();
        let World { state, scenery, scratch, .. } = &mut world;
        let mut step = Step { state, scenery, scratch, report: &mut TickReport::default() };
        step.integrate();
        change(&mut step);
        *step.bodies().body(BodyIndex(0))
    }

    fn displaced_by(y: Scalar) -> SimBody {
        let displacement = Vec3::new(lit("0"), y, lit("0"));
        changed(|step| step.scratch.sim.displace(step.state, BodyIndex(0), displacement))
    }

    fn begun_at(x: Scalar) -> SimBody {
        changed(|step| {
            step.scratch.sim.body_mut(0).path.position.x = x;
            step.contact().bodies_mut().set_motion(BodyIndex(0), Vec3::ZERO);
        })
    }

    #[test]
    fn displacements_and_paths_up_to_the_limits_are_taken() {
        for y in [lit("0.25"), lit("-0.25")] {
            assert_eq!(displaced_by(y).path.displacement.y, y);
        }
        for x in [lit("64"), lit("-64")] {
            assert!(!begun_at(x).held, "{x}");
        }
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "is too long")]
    fn a_displacement_beyond_the_separation_speed_is_noticed() {
        displaced_by(lit("0.25") + Scalar::DELTA);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "a path begins outside of the world")]
    fn a_path_that_begins_outside_of_the_world_is_noticed() {
        begun_at(lit("64") + Scalar::DELTA);
    }
}
