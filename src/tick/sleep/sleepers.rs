//! The sleepers of a world.

use super::wake::Waking;
use crate::{
    geom::Aabb,
    state::{SlotIndex, State},
    tick::budget::WorkBudget,
};

/// Data about the sleepers; it follows from the state.
#[derive(Default, Debug)]
pub struct Sleepers {
    /// The sleepers that can be found, and the bodies that have woken.
    pub waking: Waking,
    /// The slots of the sleepers that the current tick disturbs.
    pub disturbed: Vec<SlotIndex>,
    /// True for the slots of the sleepers that are active in the current tick.
    pub present: Vec<bool>,
    /// The expected box of a body's path in the tick, by slot; the sleepers in it are active.
    pub seen: Vec<Option<Aabb>>,
    /// True if all sleepers are active.
    pub takes_all: bool,
    /// The tests to find the active sleepers.
    pub budget: WorkBudget,
}

/// The reason to replay a tick.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disturbed {
    /// The tick disturbs sleepers: they wake.
    Sleepers,
    /// A sleeper that was left out may be disturbed: it takes part in the replay.
    LeftOut,
}

impl Sleepers {
    /// Discards the data of another state.
    pub fn reset(&mut self) {
        self.waking.tree.discard();
        self.waking.woken.clear();
        self.disturbed.clear();
    }

    /// True if any sleeper is left out of the tick.
    pub fn leaves_any_out(&self, state: &State) -> bool {
        (0..state.sleep.len() as u32).map(SlotIndex).any(|slot| self.leaves_out(state, slot))
    }

    /// True if a sleeper is left out of the tick.
    #[inline]
    pub fn leaves_out(&self, state: &State, slot: SlotIndex) -> bool {
        state.is_asleep(slot) && !self.present.get(slot.place()).is_some_and(|&is| is)
    }
}
