//! The rotation of bodies: the counterpart of `trajectory.rs` for their orientations.

use super::{
    BodiesMut,
    body::BodyIndex,
    damping::damped,
    rotation::{SimRotation, axes_of},
};
use crate::{
    geom::{AngularMotion, Vec3},
    num::{Toi, index::IndexOf},
    shape::{Shape, gyration_nearest},
    state::{Body, BodyType, Locks, SlotIndex},
    tick::Cause,
};

impl<'a> BodiesMut<'a> {
    /// Creates the rotation of a body that rotates; returns its index.
    ///
    /// Most bodies begin a tick as they ended the last one: what follows from shape, mass and orientation is then taken from there.
    pub(super) fn spin_up(&mut self, slot: SlotIndex, body: &Body) -> Option<IndexOf<SimRotation>> {
        let (spin, shape) = (body.spin?, self.scenery.hull(body.shape));
        let last = self.sim.last_rotation(slot, body);
        let (inertia, gyration) = match last {
            Some(last) => (last.inertia, last.gyration),
            None => {
                // The state was checked: a body that rotates has moments of inertia.
                let inertia = self.scenery.inertia(body.shape, body.mass).ok()?;
                (inertia, gyration_nearest(&inertia, body.mass))
            }
        };
        let is_same =
            |last: &&SimRotation| last.locks == body.locks && last.orientation() == spin.orientation;
        let posed = || (shape.turned(spin.orientation), axes_of(shape, body.locks, spin.orientation));
        let (form, axes) = last.filter(is_same).map_or_else(posed, |last| (last.form.clone(), last.axes));
        debug_assert!(
            posed() == (form.clone(), axes)
                && self.scenery.inertia(body.shape, body.mass).is_ok_and(|it| it == inertia),
            "the rotation of the last tick is another one in slot {slot:?}"
        );
        let is_dynamic = body.body_type == BodyType::Dynamic;
        let angular_momentum = match is_dynamic {
            true => damped(spin.angular_momentum, body.damping_q16),
            false => spin.angular_momentum,
        };
        let mut rotation = SimRotation {
            mass: body.mass,
            locks: body.locks,
            angular_momentum,
            turning: AngularMotion::still(spin.orientation),
            inertia,
            gyration,
            is_compound: self.scenery.is_compound(body.shape),
            form,
            axes,
            rotation_changes: 0,
            derivatives: None,
            is_slowed: false,
        };
        self.report.speed_clamped += u32::from(rotation.free_step());
        if is_dynamic {
            self.report.record_spin(Cause::Damping, spin.angular_momentum, angular_momentum);
            self.report.record_spin(Cause::Clamps, angular_momentum, rotation.angular_momentum);
        }
        IndexOf::push(&mut self.sim.rotations, rotation)
    }

    /// Keeps all rotating bodies in the plane of a flat world, whatever the rounding of normals.
    pub(super) fn keep_flat(&mut self) {
        if self.state.limits.flat && self.sim.any_rotates() {
            self.sim.bodies.iter_mut().for_each(|body| body.locks = body.locks.and(Locks::Z));
        }
    }

    /// Removes the angular momenta about locked axes at the end of the tick, and clamps the rest to the limit
    /// of a state.
    pub fn take_locked(&mut self) {
        for index in self.sim.indices() {
            if self.bodies().body(index).filter.body_type == BodyType::Dynamic {
                self.change_rotation(index, Cause::Locks, SimRotation::take_locked);
                let is_clamped = self.change_rotation(index, Cause::Clamps, SimRotation::keep_to_limit);
                self.report.speed_clamped += u32::from(is_clamped == Some(true));
            }
        }
    }

    /// Advances a body to an instant of its path.
    #[inline]
    pub fn advance(&mut self, index: BodyIndex, toi: Toi) {
        if self.bodies().body(index).rotates() {
            self.advance_rotation(index, toi);
        }
        let body = &mut self.sim.bodies[index.place()];
        let before = body.path.position;
        body.path = body.path.from(toi);
        let after = body.path.position;
        self.account_way(index, before, after);
    }

    /// Rotates a body to an instant of its path.
    #[inline(never)]
    fn advance_rotation(&mut self, index: BodyIndex, toi: Toi) {
        let path = self.bodies().body(index).path;
        let hull = self.hull_of(index);
        self.change_rotation(index, Cause::Locks, |rotation| rotation.advance(toi.since(path.start), hull));
    }

