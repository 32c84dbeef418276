//! rapier3d with its defaults, and with CCD on for every body. Its defaults sweep fast bodies against static
//! ones, and never against each other.

use bitstep::geom::Vec3;
use rapier3d::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, Vector};

use super::{Engine, Moment};
use crate::scenes::{Scene, armies::ACCELERATION};

/// A scene, and its balls in their order.
pub struct Rapier {
    pub world: PhysicsWorld,
    pub bodies: Vec<RigidBodyHandle>,
    /// How much faster bodies get in a tick, in units per second; `None` if they have a velocity at once.
    accel_max: Option<f32>,
}

pub fn build(scene: &Scene) -> Box<dyn Engine> {
    Box::new(Rapier::new(scene, false))
}

pub fn build_ccd(scene: &Scene) -> Box<dyn Engine> {
    Box::new(Rapier::new(scene, true))
}

impl Rapier {
    pub fn new(scene: &Scene, ccd: bool) -> Self {
        let mut world = PhysicsWorld { gravity: single(scene.gravity), ..PhysicsWorld::default() };
        world.integration_parameters.dt = 1.0 / scene.rate as f32;
        let restitution: f32 = scene.restitution.parse().expect("a decimal");
        let friction: f32 = scene.friction.parse().expect("a decimal");
        for fixed in &scene.boxes {
            let half = single(fixed.half);
            let shape = ColliderBuilder::cuboid(half.x, half.y, half.z).friction(friction);
            let place = RigidBodyBuilder::fixed().translation(single(fixed.center));
            world.insert(place, shape.restitution(restitution));
        }
        let radius = crate::decimal(scene.radius) as f32;
        let bodies = scene.balls.iter().map(|ball| {
            let body = RigidBodyBuilder::dynamic()
                .translation(single(ball.position))
                .linvel(single(ball.velocity))
                .can_sleep(scene.army.is_some())
                .enabled_translations(true, true, scene.army.is_none())
                .ccd_enabled(ccd);
            let body = if scene.rotates { body } else { body.lock_rotations() };
            let shape = if scene.cubes {
                ColliderBuilder::cuboid(radius, radius, radius)
            } else {
                ColliderBuilder::ball(radius)
            };
            world.insert(body, shape.mass(1.0).friction(friction).restitution(restitution)).0
        });
        let bodies = bodies.collect();
        let accel_max = scene.army.is_some().then_some(ACCELERATION as f32 / scene.rate as f32);
        Self { world, bodies, accel_max }
    }
}

impl Engine for Rapier {
    fn tick(&mut self, velocities: &[Vec3]) {
        for (body, velocity) in self.bodies.iter().zip(velocities) {
            let (body, velocity) = (&mut self.world.bodies[*body], single(*velocity));
            let Some(accel_max) = self.accel_max else {
                body.set_linvel(velocity, true);
                continue;
            };
            let now = body.linvel();
            if now != velocity {
                body.set_linvel(now + (velocity - now).clamp_length_max(accel_max), true);
            }
        }
        self.world.step();
    }

    fn read(&self) -> Vec<Moment> {
        let bodies = self.bodies.iter().map(|body| &self.world.bodies[*body]);
        bodies
            .map(|body| Moment {
                position: body.translation().as_dvec3(),
                velocity: body.linvel().as_dvec3(),
            })
            .collect()
    }
}

/// The nearest that 32 bits hold.
pub fn single(vector: Vec3) -> Vector {
    crate::double(vector).as_vec3()
}
