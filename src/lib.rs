//! Deterministic 3D physics in fixed-point numbers: the same bits on every machine, nothing passes
//! through anything, and every recording can be verified.
//!
//! A [`World`] holds bodies in a shared [`Scenery`](state::Scenery), the static level. It changes by
//! [`Command`](state::Command)s and [`tick`](World::tick)s only, and a
//! [`TickReport`](tick::TickReport) says what a tick did. So a recording is the first state and the commands of every tick:
//! a [`Recorder`](replay::Recorder) writes one, and [`verify`](replay::verify()) plays it again and compares every tick.
//!
//! ```
//! use bitstep::{
//!     World,
//!     geom::Vec3,
//!     num::lit,
//!     replay::{Recorder, Replay, verify},
//!     shape::Shape,
//!     state::{Command, Limits, Material, SceneryBuilder, Spawn},
//!     tick::TickReport,
//! };
//!
//! let mut scenery = SceneryBuilder::default();
//! let ivory = scenery.material(Material::ELASTIC);
//! let ball = scenery.shape(Shape::sphere(lit("0.5")));
//! let mut world = World::new(Limits::new(60), scenery.build()?)?;
//!
//! let spawn = |position, velocity| Command::Spawn(Spawn { material: ivory, velocity, ..Spawn::new(ball, position) });
//! let commands = [
//!     spawn(Vec3::ZERO, Vec3::lit("0.25", "0", "0")), // per tick
//!     spawn(Vec3::lit("1.1", "0", "0"), Vec3::ZERO),
//! ];
//!
//! let mut recorder = Recorder::new(Vec::new(), &world)?;
//! let mut report = TickReport::default();
//! world.tick(&commands, &mut report).accepted()?;
//! recorder.tick(&commands, &world)?;
//!
//! // They met within the tick, and the one at rest has the other's velocity, exactly.
//! assert_eq!(report.impacts.len(), 1);
//! assert_eq!(world.bodies().nth(1).unwrap().1.velocity(), Vec3::lit("0.25", "0", "0"));
//!
//! let bytes = recorder.finish()?;
//! let verdict = verify(&Replay::<World>::read(&bytes)?, |_, _| {})?;
//! assert_eq!((verdict.ticks, verdict.divergence), (1, None));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game puts its own state beside the world: it implements [`Game`](session::Game), and a
//! [`Session`](session::Session) of it is saved, recorded, verified and compared as one thing.
//! [`session::determinism_check`] in one test of the game's finds what it does not do twice.
//!
//! # Where to look
//!
//! - literals and vectors: [`num::lit`], [`Vec3`](geom::Vec3); numbers are [`Scalar`](num::Scalar)s, a state with them derives serde
//! - saving and checksums: [`snapshot`]; rollback: [`session::Ring`], [`session::EventLedger`]
//! - rays, casts, overlaps and contacts between ticks: [`query`]
//! - where two runs diverge: [`replay::compare()`]; between two peers: [`peer`]
//! - drawing: the package `bitstep-draw`; a program for recordings: the package `bitstep-program`
//!
//! # Errors
//!
//! What comes from outside and is wrong is a value and never a panic. Each module has one error enum, such as
//! [`StateError`](state::StateError): match on variants and fields, which say what it was and what it may be; the text is for people and
//! may change. A refused command is a [`Refused`](state::Refused): its index, the command's name, and the [`Refusal`](state::Refusal).
//! Functions panic only where their section **Panics** says so.
//! What may change in which release is in `docs/stability.md`, what is promised and which test can refute it in `docs/guarantees.md`.
//!
//! # Modules
//!
//! From the ground floor up; each knows the ones before it:
//!
//! - [`num`]: the scalar, roots, angles, the instant within a tick, keyed random draws
//! - [`geom`]: vectors, normals, boxes, planes, the path of a body, and how a free one rotates
//! - [`shape`]: spheres, boxes, capsules, planes; moments of inertia, of several shapes together, too
//! - [`overlap`]: is there contact now
//! - [`sweep`]: when is first contact
//! - [`state`]: bodies, scenery, limits, commands
//! - [`query`]: rays, sweeps, overlaps, and what is near, between ticks
//! - [`character`]: a kinematic body that walks: slopes, steps, lifts
//! - [`tick`]: the world, one tick of it, its report, and its events
//! - [`snapshot`]: save, restore, checksum, compare
//! - [`session`]: a world, or a world with the game around it, as one thing
//! - [`replay`]: record, repair, seek, verify, compare
//! - [`peer`]: two peers notice that they differ, and where

mod broad;
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