    fn hull_of(&self, index: BodyIndex) -> &'a Shape {
        self.scenery.hull(self.bodies().body(index).shape)
    }

    /// Sets a body's rotation from the start of its path by its angular momentum.
    pub fn set_rotation(&mut self, index: BodyIndex) {
        self.change_rotation(index, Cause::Locks, SimRotation::take_locked);
        let hull = self.hull_of(index);
        let is_clamped = self.change_rotation(index, Cause::Clamps, |rotation| {
            let is_clamped = rotation.free_step();
            rotation.find_derivatives(hull);
            is_clamped
        });
        self.report.speed_clamped += u32::from(is_clamped == Some(true));
    }

    /// Sets a body's rotation from the start of its path about a constant axis; its angular momentum stays.
    pub fn rotate_by(&mut self, index: BodyIndex, spin: Vec3) {
        let hull = self.hull_of(index);
        if let Some(rotation) = self.sim.rotation_mut(index) {
            rotation.rotate_by(spin);
            rotation.find_derivatives(hull);
        }
    }

    /// Ends a body's rotation at the start of its path; its angular momentum stays.
    pub fn stand_still(&mut self, index: BodyIndex) {
        if let Some(rotation) = self.sim.rotation_mut(index) {
            rotation.stand_still();
        }
    }

    /// Slows a body's rotation by a power of two for the rest of the tick; its angular momentum stays.
    pub fn slow_rotation(&mut self, index: BodyIndex, shift: u32) {
        let hull = self.hull_of(index);
        if let Some(rotation) = self.sim.rotation_mut(index) {
            rotation.slow_down(shift);
            rotation.find_derivatives(hull);
        }
    }

    /// Marks a body that rotates less than its momentum implies.
    pub fn mark_slowed(&mut self, index: BodyIndex) {
        if let Some(rotation) = self.sim.rotation_mut(index) {
            rotation.is_slowed = true;
        }
    }

    /// Stops a body's rotation at the start of its path; a dynamic body loses its angular momentum.
    pub(super) fn stop_turning(&mut self, index: BodyIndex, cause: Cause) {
        let is_dynamic = self.bodies().body(index).filter.body_type == BodyType::Dynamic;
        self.change_rotation(index, cause, |rotation| {
            rotation.stand_still();
            if is_dynamic {
                rotation.angular_momentum = Vec3::ZERO;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::Rotation,
        num::lit,
        shape::Shape,
        state::{BodyId, Command, Limits, Material, SceneryBuilder, ShapeId, Spawn},
        tick::{TickReport, World, phases::Step},
    };

    /// Two boxes and a ball that spin; the second box is shorter in another scenery.
    fn boxes(short: bool) -> World {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::INELASTIC);
        for length in [lit("0.5"), if short { lit("0.3") } else { lit("0.6") }] {
            builder.shape(Shape::obb(Vec3::new(length, lit("0.4"), lit("0.3")), Rotation::IDENTITY));
        }
        builder.shape(Shape::sphere(lit("0.5")));
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        for (x, shape) in [("0", 0), ("4", 1), ("8", 2)] {
            let angular_velocity = Vec3::lit("0.1", "0.2", "-0.1");
            let spawn = Spawn::new(ShapeId(shape), Vec3::new(x.parse().unwrap(), lit("0"), lit("0")));
            let spawn = Command::Spawn(Spawn { rotates: true, angular_velocity, ..spawn });
            world.apply(&[spawn]).accepted().unwrap();
        }
        world
    }

    /// The rotations at the beginning of the next tick.
    fn begun(world: &mut World) -> Vec<SimRotation> {
        let World { state, scenery, scratch, .. } = world;
        let mut step = Step { state, scenery, scratch, report: &mut TickReport::default() };
        step.integrate();
        step.scratch.sim.rotations.clone()
    }

    /// Runs two ticks; changes the rotations that are kept in between.
    #[cfg(debug_assertions)]
    fn step_with(change: impl Fn(&mut [SimRotation])) {
        let mut world = boxes(false);
        world.step(&mut TickReport::default());
        change(&mut world.scratch.sim.rotations);
        world.step(&mut TickReport::default());
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "the rotation of the last tick is another one in slot 1")]
    fn a_rotation_of_the_last_tick_with_another_inertia_is_noticed() {
        step_with(|rotations| rotations[1].inertia = rotations[0].inertia);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "the rotation of the last tick is another one in slot 1")]
    fn a_rotation_of_the_last_tick_with_another_form_is_noticed() {
        step_with(|rotations| rotations[1].form = rotations[0].form.clone());
    }

    #[test]
    fn rotations_taken_from_the_last_tick_are_those_of_a_world_without_one() {
        let [first, second, third] = [0, 1, 2].map(|slot| BodyId::from_parts(slot, 0));
        let (position, orientation) = (Vec3::lit("0", "3", "0"), Some(Rotation::IDENTITY));
        let box_of = |shape, mass| {
            Command::Spawn(Spawn {
                rotates: true,
                mass,
                ..Spawn::new(ShapeId(shape), Vec3::lit("0", "6", "0"))
            })
        };
        let changes: [&[Command]; 6] = [
            &[],
            &[Command::Teleport { body: first, position, orientation, allow_overlap: false }],
            &[Command::SetShape { body: first, shape: ShapeId(1), allow_overlap: false }],
            &[Command::SetLocks { body: third, locks: Locks::TURN_X }],
            &[Command::Remove { body: first }, box_of(0, 7)],
            &[Command::Remove { body: first }, Command::Remove { body: second }, box_of(1, 1)],
        ];
        for commands in changes {
            let mut world = boxes(false);
            (0..3).for_each(|_| world.step(&mut TickReport::default()));
            world.apply(commands).accepted().unwrap();
            let fresh = begun(&mut world.clone());
            assert_eq!(begun(&mut world), fresh, "{commands:?}");
        }
        let (mut world, mut other) = (boxes(false), boxes(true));
        for _ in 0..3 {
            world.step(&mut TickReport::default());
            other.step(&mut TickReport::default());
        }
        other.clone_from(&world);
        assert_eq!(begun(&mut other), begun(&mut world.clone()), "with the shapes of another scenery");
    }
}
