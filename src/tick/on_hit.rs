//! Bodies that stop, or go, at their first impact in a tick.
//!
//! They are in no contact at rest, so whatever they meet is an impact, and all impacts of one instant are resolved before
//! any of them stops or goes: what they strike is struck as by any body. Who goes is held where it is, is no candidate any more,
//! and has no events later than that; its slot is emptied when the tick has ended, so that its id is good for as long as
//! anything is listed.

use super::{
    angular::{add_moment, add_turning},
    report::{Removed, add_change},
    step::Step,
};
use crate::{
    geom::Vec3,
    state::{Sleep, Slot},
    tick::{
        bodies::mover::{Conduct, Partner},
        schedule::Event,
    },
};

impl Step<'_> {
    /// Stops those who stop at impacts of one instant that were resolved, and takes out those who go.
    #[inline]
    pub(super) fn take_hits(&mut self, events: &[Event]) {
        if self.scratch.sim.has_hitters {
            self.end_at_hits(events);
        }
    }

    #[cold]
    #[inline(never)]
    fn end_at_hits(&mut self, events: &[Event]) {
        for event in events.iter().filter(|event| !event.is_unresolved()) {
            for (index, by) in [(Some(event.a), event.b), (event.partner(), Partner::Mover(event.a))] {
                if let Some(index) =
                    index.filter(|&index| self.bodies().mover(index).conduct == Conduct::GoesAtHit)
                {
                    let (body, by) =
                        (self.state.id_of(self.bodies().mover(index).slot), self.bodies().collider(by));
                    self.report.removed.push(Removed { body, toi: event.toi, by });
                }
            }
        }
        for event in events.iter().filter(|event| !event.is_unresolved()) {
            for index in [Some(event.a), event.partner()].into_iter().flatten() {
                match self.bodies().mover(index).conduct {
                    Conduct::StopsAtHit => self.end_at_hit(index, Conduct::Stopped),
                    Conduct::GoesAtHit => {
                        self.end_at_hit(index, Conduct::Gone);
                        self.scratch.events.note_path(&self.scratch.sim, index);
                        self.scratch.sim.gone.push((index, event.toi));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Holds a body where it is, without any momentum.
    fn end_at_hit(&mut self, index: u32, conduct: Conduct) {
        let mut mover = *self.bodies().mover(index);
        let turning = self.stop_turning(&mover);
        let (ledger, angular) = (&mut self.report.ledger.on_hit, &mut self.report.angular.on_hit);
        add_change(ledger, mover.momentum, Vec3::ZERO);
        add_moment(angular, mover.path.pose.position, mover.momentum, Vec3::ZERO);
        add_turning(angular, turning, Vec3::ZERO);
        (mover.momentum, mover.path.motion) = (Vec3::ZERO, Vec3::ZERO);
        (mover.held, mover.conduct) = (true, conduct);
        mover.stamp += 1; // who was held already gets no new path
        self.scratch.sim.movers[index as usize] = mover;
    }

    /// Empties the slots of those who have gone.
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
