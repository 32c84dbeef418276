//! Sleep: resting islands are skipped until something wakes them.
//!
//! The state holds the inputs: the number of resting ticks of each body, and the sleepers. At the end of a
//! tick, bodies that touch each other, and have all been at rest for as long as the limits say, fall asleep
//! together (`fall_asleep.rs`). To all others a sleeper is like a static body: gravity does not act on it, and its
//! contacts are not solved. A tick is played with the sleepers of its start. If one of them is hit or
//! pressed, it wakes with all sleepers that touch it, directly or through others (`wake.rs`), and the tick is
//! replayed from its start. So a body that is hit responds to that very impact with its own mass, a tick in
//! which a body wakes equals the tick of a world in which it never slept, and the order of bodies does not
//! matter: the woken bodies are a set. What can be known before a tick wakes before it: a command wakes the
//! body that it changes and those that touch it; a kinematic body that moves or rotates wakes all that it may
//! touch on its path (`margin.rs`).
//!
//! Sleepers far from every awake body are left out of a tick (`active.rs`).
//!
//! The stages of a tick do not know this room. They return what they have touched: the boxes that were searched, and the
//! sleeping bodies that would move. From that the room says whether the tick is [`Disturbed`].
//!
//! A sleeper never floats: it rests on bodies that fell asleep with it, on statics and on bodies that do not
//! move. If any of these changes, the bodies that touch it wake.

mod active;
mod fall_asleep;
mod groups;
mod limits;
mod margin;
mod sleepers;
mod tree;
mod wake;

pub(super) use fall_asleep::{Bond, FallAsleep};
pub(super) use sleepers::{Disturbed, Sleepers};
