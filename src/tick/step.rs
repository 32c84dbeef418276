//! The whole tick in one function.

use super::{
    Phase, Probe, TickReport, View,
    bodies::{Bodies, BodiesMut},
    contact::{ContactStage, rest::ContactView},
    search::{Search, Test},
};
#[cfg(feature = "trace")]
use crate::tick::bodies::mover::Conduct;
use crate::{
    num::{Scalar, Toi},
    state::{Scenery, ShapeId, State},
    tick::{World, scratch::Scratch},
};

/// One tick in progress: the world, and the report that the tick fills.
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

    /// Runs one tick with an observer; in a tick of several [`steps`](crate::state::Limits::steps) it sees
    /// all phases of each.
    pub fn step_with(&mut self, report: &mut TickReport, probe: &mut impl Probe) {
        match self.state.limits.steps {
            1 => self.step_once(report, probe),
            steps => self.step_often(steps, report, probe),
        }
    }

    /// Runs a tick in several steps, and reports them as one.
    #[cold]
    fn step_often(&mut self, steps: u8, report: &mut TickReport, probe: &mut impl Probe) {
        let mut of_step = TickReport { listens: report.listens, ..TickReport::default() };
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
        let Self { state, scenery, scratch } = self;
        let mut step = Step { state, scenery, scratch, report };
        step.scratch.sim.movers.clear();
        step.show(Phase::Apply, probe);
        if step.rouse() {
            let (mut plays, mut misses) = (1, 0);
            step.look_around(misses);
            while !step.play(probe) {
                if step.wake_disturbed(plays) {
                    plays += 1;
                } else {
                    misses += 1;
                }
                step.look_around(misses);
                step.report.begin(step.state.tick + 1);
            }
            step.write();
            step.find_events(); // includes bodies that fall asleep in this tick
            if !step.scratch.goes_on {
                step.fall_asleep();
            }
            step.take_away_gone();
        } else {
            step.state.tick += u64::from(!step.scratch.goes_on);
        }
        step.end_exceptions();
        step.tell_sleep();
        step.show(Phase::Finish, probe);
    }
}

