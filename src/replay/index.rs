//! The keyframes that a player makes, within a budget.

use super::Keyframe;
use crate::session::Simulation;

/// Number of ticks between a player's first keyframes.
pub(super) const SPACING: u64 = 64;

/// The last tick at which a world can be restored: a forged recording may play beyond it.
const TICK_MAX: u64 = u64::MAX >> 1;

/// Keyframes at multiples of a spacing, which doubles when there is no more room.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) keyframes: Vec<Keyframe>,
    pub(super) spacing: u64,
    /// Size of all snapshots.
    bytes: u64,
    pub(super) budget: u64,
    /// The encoding of a state, of which a copy is kept.
    snapshot: Vec<u8>,
}

impl Index {
    pub(super) fn new(budget: u64) -> Self {
        Self { keyframes: Vec::new(), spacing: SPACING, bytes: 0, budget, snapshot: Vec::new() }
    }

    /// Size of all snapshots.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The last tick up to this one that is kept; 0 where none is.
    pub(super) fn nearest(&self, tick: u64) -> u64 {
        let behind = self.keyframes.partition_point(|keyframe| keyframe.tick <= tick);
        self.keyframes[..behind].last().map_or(0, |keyframe| keyframe.tick)
    }

    /// The snapshot kept of a tick.
    pub(super) fn snapshot_at(&self, tick: u64) -> Option<&Vec<u8>> {
        let index = self.keyframes.binary_search_by_key(&tick, |keyframe| keyframe.tick).ok()?;
        Some(&self.keyframes[index].snapshot)
    }

    /// Keeps the state after a tick if the tick is a multiple of the spacing.
    pub(super) fn pass<S: Simulation>(&mut self, tick: u64, state: &S) {
        let is_restorable = state.world().tick_count().max(state.tick_count()) <= TICK_MAX;
        if self.budget == 0 || tick % self.spacing != 0 || self.snapshot_at(tick).is_some() || !is_restorable
        {
            return;
        }
        let mut snapshot = std::mem::take(&mut self.snapshot);
        state.encode_into(&mut snapshot);
        self.keep(tick, &snapshot);
        self.snapshot = snapshot;
    }

    /// Keeps a snapshot, if there is room between those that stay.
    pub(super) fn keep(&mut self, tick: u64, snapshot: &[u8]) {
        let length = snapshot.len() as u64;
        while self.bytes + length > self.budget {
            if self.keyframes.is_empty() || !self.thin_out() {
                return;
            }
        }
        if tick % self.spacing != 0 {
            return;
        }
        let place = self.keyframes.partition_point(|keyframe| keyframe.tick < tick);
        self.keyframes.insert(place, Keyframe { tick, snapshot: snapshot.to_vec() });
        self.bytes += length;
    }

    /// Discards every other keyframe, and returns whether the spacing could grow.
    fn thin_out(&mut self) -> bool {
        let Some(spacing) = self.spacing.checked_mul(2) else { return false };
        self.spacing = spacing;
        self.keyframes.retain(|keyframe| keyframe.tick % spacing == 0);
        self.bytes = self.keyframes.iter().map(|keyframe| keyframe.snapshot.len() as u64).sum();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ticks that are kept, and the size of their snapshots.
    fn kept(index: &Index) -> (Vec<u64>, u64) {
        (index.keyframes.iter().map(|keyframe| keyframe.tick).collect(), index.bytes())
    }

    #[test]
    fn a_keyframe_takes_the_room_of_those_that_are_discarded_for_it() {
        // Room for three of the first spacing; the fourth is of the second one, too.
        let mut index = Index::new(30);
        for (tick, ticks) in
            [(64, vec![64]), (128, vec![64, 128]), (192, vec![64, 128, 192]), (256, vec![128, 256])]
        {
            index.keep(tick, &[1; 10]);
            let bytes = 10 * ticks.len() as u64;
            assert_eq!(kept(&index), (ticks, bytes), "{tick}");
        }
        assert_eq!(index.spacing, 2 * SPACING);
    }

    #[test]
    fn keyframes_of_the_widest_spacing_are_not_discarded() {
        // A spacing of 2^63 has no double.
        let mut index = Index::new(10);
        index.spacing = 1 << 63;
        index.keep(1 << 63, &[1; 10]);
        index.keep(0, &[2; 10]);
        assert_eq!((kept(&index), index.spacing), ((vec![1 << 63], 10), 1 << 63));
    }
}
