//! Rollback in forty lines: keep the last ticks in a ring, and when a late command arrives, go back and
//! step again. Run it with `cargo run --release --example rollback`.

use bitstep::{
    World,
    geom::Vec3,
    num::lit,
    session::Ring,
    shape::Shape,
    snapshot,
    state::{BodyId, Command, Limits, Material, SceneryBuilder, Spawn},
    tick::TickReport,
};

/// Largest delay of a command, in ticks.
const WINDOW: u32 = 8;

/// The other player's command of tick 20, which arrives here five ticks later.
fn remote_command(tick: u64) -> Option<Command> {
    let jump = Vec3::lit("0", "0.2", "0");
    (tick == 20).then_some(Command::ApplyImpulse { body: BodyId::from_parts(1, 0), impulse: jump })
}

fn initial_state() -> Result<World, Box<dyn std::error::Error>> {
    let mut scenery = SceneryBuilder::default();
    let rubber = scenery.material(Material::new(lit("0.9"))?);
    let ball = scenery.shape(Shape::sphere(lit("0.5")));
    let mut world = World::new(Limits::new(60), scenery.build()?)?;
    let spawn = |x, speed| {
        let (position, velocity) = (Vec3::new(x, lit("0"), lit("0")), Vec3::new(speed, lit("0"), lit("0")));
        Command::Spawn(Spawn { material: rubber, velocity, ..Spawn::new(ball, position) })
    };
    world.apply(&[spawn(lit("-3"), lit("0.1")), spawn(lit("3"), lit("-0.1"))]).accepted().unwrap();
    Ok(world)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut world, mut report) = (initial_state()?, TickReport::default());
    // Saving into a ring that has been filled once allocates nothing.
    let mut ring = Ring::new(&world, WINDOW)?;
    for tick in 0..60 {
        ring.save(&world);
        world.step(&mut report);
        if tick == 25 {
            println!("tick 25: a command for tick 20 arrives; back to then, and six ticks again");
            ring.restore(20, &mut world)?;
            for again in 20..=tick {
                ring.save(&world);
                world.tick(remote_command(again).as_slice(), &mut report).accepted()?;
            }
        }
    }
    // A peer that knew of the command in time has the same world, to the last bit.
    let mut prompt = initial_state()?;
    for tick in 0..60 {
        prompt.tick(remote_command(tick).as_slice(), &mut report).accepted()?;
    }
    println!("rolled back: {}\nin time:     {}", snapshot::checksum(&world), snapshot::checksum(&prompt));
    if snapshot::diff(&world, &prompt).is_empty() { Ok(()) } else { Err("the two worlds differ".into()) }
}
