//! What the solves of the last tick came to. A heap that lies still asks for the same solution in each tick.
//!
//! An island is looked up by all that its solution depends on, to the last bit, so whether it is found decides
//! about work only: a world that was restored, and has no memory, goes on the same.

use super::rows::{Effort, Row, SolverBody};
use crate::tick::contact::rest::memory::{Memo, Solved};

/// Smaller islands are solved sooner than looked up.
const ROWS_MIN: usize = 8;

impl Memo {
    /// Begins the solves of a tick.
    pub(super) fn begin(&mut self, effort: Effort) {
        std::mem::swap(&mut self.last, &mut self.next);
        self.next.clear();
        let effort = [effort.steps, effort.looks, effort.solved, effort.still];
        if self.effort != effort {
            self.last.clear();
            self.effort = effort;
        }
    }

    /// Sets the pushes of an island to its solution, if it is known; otherwise begins to remember it, and
    /// `remember` must follow.
    pub(super) fn recall(&mut self, name: u32, rows: &mut [Row], pushed: &[SolverBody]) -> bool {
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
    fn find(&self, name: u32, rows: &[Row], pushed: &[SolverBody]) -> Option<&[i64]> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort { steps: 32, looks: 4_096, solved: 2, still: 64 };

    /// What is asked for: how long to go on, and an island by its name, its rows and its bodies.
    #[derive(Clone)]
    struct Question {
        effort: Effort,
        name: u32,
        rows: Vec<Row>,
        pushed: Vec<SolverBody>,
    }

    impl Question {
        /// A chain of bodies, each row with numbers of its own.
        fn new() -> Self {
            let row = |index: u32| {
                let number = i64::from(index);
                Row {
                    contact: index,
                    sides: [index, index + 1],
                    direction: [3, 4, 5].map(|c| c * (index as i16 + 1)),
                    steps: [[100, 200, 300], [400, 500, 600]].map(|step| step.map(|c| c + index as i32)),
                    weight: 0,
                    excess: 1_000 + number,
                    push: 2_000 + number,
                    before: 0,
                    rate: 0,
                }
            };
            let count = ROWS_MIN as u32 + 2;
            let body = |index: u32| SolverBody {
                drift: [7, 8, 9].map(|c| c * i64::from(index)),
                ..SolverBody::default()
            };
            Self {
                effort: EFFORT,
                name: 5,
                rows: (0..count).map(row).collect(),
                pushed: (0..=count).map(body).collect(),
            }
        }

        /// The pushes that the memory has for it in the tick after.
        fn ask(&self, memo: &mut Memo) -> Option<Vec<i64>> {
            memo.begin(self.effort);
            let mut rows = self.rows.clone();
            memo.recall(self.name, &mut rows, &self.pushed).then(|| rows.iter().map(|row| row.push).collect())
        }
    }

    /// What an island came to: its pushes were scaled down by 2 bits.
    const SHIFT: u32 = 2;

    fn solution(rows: &[Row]) -> Vec<i64> {
        (0..).zip(rows).map(|(index, _)| (50_000 + index) << SHIFT).collect()
    }

    /// A memory of the question, between two other islands that ask for the same.
    fn memory_of(question: &Question) -> Memo {
        let mut memo = Memo::default();
        memo.begin(question.effort);
        for name in [question.name - 1, question.name, question.name + 1] {
            let mut rows = question.rows.clone();
            assert!(!memo.recall(name, &mut rows, &question.pushed), "nothing is known yet");
            assert!(rows.iter().zip(&question.rows).all(|(row, old)| row.push == old.push));
            let offset = i64::from(name) - i64::from(question.name);
            for (row, push) in rows.iter_mut().zip(solution(&question.rows)) {
                row.push = (push >> SHIFT) + 1_000 * offset;
            }
            memo.remember(&rows, SHIFT);
        }
        memo
    }

    #[test]
    fn who_asks_for_the_same_gets_the_solution_tick_after_tick() {
        let question = Question::new();
        let mut memo = memory_of(&question);
        for _ in 0..3 {
            assert_eq!(question.ask(&mut memo), Some(solution(&question.rows)));
        }
        // What is no part of the question: where its contacts are listed, and what the solve leaves in a row.
        let mut other = question.clone();
        for row in &mut other.rows {
            (row.contact, row.weight, row.before) = (row.contact + 9, 1, 1);
        }
        assert_eq!(other.ask(&mut memo), Some(solution(&question.rows)));
        memo.begin(EFFORT);
        assert_eq!(question.ask(&mut memo), None, "a tick without the island forgets it");
    }

    /// The steps of a solve depend on each of these numbers.
    #[test]
    fn who_asks_for_anything_else_is_solved_anew() {
        type Change = (&'static str, fn(&mut Question, usize));
        let changes: [Change; 13] = [
            ("another name", |it, _| it.name += 2),
            ("more steps", |it, _| it.effort.steps += 1),
            ("more looks", |it, _| it.effort.looks += 1),
            ("nearer to the solution", |it, _| it.effort.solved -= 1),
            ("another bound of stillness", |it, _| it.effort.still += 1),
            ("a row less", |it, _| it.rows.truncate(ROWS_MIN + 1)),
            ("two rows less", |it, _| it.rows.truncate(ROWS_MIN)),
            ("a row more", |it, _| it.rows.push(it.rows[0])),
            ("another side", |it, at| it.rows[at].sides[at % 2] += 1),
            ("another excess", |it, at| it.rows[at].excess -= 1),
            ("another push", |it, at| it.rows[at].push += 1),
            ("another direction", |it, at| it.rows[at].direction[at % 3] -= 1),
            ("another step", |it, at| it.rows[at].steps.as_flattened_mut()[at % 6] += 1),
        ];
        let question = Question::new();
        for (what, change) in changes {
            for at in 0..question.rows.len() {
                let mut other = question.clone();
                change(&mut other, at);
                assert_eq!(other.ask(&mut memory_of(&question)), None, "{what}, row {at}");
            }
        }
        for (at, axis) in (0..question.pushed.len()).flat_map(|at| [0, 1, 2].map(|axis| (at, axis))) {
            let mut other = question.clone();
            other.pushed[at].drift[axis] += 1;
            assert_eq!(other.ask(&mut memory_of(&question)), None, "another drift, body {at}, axis {axis}");
        }
    }

    #[test]
    fn a_small_island_is_not_remembered() {
        let mut question = Question::new();
        question.rows.truncate(ROWS_MIN - 1);
        let mut memo = memory_of(&question);
        assert_eq!(question.ask(&mut memo), None);
        assert!(memo.last.islands.is_empty() && memo.last.pushes.is_empty());
    }
}
