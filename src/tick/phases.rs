//! The tick on one page: its phases in their order.
//!
//! A tick is played with the sleepers of its start; if it disturbs one, that wakes and the tick is replayed.

use super::{
    AngularLedger, Phase, Probe, TickReport,
    bodies::{Bodies, BodiesMut, body::BodyIndex},
    invariants::{
        Sums, all_have_arrived, bodies_are_in_order, free_slots_are_known, pairs_are_in_range,
        solids_are_apart,
    },
    stages::Step,
};
use crate::{
    state::{Sleep, Slot},
    tick::{World, scratch::Scratch},
};

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

    /// Runs one tick whose commands are applied; their outcomes stay in the report.
    pub(super) fn step_applied(&mut self, report: &mut TickReport, probe: &mut impl Probe) {
        match self.state.limits.substeps {
            1 => self.step_once(report, probe),
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
            self.scratch.goes_on = step + 1 < steps;
            self.step_once(&mut of_step, probe);
            report.add_step(&of_step, step, steps);
        }
        report.end_steps();
    }

    /// Runs one step, which is a tick unless more follow.
    fn step_once(&mut self, report: &mut TickReport, probe: &mut impl Probe) {
        report.begin(self.state.tick + 1);
        let Self { state, scenery, scratch, events } = self;
        scratch.events.enable(*events);
        let mut step = Step { state, scenery, scratch, report };
        step.scratch.sim.clear();
        step.show(Phase::Apply, probe);
        debug_assert!(
            free_slots_are_known(step.state, &step.scratch.free),
            "cached slots are not those of the state"
        );
        let before = cfg!(debug_assertions).then(|| Sums::of(step.state));
        if step.scratch.sleepers.begin(step.state, scenery) {
            let (mut plays, mut misses) = (1, 0);
            step.scratch.sleepers.find_active(step.state, scenery, misses);
            while !step.play(probe) {
                if step.scratch.sleepers.wake_disturbed(step.state, scenery, plays) {
                    plays += 1;
                } else {
                    misses += 1;
                }
                step.scratch.sleepers.find_active(step.state, scenery, misses);
                step.report.begin(step.state.tick + 1);
            }
            step.write();
            step.find_events(); // includes bodies that fall asleep in this tick
            if !step.scratch.goes_on {
                step.fall_asleep().fall_asleep();
            }
            step.take_away_gone();
        } else {
            step.state.tick += u64::from(!step.scratch.goes_on);
        }
        step.end_exceptions();
        step.scratch.sleepers.report(step.report);
        let rotates = step.bodies().is_accounted();
        let is_closed = |sums: Sums| sums.are_accounted(step.state, step.report, rotates);
        let tick = step.state.tick;
        debug_assert!(
            step.is_altered() || before.is_none_or(is_closed),
            "the ledgers do not close in tick {tick}"
        );
        debug_assert!(step.report.events.is_sorted());
        step.report.events_listed = *events;
        step.show(Phase::Finish, probe);
    }
}

