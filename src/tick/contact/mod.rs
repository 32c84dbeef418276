//! Contacts and impacts: what becomes of bodies that touch.
//!
//! A fast impact is resolved at its instant (`respond.rs`; several at one instant by `ties.rs`, with friction
//! and rotation by `strike`). A slow one is a resting contact for the rest of the tick (`rest`): motions are
//! projected so that no contact penetrates, and at the end of the tick the momenta lose what still closes.
//!
//! The stage reads the paths of bodies and changes them through [`BodiesMut`]. It begins with
//! [`rest`](ContactStage::rest); the loop of impacts hands it the impacts of each instant, and searches for the
//! impacts of the bodies whose motion it changed; it ends with [`settle`](ContactStage::settle).

mod hits;
mod respond;
mod rest;
mod strike;
mod ties;
mod together;

use crate::{
    geom::Normal,
    num::{Scalar, Toi},
    state::{Material, Scenery, ShapeId, State, StaticId},
    tick::{
        TickReport,
        bodies::{Bodies, BodiesMut, SimBodies, body::BodyIndex},
        budget::WorkBudget,
        events::Events,
        narrow::TimeOfImpact,
        pairs::Pairs,
        queue::{ImpactQueue, QueuedImpact},
        unproved::Unproved,
    },
};

pub(super) use rest::ContactView;
use rest::memory::Rest;
use strike::memory::Hits;
use ties::Tie;
use together::memory::Together;

/// The widest numbers of contacts and impacts.
#[cfg(test)]
pub(super) fn widths() -> Vec<(&'static str, crate::num::bound::Width)> {
    let of_impacts = [
        ("tick::contact::strike", strike::WIDTH),
        ("tick::contact::strike", strike::ENERGY_WIDTH),
        ("tick::contact::together", together::WIDTH),
    ];
    [&rest::WIDTHS[..], &of_impacts].concat()
}

/// The number of no body, contact or point, where the stage counts them by plain numbers.
const NONE: u32 = u32::MAX;

/// The buffers of the stage.
#[derive(Default, Debug)]
pub struct ContactBuffers {
    /// The contacts of resting bodies.
    pub rest: Rest,
    /// The impacts of pairs that are pressed together, with their closing speeds; the earliest last.
    pub blows: Vec<(QueuedImpact, Scalar)>,
    /// The impacts of one instant that need an impulse.
    pub ties: Vec<Tie>,
    /// The memory of the impact solver.
    pub together: Together,
    /// The memory of impacts with rotation or friction.
    pub hits: Hits,
    /// True if any contact of this tick may need points: a body rotates, or a material has friction.
    pub may_grip: bool,
    /// The movers found in a search.
    pub found: Vec<u32>,
    /// The statics found in a search.
    pub found_statics: Vec<StaticId>,
}

impl ContactBuffers {
    /// The bodies of the contacts that press, and the other one of each if it is a body.
    pub fn pressed(&self) -> impl Iterator<Item = (BodyIndex, Option<BodyIndex>)> {
        let pressed = self.rest.contacts.iter().filter(|contact| contact.push > 0);
        pressed.map(|contact| (BodyIndex(contact.high), contact.low_mover().map(BodyIndex)))
    }

    /// The contacts as they are.
    #[inline(always)]
    pub fn view<'a>(&'a self, bodies: Bodies<'a>) -> ContactView<'a> {
        ContactView { bodies, rest: &self.rest }
    }

    /// True if a body is in contact.
    #[cfg(test)]
    pub fn holds(&self, index: BodyIndex) -> bool {
        self.rest.first[index.place()] != NONE
    }

    /// Solves the largest island of contacts again: see [`World::solve_rows_again`](crate::World::solve_rows_again).
    #[cfg(feature = "trace")]
    pub fn solve_largest_again(&mut self, steps: i64) -> i64 {
        self.rest.grip.solve_largest_again(steps)
    }

    /// Discards what is known of the last tick.
    pub fn forget(&mut self) {
        self.rest.kept.forget();
    }
}

/// The stage of contacts and impacts.
pub struct ContactStage<'a> {
    pub state: &'a State,
    pub scenery: &'a Scenery,
    pub sim: &'a mut SimBodies,
    pub pairs: &'a mut Pairs,
    pub queue: &'a mut ImpactQueue,
    pub unproved: &'a mut Unproved,
    /// The tests of candidates that the tick may do.
    pub budget: &'a mut WorkBudget,
    pub events: &'a mut Events,
    pub report: &'a mut TickReport,
    pub scratch: &'a mut ContactBuffers,
}

impl QueuedImpact {
    /// The number of the other body, if it is one: the stage counts bodies by plain numbers.
    fn partner_number(&self) -> Option<u32> {
        self.partner().map(|index| index.0)
    }

    /// The normal of an impact that is resolved; of another one it is zero.
    fn known_normal(&self) -> Normal {
        self.normal.unwrap_or(Normal::new(0, 0, 0))
    }
}

impl ContactStage<'_> {
    /// Prepares the stage for the bodies of a tick.
    pub fn begin(&mut self) {
        let rubs = |material: &Material| material.friction_q16 != 0;
        self.scratch.may_grip = !self.bodies().no_body_rotates() || self.scenery.materials().iter().any(rubs);
    }

    /// The bodies as they are.
    #[inline(always)]
    pub fn bodies(&self) -> Bodies<'_> {
        Bodies { state: self.state, scenery: self.scenery, sim: self.sim }
    }

    /// The bodies, to change them.
    #[inline(always)]
    pub fn bodies_mut(&mut self) -> BodiesMut<'_> {
        let (state, scenery) = (self.state, self.scenery);
        BodiesMut { state, scenery, sim: self.sim, report: self.report }
    }

    /// The contacts as they are.
    #[inline(always)]
    fn contacts(&self) -> ContactView<'_> {
        self.scratch.view(self.bodies())
    }

    /// The times of impact on the paths as they are.
    #[inline(always)]
    fn time_of_impact(&self) -> TimeOfImpact<'_, ContactView<'_>> {
        TimeOfImpact { bodies: self.bodies(), contacts: self.contacts() }
    }

    /// Puts the boxes of all paths, and some more room around each shape, into the search structure.
    pub fn gather_pairs(&mut self, more: impl Fn(ShapeId) -> Scalar) {
        let bodies = Bodies { state: self.state, scenery: self.scenery, sim: self.sim };
        self.pairs.gather(bodies, more);
    }

    /// True if the tick exceeds a limit on work or memory.
    pub fn is_overrun(&self) -> bool {
        self.budget.is_exceeded() || self.queue.is_full(self.bodies())
    }

    /// Drops the impacts of pairs that are pressed together which are not reported yet.
    pub fn drop_blows(&mut self) {
        self.scratch.blows.clear();
    }

    /// Reports the impacts of pairs that are pressed together, up to an instant.
    pub fn note_blows(&mut self, toi: Toi) {
        while let Some(&(event, closing)) = self.scratch.blows.last().filter(|(event, _)| event.toi <= toi) {
            self.note_impact(&event, closing, true);
            self.scratch.blows.pop();
        }
    }
}
