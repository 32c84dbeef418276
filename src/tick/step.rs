//! A tick as a world runs it: in one step, or in several that are reported as one.

use super::{
    Phase, Probe, TickReport,
    invariants::{Sums, free_slots_are_known},
    observe,
    phases::Step,
};
use crate::tick::World;

impl World {
    /// Runs one tick.
    ///
    /// The report's `outcomes` stay empty: commands go through [`World::apply`] or [`World::tick`].
    pub fn step(&mut self, report: &mut TickReport) {
        self.step_with(report, &mut ());
    }

    /// Runs one tick with an observer; in a tick of several [`substeps`](crate::state::Limits::substeps) it sees
    /// all phases of each.
    pub fn step_with(&mut self, report: &mut TickReport, probe: &mut impl Probe) {
        report.outcomes.clear();
        self.step_applied(report, probe);
    }

    /// Makes a report that of no step: nothing has happened since the last tick.
    pub(crate) fn report_no_step(&self, report: &mut TickReport) {
        report.begin(self.state.tick);
        report.events_listed = self.events;
    }

    /// Runs one tick whose commands are applied; their outcomes stay in the report.
    pub(super) fn step_applied(&mut self, report: &mut TickReport, probe: &mut impl Probe) {
        match self.state.limits.substeps {
            1 => self.step_once(report, probe, true),
            steps => self.step_often(steps, report, probe),
        }
    }

    /// Runs a tick in several steps, and reports them as one.
    #[cold]
    fn step_often(&mut self, steps: u8, report: &mut TickReport, probe: &mut impl Probe) {
        let mut of_step = TickReport::default();
        report.begin(self.state.tick + 1);
        self.scratch.sim.origins.clear();
        for step in 0..steps {
            self.step_once(&mut of_step, probe, step + 1 == steps);
            report.add_step(&of_step, step, steps);
        }
        report.end_steps();
    }

    /// Runs one step, the only or last one of its tick or not.
    fn step_once(&mut self, report: &mut TickReport, probe: &mut impl Probe, is_last: bool) {
        report.begin(self.state.tick + 1);
        let Self { state, scenery, scratch, events } = self;
        scratch.events.enable(*events);
        let mut step = Step { state, scenery, scratch, report };
        step.scratch.sim.clear();
        observe::show(&mut step, Phase::Apply, probe);
        debug_assert!(
            free_slots_are_known(step.state, &step.scratch.free),
            "cached slots are not those of the state"
        );
        let before = cfg!(debug_assertions).then(|| Sums::of(step.state));
        if step.scratch.sleepers.begin(step.state, scenery) {
            step.play_undisturbed(probe);
            step.write(is_last);
            step.find_events(); // includes bodies that fall asleep in this tick
            if is_last {
                step.fall_asleep();
            }
            step.scratch.free.take_gone(step.state, &step.scratch.sim);
        } else {
            step.state.tick += u64::from(is_last);
        }
        step.end_ignored_pairs();
        step.scratch.sleepers.report(step.report);
        let rotates = step.bodies().is_accounted();
        let is_closed = |sums: Sums| sums.are_accounted(step.state, step.report, rotates);
        let tick = step.state.tick;
        debug_assert!(
            observe::is_altered(&step) || before.is_none_or(is_closed),
            "the ledgers do not close in tick {tick}"
        );
        debug_assert!(step.report.events.is_sorted());
        step.report.events_listed = *events;
        observe::show(&mut step, Phase::Finish, probe);
        #[cfg(feature = "trace")]
        if scenery.terrain() != &state.terrain && scenery.check_terrain(&state.terrain).is_ok() {
            *scenery = scenery.with_terrain(&state.terrain); // an observer has altered it
        }
    }
}
