//! Observation of a tick while it runs.

use crate::{
    geom::{Motion, Vec3},
    num::Toi,
    state::{BodyId, Scenery, Sleep, Slot, State},
    tick::bodies::{SimBodies, body::Conduct},
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

/// An observer that sees a tick after each phase. It cannot change the tick, except in a build with the feature `trace`.
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
    pub(super) scenery: &'a Scenery,
    pub(super) sim: &'a SimBodies,
    /// True if the positions of all bodies are already in the state.
    pub(super) is_over: bool,
}

impl View<'_> {
    /// Each body's id, motion and momentum, in the order of ids. Empty after [`Phase::Apply`]; without sleepers
    /// far from every awake body.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, Motion, Vec3)> {
        self.sim.all().iter().filter(|body| body.conduct != Conduct::Gone).map(|body| {
            let stored = &self.state.slots[body.slot.place()].body;
            let kept = stored.filter(|_| body.conduct == Conduct::Frozen);
            let momentum = kept.map_or(body.momentum, |stored| stored.momentum);
            (self.state.id_of(body.slot), self.sim.motion(body), momentum)
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
        let moving = if self.is_over { &[] } else { self.sim.all() };
        for body in moving.iter().filter(|body| body.conduct != Conduct::Frozen) {
            if body.conduct == Conduct::Gone {
                state.forget_ignored_pairs(body.slot);
                let slot = &mut state.slots[body.slot.place()];
                *slot = Slot { generation: slot.generation + 1, body: None };
                state.set_sleep(body.slot, Sleep::NEW);
            }
            if let Some(stored) = &mut state.slots[body.slot.place()].body {
                let end = self.sim.motion(body).at(Toi::END);
                (stored.position, stored.momentum) = (end.position, body.momentum);
                if let (Some(spin), Some(rotation)) = (&mut stored.spin, self.sim.rotation(body)) {
                    spin.orientation = end.orientation;
                    spin.angular_momentum = rotation.angular_momentum;
                }
            }
        }
        state
    }
}
