//! A scene as a world: the one place that defines how a body is spawned and steered.

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::lit,
    shape::Shape,
    state::{BodyId, BodyType, Command, Limits, Material, MaterialId, Rule, SceneryBuilder, ShapeId, Spawn},
};

use super::{Army, Form, Scene, Start};

/// The first material and the first shape of every scenery here are those of the bodies.
const MATERIAL: MaterialId = MaterialId(0);
const SHAPE: ShapeId = ShapeId(0);

/// The world of a scene. The body of index `n` is in slot `n`; a turntable is in the slot after the last.
///
/// # Panics
///
/// If the world refuses any of it.
pub fn world(scene: &Scene) -> World {
    world_in_substeps(scene, 1)
}

/// The same with so many substeps in a tick.
///
/// # Panics
///
/// If the world refuses any of it.
pub fn world_in_substeps(scene: &Scene, substeps: u8) -> World {
    let mut builder = SceneryBuilder::default();
    let restitution = scene.restitution.parse().expect("a decimal");
    let friction = scene.friction.parse().expect("a decimal");
    let plain = Material::new(restitution).expect("in 0..=1");
    let material = builder.material(plain.with_friction(friction).expect("in 0..=16"));
    let shape = builder.shape(match scene.form {
        Form::Ball => Shape::sphere(scene.radius),
        Form::Box(half) if scene.rotates => Shape::obb(half, Rotation::IDENTITY),
        Form::Box(half) => Shape::aabb(half),
        Form::Capsule(half_axis) => Shape::capsule(half_axis, scene.radius),
    });
    assert_eq!((material, shape), (MATERIAL, SHAPE));
    for fixed in &scene.boxes {
        let shape = builder.shape(Shape::aabb(fixed.half));
        builder.fixed(shape, material, fixed.center);
    }
    let plate = scene.turntable.as_ref().map(|(plate, turn)| {
        let shape = builder.shape(Shape::obb(plate.half, Rotation::IDENTITY));
        let angular_velocity = Vec3::new(lit("0"), lit("0"), *turn);
        (shape, Start { angular_velocity, ..Start::at_rest(plate.center) })
    });
    let limits = limits(scene).with_substeps(substeps);
    let mut world = World::new(limits, builder.build().expect("a scenery")).expect("limits");
    let gravity = Command::SetGravity { gravity: limits.gravity_nearest_even(scene.gravity) };
    let friends = scene.army.iter().flat_map(friends);
    let bodies = (0..).zip(&scene.bodies).map(|(index, start)| {
        let layer = scene.army.as_ref().map_or(0, |army| army.sides[index]);
        Command::Spawn(Spawn { layer, ..spawn(scene, &limits, start) })
    });
    let plate = plate.map(|(shape, start)| {
        let spawn = spawn(scene, &limits, &start);
        Command::Spawn(Spawn { shape, rotates: true, body_type: BodyType::Kinematic, ..spawn })
    });
    let commands: Vec<_> = [gravity].into_iter().chain(friends).chain(bodies).chain(plate).collect();
    apply(&mut world, &commands);
    world
}

/// Adds a body of the scene to its world.
///
/// # Panics
///
/// If the world refuses it.
pub fn add(world: &mut World, scene: &Scene, start: &Start) {
    let spawn = spawn(scene, world.limits(), start);
    apply(world, &[Command::Spawn(spawn)]);
}

fn apply(world: &mut World, commands: &[Command]) {
    for outcome in world.apply(commands).outcomes {
        outcome.expect("a command of the scene");
    }
}

fn spawn(scene: &Scene, limits: &Limits, start: &Start) -> Spawn {
    Spawn {
        material: MATERIAL,
        velocity: limits.velocity_nearest(start.velocity),
        rotates: scene.rotates,
        orientation: start.orientation,
        angular_velocity: limits.velocity_nearest(start.angular_velocity),
        ..Spawn::new(SHAPE, start.position)
    }
}

fn limits(scene: &Scene) -> Limits {
    let limits = Limits::new(scene.rate).with_bodies_max(1 << 17);
    match scene.army {
        // As in `examples/rts`.
        Some(_) => limits.with_flat(true).with_sleep_after(10).with_separation_speed(lit("0.3")),
        None if scene.sleeps => limits.with_sleep_after((scene.rate / 2).clamp(2, 250) as u8),
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
