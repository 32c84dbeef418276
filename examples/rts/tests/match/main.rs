//! The game by hand, the relay without sockets, rubbish of all kinds, and four real processes.
//!
//! No test depends on time: compared values follow from the script alone, and limits only end a test that
//! would never end.
#![allow(missing_docs)]
#![allow(clippy::disallowed_types)] // a clock

mod boards;
mod hub;
mod orders;
mod played;
mod processes;
mod rubbish;
mod rules;
mod running;
mod transfers;
