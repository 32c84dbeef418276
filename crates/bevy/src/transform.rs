//! Transforms between the last two ticks.

use std::time::Duration;

use bevy::{ecs::system::SystemParam, prelude::*};
use bitstep::{World as BitstepWorld, geom, state::BodyId};
use bitstep_draw::{Frame, Pose};

use crate::{Absent, NoInterpolation, PhysicsBody};

/// The position in the world, in units, that is the origin of the transforms: zero by default.
///
/// A `Transform` has 24 bits for a position. A game whose world is large moves this origin with its camera: the difference is exact
/// before it is rounded.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RenderOrigin(pub geom::Vec3);

/// The poses after the last two ticks.
#[derive(Resource, Default, Debug)]
pub struct Interpolation {
    before: Frame,
    now: Frame,
    /// The bodies that the last tick teleported, by id: they are shown where they are.
    teleported: Vec<BodyId>,
    /// The fixed time of the last tick.
    time: Duration,
}

impl Interpolation {
    /// Shows a world as it is.
    pub fn begin(&mut self, world: &BitstepWorld) {
        self.now.fill(world);
        self.before.clone_from(&self.now);
        self.teleported.clear();
    }

    /// Shows no world.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes the world after another tick, at a fixed time.
    pub fn advance(&mut self, world: &BitstepWorld, mut teleported: Vec<BodyId>, time: Duration) {
        self.time = time;
        teleported.sort_unstable();
        std::mem::swap(&mut self.before, &mut self.now);
        self.now.fill(world);
        self.teleported = teleported;
    }

    /// The fraction of the way from the pose before to the last; 1 when the clock goes on without ticks.
    fn alpha(&self, clock: &Time<Fixed>) -> f32 {
        if clock.elapsed() == self.time { clock.overstep_fraction() } else { 1.0 }
    }

    /// The pose of a body at `alpha` of the way between the two; `None` if it is gone.
    fn pose(&self, body: BodyId, alpha: f32, origin: geom::Vec3) -> Option<Pose> {
        let now = Pose::new(&self.now.pose(body)?, origin);
        let before = self.before.pose(body).filter(|_| self.teleported.binary_search(&body).is_err());
        let before = before.map_or(now, |before| Pose::new(&before, origin));
        Some(before.between(&now, alpha))
    }
}

/// The components that decide on the transform of a body.
type Shown<'a> = (Entity, Ref<'a, PhysicsBody>, &'a mut Transform, Has<NoInterpolation>, Has<Absent>);

/// The bodies as they are shown.
#[derive(SystemParam)]
pub struct View<'w, 's> {
    interpolation: Res<'w, Interpolation>,
    clock: Res<'w, Time<Fixed>>,
    origin: Res<'w, RenderOrigin>,
    bodies: Query<'w, 's, Shown<'static>>,
    commands: Commands<'w, 's>,
}

/// Sets the transforms of all bodies.
pub fn interpolate(mut view: View) {
    view.place(|_| true);
}

/// Sets the transforms of entities that got a body since the last frame, and all if the origin was set: `Update` comes behind
/// [`interpolate`], and they would be drawn elsewhere once.
pub fn place_changed(mut view: View) {
    let is_moved = view.origin.is_changed();
    view.place(|body| is_moved || body.is_changed());
}

impl View<'_, '_> {
    fn place(&mut self, is_set: impl Fn(&Ref<PhysicsBody>) -> bool) {
        let alpha = self.interpolation.alpha(&self.clock);
        for (entity, body, mut transform, is_exact, is_absent) in &mut self.bodies {
            if !is_set(&body) {
                continue;
            }
            let pose = self.interpolation.pose(body.0, if is_exact { 1.0 } else { alpha }, self.origin.0);
            if let Some(pose) = pose {
                let shown = Transform {
                    translation: Vec3::from_array(pose.position),
                    rotation: Quat::from_array(pose.orientation),
                    scale: transform.scale,
                };
                transform.set_if_neq(shown);
            }
            match (pose.is_some(), is_absent) {
                (true, true) => drop(self.commands.entity(entity).try_remove::<Absent>()),
                (false, false) => drop(self.commands.entity(entity).try_insert(Absent)),
                _ => {}
            }
        }
    }
}
