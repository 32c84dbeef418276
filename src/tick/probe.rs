//! Looking on while a tick runs.

use crate::{
    geom::{Path, Vec3},
    num::Toi,
    state::{BodyId, Scenery, Sleep, Slot, State},
    tick::bodies::{
        mover::{Conduct, Mover},
        spinner::Spinner,
    },
};

/// A part of the tick.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// The commands are in the state, and nothing has moved.
    Apply,
    /// Gravity is in the momenta and every body has its path.
    Integrate,
    /// Contacts that carry are solved.
    Rest,
    /// All impacts are resolved.
    Impacts,
    /// Everybody is at the end of its path and the state is written.
    Finish,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Self; 5] = [Self::Apply, Self::Integrate, Self::Rest, Self::Impacts, Self::Finish];

    /// What the phase is called, such as `apply`.
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

/// Somebody who looks at a tick after each phase and cannot change it.
///
/// A tick in which somebody wakes begins anew: its phases from [`Phase::Integrate`] on are then shown again.
pub trait Probe {
    /// Called after each phase.
    fn after(&mut self, phase: Phase, view: &View<'_>);

    /// Called before [`after`](Self::after): a state to go on with instead of [`View::state`], for tests
    /// of the tools that find where two runs part.
    ///
    /// It has the same bodies; its places and momenta replace where the bodies go and how fast.
    #[cfg(feature = "trace")]
    fn meddle(&mut self, _: Phase, _: &View<'_>) -> Option<State> {
        None
    }
}

/// Nobody looks; costs nothing.
impl Probe for () {
    fn after(&mut self, _: Phase, _: &View<'_>) {}
}

/// A tick under way.
#[derive(Debug)]
pub struct View<'a> {
    pub(super) state: &'a State,
    pub(super) movers: &'a [Mover],
    pub(super) spinners: &'a [Spinner],
    pub(super) scenery: &'a Scenery,
    /// Whether the state says already where everybody is.
    pub(super) is_over: bool,
}

impl View<'_> {
    /// Each body's id, path and momentum, in the order of ids; nobody's after [`Phase::Apply`], and
    /// not that of who sleeps far from everybody awake.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Path, Vec3)> {
        self.movers.iter().filter(|mover| mover.conduct != Conduct::Gone).map(|mover| {
            let kept =
                self.state.slots[mover.slot as usize].body.filter(|_| mover.conduct == Conduct::Frozen);
            let momentum = kept.map_or(mover.momentum, |body| body.momentum);
            (self.state.id_of(mover.slot), &mover.path, momentum)
        })
    }

    /// What stands still around the bodies.
    #[must_use]
    pub const fn scenery(&self) -> &Scenery {
        self.scenery
    }

    /// The state as it would be if everybody went on to the end of its path and the tick ended there.
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
                body.position = mover.path.at(Toi::END).position;
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
