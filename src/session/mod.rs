//! A simulation that is saved, compared and played again as one thing: a world alone, or a world with the
//! game around it.
//!
//! This room knows one state and how a tick changes it; it does not know recordings, peers or files. A
//! [`Simulation`] is their subject. [`World`](crate::tick::World) is one by itself, whose inputs are
//! commands. A [`Session`] holds a world, the game's own state and a random seed, and its inputs are the
//! players'. A [`TickLog`] keeps the state after each phase of a tick, and [`first_difference`] of two names
//! phase and field. A [`Ring`] keeps the last states for rollback, an [`EventLedger`] tells a player of
//! events, and [`heavy`] plays a run twice. Start with `simulation.rs`, then `game.rs`.

mod address;
mod event_ledger;
mod game;
mod heavy;
mod log;
#[cfg(feature = "trace")]
mod poison;
mod ring;
mod simulation;
mod state;
mod tick;
mod tree;
mod world;

pub use address::{Address, first_difference};
pub use event_ledger::{EventChange, EventLedger};
pub use game::Game;
pub use heavy::{HeavyError, How, heavy};
pub use log::{LoggedCommand, LoggedDraw, Origin, PhaseState, TickLog, world_phase};
#[cfg(feature = "trace")]
pub use poison::{Poison, PoisonError, PoisonOutcome, PoisonTextError};
pub use ring::{NotKept, Ring};
pub use simulation::{InputError, Simulation};
pub use state::{Session, SessionError};
pub use tick::Tick;
pub use tree::{Branch, Tree};
