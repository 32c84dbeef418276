//! rapier3d with its defaults, tuned to overlap less, and with CCD on for every body. Its defaults sweep fast
//! bodies against static ones, and never against each other.

use bitstep::geom::Vec3;
use rapier3d::prelude::{
    ColliderBuilder, IntegrationParameters, PhysicsWorld, Pose, RigidBodyBuilder, RigidBodyHandle, Vector,
};

use super::{Engine, Moment, quaternion};
use crate::scenes::{Form, Scene, Start, armies::ACCELERATION};

/// The bytes of a state: little-endian, integers at their full width, as bincode 1 has it and rapier's own tests
/// of snapshots.
pub const LAYOUT: bincode::config::Configuration<bincode::config::LittleEndian, bincode::config::Fixint> =
    bincode::config::legacy();

/// A scene, and its bodies in their order.
pub struct Rapier {
    pub world: PhysicsWorld,
    pub bodies: Vec<RigidBodyHandle>,
    ccd: bool,
    /// How much faster bodies get in a tick, in units per second; `None` if they have a velocity at once.
    accel_max: Option<f32>,
}

pub fn build(scene: &Scene) -> Box<dyn Engine> {
    Box::new(Rapier::new(scene, false))
}

pub fn build_ccd(scene: &Scene) -> Box<dyn Engine> {
    Box::new(Rapier::new(scene, true))
}

pub fn build_tuned(scene: &Scene) -> Box<dyn Engine> {
    let mut rapier = Rapier::new(scene, false);
    tune(&mut rapier.world.integration_parameters);
    Box::new(rapier)
}

/// Contacts four and two times as stiff as by default, found as far ahead as a body comes in a tick of a
/// landing, and found again in every tick: the least with which bodies overlap by less than a hundredth of a
/// radius in all heaps of a hundred that have come to rest. The README says what larger ones take.
fn tune(parameters: &mut IntegrationParameters) {
    parameters.contact_softness.natural_frequency = 120.0;
    parameters.static_contact_softness.natural_frequency = 120.0;
    parameters.normalized_prediction_distance = 0.1;
    parameters.contact_recycling = false;
}

impl Rapier {
    pub fn new(scene: &Scene, ccd: bool) -> Self {
        let mut world = PhysicsWorld { gravity: single(scene.gravity), ..PhysicsWorld::default() };
        world.integration_parameters.dt = 1.0 / scene.rate as f32;
        let [restitution, friction] = surface(scene);
        for fixed in &scene.boxes {
            let half = single(fixed.half);
            let shape = ColliderBuilder::cuboid(half.x, half.y, half.z).friction(friction);
            let place = RigidBodyBuilder::fixed().translation(single(fixed.center));
            world.insert(place, shape.restitution(restitution));
        }
        let accel_max = scene.army.is_some().then_some(ACCELERATION as f32 / scene.rate as f32);
        let mut rapier = Self { world, bodies: Vec::with_capacity(scene.bodies.len()), ccd, accel_max };
        scene.bodies.iter().for_each(|start| rapier.add(scene, start));
        if let Some((plate, turn)) = &scene.turntable {
            let half = single(plate.half);
            let shape = ColliderBuilder::cuboid(half.x, half.y, half.z).friction(friction);
            let place = RigidBodyBuilder::kinematic_velocity_based().translation(single(plate.center));
            let turning = place.angvel(Vector::Z * crate::decimal(*turn) as f32);
            rapier.world.insert(turning, shape.restitution(restitution));
        }
        rapier
    }
}

/// Restitution and friction.
fn surface(scene: &Scene) -> [f32; 2] {
    [scene.restitution, scene.friction].map(|decimal| decimal.parse().expect("a decimal"))
}

fn collider(scene: &Scene) -> ColliderBuilder {
    let radius = crate::decimal(scene.radius) as f32;
    match scene.form {
        Form::Ball => ColliderBuilder::ball(radius),
        Form::Box(half) => {
            let half = single(half);
            ColliderBuilder::cuboid(half.x, half.y, half.z)
        }
        Form::Capsule(half_axis) => {
            let end = single(half_axis);
            ColliderBuilder::capsule_from_endpoints(-end, end, radius)
        }
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
                orientation: body.rotation().as_dquat(),
            })
            .collect()
    }

    fn add(&mut self, scene: &Scene, start: &Start) {
        let pose = Pose::from_parts(single(start.position), quaternion(start.orientation).as_quat());
        let body = RigidBodyBuilder::dynamic()
            .pose(pose)
            .linvel(single(start.velocity))
            .angvel(single(start.angular_velocity))
            .can_sleep(scene.sleeps)
            .enabled_translations(true, true, scene.army.is_none())
            .ccd_enabled(self.ccd);
        let body = if scene.rotates { body } else { body.lock_rotations() };
        let [restitution, friction] = surface(scene);
        let shape = collider(scene).mass(1.0).friction(friction).restitution(restitution);
        self.bodies.push(self.world.insert(body, shape).0);
    }

    fn awake(&self) -> usize {
        self.bodies.iter().filter(|body| !self.world.bodies[**body].is_sleeping()).count()
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(bincode::serde::encode_to_vec(&self.world, LAYOUT).expect("a world"))
    }

    fn restore(&mut self, bytes: &[u8]) {
        (self.world, _) = bincode::serde::decode_from_slice(bytes, LAYOUT).expect("a world");
        let dynamic = self.world.bodies.iter().filter(|(_, body)| body.is_dynamic());
        self.bodies = dynamic.map(|(handle, _)| handle).collect();
    }
}

/// The nearest that 32 bits hold.
pub fn single(vector: Vec3) -> Vector {
    crate::double(vector).as_vec3()
}
