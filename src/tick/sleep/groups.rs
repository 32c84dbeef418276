//! Islands of bodies, joined pair by pair (union-find).

/// The island of each body, by slot, and the islands that are kept awake.
pub(super) struct Groups {
    /// A step from each slot towards the least slot of its island, which names the island.
    up: Vec<u32>,
    /// True for the names of islands that a body keeps awake.
    kept: Vec<bool>,
}

impl Groups {
    /// Islands of one body each.
    pub(super) fn of(slots: usize) -> Self {
        Self { up: (0..slots as u32).collect(), kept: vec![false; slots] }
    }

    /// The name of an island.
    fn name(&mut self, mut slot: u32) -> u32 {
        loop {
            let next = self.up[slot as usize];
            if next == slot {
                return slot;
            }
            self.up[slot as usize] = self.up[next as usize];
            slot = next;
        }
    }

    /// Joins the islands of two bodies.
    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.name(a), self.name(b));
        let kept = self.kept[a as usize] || self.kept[b as usize];
        self.up[a.max(b) as usize] = a.min(b);
        self.kept[a.min(b) as usize] = kept;
    }

    /// Keeps an island awake.
    pub(super) fn keep(&mut self, slot: u32) {
        let name = self.name(slot);
        self.kept[name as usize] = true;
    }

    /// True if an island is kept awake.
    pub(super) fn is_kept(&mut self, slot: u32) -> bool {
        let name = self.name(slot);
        self.kept[name as usize]
    }

    /// True if two bodies are in one island.
    pub(super) fn is_same(&mut self, a: u32, b: u32) -> bool {
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
                    0 => groups.join(0, 3),
                    1 => groups.join(5, 3),
                    2 => groups.join(4, 1),
                    _ => groups.keep(5),
                }
            }
            let kept: Vec<bool> = (0..6).map(|slot| groups.is_kept(slot)).collect();
            assert_eq!(kept, [true, false, false, true, false, true], "{order:?}");
            assert!(groups.is_same(0, 5) && groups.is_same(1, 4) && !groups.is_same(1, 2));
        }
    }
}
