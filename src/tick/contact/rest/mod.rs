//! Slow contacts: bodies that lie on each other, and no longer bounce.
//!
//! A pile would spend any budget of impacts, so what is slow and near is solved together. Positions
//! and momenta are kept apart. At the beginning of a tick `carry.rs` finds motions with which no
//! contact closes, nearly, and `projection.rs` makes them safe to the last raw: each contact has a plane
//! between its bodies, and as long as neither crosses it the sweep between them is empty. At the end
//! `settle.rs` takes from the momenta what still presses. In between, a slow impact becomes such a
//! contact for the rest of the tick (`contacts.rs`), and so does any impact of a body that has had
//! many; fast ones bounce at their own instants as ever.
//!
//! No order of bodies or contacts matters anywhere here: `solve.rs` and `projection.rs` look at all contacts
//! before they change any body, so a pile has no favourite side. Loads go down: `guess.rs` begins with the
//! upper bodies, each as if what is below it stood on the ground, and hands the load on. Without gravity
//! there is no below, and only bodies that do not bounce at all are pressed together.

mod askew;
mod budget;
mod carry;
mod contacts;
mod ends;
mod grip;
pub(super) mod grip_rows;
mod guess;
mod internal_edges;
mod islands;
pub(super) mod kept;
mod memo;
pub(in crate::tick) mod memory;
mod near;
mod points;
mod press;
mod projection;
mod quench;
mod recall;
mod rows;
mod safe;
mod settle;
mod solve;
mod view;
mod violated;

pub(super) use points::surface;
pub(in crate::tick) use view::ContactView;

#[cfg(test)]
use crate::tick::{TickReport, World, contact::ContactStage, phases::Step};

/// The widest numbers of the solvers of contacts.
#[cfg(test)]
pub(in crate::tick) const WIDTHS: [(&str, crate::num::bound::Width); 6] = [
    ("tick::contact::rest", rows::WIDTH),
    ("tick::contact::rest", rows::CROWD_WIDTH),
    ("tick::contact::rest", grip::WIDTH),
    ("tick::contact::rest", grip::TURN_WIDTH),
    ("tick::contact::rest", settle::WIDTH),
    ("tick::contact::rest", ends::WIDTH),
];

/// Shows a world's tick as soon as it has found its contacts.
#[cfg(test)]
fn show_contacts(mut world: World, look: impl FnOnce(&mut ContactStage<'_>)) {
    let mut report = TickReport::default();
    let World { state, scenery, scratch, .. } = &mut world;
    let mut step = Step { state, scenery, scratch, report: &mut report };
    step.integrate();
    let mut step = step.contact();
    step.find_contacts();
    look(&mut step);
}
