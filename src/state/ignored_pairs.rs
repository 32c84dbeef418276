//! Pairs whose collision is disabled for a number of ticks.

use serde::{Deserialize, Serialize};

use super::{BodyId, Collider, Scenery, SlotIndex, State, StateError};

/// A pair that would collide as solids, and does not: see [`Command::IgnorePair`](super::Command::IgnorePair).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct IgnoredPair {
    /// The body; of two bodies the one in the smaller slot.
    pub a: BodyId,
    /// The other one.
    pub b: Collider,
    /// The number of the last tick in which the pair is ignored, as the world counts ticks.
    pub until: u64,
}

impl IgnoredPair {
    /// The ignored pair of two in either order, until tick 0.
    const fn of(a: BodyId, b: Collider) -> Self {
        match b {
            Collider::Body(other) if other.slot() < a.slot() => {
                Self { a: other, b: Collider::Body(a), until: 0 }
            }
            _ => Self { a, b, until: 0 },
        }
    }

    const fn pair(&self) -> (BodyId, Collider) {
        (self.a, self.b)
    }

    /// The slots of its bodies; the same slot twice if B is a static.
    fn slots(&self) -> [SlotIndex; 2] {
        [self.a.slot, if let Collider::Body(b) = self.b { b.slot } else { self.a.slot }]
    }

    /// True if a body is one of the pair.
    pub(crate) fn names(&self, slot: SlotIndex) -> bool {
        self.slots().contains(&slot)
    }
}

impl State {
    /// The largest number of ignored pairs that a world has at once.
    pub const IGNORED_PAIRS_MAX: usize = 1 << 14;

    /// True if a pair, in either order, is ignored.
    #[must_use]
    pub fn is_ignored(&self, a: BodyId, b: Collider) -> bool {
        self.find_ignored_pair(&IgnoredPair::of(a, b)).is_ok()
    }

    fn find_ignored_pair(&self, sought: &IgnoredPair) -> Result<usize, usize> {
        self.ignored_pairs.binary_search_by_key(&sought.pair(), IgnoredPair::pair)
    }

    /// Ignores a pair for a number of further ticks, in place of any earlier count; 0 ends it.
    pub(crate) fn ignore_pair(&mut self, a: BodyId, b: Collider, ticks: u32) -> Result<(), StateError> {
        let sought = IgnoredPair::of(a, b);
        let ignored = IgnoredPair { until: self.tick + u64::from(ticks), ..sought };
        match self.find_ignored_pair(&sought) {
            Ok(place) if ticks == 0 => {
                self.ignored_pairs.remove(place);
            }
            Ok(place) => self.ignored_pairs[place] = ignored,
            Err(_) if ticks == 0 => {}
            Err(_) if self.ignored_pairs.len() == Self::IGNORED_PAIRS_MAX => {
                let (value, high) = (self.ignored_pairs.len() as u64 + 1, Self::IGNORED_PAIRS_MAX as u64);
                return Err(StateError::Count { field: "ignored_pairs".to_owned(), value, low: 0, high });
            }
            Err(place) => self.ignored_pairs.insert(place, ignored),
        }
        Ok(())
    }

    /// Ends the ignored pairs that have expired, and adds the slots of their bodies to a list.
    pub(crate) fn end_ignored_pairs(&mut self, ended: &mut Vec<SlotIndex>) {
        let tick = self.tick;
        self.drop_ignored_pairs(ended, |ignored| ignored.until <= tick);
    }

    /// The slots of the bodies of which an ignored pair ends with the current tick.
    pub(crate) fn ending_ignored_pairs(&self) -> Vec<SlotIndex> {
        let ends = |ignored: &&IgnoredPair| ignored.until <= self.tick + 1;
        self.ignored_pairs.iter().filter(ends).flat_map(IgnoredPair::slots).collect()
    }

    /// Ends the ignored pairs of a body that is removed.
    pub(crate) fn forget_ignored_pairs(&mut self, slot: SlotIndex) {
        if !self.ignored_pairs.is_empty() {
            self.drop_ignored_pairs(&mut Vec::new(), |ignored| ignored.names(slot));
        }
    }

    fn drop_ignored_pairs(&mut self, ended: &mut Vec<SlotIndex>, mut ends: impl FnMut(&IgnoredPair) -> bool) {
        self.ignored_pairs.retain(|ignored| {
            let ends = ends(ignored);
            if ends {
                ended.extend(ignored.slots());
            }
            !ends
        });
    }

