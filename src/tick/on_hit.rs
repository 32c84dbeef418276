//! Bodies that stop, or are removed, at their first impact in a tick.
//!
//! They have no resting contacts, so every collision is an impact. All impacts of one instant are resolved
//! before any of the bodies stops or is removed, so the bodies that they hit respond as usual. A removed body
//! is held where it is, is excluded from the rest of the tick, and has no later events. Its slot is emptied
//! at the end of the tick, so its id is valid for as long as the tick lists it.

use super::{report::Removed, step::Step};
use crate::{
    state::{Sleep, Slot},
    tick::{
        bodies::mover::{Conduct, Partner},
        queue::QueuedImpact,
    },
};

impl Step<'_> {
    /// Stops or removes the bodies that stop or are removed at impacts of one instant that were resolved.
    #[inline]
    pub(super) fn take_hits(&mut self, events: &[QueuedImpact]) {
        if self.scratch.sim.has_hitters {
            self.end_at_hits(events);
        }
    }

    #[cold]
    #[inline(never)]
    fn end_at_hits(&mut self, events: &[QueuedImpact]) {
        for event in events.iter().filter(|event| !event.is_unresolved()) {
            for (index, by) in [(Some(event.a), event.b), (event.partner(), Partner::Mover(event.a))] {
                if let Some(index) =
                    index.filter(|&index| self.bodies().mover(index).conduct == Conduct::GoesAtHit)
                {
                    let (slot, by) = (self.bodies().mover(index).slot, self.bodies().collider(by));
                    let user = self.state.slots[slot as usize].body.map_or(0, |body| body.user);
                    let body = self.state.id_of(slot);
                    self.report.removed.push(Removed { body, toi: event.toi, by, user });
                }
            }
        }
        for event in events.iter().filter(|event| !event.is_unresolved()) {
            for index in [Some(event.a), event.partner()].into_iter().flatten() {
                match self.bodies().mover(index).conduct {
                    Conduct::StopsAtHit => self.bodies_mut().end_at_hit(index, Conduct::Stopped),
                    Conduct::GoesAtHit => {
                        self.bodies_mut().end_at_hit(index, Conduct::Gone);
                        self.scratch.events.note_path(&self.scratch.sim, index);
                        self.scratch.sim.gone.push((index, event.toi));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Empties the slots of removed bodies.
    pub(super) fn take_away_gone(&mut self) {
        for &(index, _) in &self.scratch.sim.gone {
            let number = self.scratch.sim.movers[index as usize].slot;
            self.state.forget_exceptions(number);
            let slot = &mut self.state.slots[number as usize];
            if slot.body.is_some() {
                *slot = Slot { generation: slot.generation + 1, body: None };
                self.scratch.free.give(number, slot.generation);
                self.state.set_sleep(number, Sleep::NEW);
            }
        }
    }
}
