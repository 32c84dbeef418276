//! Box3D with its defaults and four internal steps, as it recommends; and with every body a bullet. Its
//! defaults sweep fast bodies against static ones; a bullet is swept against moving bodies too, but not
//! against another bullet.

use bitstep::geom::Vec3;
use boxddd::{BodyId, BodyType, BoxHull, Foundation, MotionLocks, Sphere, World};
use glam::DVec3;

use super::{Engine, Moment};
use crate::scenes::{Scene, armies::ACCELERATION};

const INTERNAL_STEPS: i32 = 4;

struct Box3d {
    world: World,
    bodies: Vec<BodyId>,
    rate: f32,
    /// How much faster bodies get in a tick, in units per second; `None` if they have a velocity at once.
    accel_max: Option<f64>,
}

pub fn build(scene: &Scene) -> Box<dyn Engine> {
    Box::new(Box3d::new(scene, false).expect("a scene that Box3D accepts"))
}

pub fn build_bullet(scene: &Scene) -> Box<dyn Engine> {
    Box::new(Box3d::new(scene, true).expect("a scene that Box3D accepts"))
}

impl Box3d {
    fn new(scene: &Scene, bullet: bool) -> boxddd::Result<Self> {
        let foundation = Foundation::initialize_default()?;
        let mut settings =
            foundation.world_def_builder().gravity(single(scene.gravity)).enable_sleep(scene.army.is_some());
        if scene.restitution == "1" {
            settings = settings.restitution_threshold(0.0); // by default slow impacts do not bounce
        }
        let mut world = foundation.create_world(settings.build()?)?;
        let friction = scene.friction.parse().expect("a decimal");
        let surface = foundation.shape_def_builder().friction(friction);
        let surface = surface.restitution(scene.restitution.parse().expect("a decimal"));
        for fixed in &scene.boxes {
            let half = single(fixed.half);
            let body = foundation.body_def_builder().position(single(fixed.center)).build()?;
            let body = world.create_body(body)?;
            let hull = BoxHull::new(half[0], half[1], half[2])?;
            world.create_hull_shape(body, &surface.clone().build()?, &hull)?;
        }
        let radius = crate::decimal(scene.radius) as f32;
        let part = if scene.cubes { 8.0 } else { 4.0 / 3.0 * std::f32::consts::PI };
        let volume = part * radius.powi(3);
        let surface = surface.density(1.0 / volume).build()?;
        let locked = !scene.rotates;
        let linear_z = scene.army.is_some();
        let locks = MotionLocks {
            linear_z,
            angular_x: locked,
            angular_y: locked,
            angular_z: locked,
            ..MotionLocks::default()
        };
        let cube = BoxHull::new(radius, radius, radius)?;
        let mut bodies = Vec::with_capacity(scene.balls.len());
        for ball in &scene.balls {
            let body = foundation
                .body_def_builder()
                .body_type(BodyType::Dynamic)
                .position(single(ball.position))
                .linear_velocity(single(ball.velocity))
                .motion_locks(locks)
                .bullet(bullet);
            let body = world.create_body(body.build()?)?;
            if scene.cubes {
                world.create_hull_shape(body, &surface, &cube)?;
            } else {
                world.create_sphere_shape(body, &surface, &Sphere::new([0.0; 3], radius))?;
            }
            bodies.push(body);
        }
        let rate = scene.rate as f32;
        let accel_max = scene.army.is_some().then_some(ACCELERATION as f64 / f64::from(rate));
        Ok(Self { world, bodies, rate, accel_max })
    }

    fn steer(&mut self, velocities: &[Vec3]) -> boxddd::Result<()> {
        for (body, velocity) in self.bodies.iter().zip(velocities) {
            let Some(accel_max) = self.accel_max else {
                self.world.set_body_linear_velocity(*body, single(*velocity))?;
                continue;
            };
            let now = self.moment(*body)?.velocity;
            let lacking = crate::double(*velocity) - now;
            if lacking != DVec3::ZERO {
                let next = now + lacking.clamp_length_max(accel_max);
                self.world.set_body_linear_velocity(*body, next.as_vec3().to_array())?;
            }
        }
        self.world.step(1.0 / self.rate, INTERNAL_STEPS)
    }

    fn moment(&self, body: BodyId) -> boxddd::Result<Moment> {
        let (position, velocity) = (self.world.body_position(body)?, self.world.body_linear_velocity(body)?);
        Ok(Moment {
            position: DVec3::from([position.x, position.y, position.z].map(f64::from)),
            velocity: DVec3::from([velocity.x, velocity.y, velocity.z].map(f64::from)),
        })
    }
}

impl Engine for Box3d {
    fn tick(&mut self, velocities: &[Vec3]) {
        self.steer(velocities).expect("a step of Box3D");
    }

    fn read(&self) -> Vec<Moment> {
        self.bodies.iter().map(|body| self.moment(*body).expect("a body of Box3D")).collect()
    }
}

fn single(vector: Vec3) -> [f32; 3] {
    crate::double(vector).as_vec3().to_array()
}
