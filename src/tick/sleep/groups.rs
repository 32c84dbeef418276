//! Islands of bodies, joined pair by pair (union-find).

use crate::state::SlotIndex;

/// The island of each body, by slot, and the islands that are kept awake.
pub(super) struct Groups {
    /// A step from each slot towards the least slot of its island, which names the island.
    up: Vec<SlotIndex>,
    /// True for the names of islands that a body keeps awake.
    kept: Vec<bool>,
}

impl Groups {
    /// Islands of one body each.
    pub(super) fn of(slots: usize) -> Self {
        Self { up: (0..slots as u32).map(SlotIndex).collect(), kept: vec![false; slots] }
    }

    /// The name of an island.
    fn name(&mut self, mut slot: SlotIndex) -> SlotIndex {
        loop {
            let next = self.up[slot.place()];
            if next == slot {
                return slot;
            }
            self.up[slot.place()] = self.up[next.place()];
            slot = next;
        }
    }

    /// Joins the islands of two bodies.
    pub(super) fn join(&mut self, a: SlotIndex, b: SlotIndex) {
        let (a, b) = (self.name(a), self.name(b));
        let kept = self.kept[a.place()] || self.kept[b.place()];
        self.up[a.max(b).place()] = a.min(b);
        self.kept[a.min(b).place()] = kept;
    }

    /// Keeps an island awake.
    pub(super) fn keep(&mut self, slot: SlotIndex) {
        let name = self.name(slot);
        self.kept[name.place()] = true;
    }

    /// True if an island is kept awake.
    pub(super) fn is_kept(&mut self, slot: SlotIndex) -> bool {
        let name = self.name(slot);
        self.kept[name.place()]
    }

    /// True if two bodies are in one island.
    pub(super) fn is_same(&mut self, a: SlotIndex, b: SlotIndex) -> bool {
        self.name(a) == self.name(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_kept_by_any_of_its_members_in_whatever_order() {
        // 0-3, 3-5 and 1-4 are joined, 2 is alone; 5 is kept, before or after it is joined.
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
            let mut groups = Groups::of(6);
            for step in order {
                match step {
                    0 => groups.join(SlotIndex(0), SlotIndex(3)),
                    1 => groups.join(SlotIndex(5), SlotIndex(3)),
                    2 => groups.join(SlotIndex(4), SlotIndex(1)),
                    _ => groups.keep(SlotIndex(5)),
                }
            }
            let kept: Vec<bool> = (0..6).map(|slot| groups.is_kept(SlotIndex(slot))).collect();
            assert_eq!(kept, [true, false, false, true, false, true], "{order:?}");
            assert!(
                groups.is_same(SlotIndex(0), SlotIndex(5))
                    && groups.is_same(SlotIndex(1), SlotIndex(4))
                    && !groups.is_same(SlotIndex(1), SlotIndex(2))
            );
        }
    }
}
