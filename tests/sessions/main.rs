//! A world and the game around it as one thing.
#![allow(missing_docs)]

#[path = "../support/brawl.rs"]
#[allow(dead_code)]
mod brawl;
mod heavy;
mod saved;
mod ticks;
