//! The game by hand, matches played again, and four real processes.
//!
//! No test depends on time: compared values follow from the script alone, and limits only end a test that
//! would never end.
#![allow(missing_docs)]
#![allow(clippy::disallowed_types)] // a clock

mod orders;
mod played;
mod processes;
mod rules;
mod running;
