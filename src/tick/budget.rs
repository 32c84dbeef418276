//! The budget of a search.

use crate::state::Limits;

/// The number of tests that a search may do: the limit on the pairs of a tick. Whether it is exceeded does not depend on the
/// order of the tests.
#[derive(Clone, Copy, Default, Debug)]
pub struct WorkBudget {
    spent: u64,
    most: u64,
}

impl WorkBudget {
    /// The whole budget of a tick.
    pub fn of(limits: &Limits) -> Self {
        Self { spent: 0, most: limits.pairs_max.into() }
    }

    /// Counts tests.
    #[inline(always)]
    pub const fn spend(&mut self, tests: u64) {
        self.spent += tests;
    }

    /// True if more tests were done than the limit.
    #[inline(always)]
    pub const fn is_exceeded(&self) -> bool {
        self.spent > self.most
    }
}
