//! A character walks up stairs, onto a lift, and along a wall: its position, its ground and its obstacles.
//!
//! `cargo run --example walk`

use bitstep::{
    World,
    character::CharacterSettings,
    geom::Vec3,
    num::{Scalar, lit},
    shape::Shape,
    state::{BodyType, Command, Limits, Material, SceneryBuilder, Spawn},
    tick::TickReport,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scenery = SceneryBuilder::default();
    let stone = scenery.material(Material::INELASTIC);
    let character = scenery.shape(Shape::capsule(Vec3::lit("0", "0.5", "0"), lit("0.4")));
    let plate = scenery.shape(Shape::aabb(Vec3::lit("1", "0.1", "1")));
    let floor = scenery.shape(Shape::aabb(Vec3::lit("20", "1", "20")));
    let wall = scenery.shape(Shape::aabb(Vec3::lit("0.5", "3", "20")));
    scenery.fixed(floor, stone, Vec3::lit("0", "-1", "0"));
    scenery.fixed(wall, stone, Vec3::lit("9", "3", "0"));
    for step in 1..=3 {
        let tall = scenery.shape(Shape::aabb(Vec3::new(lit("0.5"), lit("0.125") * step, lit("2"))));
        scenery.fixed(tall, stone, Vec3::new(lit("1") + Scalar::ONE * step, lit("0.125") * step, lit("0")));
    }
    let mut world = World::new(Limits::new(60), scenery.build()?)?;
    let ids = world.next_ids(2);
    let moves = |shape, position| Spawn { body_type: BodyType::Kinematic, ..Spawn::new(shape, position) };
    let at_start = Vec3::lit("0", "0.92", "0");
    let lift = Spawn { velocity: Vec3::lit("0", "0.01", "0"), ..moves(plate, Vec3::lit("6", "-0.6", "0")) };
    world.apply(&[Command::Spawn(moves(character, at_start)), Command::Spawn(lift)]).accepted()?;

    let walker = CharacterSettings::USUAL;
    // East along the level, a little north, and down by a tenth of a unit if there is nothing below.
    let wish = Vec3::lit("0.06", "-0.1", "0.01");
    let mut report = TickReport::default();
    println!("tick      x      y      z  ground  walls  carried by");
    for tick in 1..=160 {
        let walk = world.move_character(ids[0], wish, &walker)?;
        world.tick(&[walk.command(ids[0])], &mut report).accepted()?;
        if tick % 10 == 0 {
            let Vec3 { x, y, z } = walk.position;
            let name = |collider: Option<String>| collider.unwrap_or_else(|| "-".to_owned());
            let ground = name(walk.ground.map(|met| met.collider.to_string()));
            let walls: Vec<_> = walk.walls.iter().map(|met| met.collider.to_string()).collect();
            let carrier = name(walk.carried_by.map(|id| id.to_string()));
            println!("{tick:4} {x:6.2} {y:6.2} {z:6.2}  {ground:6}  {:5}  {carrier}", walls.join(" "));
        }
    }
    Ok(())
}
