//! A scene as a world: the one place that defines how a body is spawned and steered.

use bitstep::{
    World,
    geom::Vec3,
    num::lit,
    shape::Shape,
    state::{BodyId, Command, Limits, Material, Rule, SceneryBuilder, Spawn},
};

use super::{Army, Scene};

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
    let limits = limits(scene);
    let mut world = World::new(limits, builder.build().expect("a scenery")).expect("limits");
    let gravity = Command::SetGravity { gravity: limits.gravity_nearest_even(scene.gravity) };
    let spawns = scene.balls.iter().enumerate().map(|(index, ball)| {
        let velocity = limits.velocity_nearest(ball.velocity);
        let layer = scene.army.as_ref().map_or(0, |army| army.sides[index]);
        let spawn =
            Spawn { material, velocity, layer, rotates: scene.rotates, ..Spawn::new(shape, ball.position) };
        Command::Spawn(spawn)
    });
    let friends = scene.army.iter().flat_map(friends);
    let commands: Vec<_> = [gravity].into_iter().chain(friends).chain(spawns).collect();
    for outcome in world.apply(&commands).outcomes {
        outcome.expect("a command of the scene");
    }
    world
}

fn limits(scene: &Scene) -> Limits {
    let limits = Limits::new(scene.rate).with_bodies_max(1 << 17);
    match scene.army {
        // As in `examples/rts`.
        Some(_) => limits.with_flat(true).with_sleep_after(10).with_separation_speed(lit("0.3")),
        None => limits,
    }
}

/// Bodies of one side are soft to each other.
fn friends(army: &Army) -> Vec<Command> {
    let last = army.sides.iter().max().copied().unwrap_or_default();
    let soft = |side| Command::SetLayers { a: side, b: side, rule: Rule::Soft, allow_overlap: false };
    (0..=last).map(soft).collect()
}

/// The commands that give every body its velocity, in units per second.
pub fn commands(limits: &Limits, velocities: &[Vec3], commands: &mut Vec<Command>) {
    commands.clear();
    commands.extend((0..).zip(velocities).map(|(slot, velocity)| {
        let body = BodyId::from_parts(slot, 0);
        Command::SetVelocity { body, velocity: limits.velocity_nearest(*velocity) }
    }));
}
