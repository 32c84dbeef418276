//! What an observer of a tick sees, and what a test may alter.

use super::{Phase, Probe, View, stages::Step};
#[cfg(feature = "trace")]
use crate::{num::Toi, state::State, tick::bodies::mover::Conduct};

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
                let end = mover.path.at(Toi::END);
                let place = mover.path.position;
                mover.path.position = place + (altered.position - end);
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
