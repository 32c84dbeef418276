//! The tick on one page: its phases in their order.
//!
//! A tick is played with the sleepers of its start; if it disturbs one, that wakes and the tick is replayed.

use super::{
    AngularLedger, Phase, Probe, TickReport,
    bodies::{Bodies, BodiesMut, body::Partner},
    budget::WorkBudget,
    invariants::{
        Sums, all_have_arrived, bodies_are_in_order, free_slots_are_known, pairs_are_in_range,
        solids_are_apart,
    },
    overlapping::find_overlapping,
    sleep::{Bond, Disturbed, FallAsleep},
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
        step.show(Phase::Apply, probe);
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
            step.take_away_gone();
        } else {
            step.state.tick += u64::from(is_last);
        }
        step.end_ignored_pairs();
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
        let Scratch { sim, sleepers, places, pairs, unproved, budget, .. } = &mut *self.scratch;
        let state = &*self.state;
        let mut bodies = BodiesMut { state, scenery: self.scenery, sim, report: self.report };
        bodies.integrate(|slot| sleepers.leaves_out(state, slot));
        debug_assert!(bodies_are_in_order(bodies.bodies()));
        unproved.begin(sim.all().len());
        places.forget();
        pairs.known.discard();
        pairs.searched.clear();
        *budget = WorkBudget::of(&self.state.limits);
        self.contact().begin();
    }

    /// Plays the tick, and replays it until it disturbs no sleeper.
    fn play_undisturbed(&mut self, probe: &mut impl Probe) {
        let (mut plays, mut misses) = (1, 0);
        self.scratch.sleepers.find_active(self.state, self.scenery, misses);
        while let Err(disturbed) = self.play(probe) {
            match disturbed {
                Disturbed::Sleepers => {
                    self.scratch.sleepers.wake_disturbed(self.state, self.scenery, plays);
                    plays += 1;
                }
                Disturbed::LeftOut => misses += 1,
            }
            self.scratch.sleepers.find_active(self.state, self.scenery, misses);
            self.report.begin(self.state.tick + 1);
        }
    }

    /// Plays the tick to its end.
    ///
    /// # Errors
    ///
    /// If that disturbs a sleeper: the tick must be replayed.
    fn play(&mut self, probe: &mut impl Probe) -> Result<(), Disturbed> {
        self.scratch.events.begin();
        self.integrate();
        self.depenetration().run();
        self.see_sleepers()?;
        self.wake_overlapped()?;
        self.show(Phase::Integrate, probe);
        self.contact().rest();
        self.see_sleepers()?;
        let pairs = self.scratch.pairs.known.pairs().unwrap_or_default();
        debug_assert!(pairs_are_in_range(self.bodies(), pairs));
        self.wake_pressed()?;
        self.show(Phase::Rest, probe);
        self.scratch.events.begin_paths(&self.scratch.sim);
        self.find_impacts()?;
        debug_assert!(
            self.begins_apart(),
            "a pair overlaps that counts as apart in tick {}",
            self.state.tick + 1
        );
        self.resolve_impacts()?;
        self.show(Phase::Impacts, probe);
        self.end_paths();
        debug_assert!(self.ends_apart(), "a solid pair overlaps at the end of tick {}", self.state.tick + 1);
        self.wake_pressed()
    }

    /// Finds the impacts of all paths, and what overlaps before any body moves.
    pub(super) fn find_impacts(&mut self) -> Result<(), Disturbed> {
        self.toi_loop().find_impacts();
        self.see_sleepers()?;
        self.find_overlapping()
    }

    /// Lets the sleepers in the boxes that were searched take part.
    fn see_sleepers(&mut self) -> Result<(), Disturbed> {
        let Scratch { sim, pairs, sleepers, .. } = &mut *self.scratch;
        let bodies = Bodies { state: self.state, scenery: self.scenery, sim };
        let seen = sleepers.see_all(bodies, &pairs.searched);
        pairs.searched.clear();
        seen
    }

    /// Wakes the sleepers that depenetration would move.
    fn wake_overlapped(&mut self) -> Result<(), Disturbed> {
        let Scratch { sim, depenetration, sleepers, .. } = &mut *self.scratch;
        let bodies = Bodies { state: self.state, scenery: self.scenery, sim };
        sleepers.disturb(bodies, depenetration.sleepers.iter().copied())
    }

    /// Wakes the sleepers that contacts of the tick press on.
    fn wake_pressed(&mut self) -> Result<(), Disturbed> {
        let Scratch { sim, contact, sleepers, .. } = &mut *self.scratch;
        let bodies = Bodies { state: self.state, scenery: self.scenery, sim };
        sleepers.disturb(bodies, contact.pressed().flat_map(|(a, b)| [Some(a), b]).flatten())
    }

    /// Lists the pairs that overlap at the start of the tick, and wakes the sleepers among them. While a sleeper is left out,
    /// it is not known whether all are apart: that may overlap another one.
    fn find_overlapping(&mut self) -> Result<(), Disturbed> {
        let Scratch { sim, pairs, sleepers, overlapping, is_apart, .. } = &mut *self.scratch;
        overlapping.list.clear();
        if !*is_apart {
            let bodies = Bodies { state: self.state, scenery: self.scenery, sim };
            let are_apart = find_overlapping(bodies, &mut pairs.regions, overlapping);
            *is_apart = are_apart && !sleepers.leaves_any_out(self.state);
        }
        let of_bodies = overlapping.list.chunk_by(|first, second| (first.0, first.1) == (second.0, second.1));
        self.report.overlapping = of_bodies.count() as u32;
        std::mem::swap(&mut sim.overlapping, &mut overlapping.list);
        let other = |b: Partner| if let Partner::Body(b) = b { Some(b) } else { None };
        let of_pairs = sim.overlapping.iter().flat_map(|&(a, b, _)| [Some(a), other(b)]).flatten();
        sleepers.disturb(Bodies { state: self.state, scenery: self.scenery, sim }, of_pairs)
    }

    /// Resolves all impacts, and wakes the sleepers that one hits.
    fn resolve_impacts(&mut self) -> Result<(), Disturbed> {
        let (mut toi_loop, instant) = self.toi_loop_of_instants();
        toi_loop.resolve_impacts(instant);
        self.see_sleepers()?;
        let Scratch { sim, toi_loop, sleepers, .. } = &mut *self.scratch;
        let bodies = Bodies { state: self.state, scenery: self.scenery, sim };
        sleepers.disturb(bodies, toi_loop.instant.sleepers.iter().copied())
    }

    /// Puts islands at rest to sleep.
    fn fall_asleep(&mut self) {
        let Scratch { sim, sleepers, contact, depenetration, .. } = &mut *self.scratch;
        let overlaps = &depenetration.found;
        let pressed = contact.pressed().filter_map(|(a, b)| Some(Bond::Island(a, b?)));
        let overlapping = overlaps.pairs().map(|[a, b]| Bond::Island(a, b));
        let bonds = pressed.chain(overlapping).chain(overlaps.crowd().map(Bond::Awake));
        FallAsleep { state: self.state, scenery: self.scenery, sim, sleepers, report: self.report }
            .fall_asleep(bonds);
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
        self.write(true);
    }

    /// Writes the state at the end of the tick, or of one of its steps.
    fn write(&mut self, is_last: bool) {
        let Scratch { sim, sleepers, .. } = &mut *self.scratch;
        FallAsleep { state: self.state, scenery: self.scenery, sim, sleepers, report: self.report }
            .count_still(is_last);
        sim.write(self.state, is_last);
        debug_assert!(sim.any_rotates() || self.report.angular == AngularLedger::default());
        self.state.tick += u64::from(is_last);
        self.report.sort();
    }

    /// Empties the slots of removed bodies.
    fn take_away_gone(&mut self) {
        for &(index, _) in &self.scratch.sim.gone {
            let number = self.scratch.sim.all()[index.place()].slot;
            self.state.forget_ignored_pairs(number);
            let slot = &mut self.state.slots[number.place()];
            if slot.body.is_some() {
                *slot = Slot { generation: slot.generation + 1, body: None };
                self.scratch.free.give(number, slot.generation);
                self.state.set_sleep(number, Sleep::NEW);
            }
        }
    }

    /// Ends the ignored pairs that expire with this tick; their sleepers wake.
    fn end_ignored_pairs(&mut self) {
        if self.state.ignored_pairs.is_empty() {
            return;
        }
        let Scratch { ended, is_apart, sleepers, .. } = &mut *self.scratch;
        ended.clear();
        self.state.end_ignored_pairs(ended);
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
