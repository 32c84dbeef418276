//! The tick on one page: its phases in their order.
//!
//! A tick is played with the sleepers of its start; if it disturbs one, that wakes and the tick is replayed.

use super::{
    AngularLedger, Phase, Probe, TickReport,
    bodies::{
        Bodies, BodiesMut,
        body::{Partner, SimBody},
    },
    budget::WorkBudget,
    contact::ContactStage,
    depenetration::Depenetration,
    invariants::{all_have_arrived, bodies_are_in_order, pairs_are_in_range, solids_are_apart},
    observe,
    overlap_check::{CheckBuffers, OverlapCheck},
    overlapping::find_overlapping,
    sleep::{Bond, Disturbed, FallAsleep},
    toi_loop::{LoopBuffers, OneInstant, ToiLoop},
};
use crate::{
    geom::Vec3,
    state::{Scenery, State},
    tick::scratch::Scratch,
};

/// One tick in progress: the world, and the report that the tick fills.
pub(super) struct Step<'a> {
    pub state: &'a mut State,
    pub scenery: &'a Scenery,
    pub scratch: &'a mut Scratch,
    pub report: &'a mut TickReport,
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
    pub(super) fn play_undisturbed(&mut self, probe: &mut impl Probe) {
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
        observe::show(self, Phase::Integrate, probe);
        self.contact().rest();
        self.see_sleepers()?;
        let pairs = self.scratch.pairs.known.pairs().unwrap_or_default();
        debug_assert!(pairs_are_in_range(self.bodies(), pairs));
        self.wake_pressed()?;
        observe::show(self, Phase::Rest, probe);
        self.scratch.events.begin_paths(&self.scratch.sim);
        self.find_impacts()?;
        debug_assert!(
            !self.scratch.is_apart || self.are_apart(|bodies, body| bodies.entry(body)),
            "a pair overlaps that counts as apart in tick {}",
            self.state.tick + 1
        );
        self.resolve_impacts()?;
        observe::show(self, Phase::Impacts, probe);
        self.end_paths();
        debug_assert!(
            self.may_crowd() || self.are_apart(|_, body| body.path.position),
            "a solid pair overlaps at the end of tick {}",
            self.state.tick + 1
        );
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
    pub(super) fn fall_asleep(&mut self) {
        let Scratch { sim, sleepers, contact, depenetration, .. } = &mut *self.scratch;
        let overlaps = &depenetration.found;
        let pressed = contact.pressed().filter_map(|(a, b)| Some(Bond::Island(a, b?)));
        let overlapping = overlaps.pairs().map(|[a, b]| Bond::Island(a, b));
        let bonds = pressed.chain(overlapping).chain(overlaps.crowd().map(Bond::Awake));
        FallAsleep { state: self.state, scenery: self.scenery, sim, sleepers, report: self.report }
            .fall_asleep(bonds);
    }

    /// True if no solid pair overlaps at some positions but those that did when the tick began, or if an observer has altered the
    /// state.
    fn are_apart(&mut self, position: impl Fn(Bodies, &SimBody) -> Vec3) -> bool {
        let is_altered = observe::is_altered(self);
        let Scratch { sim, pairs, checked, .. } = &mut *self.scratch;
        let bodies = Bodies { state: self.state, scenery: self.scenery, sim };
        is_altered
            || solids_are_apart(bodies, &pairs.regions, &mut checked.found, |body| position(bodies, body))
    }

    /// True if so many pairs may be near each other that not all that overlap at the start of the tick are listed.
    fn may_crowd(&self) -> bool {
        let (bodies, statics) = (self.scratch.sim.all().len() as u64, self.scenery.static_count() as u64);
        bodies * (bodies + statics) > u64::from(self.state.limits.pairs_max)
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
    pub(super) fn write(&mut self, is_last: bool) {
        let Scratch { sim, sleepers, .. } = &mut *self.scratch;
        FallAsleep { state: self.state, scenery: self.scenery, sim, sleepers, report: self.report }
            .count_still(is_last);
        sim.write(self.state, is_last);
        debug_assert!(sim.any_rotates() || self.report.angular == AngularLedger::default());
        self.state.tick += u64::from(is_last);
        self.report.sort();
    }

    /// Ends the ignored pairs that expire with this tick; their sleepers wake.
    pub(super) fn end_ignored_pairs(&mut self) {
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
