//! What an observer of a tick sees, and what a test may alter.

use super::{Phase, Probe, View, stages::Step};
#[cfg(feature = "trace")]
use crate::state::State;

impl Step<'_> {
    /// True if an observer altered the state during this tick.
    pub(super) fn is_altered(&self) -> bool {
        #[cfg(feature = "trace")]
        return self.scratch.is_altered;
        #[cfg(not(feature = "trace"))]
        false
    }

    pub(super) fn show(&mut self, phase: Phase, probe: &mut impl Probe) {
        #[cfg(feature = "trace")]
        {
            if let Some(altered) = probe.meddle(phase, &self.view(phase)) {
                self.go_on_with(altered, phase);
                self.scratch.is_altered = true;
            }
            if phase == Phase::Finish && self.scratch.is_altered {
                self.scratch.is_altered = false;
                // Data that the tick derived on its way may not hold for the altered state.
                self.scratch.reset(self.state);
            }
        }
        probe.after(phase, &self.view(phase));
    }

    fn view(&self, phase: Phase) -> View<'_> {
        let Self { state, scenery, scratch, .. } = self;
        View { state, scenery, sim: &scratch.sim, is_over: phase == Phase::Finish }
    }

    /// Takes an altered state; while bodies have paths, their ends are moved.
    #[cfg(feature = "trace")]
    fn go_on_with(&mut self, mut altered: State, phase: Phase) {
        if phase != Phase::Finish {
            self.scratch.sim.alter(self.state, self.scenery, &mut altered);
        }
        *self.state = altered;
    }
}
