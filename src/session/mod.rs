//! A simulation that is saved, compared and played again as one thing: a world alone, or a world with the
//! game around it.
//!
//! This room knows one state and how a tick changes it; it does not know recordings, peers or files. A
//! [`Simulation`] is their subject. [`World`](crate::tick::World) is one by itself, whose inputs are
//! commands. A [`Session`] holds a world, the game's own state and a random seed, and its inputs are the
//! players'. A [`TickLog`] keeps the state after each phase of a tick, and [`first_difference`] of two names
//! phase and field. A [`Ring`] keeps the last states for rollback, an [`EventLedger`] tells a player of
//! events, and [`determinism_check`] plays a run twice. Start with `simulation.rs`, then `game.rs`.

mod address;
mod determinism_check;
mod error;
mod event_ledger;
mod game;
#[cfg(feature = "trace")]
mod injection;
mod log;
mod names;
mod ring;
mod simulation;
mod state;
mod tick;
mod tree;
mod world;

pub use address::{Address, first_difference};
pub use determinism_check::{DeterminismError, How, determinism_check};
pub use error::SessionError;
pub use event_ledger::{EventChange, EventLedger};
pub use game::Game;
#[cfg(feature = "trace")]
pub use injection::{Injection, InjectionError, InjectionOutcome};
pub use log::{LoggedCommand, LoggedDraw, Origin, PhaseState, TickLog};
pub use names::world_phase;
pub use ring::Ring;
pub use simulation::Simulation;
pub use state::Session;
pub use tick::Tick;
pub use tree::{Branch, Tree};
