//! Queries between ticks: equal to a loop over all bodies, the same in a mirrored world, and without any
//! trace in the queried world.
#![allow(missing_docs)]

mod contacts;
mod doors;
mod laws;
mod meshes;
mod near;
mod reference;
#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;
mod supports;
mod ways;
mod yard;
