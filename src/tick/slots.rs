//! The free slots of the state, for spawns.

use std::{cmp::Reverse, collections::BinaryHeap};

use crate::{
    state::{BodyId, Sleep, Slot, SlotIndex, State},
    tick::bodies::SimBodies,
};

/// The free slots below the end of the list.
#[derive(Default, Debug)]
pub struct FreeSlots {
    free: BinaryHeap<Reverse<SlotIndex>>,
}

impl FreeSlots {
    pub fn rebuild(&mut self, state: &State) {
        self.free.clear();
        let reusable = state
            .slot_indices()
            .zip(&state.slots)
            .filter(|(_, slot)| is_reusable(slot.body.is_some(), slot.generation));
        self.free.extend(reusable.map(|(index, _)| Reverse(index)));
    }

    /// Frees the slot of a removed body; a slot that has used all generations is never reused.
    pub fn give(&mut self, slot: SlotIndex, generation: u32) {
        if is_reusable(false, generation) {
            self.free.push(Reverse(slot));
        }
    }

    /// Empties the slots of the bodies that were removed in a tick.
    pub fn take_gone(&mut self, state: &mut State, sim: &SimBodies) {
        for &(index, _) in &sim.gone {
            let number = sim.all()[index.place()].slot;
            state.forget_ignored_pairs(number);
            let slot = &mut state.slots[number.place()];
            if slot.body.is_some() {
                *slot = Slot { generation: slot.generation + 1, body: None };
                self.give(number, slot.generation);
                state.set_sleep(number, Sleep::NEW);
            }
        }
    }

    /// True if these are the slots of another list, in any order.
    pub fn is_same(&self, other: &Self) -> bool {
        let sorted = |slots: &Self| slots.free.clone().into_sorted_vec();
        sorted(self) == sorted(other)
    }

    /// True if a new slot must be added for the next body.
    pub fn is_empty(&self) -> bool {
        self.free.is_empty()
    }

    /// Takes the lowest free slot, or `None` if a new one must be added.
    pub fn take(&mut self) -> Option<SlotIndex> {
        self.free.pop().map(|Reverse(slot)| slot)
    }

    /// The ids of the next spawns.
    pub fn next_ids(&self, state: &State, count: u32) -> Vec<BodyId> {
        let added = (state.slots.len() as u32..).map(|slot| BodyId::from_parts(slot, 0));
        let mut free: Vec<SlotIndex> = self.free.iter().map(|&Reverse(slot)| slot).collect();
        free.sort_unstable();
        let reused = free.into_iter().map(|slot| state.id_of(slot));
        reused.chain(added).take(count as usize).collect()
    }
}

const fn is_reusable(occupied: bool, generation: u32) -> bool {
    !occupied && generation < u32::MAX
}
