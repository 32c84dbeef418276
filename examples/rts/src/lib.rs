//! A lockstep strategy game on bitstep, between four real processes.
//!
//! The game is in `game`: integers only, and all of it happens in a tick of [`Rts`]; [`script`] plays it by
//! itself. [`wire`] and [`transfer`] are bytes: frames, and a state on its way. [`relay`] orders the turns of
//! a match and knows no game, `peer` plays them; the rest, behind `program`, is for people. Player and
//! program are there with the feature `program`.

mod game;
pub mod script;
pub mod transfer;
pub mod wire;

// Networks and people need a clock; clippy denies one to all of the above.
#[cfg(feature = "program")]
#[allow(clippy::disallowed_types)]
mod bench;
#[cfg(feature = "program")]
#[allow(clippy::disallowed_types)]
pub mod peer;
#[cfg(feature = "program")]
#[allow(clippy::disallowed_types)]
pub mod program;
#[allow(clippy::disallowed_types)]
pub mod relay;

pub use game::*;
