//! Box3D: distances and casts of its proxies, which are points and a radius; impacts by its world with its defaults. Its casts aim at
//! a distance of .005 units between solids with corners, and at as much of overlap where one is round.

use bitstep_conformance::{Depth, Engine, Impact, Point, Scene};
use boxddd::{
    BodyType, Foundation, MotionLocks, Quat, Sphere, Transform,
    collision::{DistanceInput, ShapeCastPairInput, ShapeProxy, shape_cast_pair, shape_distance},
};
use num_rational::BigRational;

use super::{RATE, core, length, ratio, ratios, settled, vector};

pub struct Box3d;

/// Both proxies, and B's place.
fn both(scene: &Scene) -> Option<([ShapeProxy; 2], Transform)> {
    let (a, radius_a) = core(&scene.a, scene.unit)?;
    let (b, radius_b) = core(&scene.b, scene.unit)?;
    let proxy = |points: Vec<[f32; 3]>, radius| {
        ShapeProxy::new(points.into_iter().map(Into::into).collect::<Vec<_>>(), radius).ok()
    };
    let place = Transform::new(vector(scene.offset, scene.unit).into(), Quat::IDENTITY);
    Some(([proxy(a, radius_a)?, proxy(b, radius_b)?], place))
}

fn distance(scene: &Scene) -> Option<f32> {
    Foundation::initialize_default().ok()?;
    let ([a, b], place) = both(scene)?;
    Some(shape_distance(DistanceInput::new(a, b, place).ok()?).ok()?.distance)
}

impl Engine for Box3d {
    fn name(&self) -> String {
        "Box3D (boxddd 0.4)".into()
    }

    fn overlap(&mut self, scene: &Scene) -> Option<bool> {
        Some(distance(scene)? <= 0.0)
    }

    fn distance(&mut self, scene: &Scene) -> Option<BigRational> {
        ratio(distance(scene)?, scene.unit)
    }

    /// Its manifolds have depths, its functions for proxies none.
    fn depth(&mut self, _: &Depth) -> Option<BigRational> {
        None
    }

    fn sweep(&mut self, scene: &Scene, motion: Point) -> Option<Option<(BigRational, [BigRational; 3])>> {
        Foundation::initialize_default().ok()?;
        let ([a, b], place) = both(scene)?;
        let input = ShapeCastPairInput::new(a, b, place, vector(motion, scene.unit));
        let output = shape_cast_pair(input.ok()?).ok()?;
        if !output.hit {
            return Some(None);
        }
        let normal: [f32; 3] = [output.normal.x, output.normal.y, output.normal.z];
        Some(Some((ratio(output.fraction, 0)?, ratios(normal, 0)?)))
    }

    fn response(&mut self, impact: &Impact) -> Option<[[[BigRational; 3]; 2]; 2]> {
        let foundation = Foundation::initialize_default().ok()?;
        let settings = foundation.world_def_builder().gravity([0.0; 3]).enable_sleep(false);
        let mut world = foundation.create_world(settings.restitution_threshold(0.0).build().ok()?).ok()?;
        let mut bodies = Vec::new();
        for i in 0..2 {
            let locks =
                MotionLocks { angular_x: true, angular_y: true, angular_z: true, ..MotionLocks::default() };
            let radius = length(impact.radii[i], impact.unit);
            let fixed = impact.masses[i] == 0;
            let body = foundation
                .body_def_builder()
                .body_type(if fixed { BodyType::Static } else { BodyType::Dynamic })
                .position(vector([[0; 3], impact.offset][i], impact.unit))
                .linear_velocity(vector(impact.motions[i], impact.unit).map(|part| part * RATE))
                .motion_locks(locks);
            let body = world.create_body(body.build().ok()?).ok()?;
            let volume = 4.0 / 3.0 * std::f32::consts::PI * radius.powi(3);
            let surface =
                foundation.shape_def_builder().restitution(impact.restitution as f32 / 16.0).friction(0.0);
            let surface = surface.density(impact.masses[i] as f32 / volume).build().ok()?;
            world.create_sphere_shape(body, &surface, &Sphere::new([0.0; 3], radius)).ok()?;
            bodies.push(body);
        }
        settled(impact, || {
            world.step(1.0 / RATE, 4).expect("a step of Box3D");
            [bodies[0], bodies[1]].map(|body| {
                let place = world.body_position(body).expect("a body of Box3D");
                let velocity = world.body_linear_velocity(body).expect("a body of Box3D");
                [[place.x, place.y, place.z], [velocity.x, velocity.y, velocity.z]]
            })
        })
    }
}