impl Step<'_> {
    /// Collects the bodies that take part, and integrates gravity and damping.
    pub(super) fn integrate(&mut self) {
        let Scratch { sim, sleepers, places, pairs, unproved, .. } = &mut *self.scratch;
        let state = &*self.state;
        let mut bodies = BodiesMut { state, scenery: self.scenery, sim, report: self.report };
        bodies.integrate(|slot| sleepers.leaves_out(state, slot));
        debug_assert!(bodies_are_in_order(bodies.bodies()));
        unproved.begin(sim.all().len());
        places.forget();
        pairs.is_known = false;
        self.contact().begin();
    }

    /// Plays the tick to its end; returns false if that disturbed a sleeper, so that the tick must be
    /// replayed.
    fn play(&mut self, probe: &mut impl Probe) -> bool {
        self.scratch.events.begin();
        self.integrate();
        self.depenetration().run();
        if self.scratch.sleepers.must_begin_anew() {
            return false;
        }
        self.show(Phase::Integrate, probe);
        self.contact().rest();
        let pairs = &self.scratch.pairs;
        debug_assert!(!pairs.is_known || pairs_are_in_range(self.bodies(), &pairs.known));
        if self.presses_sleepers() {
            return false;
        }
        self.show(Phase::Rest, probe);
        self.scratch.events.begin_paths(&self.scratch.sim);
        if !self.toi_loop_of_instants().0.find_impacts() {
            return false;
        }
        debug_assert!(
            self.begins_apart(),
            "a pair overlaps that counts as apart in tick {}",
            self.state.tick + 1
        );
        let (mut toi_loop, instant) = self.toi_loop_of_instants();
        if !toi_loop.resolve_impacts(instant) {
            return false;
        }
        self.show(Phase::Impacts, probe);
        self.end_paths();
        debug_assert!(self.ends_apart(), "a solid pair overlaps at the end of tick {}", self.state.tick + 1);
        !self.presses_sleepers()
    }

    /// True if no solid pair overlaps at the beginning of the tick, or if the last tick did not leave all apart.
    fn begins_apart(&mut self) -> bool {
        if self.is_altered() || !self.scratch.is_apart {
            return true;
        }
        let Scratch { sim, pairs, checked, .. } = &mut *self.scratch;
        let bodies = Bodies { state: self.state, scenery: self.scenery, sim };
        solids_are_apart(bodies, &pairs.regions, &mut checked.found, |body| bodies.entry(body))
    }

    /// True if no solid pair overlaps at the end of the tick but those that did when it began, or if so many pairs may be near
    /// each other that not all of those are listed.
    fn ends_apart(&mut self) -> bool {
        let (bodies, statics) = (self.scratch.sim.all().len() as u64, self.scenery.statics().len() as u64);
        if self.is_altered() || bodies * (bodies + statics) > u64::from(self.state.limits.pairs_max) {
            return true;
        }
        let Scratch { sim, pairs, checked, .. } = &mut *self.scratch;
        let bodies = Bodies { state: self.state, scenery: self.scenery, sim };
        solids_are_apart(bodies, &pairs.regions, &mut checked.found, |body| body.path.position)
    }

    /// Marks the sleepers that contacts of the tick press on; returns true if the tick must be replayed.
    fn presses_sleepers(&mut self) -> bool {
        let Scratch { sim, contact, sleepers, .. } = &mut *self.scratch;
        let pressed = contact.rest.contacts.iter().filter(|contact| contact.push > 0);
        let pairs = pressed
            .map(|contact| [Some(contact.high), contact.low_mover()].map(|index| index.map(BodyIndex)));
        sleepers.disturb(Bodies { state: self.state, scenery: self.scenery, sim }, pairs)
    }

    /// Moves every body to the end of its path, reverts overlapping bodies, and settles contacts.
    fn end_paths(&mut self) {
        let (mut check, buffers) = self.overlap_check();
        check.run(buffers);
        debug_assert!(all_have_arrived(self.bodies()));
        self.contact().settle();
        if self.scratch.sim.any_rotates() {
            let Scratch { sim, .. } = &mut *self.scratch;
            BodiesMut { state: self.state, scenery: self.scenery, sim, report: self.report }.take_locked();
        }
    }

    #[cfg(test)]
    pub(super) fn finish(&mut self) {
        self.end_paths();
        self.write();
    }

    /// Writes the state at the end of the tick.
    fn write(&mut self) {
        self.fall_asleep().count_still();
        let Scratch { sim, goes_on, .. } = &*self.scratch;
        sim.write(self.state, *goes_on);
        if !sim.any_rotates() {
            self.report.angular = AngularLedger::default(); // some lines are written unconditionally
        }
        self.state.tick += u64::from(!goes_on);
        self.report.sort();
    }

    /// Empties the slots of removed bodies.
    fn take_away_gone(&mut self) {
        for &(index, _) in &self.scratch.sim.gone {
            let number = self.scratch.sim.all()[index.place()].slot;
            self.state.forget_exceptions(number);
            let slot = &mut self.state.slots[number as usize];
            if slot.body.is_some() {
                *slot = Slot { generation: slot.generation + 1, body: None };
                self.scratch.free.give(number, slot.generation);
                self.state.set_sleep(number, Sleep::NEW);
            }
        }
    }

    /// Ends the exceptions that expire with this tick; the sleepers that they name wake.
    fn end_exceptions(&mut self) {
        if self.state.exceptions.is_empty() {
            return;
        }
        let Scratch { ended, is_apart, sleepers, .. } = &mut *self.scratch;
        ended.clear();
        self.state.end_exceptions(ended);
        if !ended.is_empty() {
            *is_apart = false;
            sleepers.wake(self.state, self.scenery, ended);
        }
    }

    /// Lists the events of the tick that has ended.
    pub(super) fn find_events(&mut self) {
        let Scratch { sim, events, .. } = &mut *self.scratch;
        let bodies = Bodies { state: self.state, scenery: self.scenery, sim };
        events.list(bodies, self.report);
    }
}
