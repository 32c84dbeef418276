//! A rollback fighting game on bitstep, between two real processes.
//!
//! The game is in `fight`, `fighter`, `hits`, `shots`, `orders`, `moves`, `stage` and `input`: integers only,
//! and all of it happens in a tick of [`Fight`]. [`online`] is a match of it on `bitstep-rollback`, over [`link`], a socket on
//! the loopback by which two processes find each other; [`script`] plays by itself. The rest, behind [`program`], is for people:
//! a screen of half blocks, keys, arguments. Without the feature `online` there are the game and the script alone.

mod fight;
mod fighter;
mod hits;
mod input;
mod moves;
mod orders;
pub mod script;
mod shots;
mod stage;
#[cfg(feature = "online")]
mod terminal;

// Networks and people need a clock; clippy denies one to all of the above.
#[cfg(feature = "online")]
#[allow(clippy::disallowed_types)]
mod bench;
#[cfg(feature = "online")]
#[allow(clippy::disallowed_types)]
pub mod link;
#[cfg(feature = "online")]
#[allow(clippy::disallowed_types)]
pub mod online;
#[cfg(feature = "online")]
#[allow(clippy::disallowed_types)]
pub mod program;

pub use fight::Fight;
pub use fighter::{Doing, Fighter};
pub use input::Input;
pub use moves::{Attack, attack_of};
pub use shots::Shot;
pub use stage::{Layer, Pose, initial_state, initial_state_at};