impl Step<'_> {
    /// The bodies as they are.
    #[inline(always)]
    pub(super) fn bodies(&self) -> Bodies<'_> {
        Bodies { state: self.state, scenery: self.scenery, sim: &self.scratch.sim }
    }

    /// The bodies, to change them.
    #[inline(always)]
    pub(super) fn bodies_mut(&mut self) -> BodiesMut<'_> {
        let (state, report) = (&*self.state, &mut *self.report);
        BodiesMut { state, scenery: self.scenery, sim: &mut self.scratch.sim, report }
    }

    /// Collects the bodies that take part, and integrates gravity and damping.
    pub(super) fn integrate(&mut self) {
        let Scratch { sim, dormitory, places, .. } = &mut *self.scratch;
        let state = &*self.state;
        let mut bodies = BodiesMut { state, scenery: self.scenery, sim, report: self.report };
        bodies.integrate(|slot| dormitory.leaves_out(state, slot));
        places.forget();
        self.scratch.pairs.is_known = false;
        self.scratch.unproved.begin(self.scratch.sim.movers.len());
        self.contact().begin();
    }

    /// The stage of contacts and impacts.
    #[inline(always)]
    pub(super) fn contact(&mut self) -> ContactStage<'_> {
        let (state, scenery, report) = (&*self.state, self.scenery, &mut *self.report);
        let Scratch { sim, pairs, queue, unproved, dormitory, events, contact, .. } = &mut *self.scratch;
        let (sleepers, scratch) = (dormitory, contact);
        ContactStage { state, scenery, sim, pairs, queue, unproved, sleepers, events, report, scratch }
    }

    /// The search for impacts on the paths as they are.
    pub(super) fn search(&mut self) -> Search<'_> {
        let Scratch { sim, contact, pairs, found_impacts, queue, unproved, dormitory, .. } =
            &mut *self.scratch;
        let contacts = ContactView {
            bodies: Bodies { state: self.state, scenery: self.scenery, sim },
            rest: &contact.rest,
        };
        Search { pairs, found: found_impacts, sleepers: dormitory, test: Test { contacts, queue, unproved } }
    }

    /// Finds every impact of the paths as they are at the start of the tick.
    pub(super) fn find_impacts(&mut self) {
        self.search().find_all();
        self.find_overlapping();
        if self.is_overrun() {
            self.halt(Toi::START);
        }
    }

    /// Finds the impacts of a body that has a new path, but those with one other body.
    pub(super) fn find_again(&mut self, index: u32, but: Option<u32>) {
        self.scratch.events.note_path(&self.scratch.sim, index);
        self.search().find_again(index, but);
    }

    /// Puts the boxes of all paths, and some more room around each shape, into the search structure.
    pub(super) fn gather_pairs(&mut self, more: impl Fn(ShapeId) -> Scalar) {
        let Scratch { sim, pairs, dormitory, .. } = &mut *self.scratch;
        let bodies = Bodies { state: self.state, scenery: self.scenery, sim };
        pairs.gather(bodies, more);
        dormitory.see_all(bodies, &pairs.boxes);
    }

    /// True if the tick exceeds a limit on work or memory.
    pub(super) fn is_overrun(&self) -> bool {
        self.scratch.queue.is_overrun(self.bodies())
    }

    /// Plays the tick to its end; returns false if that disturbed a sleeper, so that the tick must be
    /// replayed.
    fn play(&mut self, probe: &mut impl Probe) -> bool {
        self.scratch.events.begin(self.report.listens);
        self.integrate();
        self.separate();
        if self.scratch.dormitory.must_begin_anew() {
            return false;
        }
        self.show(Phase::Integrate, probe);
        self.contact().rest();
        if self.presses_sleepers() {
            return false;
        }
        self.show(Phase::Rest, probe);
        self.scratch.events.begin_paths(&self.scratch.sim);
        self.find_impacts();
        if self.overlaps_sleepers() || !self.resolve_impacts() {
            return false;
        }
        self.show(Phase::Impacts, probe);
        self.end_paths();
        !self.presses_sleepers()
    }

    /// Lists the events of the tick that has ended.
    pub(super) fn find_events(&mut self) {
        let Scratch { sim, events, .. } = &mut *self.scratch;
        let bodies = Bodies { state: self.state, scenery: self.scenery, sim };
        events.list(bodies, self.report);
    }

    fn show(&mut self, phase: Phase, probe: &mut impl Probe) {
        #[cfg(feature = "trace")]
        {
            if let Some(altered) = probe.meddle(phase, &self.view(phase)) {
                self.go_on_with(altered, phase);
                self.scratch.is_altered = true;
            }
            if phase == Phase::Finish && std::mem::take(&mut self.scratch.is_altered) {
                // Data that the tick derived on its way may not hold for the altered state.
                self.scratch.reset(self.state);
            }
        }
        probe.after(phase, &self.view(phase));
    }

    fn view(&self, phase: Phase) -> View<'_> {
        let (movers, is_over) = (&*self.scratch.sim.movers, phase == Phase::Finish);
        View {
            state: self.state,
            movers,
            spinners: &self.scratch.sim.spinners,
            scenery: self.scenery,
            is_over,
        }
    }

    /// Takes an altered state; while bodies have paths, their ends are moved.
    #[cfg(feature = "trace")]
    fn go_on_with(&mut self, mut altered: State, phase: Phase) {
        let moving = if phase == Phase::Finish { &mut [] } else { &mut *self.scratch.sim.movers };
        for mover in moving.iter_mut().filter(|mover| mover.conduct != Conduct::Frozen) {
            let slot = mover.slot as usize;
            if let (Some(body), Some(altered)) = (&self.state.slots[slot].body, &mut altered.slots[slot].body)
            {
                let end = mover.path.at(Toi::END).position;
                let place = mover.path.pose.position;
                mover.path.pose.position = place + (altered.position - end);
                mover.momentum = altered.momentum;
                let spinner = self.scratch.sim.spinners.get_mut(mover.spinner as usize);
                if let (Some(spinner), Some(spin)) = (spinner, altered.spin) {
                    let left = Toi::END.since(mover.path.start);
                    if spin.orientation != spinner.orientation_after(left) {
                        spinner.put(spin.orientation, self.scenery.hull(mover.shape));
                    }
                    spinner.angular_momentum = spin.angular_momentum;
                }
                (altered.position, altered.momentum, altered.spin) =
                    (body.position, body.momentum, body.spin);
            }
        }
        *self.state = altered;
    }
}