    /// Checks that the list is in order and that its pairs exist.
    pub(super) fn check_ignored_pairs(&self, scenery: &Scenery) -> Result<(), StateError> {
        let (count, high) = (self.ignored_pairs.len() as u64, Self::IGNORED_PAIRS_MAX as u64);
        if count > high {
            return Err(StateError::Count { field: "ignored_pairs".to_owned(), value: count, low: 0, high });
        }
        let refuse =
            |index: usize, reason| StateError::impossible(&format!("ignored_pairs[{index}]"), reason);
        for (index, ignored) in self.ignored_pairs.iter().enumerate() {
            self.check_ignored_pair(ignored, scenery).map_err(|reason| refuse(index, reason))?;
        }
        let in_order = |pair: &[IgnoredPair]| pair[0].pair() < pair[1].pair();
        if let Some(index) = self.ignored_pairs.windows(2).position(|pair| !in_order(pair)) {
            return Err(refuse(index + 1, "pairs are in the order of their ids, each once"));
        }
        Ok(())
    }

    fn check_ignored_pair(&self, ignored: &IgnoredPair, scenery: &Scenery) -> Result<(), &'static str> {
        let IgnoredPair { a, b, until } = *ignored;
        let is_there = match b {
            Collider::Body(b) => self.body(b).is_some(),
            Collider::Static(id) => (id.0 as usize) < scenery.statics().len(),
        };
        if self.body(a).is_none() || !is_there {
            return Err("one of the two is not there");
        }
        if matches!(b, Collider::Body(b) if b.slot <= a.slot) {
            return Err("of two bodies the one in the smaller slot comes first");
        }
        match until.checked_sub(self.tick) {
            Some(1..=0xFFFF_FFFF) => Ok(()),
            _ => Err("it ends in one of the next 2^32 - 1 ticks"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::Vec3,
        state::{Body, Limits, ShapeId, Slot, StaticId},
    };

    fn id(slot: u32) -> BodyId {
        BodyId::from_parts(slot, 0)
    }

    fn four() -> State {
        let mut state = State::new(Limits::new(60));
        let slot = Slot { generation: 0, body: Some(Body::new(ShapeId(0), Vec3::ZERO)) };
        state.slots = vec![slot; 4];
        state
    }

    #[test]
    fn the_list_is_in_order() {
        let mut state = four();
        let (wall, tick) = (Collider::Static(StaticId(7)), 100);
        state.tick = tick;
        for (a, b, ticks) in
            [(id(2), wall, 5), (id(3), Collider::Body(id(1)), 2), (id(1), Collider::Body(id(2)), 1)]
        {
            state.ignore_pair(a, b, ticks).unwrap();
        }
        let listed: Vec<_> = state.ignored_pairs.iter().map(|e| (e.a.slot(), e.b, e.until - tick)).collect();
        let body = |slot| Collider::Body(id(slot));
        assert_eq!(listed, [(1, body(2), 1), (1, body(3), 2), (2, wall, 5)]);
        assert!(state.is_ignored(id(2), body(1)) && state.is_ignored(id(1), body(2)));
        assert!(!state.is_ignored(id(2), body(3)) && !state.is_ignored(id(1), wall));
        let mut ended = Vec::new();
        state.tick += 1;
        state.end_ignored_pairs(&mut ended);
        assert_eq!((ended, state.ignored_pairs.len()), (vec![SlotIndex(1), SlotIndex(2)], 2));
        state.ignore_pair(id(1), body(3), 0).unwrap();
        assert_eq!(state.ignored_pairs, [IgnoredPair { a: id(2), b: wall, until: 105 }]);
        state.ignore_pair(id(2), wall, 9).unwrap();
        assert_eq!(state.ignored_pairs, [IgnoredPair { a: id(2), b: wall, until: tick + 10 }]);
        state.forget_ignored_pairs(SlotIndex(2));
        assert_eq!(state.ignored_pairs, []);
    }

    #[test]
    fn there_are_no_more_than_the_limit() {
        let mut state = four();
        for number in 0..State::IGNORED_PAIRS_MAX as u32 {
            state.ignore_pair(id(0), Collider::Static(StaticId(number)), 1).unwrap();
        }
        let error = state.ignore_pair(id(0), Collider::Static(StaticId(1 << 20)), 1).unwrap_err();
        assert_eq!(error.to_string(), "ignored_pairs is 16385, must be in 0..=16384");
        assert_eq!(state.ignore_pair(id(0), Collider::Static(StaticId(5)), 3), Ok(()), "one that there is");
    }
}
