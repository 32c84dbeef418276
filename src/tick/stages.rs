//! What each stage of a tick borrows: only what it reads and writes, and buffers of its own.

use super::{
    TickReport,
    bodies::Bodies,
    contact::ContactStage,
    depenetration::Depenetration,
    overlap_check::{CheckBuffers, OverlapCheck},
    scratch::Scratch,
    toi_loop::{LoopBuffers, OneInstant, ToiLoop},
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
        self.toi_loop_of_instants().0
    }

    /// The loop of impacts, and the buffers of one instant.
    pub(super) fn toi_loop_of_instants(&mut self) -> (ToiLoop<'_>, &mut OneInstant) {
        let (state, scenery, report) = (&*self.state, self.scenery, &mut *self.report);
        let Scratch { sim, pairs, queue, unproved, budget, events, contact, toi_loop, .. } =
            &mut *self.scratch;
        let scratch = contact;
        let contact =
            ContactStage { state, scenery, sim, pairs, queue, unproved, budget, events, report, scratch };
        let LoopBuffers { found, instant } = toi_loop;
        (ToiLoop { contact, found }, instant)
    }

    /// The stage of contacts and impacts.
    pub(super) fn contact(&mut self) -> ContactStage<'_> {
        self.toi_loop().contact
    }

    /// The stage that separates overlapping bodies.
    pub(super) fn depenetration(&mut self) -> Depenetration<'_> {
        let (state, scenery) = (&*self.state, self.scenery);
        let Scratch { sim, pairs, depenetration: buffers, is_apart, .. } = &mut *self.scratch;
        Depenetration { state, scenery, sim, pairs, buffers, is_apart: *is_apart }
    }

    /// The stage that ends the paths and checks the poses at their ends, and its buffers.
    pub(super) fn overlap_check(&mut self) -> (OverlapCheck<'_>, &mut CheckBuffers) {
        let (state, scenery, report) = (&*self.state, self.scenery, &mut *self.report);
        let Scratch { sim, pairs, unproved, checked, .. } = &mut *self.scratch;
        (OverlapCheck { state, scenery, sim, pairs, unproved, report }, checked)
    }
}
