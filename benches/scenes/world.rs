//! A scene as a world: the one place that says how a body is spawned and steered.

use bitstep::{
    geom::Vec3,
    shape::Shape,
    world::{BodyId, Command, Limits, Material, SceneryBuilder, Spawn, World},
};

use super::{RATE, Scene};

/// The world of a scene. The ball of index `n` is in slot `n`.
///
/// # Panics
///
/// If the world refuses any of it.
pub fn world(scene: &Scene) -> World {
    let mut builder = SceneryBuilder::default();
    let restitution = scene.restitution.parse().expect("a decimal");
    let friction = scene.friction.parse().expect("a decimal");
    let plain = Material::new(restitution).expect("in 0..=1");
    let material = builder.material(plain.with_friction(friction).expect("in 0..=16"));
    let half = Vec3::from_raw([scene.radius.to_bits(); 3]);
    let shape = builder.shape(if scene.cubes { Shape::aabb(half) } else { Shape::sphere(scene.radius) });
    for fixed in &scene.boxes {
        let shape = builder.shape(Shape::aabb(fixed.half));
        builder.fixed(shape, material, fixed.center);
    }
    let limits = Limits { bodies_max: 1 << 17, ..Limits::new(RATE) };
    let mut world = World::new(limits, builder.build().expect("a scenery")).expect("limits");
    let gravity = Command::SetGravity { gravity: limits.gravity_nearest_even(scene.gravity) };
    let spawns = scene.balls.iter().map(|ball| {
        let velocity = limits.velocity_nearest(ball.velocity);
        Command::Spawn(Spawn { material, velocity, turns: scene.turns, ..Spawn::new(shape, ball.position) })
    });
    let commands: Vec<_> = [gravity].into_iter().chain(spawns).collect();
    for outcome in world.apply(&commands).outcomes {
        outcome.expect("a command of the scene");
    }
    world
}

/// The commands that give every body its velocity, in units per second.
pub fn commands(limits: &Limits, velocities: &[Vec3], commands: &mut Vec<Command>) {
    commands.clear();
    commands.extend((0..).zip(velocities).map(|(slot, velocity)| {
        let body = BodyId { slot, generation: 0 };
        Command::SetVelocity { body, velocity: limits.velocity_nearest(*velocity) }
    }));
}
