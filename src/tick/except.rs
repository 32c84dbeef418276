//! Pairs that the layers make solid and that are nothing to each other in this tick.
//!
//! This is asked of a pair only where it would be solid, and costs a test of one flag in a world that has none.

use super::step::Step;
use crate::{
    state::{Body, BodyId, Collider, Refusal, StateError},
    tick::{
        World,
        bodies::{SimBodies, mover::Mover},
        scratch::Scratch,
    },
};

impl World {
    /// Makes two an exception for some ticks.
    ///
    /// It is never refused for what they overlap: that is what it is for, and when it ends they part as a pair does that a
    /// command let overlap.
    pub(super) fn except(&mut self, a: BodyId, b: Collider, ticks: u32) -> Result<(), Refusal> {
        self.find(a)?;
        match b {
            Collider::Body(b) if a == b => {
                return Err(StateError::impossible("b", "a body has no exception with itself").into());
            }
            Collider::Body(b) => {
                self.find(b)?;
            }
            Collider::Static(id) if id.0 as usize >= self.scenery.statics().len() => {
                return Err(StateError::impossible("b", "the scenery has no such static").into());
            }
            Collider::Static(_) => {}
        }
        self.scratch.is_apart &= ticks > 0;
        Ok(self.state.except(a, b, ticks)?)
    }
}

impl Step<'_> {
    /// Notes whether there may be any in this tick, and where everybody begins it if that decides.
    pub(super) fn begin_passes(&mut self) {
        let has_one_ways = self.scenery.has_one_ways();
        self.scratch.sim.has_passes = has_one_ways || !self.state.exceptions.is_empty();
        let Scratch { sim: SimBodies { entries, movers, .. }, origins, .. } = &mut *self.scratch;
        entries.clear();
        if has_one_ways {
            let has_steps = self.state.limits.steps > 1;
            origins.resize(if has_steps { self.state.slots.len() } else { 0 }, None);
            let of = |mover: &Mover| {
                let slot = mover.slot as usize;
                let body = self.state.slots[slot].body?;
                let here = (body.position, body.spin);
                // Who comes in at a later step has not moved before.
                let (position, spin) =
                    origins.get_mut(slot).map_or(here, |origin| *origin.get_or_insert(here));
                // Who sleeps is asked as he is when awake: what moves bodies apart sees him so.
                Some(Body { position, spin, ..body })
            };
            entries.extend(movers.iter().filter_map(of));
        }
    }

    /// Ends the exceptions that held in the tick that has ended for the last time; who sleeps and is named by one wakes.
    pub(super) fn end_exceptions(&mut self) {
        if self.state.exceptions.is_empty() {
            return;
        }
        let mut ended = std::mem::take(&mut self.scratch.found);
        ended.clear();
        self.state.end_exceptions(&mut ended);
        if !ended.is_empty() {
            self.scratch.is_apart = false;
            self.scratch.dormitory.wake(self.state, self.scenery, &ended);
        }
        self.scratch.found = ended;
    }
}
