//! What each stage of a tick borrows: only what it reads and writes, and buffers of its own.

use super::{
    TickReport, bodies::Bodies, contact::ContactStage, overlap_check::OverlapCheck, scratch::Scratch,
    separate::Separation, sleep::FallAsleep, toi_loop::ToiLoop,
};
use crate::state::{Scenery, State};

/// One tick in progress: the world, and the report that the tick fills.
pub(super) struct Step<'a> {
    pub state: &'a mut State,
    pub scenery: &'a Scenery,
    pub scratch: &'a mut Scratch,
    pub report: &'a mut TickReport,
}

impl Step<'_> {
    /// The bodies as they are.
    pub(super) fn bodies(&self) -> Bodies<'_> {
        Bodies { state: self.state, scenery: self.scenery, sim: &self.scratch.sim }
    }

    /// The loop of impacts, with the stage of contacts.
    pub(super) fn toi_loop(&mut self) -> ToiLoop<'_> {
        let (state, scenery, report) = (&*self.state, self.scenery, &mut *self.report);
        let Scratch { sim, pairs, queue, unproved, sleepers, events, contact, toi_loop, is_apart, .. } =
            &mut *self.scratch;
        let scratch = contact;
        let contact =
            ContactStage { state, scenery, sim, pairs, queue, unproved, sleepers, events, report, scratch };
        ToiLoop { contact, buffers: toi_loop, is_apart }
    }

    /// The stage of contacts and impacts.
    pub(super) fn contact(&mut self) -> ContactStage<'_> {
        self.toi_loop().contact
    }

    /// The stage that separates overlapping bodies.
    pub(super) fn separation(&mut self) -> Separation<'_> {
        let (state, scenery) = (&*self.state, self.scenery);
        let Scratch { sim, pairs, sleepers, separating: buffers, is_apart, .. } = &mut *self.scratch;
        Separation { state, scenery, sim, pairs, sleepers, buffers, is_apart: *is_apart }
    }

    /// The stage that ends the paths and checks the poses at their ends.
    pub(super) fn overlap_check(&mut self) -> OverlapCheck<'_> {
        let (state, scenery, report) = (&*self.state, self.scenery, &mut *self.report);
        let Scratch { sim, pairs, unproved, checked: buffers, .. } = &mut *self.scratch;
        OverlapCheck { state, scenery, sim, pairs, unproved, report, buffers }
    }

    /// The stage that puts resting islands to sleep.
    pub(super) fn fall_asleep(&mut self) -> FallAsleep<'_> {
        let (state, scenery, report) = (&mut *self.state, self.scenery, &mut *self.report);
        let Scratch { sim, contact, separating, sleepers, goes_on, .. } = &mut *self.scratch;
        let (contacts, goes_on) = (&contact.rest.contacts[..], *goes_on);
        FallAsleep { state, scenery, sim, contacts, separating, sleepers, report, goes_on }
    }
}
