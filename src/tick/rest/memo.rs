//! What the solves of the last tick came to. A heap that lies still asks for the same solution in each tick.
//!
//! An island is looked up by all that its solution depends on, to the last bit, so whether it is found decides
//! about work only: a world that was restored, and has no memory, goes on the same.

use super::solve::Effort;
use crate::world::{Memo, Pushed, Row, Solved};

/// Smaller islands are solved sooner than looked up.
const ROWS_MIN: usize = 8;

impl Memo {
    /// Begins the solves of a tick.
    pub(super) fn begin(&mut self, effort: Effort) {
        std::mem::swap(&mut self.last, &mut self.next);
        self.next.clear();
        let effort = [effort.steps, effort.solved, effort.still];
        if self.effort != effort {
            self.last.clear();
            self.effort = effort;
        }
    }

    /// Sets the pushes of an island to its solution, if it is known; otherwise begins to remember it, and
    /// `remember` must follow.
    pub(super) fn recall(&mut self, name: u32, rows: &mut [Row], pushed: &[Pushed]) -> bool {
        if rows.len() < ROWS_MIN {
            return false;
        }
        let first = [self.next.rows.len() as u32, self.next.drifts.len() as u32];
        self.next.islands.push((name, rows.len() as u32, first));
        self.next.rows.extend_from_slice(rows);
        self.next.drifts.extend(pushed.iter().map(|body| body.drift));
        let Some(pushes) = self.last.find(name, rows, pushed) else { return false };
        for (row, push) in rows.iter_mut().zip(pushes) {
            row.push = *push;
        }
        self.next.pushes.extend_from_slice(pushes);
        true
    }

    /// Remembers a solution that was not known.
    pub(super) fn remember(&mut self, rows: &[Row], shift: u32) {
        if rows.len() >= ROWS_MIN {
            self.next.pushes.extend(rows.iter().map(|row| row.push << shift));
        }
    }
}

impl Solved {
    fn clear(&mut self) {
        self.islands.clear();
        self.rows.clear();
        self.drifts.clear();
        self.pushes.clear();
    }

    /// The pushes of an island that asks for what this one did.
    fn find(&self, name: u32, rows: &[Row], pushed: &[Pushed]) -> Option<&[i64]> {
        let place = self.islands.binary_search_by_key(&name, |&(name, ..)| name).ok()?;
        let (_, count, [first_row, first_body]) = self.islands[place];
        if count as usize != rows.len() {
            return None;
        }
        let of_rows = first_row as usize..first_row as usize + rows.len();
        let old_rows = self.rows.get(of_rows.clone())?;
        let old_drifts = self.drifts.get(first_body as usize..first_body as usize + pushed.len())?;
        let is_same = old_rows.iter().zip(rows).all(|(old, row)| old.asks_for_the_same(row))
            && old_drifts.iter().zip(pushed).all(|(old, body)| *old == body.drift);
        if is_same { self.pushes.get(of_rows) } else { None }
    }
}

impl Row {
    fn asks_for_the_same(&self, other: &Self) -> bool {
        (self.sides, self.direction, self.steps) == (other.sides, other.direction, other.steps)
            && (self.excess, self.push) == (other.excess, other.push)
    }
}
