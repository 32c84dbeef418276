//! Orders that no result depends on, shuffled on request of a test.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::num::{Rng, rng::Draws};

/// Shuffles the lists that a tick visits, each time in another order; without a seed it leaves them.
#[derive(Default, Debug)]
pub struct Disorder {
    seed: u64,
    shuffled: AtomicU64,
}

impl Disorder {
    /// The shuffles of a seed; none for 0.
    pub const fn of(seed: u64) -> Self {
        Self { seed, shuffled: AtomicU64::new(0) }
    }

    /// True if lists are shuffled.
    pub const fn is_on(&self) -> bool {
        self.seed != 0
    }

    /// Number of shuffled lists that had more than one entry.
    pub fn count(&self) -> u64 {
        self.shuffled.load(Ordering::Relaxed)
    }

    /// Shuffles a list.
    pub fn shuffle<T>(&self, list: &mut [T]) {
        if self.is_on() && list.len() > 1 {
            let mut draws = self.draws();
            for end in (1..list.len()).rev() {
                list.swap(end, draws.below(end as u64 + 1) as usize);
            }
        }
    }

    /// The numbers below a count, shuffled.
    pub fn indices(&self, count: usize) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..count).collect();
        self.shuffle(&mut indices);
        indices
    }

    fn draws(&self) -> Draws {
        Rng::new(self.seed).at(0, 0, self.shuffled.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn a_shuffle_keeps_the_entries_and_comes_out_differently_each_time() {
    let disorder = Disorder::of(3);
    let [first, second] = [disorder.indices(20), disorder.indices(20)];
    let sorted = |mut list: Vec<usize>| {
        list.sort_unstable();
        list
    };
    assert!(first != second && sorted(first.clone()) != first);
    assert_eq!(sorted(first), (0..20).collect::<Vec<_>>());
    assert_eq!((disorder.count(), Disorder::default().indices(5)), (2, vec![0, 1, 2, 3, 4]));
}
