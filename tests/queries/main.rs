//! Queries between ticks: equal to a loop over everybody, the same in a mirrored world, and without any
//! trace in the world that is asked.
#![allow(missing_docs)]

mod contacts;
mod doors;
mod laws;
mod near;
mod reference;
#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;
mod ways;
mod yard;
