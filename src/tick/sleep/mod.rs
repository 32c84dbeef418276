//! Sleep: who lies still for long enough costs next to nothing until something happens to him.
//!
//! What decides is in the state: how many ticks each body has been still, and who sleeps. When a tick ends, bodies
//! that touch each other, and have all been still for as long as the world says, fall asleep together
//! (`doze.rs`). Who sleeps is as a static body is to all others: nothing pulls it, nothing solves its
//! contacts. A tick is played with those asleep who were when it began; if one of them is struck in it, or
//! pressed, that one wakes with all who touch it, directly or through others that sleep (`wake.rs`), and the
//! tick is played once more from its beginning. So whoever is struck answers that very blow with its own mass,
//! a tick in which somebody wakes is the tick of a world in which he never slept, and no order of bodies
//! matters: what wakes is a set. What the world can know before wakes before: a command wakes what it changes
//! and who touches it; a kinematic body that moves or turns wakes whom it may touch on its way (`reach.rs`).
//!
//! Who sleeps far from everybody awake has no part in a tick at all (`around.rs`).
//!
//! Nobody is left in the air: who sleeps lies on those who fell asleep with it, on statics and on what does not
//! move. If any of these changes, what touches it wakes.

mod around;
pub(super) mod dormitory;
mod doze;
mod groups;
mod reach;
mod wake;

pub(super) use wake::{named, named_second};
