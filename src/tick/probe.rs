//! Looking on while a tick runs.

use crate::{
    geom::{Path, Vec3},
    world::{BodyId, Mover, State},
};

/// A part of the tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Gravity is in the momenta and every body has its path.
    Integrate,
    /// All impacts are resolved.
    Impacts,
    /// Everybody is at the end of its path and the state is written.
    Finish,
}

/// Somebody who looks at a tick after each phase and cannot change it.
pub trait Probe {
    /// Called after each phase.
    fn after(&mut self, phase: Phase, view: &View<'_>);
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
}

impl View<'_> {
    /// Each body's id, path and momentum, in the order of ids.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Path, Vec3)> {
        self.movers.iter().map(|mover| (self.state.id_of(mover.slot), &mover.path, mover.momentum))
    }
}
