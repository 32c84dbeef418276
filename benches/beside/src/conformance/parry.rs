//! parry, with its defaults; impacts by rapier.

use bitstep_conformance::{Depth, Engine, Impact, Point, Scene, Solid};
use num_rational::BigRational;
use parry3d::{
    math::{Pose, Rotation, Vector},
    query::{ShapeCastOptions, cast_shapes, contact, distance, intersection_test},
    shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, HalfSpace, SharedShape},
};
use rapier3d::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder};

use super::{RATE, core, length, quaternion, ratio, ratios, settled, vector};

pub struct Parry;

/// A shape and its pose at the origin.
fn shape(solid: &Solid, unit: i32) -> Option<SharedShape> {
    let part = |point: Point| Vector::from(vector(point, unit));
    Some(match solid {
        Solid::Sphere(radius) => SharedShape::new(Ball::new(length(*radius, unit))),
        Solid::Capsule { axis, radius } => {
            SharedShape::new(Capsule::new(-part(*axis), part(*axis), length(*radius, unit)))
        }
        Solid::Box(half) | Solid::TurnedBox { half, .. } => SharedShape::new(Cuboid::new(part(*half))),
        Solid::Plane(normal) => {
            let normal = Vector::from(normal.map(|part| part as f32));
            SharedShape::new(HalfSpace::new(normal.normalize()))
        }
        _ => {
            let points: Vec<Vector> = core(solid, unit)?.0.into_iter().map(Vector::from).collect();
            SharedShape::new(ConvexPolyhedron::from_convex_hull(&points)?)
        }
    })
}

fn pose(solid: &Solid, place: [f32; 3]) -> Pose {
    let [x, y, z, w] = quaternion(solid);
    Pose::from_parts(place.into(), Rotation::from_xyzw(x, y, z, w))
}

/// Both shapes at their poses.
fn both(scene: &Scene) -> Option<[(SharedShape, Pose); 2]> {
    let [a, b] = [&scene.a, &scene.b].map(|solid| shape(solid, scene.unit));
    Some([(a?, pose(&scene.a, [0.0; 3])), (b?, pose(&scene.b, vector(scene.offset, scene.unit)))])
}

impl Engine for Parry {
    fn name(&self) -> String {
        "parry 0.31, rapier 0.36".into()
    }

    fn overlap(&mut self, scene: &Scene) -> Option<bool> {
        let [(a, p), (b, q)] = both(scene)?;
        Some(intersection_test(&p, &*a, &q, &*b).ok()?.intersecting)
    }

    fn distance(&mut self, scene: &Scene) -> Option<BigRational> {
        let [(a, p), (b, q)] = both(scene)?;
        ratio(distance(&p, &*a, &q, &*b).ok()?.distance, scene.unit)
    }

    fn depth(&mut self, case: &Depth) -> Option<BigRational> {
        let [(a, p), (b, q)] = both(&case.scene)?;
        let contact = contact(&p, &*a, &q, &*b, 0.0).ok()?;
        ratio(contact.map_or(0.0, |contact| -contact.dist), case.scene.unit)
    }

    fn sweep(&mut self, scene: &Scene, motion: Point) -> Option<Option<(BigRational, [BigRational; 3])>> {
        let [(a, p), (b, q)] = both(scene)?;
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let motion = Vector::from(vector(motion, scene.unit));
        let Some(hit) = cast_shapes(&p, Vector::ZERO, &*a, &q, motion, &*b, options).ok()? else {
            return Some(None);
        };
        let normal = p.rotation * hit.normal1;
        Some(Some((ratio(hit.time_of_impact, 0)?, ratios(normal.to_array(), 0)?)))
    }

    fn response(&mut self, impact: &Impact) -> Option<[[[BigRational; 3]; 2]; 2]> {
        let mut world = PhysicsWorld { gravity: Vector::ZERO, ..PhysicsWorld::default() };
        world.integration_parameters.dt = 1.0 / RATE;
        let bodies = [0, 1].map(|i: usize| {
            let radius = length(impact.radii[i], impact.unit);
            let body = match impact.masses[i] {
                0 => RigidBodyBuilder::fixed(),
                _ => RigidBodyBuilder::dynamic().lock_rotations(),
            };
            let place = [[0; 3], impact.offset][i];
            let body = body
                .translation(Vector::from(vector(place, impact.unit)))
                .linvel(Vector::from(vector(impact.motions[i], impact.unit)) * RATE)
                .can_sleep(false);
            let ball = ColliderBuilder::ball(radius).friction(0.0).mass(impact.masses[i] as f32);
            world.insert(body, ball.restitution(impact.restitution as f32 / 16.0)).0
        });
        settled(impact, || {
            world.step();
            bodies.map(|body| {
                let body = &world.bodies[body];
                [body.translation().to_array(), body.linvel().to_array()]
            })
        })
    }
}
