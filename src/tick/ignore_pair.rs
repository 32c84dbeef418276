//! The command that ignores a pair for some ticks; `bodies/pair_filter.rs` applies it.

use crate::{
    state::{BodyId, Collider, Refusal, StateError},
    tick::World,
};

impl World {
    /// Disables collision between a pair for some ticks.
    ///
    /// It is never refused for an overlap, because disabling the collision of overlapping pairs is its
    /// purpose; when it ends they separate like a pair whose overlap a command accepted.
    pub(super) fn ignore_pair(&mut self, a: BodyId, b: Collider, ticks: u32) -> Result<(), Refusal> {
        self.find(a)?;
        match b {
            Collider::Body(b) if a == b => {
                return Err(StateError::impossible("b", "a body cannot ignore itself").into());
            }
            Collider::Body(b) => {
                self.find(b)?;
            }
            Collider::Static(id) if id.0 as usize >= self.scenery.statics().len() => {
                return Err(StateError::impossible("b", "the scenery has no such static").into());
            }
            Collider::Static(_) => {}
        }
        self.scratch.is_apart &= ticks > 0;
        Ok(self.state.ignore_pair(a, b, ticks)?)
    }
}
