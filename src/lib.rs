//! Deterministic 3D physics in fixed-point numbers: the same bits on every machine, nothing passes
//! through anything, and every recording can be verified.
//!
//! A [`World`] holds bodies in a shared [`Scenery`](state::Scenery). It changes through
//! [`Command`](state::Command)s and [`tick`](World::tick)s only, and every tick says what it did.
//!
//! ```
//! use bitstep::{
//!     World,
//!     geom::Vec3,
//!     num::lit,
//!     shape::Shape,
//!     snapshot,
//!     state::{Command, Limits, Material, SceneryBuilder, Spawn},
//!     tick::TickReport,
//! };
//!
//! let mut scenery = SceneryBuilder::default();
//! let ivory = scenery.material(Material::ELASTIC);
//! let ball = scenery.shape(Shape::sphere(lit("0.5")));
//! let mut world = World::new(Limits::new(60), scenery.build()?)?;
//!
//! let along_x = |x, speed| {
//!     let (position, velocity) = (Vec3::new(x, lit("0"), lit("0")), Vec3::new(speed, lit("0"), lit("0")));
//!     Command::Spawn(Spawn { material: ivory, velocity, ..Spawn::new(ball, position) })
//! };
//! let mut report = TickReport::default();
//! world.tick(&[along_x(lit("0"), lit("0.25")), along_x(lit("1.1"), lit("0"))], &mut report);
//!
//! // They met within the tick, and the one that stood has the other's velocity, exactly.
//! assert_eq!(report.impacts.len(), 1);
//! assert_eq!(world.bodies().nth(1).unwrap().1.velocity().x, lit("0.25"));
//! let saved = snapshot::encode(&world);
//! let restored = snapshot::decode(&saved, world.scenery())?;
//! assert_eq!(snapshot::checksum(&restored), snapshot::checksum(&world));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rooms, from the ground floor up; each knows the ones before it:
//!
//! - [`num`]: the scalar, rounding, roots, angles, the instant within a tick, keyed random draws
//! - [`geom`]: vectors, normals, boxes, planes, the path of a body, and how a free one turns
//! - [`shape`]: spheres, boxes, capsules, planes; moments of inertia, of several shapes together, too
//! - [`overlap`]: is there contact now
//! - [`sweep`]: when is first contact
//! - [`broad`]: which boxes touch
//! - [`state`]: bodies, scenery, limits, commands
//! - [`query`]: rays, sweeps, overlaps, and what is near, between ticks
//! - [`character`]: a kinematic body that walks: slopes, steps, lifts
//! - [`tick`]: the world, one tick of it, its report, and its events
//! - [`snapshot`]: save, restore, checksum, compare
//! - [`session`]: a world, or a world with the game around it, as one thing
//! - [`replay`]: record, repair, seek, verify, compare
//! - [`peer`]: two peers notice that they differ, and where
//!
//! The program for the recordings of a world or a game is a package beside this one, `bitstep-program`.
//!
//! What is promised, and which test can refute it: `docs/guarantees.md` in the repository.

pub mod broad;
pub mod character;
pub mod geom;
pub mod num;
pub mod overlap;
pub mod peer;
pub mod query;
pub mod replay;
pub mod session;
pub mod shape;
pub mod snapshot;
pub mod state;
pub mod sweep;
pub mod tick;

pub use tick::World;

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
