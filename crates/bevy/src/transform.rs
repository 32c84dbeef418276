//! Transforms between the last two ticks.

use bevy::prelude::*;
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
}

impl Interpolation {
    /// Shows a world as it is.
    pub fn begin(&mut self, world: &BitstepWorld) {
        self.now.fill(world);
        self.before.clone_from(&self.now);
        self.teleported.clear();
    }

    /// Takes the world after another tick.
    pub fn advance(&mut self, world: &BitstepWorld, mut teleported: Vec<BodyId>) {
        teleported.sort_unstable();
        std::mem::swap(&mut self.before, &mut self.now);
        self.now.fill(world);
        self.teleported = teleported;
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
pub type Shown<'a> = (Entity, &'a PhysicsBody, &'a mut Transform, Has<NoInterpolation>, Has<Absent>);

/// Sets the transforms of all bodies.
pub fn interpolate(
    interpolation: Res<Interpolation>,
    clock: Res<Time<Fixed>>,
    origin: Res<RenderOrigin>,
    mut bodies: Query<Shown>,
    mut commands: Commands,
) {
    set(&interpolation, (clock.overstep_fraction(), origin.0), bodies.iter_mut(), &mut commands);
}

/// Sets the transforms of entities that got a body in this frame, which would else be drawn elsewhere once.
pub fn place_new(
    interpolation: Res<Interpolation>,
    clock: Res<Time<Fixed>>,
    origin: Res<RenderOrigin>,
    mut bodies: Query<Shown, Added<PhysicsBody>>,
    mut commands: Commands,
) {
    set(&interpolation, (clock.overstep_fraction(), origin.0), bodies.iter_mut(), &mut commands);
}

fn set<'a>(
    interpolation: &Interpolation,
    (alpha, origin): (f32, geom::Vec3),
    bodies: impl Iterator<Item = (Entity, &'a PhysicsBody, Mut<'a, Transform>, bool, bool)>,
    commands: &mut Commands,
) {
    for (entity, body, mut transform, is_exact, is_absent) in bodies {
        let alpha = if is_exact { 1.0 } else { alpha };
        let pose = interpolation.pose(body.0, alpha, origin);
        if let Some(pose) = pose {
            let shown = Transform {
                translation: Vec3::from_array(pose.position),
                rotation: Quat::from_array(pose.orientation),
                scale: transform.scale,
            };
            transform.set_if_neq(shown);
        }
        match (pose.is_some(), is_absent) {
            (true, true) => drop(commands.entity(entity).try_remove::<Absent>()),
            (false, false) => drop(commands.entity(entity).try_insert(Absent)),
            _ => {}
        }
    }
}
