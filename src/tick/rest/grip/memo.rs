//! What the solves of the last tick came to, as `rest/memo.rs` keeps it of bodies that do not turn.
//!
//! An island is looked up by all that its solution depends on, to the last bit.

use crate::{
    tick::rest::solve::Effort,
    world::{GripMemo, GripSolved, Held, Point},
};

impl GripMemo {
    /// Begins the solves of a tick.
    pub(in crate::tick::rest) fn begin(&mut self, effort: Effort) {
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
    pub(in crate::tick::rest) fn recall(&mut self, name: u32, held: &[Held], points: &mut [Point]) -> bool {
        let first = [self.next.held.len() as u32, self.next.asked.len() as u32];
        self.next.islands.push((name, [held.len() as u32, points.len() as u32], first));
        self.next.held.extend_from_slice(held);
        self.next.asked.extend_from_slice(points);
        let Some(found) = self.last.find(name, held, points) else { return false };
        for (point, &[push, x, y, z]) in points.iter_mut().zip(found) {
            (point.push, point.grip) = (push, [x, y, z]);
        }
        self.next.found.extend_from_slice(found);
        true
    }

    /// Remembers a solution that was not known.
    pub(in crate::tick::rest) fn remember(&mut self, points: &[Point]) {
        let pushes = |point: &Point| [point.push, point.grip[0], point.grip[1], point.grip[2]];
        self.next.found.extend(points.iter().map(pushes));
    }
}

impl GripSolved {
    fn clear(&mut self) {
        self.islands.clear();
        self.held.clear();
        self.asked.clear();
        self.found.clear();
    }

    /// The pushes of an island that asks for what this one did.
    fn find(&self, name: u32, held: &[Held], points: &[Point]) -> Option<&[[i64; 4]]> {
        let place = self.islands.binary_search_by_key(&name, |&(name, ..)| name).ok()?;
        let (_, counts, first) = self.islands[place];
        if counts != [held.len() as u32, points.len() as u32] {
            return None;
        }
        let [bodies, rows] = [0, 1].map(|i: usize| first[i] as usize..first[i] as usize + counts[i] as usize);
        let is_same = self.held.get(bodies)? == held && self.asked.get(rows.clone())? == points;
        if is_same { self.found.get(rows) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort { steps: 32, looks: 4_096, solved: 2, still: 64 };

    /// What is asked for: how long to go on, and an island by its name, its bodies and its points.
    #[derive(Clone)]
    struct Question {
        effort: Effort,
        name: u32,
        held: Vec<Held>,
        points: Vec<Point>,
    }

    impl Question {
        /// A chain of bodies, each point with numbers of its own.
        fn new() -> Self {
            let point = |index: u32| {
                let number = i64::from(index);
                Point {
                    sides: [index, index + 1],
                    normal: [3, 4, 5].map(|c| c * (index as i32 + 1)),
                    levers: [[[index as i32; 3]; 3]; 2],
                    friction_q16: 77,
                    excess: 1_000 + number,
                    slip: [number; 3],
                    push: 2_000 + number,
                    grip: [3_000 + number; 3],
                    level: index % 2 == 0,
                }
            };
            let body = |index: u32| Held { mass: index, drift: [i64::from(index); 6], ..Held::default() };
            Self {
                effort: EFFORT,
                name: 5,
                held: (0..5).map(body).collect(),
                points: (0..4).map(point).collect(),
            }
        }

        /// The pushes that the memory has for it in the tick after.
        fn ask(&self, memo: &mut GripMemo) -> Option<Vec<Point>> {
            memo.begin(self.effort);
            let mut points = self.points.clone();
            memo.recall(self.name, &self.held, &mut points).then_some(points)
        }
    }

    fn solution(points: &[Point], offset: i64) -> Vec<Point> {
        let solved = |(index, point): (i64, &Point)| Point {
            push: 50_000 + index + offset,
            grip: [60_000 + index, 70_000 + index, offset],
            ..*point
        };
        (0..).zip(points).map(solved).collect()
    }

    /// A memory of the question, between two other islands that ask for the same.
    fn memory_of(question: &Question) -> GripMemo {
        let mut memo = GripMemo::default();
        memo.begin(question.effort);
        for name in [question.name - 1, question.name, question.name + 1] {
            let mut points = question.points.clone();
            assert!(!memo.recall(name, &question.held, &mut points), "nothing is known yet");
            assert_eq!(points, question.points);
            memo.remember(&solution(&points, 1_000 * (i64::from(name) - i64::from(question.name))));
        }
        memo
    }

    #[test]
    fn who_asks_for_the_same_gets_the_solution_tick_after_tick() {
        let question = Question::new();
        let mut memo = memory_of(&question);
        for _ in 0..3 {
            assert_eq!(question.ask(&mut memo), Some(solution(&question.points, 0)));
        }
        memo.begin(EFFORT);
        assert_eq!(question.ask(&mut memo), None, "a tick without the island forgets it");
    }

    /// The steps of a solve depend on each of these numbers.
    #[test]
    fn who_asks_for_anything_else_is_solved_anew() {
        type Change = (&'static str, fn(&mut Question, usize));
        let changes: [Change; 17] = [
            ("another name", |it, _| it.name += 2),
            ("more steps", |it, _| it.effort.steps += 1),
            ("more looks", |it, _| it.effort.looks += 1),
            ("nearer to the solution", |it, _| it.effort.solved -= 1),
            ("another bound of stillness", |it, _| it.effort.still += 1),
            ("a point less", |it, _| it.points.truncate(3)),
            ("a point more", |it, _| it.points.push(it.points[0])),
            ("another side", |it, at| it.points[at].sides[at % 2] += 1),
            ("another normal", |it, at| it.points[at].normal[at % 3] -= 1),
            ("another lever", |it, at| it.points[at].levers[at % 2][at % 3][2] -= 1),
            ("other friction", |it, at| it.points[at].friction_q16 += 1),
            ("another excess", |it, at| it.points[at].excess -= 1),
            ("another slip", |it, at| it.points[at].slip[at % 3] -= 1),
            ("another push", |it, at| it.points[at].push += 1),
            ("another grip", |it, at| it.points[at].grip[at % 3] += 1),
            ("another height", |it, at| it.points[at].level ^= true),
            ("a body more", |it, _| it.held.push(it.held[1])),
        ];
        let bodies: [Change; 3] = [
            ("another mass", |it, at| it.held[at].mass += 1),
            ("another lock", |it, at| it.held[at].locked[at % 3] ^= true),
            ("another drift", |it, at| it.held[at].drift[at] += 1),
        ];
        let question = Question::new();
        for (what, change) in changes.into_iter().chain(bodies) {
            for at in 0..question.points.len() {
                let mut other = question.clone();
                change(&mut other, at);
                assert_eq!(other.ask(&mut memory_of(&question)), None, "{what}, {at}");
            }
        }
    }
}
