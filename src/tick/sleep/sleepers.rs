//! The sleepers of a world.

use crate::{
    broad::Forest,
    geom::Aabb,
    state::{BodyId, State},
};

/// Data about the sleepers; it follows from the state.
#[derive(Default, Debug)]
pub struct Sleepers {
    /// The reaches of the sleepers, by slot, and of some bodies that have woken; `None` until needed.
    pub tree: Option<Forest>,
    /// True for the slots that have woken since `tree` was built; and the number of these.
    pub stale: Vec<bool>,
    pub stale_count: usize,
    /// The bodies that woke since the end of the last tick.
    pub woken: Vec<BodyId>,
    /// The slots of the sleepers that the current tick disturbs.
    pub disturbed: Vec<u32>,
    /// The slots of woken bodies whose neighbors are still to be found.
    pub waking: Vec<u32>,
    /// The slots found in a search.
    pub found: Vec<u32>,
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
    /// Discards the reaches; they are rebuilt when needed.
    pub fn discard_tree(&mut self) {
        self.tree = None;
        self.stale.clear();
        self.stale_count = 0;
    }

    /// Discards the data of another state.
    pub fn reset(&mut self) {
        self.discard_tree();
        self.woken.clear();
        self.disturbed.clear();
    }
}

impl Sleepers {
    /// True if a sleeper is left out of the tick.
    #[inline]
    pub fn leaves_out(&self, state: &State, slot: u32) -> bool {
        state.is_asleep(slot) && !self.present.get(slot as usize).is_some_and(|&is| is)
    }
}
