//! Rows of the contact solver, for benches.

use crate::tick::World;

impl World {
    /// Solves the last tick's largest island of contacts again in at most so many steps; returns the number of rows that were
    /// solved. Changes nothing that a tick can see. For benches.
    #[doc(hidden)]
    pub fn solve_rows_again(&mut self, steps: i64) -> i64 {
        self.scratch.contact.solve_largest_again(steps)
    }
}
