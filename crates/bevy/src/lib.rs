//! [Bevy](bevy) plugin for [bitstep]: a deterministic world as a resource, ticked in `FixedUpdate`.
//!
//! - [`BitstepPlugin`] ticks [`Physics`] with the commands that it was given.
//! - [`PhysicsBody`] on an entity names the body that drives its `Transform`, between the poses of the last two ticks.
//! - [`ContactMessage`], [`BodyRemoved`] and [`CommandRefused`] are the messages of a tick.
//! - `RollbackPlugin`, with the feature `rollback`, plays a match over a network instead.
//!
//! ```
//! use bevy::{prelude::*, time::TimeUpdateStrategy};
//! use bitstep::{World as BitstepWorld, geom::Vec3 as Fixed3, num::lit, shape::Shape};
//! use bitstep::state::{Limits, Material, SceneryBuilder, Spawn};
//! use bitstep_bevy::{BitstepPlugin, Physics};
//!
//! let mut scenery = SceneryBuilder::default();
//! let material = scenery.material(Material::ELASTIC);
//! let ball = scenery.shape(Shape::sphere(lit("0.5")));
//! let world = BitstepWorld::new(Limits::new(60), scenery.build()?)?;
//!
//! let throw = move |mut commands: Commands, mut physics: ResMut<Physics>| {
//!     let velocity = Fixed3::lit("0.25", "0", "0"); // per tick
//!     let entity = commands.spawn_empty().id();
//!     physics.spawn(entity, Spawn { material, velocity, ..Spawn::new(ball, Fixed3::ZERO) });
//! };
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, BitstepPlugin::new(world)))
//!     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
//!     .add_systems(Startup, throw);
//! for _ in 0..9 {
//!     app.update();
//! }
//! assert_eq!(app.world().resource::<Physics>().world().tick_count(), 8); // time begins with the second frame
//! let transform = app.world_mut().query::<&Transform>().single(app.world())?;
//! assert_eq!(transform.translation.x, 1.75); // exactly at the end of the tick before the last
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Determinism
//!
//! A world depends on its state and on the commands of each tick, in their order, and on nothing else. Systems without an order
//! between them run in any order, so two systems that give commands need one: chain them, in `FixedUpdate` before
//! [`PhysicsSystems::Tick`]. Commands from `Update` depend on the frame rate; that is right for a player's input and for nothing
//! that has to come out the same. `HashMap` iteration and floats, such as those of a `Transform`, are no source of commands. Nor is
//! the order of a query, which depends on what else entities had: iterate [`BodyEntities`], or the bodies of the world.
//!
//! # Time
//!
//! `Time<Fixed>` is set to the tick rate of the world, to the nearest nanosecond, when a world or a match begins; the time before counts
//! for nothing. A frame that takes long is made up for by several ticks, up to the maximum of `Time<Virtual>`, 250 ms by default; so
//! is one in which a level is loaded in `Update`.

mod body;
mod message;
mod physics;
mod plugin;
#[cfg(feature = "rollback")]
mod rollback;
mod transform;

pub use body::{Absent, BodyEntities, DespawnWithBody, NoInterpolation, PhysicsBody};
pub use message::{BodyRemoved, CommandRefused, ContactMessage};
pub use physics::Physics;
pub use plugin::{BitstepPlugin, PhysicsSystems};
#[cfg(feature = "rollback")]
pub use rollback::{
    ContactChange, LocalInputs, MatchEnded, MatchFailed, MatchMessage, RollbackMatch, RollbackPlugin,
    TickConfirmed,
};
pub use transform::RenderOrigin;

/// The README's examples are compiled.
#[cfg(all(doctest, feature = "rollback"))]
#[doc = include_str!("../README.md")]
mod readme {}
