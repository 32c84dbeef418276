//! Worlds and apps for tests.

#![allow(dead_code)] // each test file uses a part of it

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bitstep::{
    World as BitstepWorld,
    geom::Vec3 as Place,
    num::lit,
    shape::Shape,
    state::{Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
};
use bitstep_bevy::{BitstepPlugin, Physics};

/// A world with a floor, whose top is at height 0, and the shapes of its bodies.
pub struct Level {
    pub world: BitstepWorld,
    pub ball: ShapeId,
    pub material: MaterialId,
}

impl Level {
    pub fn new(tick_rate: u32, gravity: bool) -> Self {
        let mut scenery = SceneryBuilder::default();
        let material = scenery.material(Material::ELASTIC);
        let ball = scenery.shape(Shape::sphere(lit("0.5")));
        let floor = scenery.shape(Shape::plane(Place::lit("0", "1", "0")).expect("an axis"));
        scenery.fixed(floor, material, Place::ZERO);
        let limits = Limits::new(tick_rate);
        let mut world = BitstepWorld::new(limits, scenery.build().expect("a scenery")).expect("limits");
        if gravity {
            let gravity = Place::lit("0", "-0.002", "0");
            let command = bitstep::state::Command::SetGravity { gravity: even(gravity) };
            world.apply(&[command]).accepted().expect("gravity within limits");
        }
        Self { world, ball, material }
    }

    pub fn spawn(&self, x: &str, y: &str) -> Spawn {
        Spawn { material: self.material, ..Spawn::new(self.ball, Place::lit(x, y, "0")) }
    }
}

/// Gravity that is even in raw, as a world takes it.
fn even(gravity: Place) -> Place {
    Place::from_raw([gravity.x, gravity.y, gravity.z].map(|part| part.to_bits() / 2 * 2))
}

/// An app without a window, whose frames take so long.
pub fn app(world: BitstepWorld, frame: Duration) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, BitstepPlugin::new(world)))
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    app
}

/// Number of ticks that an app has played.
pub fn ticks(app: &App) -> u64 {
    app.world().resource::<Physics>().world().tick_count()
}

/// The messages that systems in `Update` read, in order.
#[derive(Resource)]
pub struct Heard<M>(pub Vec<M>);

/// Collects messages as a game hears them.
pub fn hear<M: Message + Clone>(app: &mut App) {
    let listen = |mut reader: MessageReader<M>, mut heard: ResMut<Heard<M>>| {
        heard.0.extend(reader.read().cloned());
    };
    app.insert_resource(Heard::<M>(Vec::new())).add_systems(Update, listen);
}

/// The messages that were heard.
pub fn heard<M: Message>(app: &App) -> &[M] {
    &app.world().resource::<Heard<M>>().0
}
