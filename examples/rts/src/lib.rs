//! A lockstep strategy game on bitstep, between four real processes.
//!
//! The game is in `game`: integers only, and all of it happens in a tick of [`Rts`]; [`script`] plays it by itself, and [`opponent`] attacks. Turns, links, late
//! players and saved matches are those of the package `bitstep-lockstep`; the rest, behind `program`, is for people.

mod game;
pub mod opponent;
pub mod script;

// Networks and people need a clock; clippy denies one to all of the above.
#[cfg(feature = "program")]
#[allow(clippy::disallowed_types)]
mod bench;
#[cfg(feature = "program")]
#[allow(clippy::disallowed_types)]
pub mod program;

pub use game::*;
