//! The tick: commands are applied, gravity is integrated, impacts are found and resolved in the order of
//! time, and every body is moved to the end of its path.
//!
//! This module alone writes positions and momenta. It depends on the world and on every module below; it does
//! not know how a world is saved. Start with `step.rs`, which has the whole tick in one function; then
//! `schedule.rs`, the event queue of impacts, and `respond.rs`, the collision response. `events` makes the
//! events of a tick for the game.

mod apply;
#[cfg(feature = "arbitrary")]
mod arbitrary;
mod bodies;
mod contact;
#[cfg(test)]
mod disorder;
mod disturb;
mod drive;
mod events;
mod except;
#[cfg(test)]
mod exhaustive;
mod ledger;
mod narrow;
mod on_hit;
mod overlap_check;
mod overlapping;
mod pairs;
mod probe;
mod queue;
mod report;
mod room;
mod scratch;
mod search;
mod segments;
mod separate;
mod sleep;
#[cfg(test)]
mod slopes;
mod slots;
mod step;
mod steps;
mod toi_loop;
mod twist;
mod unproved;
mod world;

pub use apply::Applied;
pub use events::{ContactEvent, EventKind, touch_gap};
pub use ledger::{AngularLedger, Ledger};
pub use probe::{Phase, Probe, View};
pub use report::{Blocked, ContactImpulse, Impact, Removed, TickReport};
pub use segments::PathSegment;
pub use world::World;
