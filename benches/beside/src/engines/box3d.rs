//! Box3D with its defaults and four internal steps, as it recommends; and with every body a bullet. Its
//! defaults sweep fast bodies against static ones; a bullet is swept against moving bodies too, but not
//! against another bullet.

use bitstep::geom::Vec3;
use boxddd::{
    BodyDefBuilder, BodyId, BodyType, BoxHull, Capsule, Foundation, MotionLocks, Quat, ShapeDef, Sphere,
    World,
};
use glam::{DQuat, DVec3};

use super::{Engine, Moment, quaternion, volume};
use crate::scenes::{Form, Scene, Start, armies::ACCELERATION};

const INTERNAL_STEPS: i32 = 4;

struct Box3d {
    foundation: &'static Foundation,
    world: World,
    bodies: Vec<BodyId>,
    bullets: bool,
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
    fn new(scene: &Scene, bullets: bool) -> boxddd::Result<Self> {
        let foundation = Foundation::initialize_default()?;
        let mut settings =
            foundation.world_def_builder().gravity(single(scene.gravity)).enable_sleep(scene.sleeps);
        if scene.restitution == "1" {
            settings = settings.restitution_threshold(0.0); // by default slow impacts do not bounce
        }
        let world = foundation.create_world(settings.build()?)?;
        let rate = scene.rate as f32;
        let accel_max = scene.army.is_some().then_some(ACCELERATION as f64 / f64::from(rate));
        let mut all = Self { foundation, world, bodies: Vec::new(), bullets, rate, accel_max };
        for fixed in &scene.boxes {
            let body = all.foundation.body_def_builder().position(single(fixed.center));
            all.add_box(scene, body, fixed.half)?;
        }
        for start in &scene.bodies {
            all.add_body(scene, start)?;
        }
        if let Some((plate, turn)) = &scene.turntable {
            let turning = [0.0, 0.0, crate::decimal(*turn) as f32];
            let body = all.foundation.body_def_builder().body_type(BodyType::Kinematic);
            all.add_box(scene, body.position(single(plate.center)).angular_velocity(turning), plate.half)?;
        }
        Ok(all)
    }

    /// A static or kinematic box.
    fn add_box(&mut self, scene: &Scene, body: BodyDefBuilder, half: Vec3) -> boxddd::Result<()> {
        let body = self.world.create_body(body.build()?)?;
        let half = single(half);
        let hull = BoxHull::new(half[0], half[1], half[2])?;
        self.world.create_hull_shape(body, &self.surface(scene)?, &hull)?;
        Ok(())
    }

    fn add_body(&mut self, scene: &Scene, start: &Start) -> boxddd::Result<()> {
        let locked = !scene.rotates;
        let locks = MotionLocks {
            linear_z: scene.army.is_some(),
            angular_x: locked,
            angular_y: locked,
            angular_z: locked,
            ..MotionLocks::default()
        };
        let orientation = quaternion(start.orientation).as_quat();
        let [x, y, z, w] = orientation.to_array();
        let body = self
            .foundation
            .body_def_builder()
            .body_type(BodyType::Dynamic)
            .position(single(start.position))
            .rotation(Quat { v: [x, y, z].into(), s: w })
            .linear_velocity(single(start.velocity))
            .angular_velocity(single(start.angular_velocity))
            .motion_locks(locks)
            .bullet(self.bullets);
        let body = self.world.create_body(body.build()?)?;
        let surface = self.surface(scene)?;
        let radius = crate::decimal(scene.radius) as f32;
        match scene.form {
            Form::Ball => {
                self.world.create_sphere_shape(body, &surface, &Sphere::new([0.0; 3], radius))?;
            }
            Form::Box(half) => {
                let half = single(half);
                let hull = BoxHull::new(half[0], half[1], half[2])?;
                self.world.create_hull_shape(body, &surface, &hull)?;
            }
            Form::Capsule(half_axis) => {
                let [start, end] = [-half_axis, half_axis].map(single);
                self.world.create_capsule_shape(body, &surface, &Capsule::new(start, end, radius))?;
            }
        }
        self.bodies.push(body);
        Ok(())
    }

    /// The surface of all shapes, with the density of the bodies.
    fn surface(&self, scene: &Scene) -> boxddd::Result<ShapeDef> {
        let [restitution, friction] =
            [scene.restitution, scene.friction].map(|decimal| decimal.parse().expect("a decimal"));
        let surface = self.foundation.shape_def_builder().restitution(restitution).friction(friction);
        surface.density(1.0 / volume(scene) as f32).build()
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
        let Quat { v, s } = self.world.body_rotation(body)?;
        Ok(Moment {
            position: DVec3::from([position.x, position.y, position.z].map(f64::from)),
            velocity: DVec3::from([velocity.x, velocity.y, velocity.z].map(f64::from)),
            orientation: DQuat::from_array([v.x, v.y, v.z, s].map(f64::from)),
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

    fn add(&mut self, scene: &Scene, start: &Start) {
        self.add_body(scene, start).expect("a body that Box3D accepts");
    }

    fn awake(&self) -> usize {
        self.bodies.iter().filter(|body| self.world.body_awake(**body).expect("a body of Box3D")).count()
    }
}

fn single(vector: Vec3) -> [f32; 3] {
    crate::double(vector).as_vec3().to_array()
}
