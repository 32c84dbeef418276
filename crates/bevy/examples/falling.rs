//! Balls and boxes that fall on a floor, in a window: the space bar throws a ball at them.
//!
//! From this folder: `cargo run --release --example falling --features window`.

use std::error::Error;

use bevy::{core_pipeline::tonemapping::Tonemapping, prelude::*};
use bitstep::{
    World as BitstepWorld,
    geom::{Rotation, Vec3 as Place},
    num::lit,
    shape::Shape,
    state::{Command, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
};
use bitstep_bevy::{BitstepPlugin, Physics};
use bitstep_draw::vector;

/// The shapes of the level, and the velocity of a ball that is thrown, in units per tick.
#[derive(Resource, Clone, Copy)]
struct Shapes {
    ball: ShapeId,
    cube: ShapeId,
    material: MaterialId,
    throw: Place,
}

/// A shape as it is drawn.
type Look = (Mesh3d, MeshMaterial3d<StandardMaterial>);

/// The looks of the shapes.
#[derive(Resource)]
struct Looks {
    ball: Look,
    cube: Look,
}

fn main() -> Result<(), Box<dyn Error>> {
    let (world, shapes) = level()?;
    App::new()
        .add_plugins((DefaultPlugins, BitstepPlugin::new(world)))
        .insert_resource(shapes)
        .add_systems(Startup, (light, fill).chain())
        .add_systems(Update, throw)
        .run();
    Ok(())
}

/// A floor at height 0, gravity along y, and shapes half a unit from center to side.
fn level() -> Result<(BitstepWorld, Shapes), Box<dyn Error>> {
    let mut scenery = SceneryBuilder::default();
    let material = scenery.material(Material::new(lit("0.3"))?.with_friction(lit("0.5"))?);
    let half = Place::lit("0.5", "0.5", "0.5");
    let ball = scenery.shape(Shape::sphere(lit("0.5")));
    let cube = scenery.shape(Shape::obb(half, Rotation::IDENTITY));
    let floor = scenery.shape(Shape::plane(Place::lit("0", "1", "0")).ok_or("a normal of length 0")?);
    scenery.fixed(floor, material, Place::ZERO);
    let limits = Limits::new(60);
    let gravity = limits.gravity_nearest_even(Place::lit("0", "-9.81", "0"));
    let throw = limits.velocity_nearest(Place::lit("0", "2", "-18"));
    let mut world = BitstepWorld::new(limits, scenery.build()?)?;
    world.apply(&[Command::SetGravity { gravity }]).accepted()?;
    Ok((world, Shapes { ball, cube, material, throw }))
}

/// A light, a camera, the floor, and the looks of the shapes.
fn light(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut look = |mesh, [red, green, blue]: [f32; 3]| {
        (Mesh3d(mesh), MeshMaterial3d(materials.add(Color::srgb(red, green, blue))))
    };
    commands.spawn(look(meshes.add(Plane3d::default().mesh().size(40.0, 40.0)), [0.3, 0.35, 0.3]));
    let ball = look(meshes.add(Sphere::new(0.5)), [0.9, 0.4, 0.2]);
    let cube = look(meshes.add(Cuboid::from_length(1.0)), [0.3, 0.5, 0.9]);
    commands.insert_resource(Looks { ball, cube });
    let sun = DirectionalLight { shadow_maps_enabled: true, ..default() };
    commands.spawn((sun, Transform::from_xyz(4.0, 9.0, 6.0).looking_at(Vec3::ZERO, Vec3::Y)));
    let camera = Transform::from_xyz(0.0, 6.0, 16.0).looking_at(Vec3::new(0.0, 2.0, 0.0), Vec3::Y);
    // This one needs no table of colors, and so no decoder for one.
    commands.spawn((Camera3d::default(), Tonemapping::Reinhard, camera));
}

/// Stacks of boxes, and balls above them.
fn fill(shapes: Res<Shapes>, looks: Res<Looks>, mut physics: ResMut<Physics>, mut commands: Commands) {
    let Shapes { ball, cube, material, .. } = *shapes;
    for index in 0..30_i64 {
        let (column, row) = (index % 6, index / 6);
        let is_box = row < 3;
        let height = if is_box { 4 * row + 3 } else { 4 * row + 6 };
        let quarters = [5 * column - 12, height, column % 2]; // of a unit
        let spawn = Spawn {
            material,
            rotates: true,
            ..Spawn::new(if is_box { cube } else { ball }, Place::from_raw(quarters.map(|part| part << 30)))
        };
        let look = if is_box { &looks.cube } else { &looks.ball };
        let placed = Transform::from_translation(vector(spawn.position).into());
        physics.spawn(commands.spawn((look.clone(), placed)).id(), spawn);
    }
}

/// Throws a ball from the camera at the boxes.
fn throw(
    keys: Res<ButtonInput<KeyCode>>,
    shapes: Res<Shapes>,
    looks: Res<Looks>,
    mut physics: ResMut<Physics>,
    mut commands: Commands,
) {
    if !keys.just_pressed(KeyCode::Space) {
        return;
    }
    let spawn = Spawn {
        material: shapes.material,
        rotates: true,
        mass: 3,
        velocity: shapes.throw,
        ..Spawn::new(shapes.ball, Place::lit("0", "3", "12"))
    };
    let placed = Transform::from_translation(vector(spawn.position).into());
    physics.spawn(commands.spawn((looks.ball.clone(), placed)).id(), spawn);
}
