//! The pair cache: the pairs of the first search of a tick, for the searches after it.

use crate::tick::bodies::body::BodyIndex;

/// The pairs of bodies whose boxes touch, except for those of subdivided paths. They can be read only once a search has
/// listed them all.
#[derive(Default, Debug)]
pub struct PairCache {
    list: Vec<[BodyIndex; 2]>,
    is_complete: bool,
}

impl PairCache {
    /// The pairs; `None` if not all of them are known.
    #[inline]
    pub fn pairs(&self) -> Option<&[[BodyIndex; 2]]> {
        self.is_complete.then_some(&self.list)
    }

    /// Begins a list: no pair is known.
    pub fn begin(&mut self) {
        self.is_complete = false;
        self.list.clear();
    }

    /// Adds a pair to a list that is not complete.
    #[inline]
    pub fn push(&mut self, pair: [BodyIndex; 2]) {
        debug_assert!(!self.is_complete, "{pair:?}");
        self.list.push(pair);
    }

    /// Ends a list that holds all pairs.
    pub const fn complete(&mut self) {
        self.is_complete = true;
    }

    /// The pairs that a search has listed, be they all or not.
    #[cfg(test)]
    pub fn listed(&self) -> &[[BodyIndex; 2]] {
        &self.list
    }

    /// Discards the pairs.
    pub const fn discard(&mut self) {
        self.is_complete = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIR: [BodyIndex; 2] = [BodyIndex(0), BodyIndex(1)];

    #[test]
    fn pairs_are_known_once_all_are_listed() {
        let mut cache = PairCache::default();
        cache.begin();
        cache.push(PAIR);
        assert_eq!(cache.pairs(), None);
        cache.complete();
        assert_eq!(cache.pairs(), Some(&[PAIR][..]));
        cache.discard();
        assert_eq!(cache.pairs(), None);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "BodyIndex")]
    fn a_pair_that_comes_too_late_is_noticed() {
        let mut cache = PairCache::default();
        cache.begin();
        cache.complete();
        cache.push(PAIR);
    }
}
