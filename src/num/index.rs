//! Indices into lists.

use std::{marker::PhantomData, num::NonZeroU32};

/// The index of an item of a list of such items; an `Option` of it is no larger.
#[derive(PartialEq, Eq, Debug)]
pub struct IndexOf<T> {
    /// One more than the place.
    count: NonZeroU32,
    item: PhantomData<T>,
}

// By hand: an index is copied whatever it is the index of.
impl<T> Clone for IndexOf<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for IndexOf<T> {}

impl<T> IndexOf<T> {
    /// Adds an item to a list; returns its index. A list has fewer than 2^32 items.
    pub fn push(list: &mut Vec<T>, item: T) -> Option<Self> {
        list.push(item);
        Self::last(list)
    }

    /// The index of the last item of a list.
    pub fn last(list: &[T]) -> Option<Self> {
        let count = u32::try_from(list.len()).ok().and_then(NonZeroU32::new)?;
        Some(Self { count, item: PhantomData })
    }

    /// The place in the list; past its end for no index, so that one test says both.
    #[inline(always)]
    pub fn place(index: Option<Self>) -> usize {
        index.map_or(0, |index| index.count.get() as usize).wrapping_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_that_of_its_item_and_no_index_is_past_the_end() {
        let mut list = Vec::new();
        assert_eq!(IndexOf::last(&list), None);
        let [first, second] = ["a", "b"].map(|item| IndexOf::push(&mut list, item));
        assert_eq!(
            [first, second, None].map(|index| list.get(IndexOf::place(index))),
            [Some(&"a"), Some(&"b"), None]
        );
        assert_eq!(size_of::<Option<IndexOf<[u64; 9]>>>(), 4);
    }
}
