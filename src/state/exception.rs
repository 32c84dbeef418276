//! Pairs whose collision is disabled for a number of ticks.

use serde::{Deserialize, Serialize};

use super::{BodyId, Collider, Scenery, SlotIndex, State, StateError};

/// A pair that would collide as solids, and does not: see [`Command::IgnorePair`](super::Command::IgnorePair).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Exception {
    /// The body; of two bodies the one in the smaller slot.
    pub a: BodyId,
    /// The other one.
    pub b: Collider,
    /// The number of the last tick in which the exception holds, as the world counts ticks.
    pub until: u64,
}

impl Exception {
    /// The exception of a pair in either order, until tick 0.
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
    /// The largest number of exceptions that a world has at once.
    pub const EXCEPTIONS_MAX: usize = 1 << 14;

    /// True if a pair, in either order, is excepted.
    #[must_use]
    pub fn is_excepted(&self, a: BodyId, b: Collider) -> bool {
        self.find_exception(&Exception::of(a, b)).is_ok()
    }

    fn find_exception(&self, sought: &Exception) -> Result<usize, usize> {
        self.exceptions.binary_search_by_key(&sought.pair(), Exception::pair)
    }

    /// Excepts a pair for a number of further ticks, in place of any earlier count; 0 ends the exception.
    pub(crate) fn ignore_pair(&mut self, a: BodyId, b: Collider, ticks: u32) -> Result<(), StateError> {
        let sought = Exception::of(a, b);
        let exception = Exception { until: self.tick + u64::from(ticks), ..sought };
        match self.find_exception(&sought) {
            Ok(place) if ticks == 0 => {
                self.exceptions.remove(place);
            }
            Ok(place) => self.exceptions[place] = exception,
            Err(_) if ticks == 0 => {}
            Err(_) if self.exceptions.len() == Self::EXCEPTIONS_MAX => {
                let (value, high) = (self.exceptions.len() as u64 + 1, Self::EXCEPTIONS_MAX as u64);
                return Err(StateError::Count { field: "exceptions".to_owned(), value, low: 0, high });
            }
            Err(place) => self.exceptions.insert(place, exception),
        }
        Ok(())
    }

    /// Ends the exceptions that have expired, and adds the slots of their bodies to a list.
    pub(crate) fn end_exceptions(&mut self, ended: &mut Vec<SlotIndex>) {
        let tick = self.tick;
        self.drop_exceptions(ended, |exception| exception.until <= tick);
    }

    /// The slots of the bodies of which an exception ends with the current tick.
    pub(crate) fn ending_exceptions(&self) -> Vec<SlotIndex> {
        let ends = |exception: &&Exception| exception.until <= self.tick + 1;
        self.exceptions.iter().filter(ends).flat_map(Exception::slots).collect()
    }

    /// Ends the exceptions of a body that is removed.
    pub(crate) fn forget_exceptions(&mut self, slot: SlotIndex) {
        if !self.exceptions.is_empty() {
            self.drop_exceptions(&mut Vec::new(), |exception| exception.names(slot));
        }
    }

    fn drop_exceptions(&mut self, ended: &mut Vec<SlotIndex>, mut ends: impl FnMut(&Exception) -> bool) {
        self.exceptions.retain(|exception| {
            let ends = ends(exception);
            if ends {
                ended.extend(exception.slots());
            }
            !ends
        });
    }

    /// Checks that the list is in order and that its pairs exist.
    pub(super) fn check_exceptions(&self, scenery: &Scenery) -> Result<(), StateError> {
        let (count, high) = (self.exceptions.len() as u64, Self::EXCEPTIONS_MAX as u64);
        if count > high {
            return Err(StateError::Count { field: "exceptions".to_owned(), value: count, low: 0, high });
        }
        let refuse = |index: usize, reason| StateError::impossible(&format!("exceptions[{index}]"), reason);
        for (index, exception) in self.exceptions.iter().enumerate() {
            self.check_exception(exception, scenery).map_err(|reason| refuse(index, reason))?;
        }
        let in_order = |pair: &[Exception]| pair[0].pair() < pair[1].pair();
        if let Some(index) = self.exceptions.windows(2).position(|pair| !in_order(pair)) {
            return Err(refuse(index + 1, "pairs are in the order of their ids, each once"));
        }
        Ok(())
    }

    fn check_exception(&self, exception: &Exception, scenery: &Scenery) -> Result<(), &'static str> {
        let Exception { a, b, until } = *exception;
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
        let listed: Vec<_> = state.exceptions.iter().map(|e| (e.a.slot(), e.b, e.until - tick)).collect();
        let body = |slot| Collider::Body(id(slot));
        assert_eq!(listed, [(1, body(2), 1), (1, body(3), 2), (2, wall, 5)]);
        assert!(state.is_excepted(id(2), body(1)) && state.is_excepted(id(1), body(2)));
        assert!(!state.is_excepted(id(2), body(3)) && !state.is_excepted(id(1), wall));
        let mut ended = Vec::new();
        state.tick += 1;
        state.end_exceptions(&mut ended);
        assert_eq!((ended, state.exceptions.len()), (vec![SlotIndex(1), SlotIndex(2)], 2));
        state.ignore_pair(id(1), body(3), 0).unwrap();
        assert_eq!(state.exceptions, [Exception { a: id(2), b: wall, until: 105 }]);
        state.ignore_pair(id(2), wall, 9).unwrap();
        assert_eq!(state.exceptions, [Exception { a: id(2), b: wall, until: tick + 10 }]);
        state.forget_exceptions(SlotIndex(2));
        assert_eq!(state.exceptions, []);
    }

    #[test]
    fn there_are_no_more_than_the_limit() {
        let mut state = four();
        for number in 0..State::EXCEPTIONS_MAX as u32 {
            state.ignore_pair(id(0), Collider::Static(StaticId(number)), 1).unwrap();
        }
        let error = state.ignore_pair(id(0), Collider::Static(StaticId(1 << 20)), 1).unwrap_err();
        assert_eq!(error.to_string(), "exceptions is 16385, must be in 0..=16384");
        assert_eq!(state.ignore_pair(id(0), Collider::Static(StaticId(5)), 3), Ok(()), "one that there is");
    }
}
