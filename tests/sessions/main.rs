//! A world and the game around it as one thing.
#![allow(missing_docs)]
// Floats and hash maps are here to be refused.
#![allow(clippy::disallowed_types)]

#[path = "../support/brawl.rs"]
#[allow(dead_code)]
mod brawl;
mod determinism_check;
mod observers;
mod saved;
mod snapshots;
mod ticks;
