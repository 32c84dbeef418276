//! The tick: commands are applied, gravity integrated, impacts found and resolved in the order of
//! their times, and every body taken to the end of its path.
//!
//! This room alone writes positions and momenta. It knows the world and every room below; it does
//! not know how a world is saved. Start with `step.rs`, which is the whole tick in one function;
//! then `schedule.rs`, the order in which impacts happen, and `respond.rs`, what one impact does.
//! `events` says what a game hears about when all is done.

mod again;
mod angular;
mod apply;
#[cfg(feature = "arbitrary")]
mod arbitrary;
mod bodies;
#[cfg(test)]
mod disorder;
mod drive;
mod events;
mod except;
#[cfg(test)]
mod exhaustive;
mod finish;
mod hits;
mod integrate;
mod launch;
mod meet;
mod on_hit;
mod overlapping;
mod pieces;
mod probe;
mod report;
mod respond;
mod rest;
mod room;
mod schedule;
mod scratch;
mod search;
mod segments;
mod separate;
mod sleep;
#[cfg(test)]
mod slopes;
mod slots;
mod spin;
mod step;
mod steps;
mod strike;
mod ties;
mod together;
mod twist;
mod world;

pub use angular::AngularLedger;
pub use apply::Applied;
pub use events::{ContactEvent, EventKind, touch_gap};
pub use probe::{Phase, Probe, View};
pub use report::{Blocked, ContactImpulse, Impact, Ledger, Removed, TickReport};
pub use segments::PathSegment;
pub use world::World;
