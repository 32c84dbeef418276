//! The sleepers of a world.

use super::wake::Waking;
use crate::{geom::Aabb, state::State};

/// Data about the sleepers; it follows from the state.
#[derive(Default, Debug)]
pub struct Sleepers {
    /// The sleepers that can be found, and the bodies that have woken.
    pub waking: Waking,
    /// The slots of the sleepers that the current tick disturbs.
    pub disturbed: Vec<u32>,
    /// True for the slots of the sleepers that are active in the current tick.
    pub present: Vec<bool>,
    /// The expected box of a body's path in the tick, by slot; the sleepers in it are active.
    pub seen: Vec<Option<Aabb>>,
    /// True if all sleepers are active.
    pub takes_all: bool,
    /// True if a sleeper that might be hit was left out.
    pub missed: bool,
    /// Number of tests in this tick to find the active sleepers.
    pub looks: u64,
}

impl Sleepers {
    /// Discards the data of another state.
    pub fn reset(&mut self) {
        self.waking.tree.discard();
        self.waking.woken.clear();
        self.disturbed.clear();
    }

    /// True if a sleeper is left out of the tick.
    #[inline]
    pub fn leaves_out(&self, state: &State, slot: u32) -> bool {
        state.is_asleep(slot) && !self.present.get(slot as usize).is_some_and(|&is| is)
    }
}
