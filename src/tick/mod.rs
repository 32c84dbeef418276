//! The tick: commands are applied, gravity is integrated, impacts are found and resolved in the order of
//! time, and every body is moved to the end of its path.
//!
//! This module alone writes positions and momenta. It depends on the state and on every module below; it does
//! not know how a world is saved. `phases.rs` is the tick on one page. Each stage is a type that borrows what it
//! reads and writes; stages do not call each other, but from the bottom up:
//!
//! - `ledger`: the change of momentum and angular momentum by cause. `budget`: the tests that a search may do.
//! - `bodies`: the bodies in the tick. `Bodies` reads them, `BodiesMut` is the one writer of their motion.
//! - `pairs`: swept boxes, and the pairs whose boxes touch. `queue`: impacts in the order of time. `events`: listens to
//!   paths and impulses, and lists what a game is told.
//! - `narrow`: the time of impact of a pair. `search`: from a path to queued impacts.
//! - `contact`: what becomes of bodies that touch. `toi_loop`: the loop of impacts.
//! - `depenetration`: overlapping bodies are moved apart. `overlapping`: what overlaps at the start. `overlap_check`: the
//!   exact check of the poses at the end. `sleep`: the sleepers, and which of them take part.
//! - `apply` and what is named in it: commands, between ticks.

mod apply;
#[cfg(feature = "arbitrary")]
mod arbitrary;
mod bodies;
mod budget;
mod contact;
mod depenetration;
mod dig;
#[cfg(test)]
mod disorder;
mod disturb;
mod drive;
mod events;
#[cfg(test)]
mod exhaustive;
mod ignore_pair;
mod invariants;
mod ledger;
mod limits;
mod narrow;
mod observe;
mod on_hit;
mod overlap_check;
mod overlapping;
mod pairs;
mod phases;
mod placement;
mod probe;
mod queue;
mod report;
mod rotation_commands;
mod scratch;
mod search;
mod segments;
mod sleep;
#[cfg(test)]
mod slopes;
mod slots;
mod step;
mod substeps;
mod toi_loop;
mod unproved;
#[cfg(test)]
mod widths;
mod world;

pub use apply::{Applied, TickOutcomes};
pub use bodies::gap::touch_gap;
pub use events::{ContactEvent, EventKind};
pub use ledger::{AngularLedger, Cause, Ledger};
pub use probe::{Phase, Probe, View};
pub use report::{Blocked, ContactImpulse, Impact, Removed, TickReport};
pub use segments::PathSegment;
pub use world::World;
