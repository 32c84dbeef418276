//! Bodies that stop, or are removed, at their first impact in a tick.
//!
//! They have no resting contacts, so every collision is an impact. All impacts of one instant are resolved
//! before any of the bodies stops or is removed, so the bodies that they hit respond as usual. A removed body
//! is held where it is, is excluded from the rest of the tick, and has no later events. Its slot is emptied
//! at the end of the tick, so its id is valid for as long as the tick lists it.

use super::{
    bodies::body::{Conduct, Partner},
    contact::ContactStage,
    queue::QueuedImpact,
    report::Removed,
};

impl ContactStage<'_> {
    /// Stops or removes the bodies that stop or are removed at impacts of one instant that were resolved.
    #[inline]
    pub(super) fn take_hits(&mut self, impacts: &[QueuedImpact]) {
        if self.sim.has_hitters {
            self.end_at_hits(impacts);
        }
    }

    #[cold]
    #[inline(never)]
    fn end_at_hits(&mut self, impacts: &[QueuedImpact]) {
        for impact in impacts.iter().filter(|impact| !impact.is_unresolved()) {
            for (index, by) in [(Some(impact.a), impact.b), (impact.partner(), Partner::Body(impact.a))] {
                if let Some(index) =
                    index.filter(|&index| self.bodies().body(index).conduct == Conduct::GoesAtHit)
                {
                    let (slot, by) = (self.bodies().body(index).slot, self.bodies().collider(by));
                    let user = self.state.slots[slot.place()].body.map_or(0, |body| body.user);
                    let body = self.state.id_of(slot);
                    self.report.removed.push(Removed { body, toi: impact.toi, by, user });
                }
            }
        }
        for impact in impacts.iter().filter(|impact| !impact.is_unresolved()) {
            for index in [Some(impact.a), impact.partner()].into_iter().flatten() {
                match self.bodies().body(index).conduct {
                    Conduct::StopsAtHit => self.bodies_mut().end_at_hit(index, Conduct::Stopped),
                    Conduct::GoesAtHit => {
                        self.bodies_mut().end_at_hit(index, Conduct::Gone);
                        self.events.note_path(self.sim, index);
                        self.sim.gone.push((index, impact.toi));
                    }
                    _ => {}
                }
            }
        }
    }
}
