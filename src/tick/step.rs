//! The whole tick in one function.

use super::{Phase, Probe, TickReport, View};
use crate::world::{Scenery, Scratch, State, World};

/// One tick under way: the world's parts, and the report that it fills.
pub(super) struct Step<'a> {
    pub state: &'a mut State,
    pub scenery: &'a Scenery,
    pub scratch: &'a mut Scratch,
    pub report: &'a mut TickReport,
}

impl World {
    /// Runs one tick.
    ///
    /// The report's `outcomes` stay empty: commands go through [`World::apply`] or [`World::tick`].
    pub fn step(&mut self, report: &mut TickReport) {
        self.step_with(report, &mut ());
    }

    /// Runs one tick while somebody looks on.
    pub fn step_with(&mut self, report: &mut TickReport, probe: &mut impl Probe) {
        report.begin(self.state.tick + 1);
        let Self { state, scenery, scratch } = self;
        let mut step = Step { state, scenery, scratch, report };
        step.integrate();
        step.show(Phase::Integrate, probe);
        step.rest();
        step.note_paths();
        step.find_impacts();
        step.resolve_impacts();
        step.show(Phase::Impacts, probe);
        step.finish();
        step.find_events();
        step.show(Phase::Finish, probe);
    }
}

impl Step<'_> {
    fn show(&self, phase: Phase, probe: &mut impl Probe) {
        probe.after(phase, &View { state: self.state, movers: &self.scratch.movers });
    }
}
