//! What an observer of a tick sees, and what a test may alter.

use super::{Phase, Probe, View, phases::Step};
#[cfg(feature = "trace")]
use crate::state::State;

/// True if an observer altered the state during the tick.
#[cfg_attr(not(feature = "trace"), expect(unused_variables))]
pub(super) const fn is_altered(step: &Step) -> bool {
    #[cfg(feature = "trace")]
    return step.scratch.is_altered;
    #[cfg(not(feature = "trace"))]
    false
}

/// Shows an observer the tick after a phase, and takes what it alters.
pub(super) fn show(step: &mut Step, phase: Phase, probe: &mut impl Probe) {
    #[cfg(feature = "trace")]
    {
        if let Some(altered) = probe.meddle(phase, &view(step, phase)) {
            go_on_with(step, altered, phase);
            step.scratch.is_altered = true;
        }
        if phase == Phase::Finish && step.scratch.is_altered {
            step.scratch.is_altered = false;
            // Data that the tick derived on its way may not hold for the altered state.
            step.scratch.reset(step.state);
        }
    }
    probe.after(phase, &view(step, phase));
}

fn view<'a>(step: &'a Step, phase: Phase) -> View<'a> {
    let Step { state, scenery, scratch, .. } = step;
    View { state, scenery, sim: &scratch.sim, is_over: phase == Phase::Finish }
}

/// Takes an altered state; while bodies have paths, their ends are moved.
#[cfg(feature = "trace")]
fn go_on_with(step: &mut Step, mut altered: State, phase: Phase) {
    if phase != Phase::Finish {
        step.scratch.sim.alter(step.state, step.scenery, &mut altered);
    }
    *step.state = altered;
}
