//! A car of one body and four swept wheels, on a track that is a mesh.
//!
//! The game is in `game`, `car`, `course`, `laps`, `input` and `numbers`: integers only, and all of it happens in a tick of [`Race`].
//! [`autopilot`] drives by itself. The rest, behind `program`, is for people: a picture in a terminal, keys, files.

pub mod autopilot;
pub mod car;
pub mod course;
mod game;
mod input;
mod laps;
mod numbers;

// People need a clock; clippy denies one to all of the above.
#[cfg(feature = "program")]
#[allow(clippy::disallowed_types)]
pub mod program;
#[cfg(feature = "program")]
mod terminal;

pub use game::{Race, TICK_RATE, initial_state, initial_state_at, session};
pub use input::Input;
pub use laps::Laps;
