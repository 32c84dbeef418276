//! Observation of a tick while it runs.

use crate::{
    geom::{Path, Vec3},
    num::Toi,
    state::{BodyId, Scenery, Sleep, Slot, State},
    tick::bodies::{
        mover::{Conduct, Mover},
        spinner::Spinner,
    },
};

/// A phase of the tick.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// The commands are in the state, and nothing has moved.
    Apply,
    /// Gravity is in the momenta and every body has its path.
    Integrate,
    /// Resting contacts are solved.
    Rest,
    /// All impacts are resolved.
    Impacts,
    /// All bodies are at the ends of their paths and the state is written.
    Finish,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Self; 5] = [Self::Apply, Self::Integrate, Self::Rest, Self::Impacts, Self::Finish];

    /// The name of the phase, such as `apply`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Apply => "apply",
            Self::Integrate => "integrate",
            Self::Rest => "rest",
            Self::Impacts => "impacts",
            Self::Finish => "finish",
        }
    }
}

/// An observer that sees a tick after each phase and cannot change it.
///
/// A tick in which a body wakes is replayed: its phases from [`Phase::Integrate`] on are then shown again.
pub trait Probe {
    /// Called after each phase.
    fn after(&mut self, phase: Phase, view: &View<'_>);

    /// Called before [`after`](Self::after). Returns a state that replaces [`View::state`], for tests of the
    /// tools that find where two runs diverge.
    ///
    /// It has the same bodies; its positions and momenta replace the ends of the paths and the velocities.
    #[cfg(feature = "trace")]
    fn meddle(&mut self, _: Phase, _: &View<'_>) -> Option<State> {
        None
    }
}

/// No observer, at no cost.
impl Probe for () {
    fn after(&mut self, _: Phase, _: &View<'_>) {}
}

/// A tick in progress.
#[derive(Debug)]
pub struct View<'a> {
    pub(super) state: &'a State,
    pub(super) movers: &'a [Mover],
    pub(super) spinners: &'a [Spinner],
    pub(super) scenery: &'a Scenery,
    /// True if the positions of all bodies are already in the state.
    pub(super) is_over: bool,
}

impl View<'_> {
    /// Each body's id, path and momentum, in the order of ids. Empty after [`Phase::Apply`]; without sleepers
    /// far from every awake body.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Path, Vec3)> {
        self.movers.iter().filter(|mover| mover.conduct != Conduct::Gone).map(|mover| {
            let kept =
                self.state.slots[mover.slot as usize].body.filter(|_| mover.conduct == Conduct::Frozen);
            let momentum = kept.map_or(mover.momentum, |body| body.momentum);
            (self.state.id_of(mover.slot), &mover.path, momentum)
        })
    }

    /// The static level of the world.
    #[must_use]
    pub const fn scenery(&self) -> &Scenery {
        self.scenery
    }

    /// The state if every body continued to the end of its path and the tick ended there.
    #[must_use]
    pub fn state(&self) -> State {
        let mut state = self.state.clone();
        let moving = if self.is_over { &[] } else { self.movers };
        for mover in moving.iter().filter(|mover| mover.conduct != Conduct::Frozen) {
            if mover.conduct == Conduct::Gone {
                state.forget_exceptions(mover.slot);
                let slot = &mut state.slots[mover.slot as usize];
                *slot = Slot { generation: slot.generation + 1, body: None };
                state.set_sleep(mover.slot, Sleep::NEW);
            }
            if let Some(body) = &mut state.slots[mover.slot as usize].body {
                body.position = mover.path.at(Toi::END);
                body.momentum = mover.momentum;
                if let (Some(spin), Some(spinner)) =
                    (&mut body.spin, self.spinners.get(mover.spinner as usize))
                {
                    spin.orientation = spinner.orientation_after(Toi::END.since(mover.path.start));
                    spin.angular_momentum = spinner.angular_momentum;
                }
            }
        }
        state
    }
}
