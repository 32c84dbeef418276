//! The violated contacts of the non-penetration projection, and the impulses that separate them.
//!
//! Between two rounds of the projection the motions are linear in the impulses, so an island of violated contacts is an island of
//! rows. The residuals of a round are exact: what one solve misses is what the next round asks for.

use crate::geom::Normal;

use super::rows::{
    DIRECTION_BITS, Effort, PUSH_MAX, Row, RowSolver, STEP_BITS, SolverBody, add, added, narrow,
};

/// The number of no row or body: its own, since this file refers to no other of the stage but `rows.rs`.
const NONE: u32 = u32::MAX;

/// The effort of a solve, in the steps of a round.
const EFFORT: Effort = Effort { steps: 64, looks: i64::MAX, solved: 1, still: 0 };

/// The largest part of an impulse that a solve may take back, in largest residuals: 2^4.
const REMOVED_SHIFT: u32 = 4;

/// By how much a contact misses the motion that it asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Residual {
    /// How much faster it must separate to reach its target, in raw per tick; negative if it may close faster.
    pub velocity: i64,
    /// True if it would come nearer than it may.
    pub is_violated: bool,
    /// The normal along which it separates, from the lower to the upper body.
    pub normal: Normal,
}

impl Residual {
    /// The residual of a contact that is not violated, and as a row may close no faster than it does.
    pub const fn none(normal: Normal) -> Self {
        Self { velocity: 0, is_violated: false, normal }
    }
}

/// One side of a contact: a body, and what a unit of impulse adds to its motion, in 2^-22.
pub type Side = Option<(u32, [i32; 3])>;

/// The contacts that were violated in any round of a projection.
#[derive(Default, Debug)]
pub struct Violated {
    contacts: Vec<ViolatedContact>,
    /// Per contact of the tick, its place among them, or none.
    place_of: Vec<u32>,
    bodies: Vec<MovedBody>,
    /// Per body of the tick, its place among those that impulses move, or none.
    body_of: Vec<u32>,
    /// The contacts by islands, as keys of island and place.
    order: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct ViolatedContact {
    contact: u32,
    /// The places of the lower and the upper body, or none where no impulse moves it.
    bodies: [u32; 2],
    /// The normal, in 2^-22.
    direction: [i32; 3],
    /// What a unit of impulse adds to their motions, in 2^-22.
    steps: [[i32; 3]; 2],
    /// The impulse so far, in raw of separating motion per tick.
    impulse: i64,
    residual: Residual,
}

/// A body that impulses move.
#[derive(Clone, Copy, Debug)]
struct MovedBody {
    body: u32,
    /// Another body of its island, or itself.
    island: u32,
    /// Its place among the bodies of the solver, or 0.
    solver_body: u32,
    /// The change of its motion, in raw per tick.
    change: [i64; 3],
}

impl Violated {
    /// Removes all of them; so many contacts and bodies are in the tick.
    pub(super) fn clear(&mut self, contacts: usize, bodies: usize) {
        self.contacts.drain(..).for_each(|row| self.place_of[row.contact as usize] = NONE);
        self.bodies.drain(..).for_each(|body| self.body_of[body.body as usize] = NONE);
        self.place_of.resize(contacts, NONE);
        self.body_of.resize(bodies, NONE);
    }

    /// True if a contact is among them.
    pub(super) fn has(&self, contact: u32) -> bool {
        self.place_of[contact as usize] != NONE
    }

    /// The residual of a contact that is among them.
    pub(super) fn residual_of(&self, contact: u32) -> Option<Residual> {
        Some(self.contacts.get(self.place_of[contact as usize] as usize)?.residual)
    }

    /// Adds a contact, or updates it: its residual, the normal in 2^-22, and both sides.
    pub(super) fn set(&mut self, contact: u32, residual: Residual, direction: [i32; 3], sides: [Side; 2]) {
        let bodies = sides.map(|side| side.map_or(NONE, |(body, _)| self.body(body)));
        if let [Some(low), Some(high)] = bodies.map(|body| (body != NONE).then(|| self.root_of(body))) {
            self.bodies[low.max(high) as usize].island = low.min(high);
        }
        let steps = sides.map(|side| side.map_or([0; 3], |(_, step)| step));
        let place = self.place_of[contact as usize] as usize;
        let impulse = self.contacts.get(place).map_or(0, |known| known.impulse);
        let known = ViolatedContact { contact, bodies, direction, steps, impulse, residual };
        if let Some(place) = self.contacts.get_mut(place) {
            *place = known;
        } else {
            self.place_of[contact as usize] = self.contacts.len() as u32;
            self.contacts.push(known);
        }
    }

    /// The contacts that are still violated.
    pub(super) fn remaining(&self) -> impl Iterator<Item = u32> + '_ {
        self.contacts.iter().filter(|known| known.residual.is_violated).map(|known| known.contact)
    }

    /// Those of them that no impulse moves.
    pub(super) fn blocked(&self) -> impl Iterator<Item = u32> + '_ {
        let blocked =
            self.contacts.iter().filter(|known| known.residual.is_violated && known.bodies == [NONE; 2]);
        blocked.map(|known| known.contact)
    }

    /// Finds impulses with which the contacts reach their targets, nearly.
    pub(super) fn solve(&mut self, solver: &mut RowSolver) {
        self.bodies.iter_mut().for_each(|body| body.change = [0; 3]);
        self.order_by_island();
        let order = std::mem::take(&mut self.order);
        for island in order.chunk_by(|a, b| a >> u32::BITS == b >> u32::BITS) {
            // A settled island is left as it is, however long others take.
            if !island.iter().any(|&key| self.contacts[key as u32 as usize].residual.is_violated) {
                continue;
            }
            let most = self.most_removed(island);
            self.gather(island, most, solver);
            let mut shift = 0;
            if let [row] = &mut solver.rows[..] {
                row.push = row.push.saturating_sub(row.excess).clamp(0, PUSH_MAX);
            } else {
                shift = solver.weigh();
                solver.solve(EFFORT, shift);
            }
            for (&key, row) in island.iter().zip(&solver.rows) {
                self.take(key as u32, row.push << shift, most);
            }
        }
        self.order = order;
    }

    /// The bodies whose motions the last solve changed, and by how much, in raw per tick.
    pub(super) fn changes(&self) -> impl Iterator<Item = (u32, [i64; 3])> + '_ {
        let changed = self.bodies.iter().filter(|body| body.change != [0; 3]);
        changed.map(|body| (body.body, body.change))
    }

    /// The place of a body, which is added if it is new.
    fn body(&mut self, body: u32) -> u32 {
        let place = &mut self.body_of[body as usize];
        if *place == NONE {
            *place = self.bodies.len() as u32;
            self.bodies.push(MovedBody { body, island: *place, solver_body: 0, change: [0; 3] });
        }
        *place
    }

    /// The body that names an island.
    fn root_of(&mut self, body: u32) -> u32 {
        let mut at = body;
        while self.bodies[at as usize].island != at {
            let next = self.bodies[at as usize].island;
            self.bodies[at as usize].island = self.bodies[next as usize].island;
            at = next;
        }
        at
    }

    /// Lists the contacts that move anything, island by island.
    fn order_by_island(&mut self) {
        self.order.clear();
        for place in 0..self.contacts.len() {
            let body = self.contacts[place].bodies.into_iter().find(|&body| body != NONE);
            if let Some(body) = body {
                let island = self.root_of(body);
                self.order.push((u64::from(island) << u32::BITS) | place as u64);
            }
        }
        self.order.sort_unstable();
    }

    /// How much of an impulse the solve of an island may take back. Impulses enter it clamped to this,
    /// so that small residuals are solved in small units however large the impulses are.
    fn most_removed(&self, island: &[u64]) -> i64 {
        let residual = |&key: &u64| self.contacts[key as u32 as usize].residual.velocity.saturating_abs();
        island.iter().map(residual).fold(1, i64::max).saturating_mul(1 << REMOVED_SHIFT).min(PUSH_MAX)
    }

    /// Makes the rows of an island.
    fn gather(&mut self, island: &[u64], most: i64, solver: &mut RowSolver) {
        solver.clear();
        let RowSolver { rows, bodies: of_solver, .. } = solver;
        let Self { contacts, bodies, .. } = self;
        let mut solver_body_of = |body: u32| {
            let Some(body) = bodies.get_mut(body as usize) else { return 0 };
            if body.solver_body == 0 {
                body.solver_body = of_solver.len() as u32;
                of_solver.push(SolverBody::default());
            }
            body.solver_body
        };
        rows.extend(island.iter().map(|&key| {
            let known = &contacts[key as u32 as usize];
            Row {
                contact: known.contact,
                sides: known.bodies.map(&mut solver_body_of),
                direction: narrow(known.direction, DIRECTION_BITS).map(|c| c as i16),
                steps: known.steps.map(|step| narrow(step, STEP_BITS)),
                weight: 0,
                excess: -known.residual.velocity,
                push: known.impulse.min(most),
                before: 0,
                rate: 0,
            }
        }));
        for body in island.iter().flat_map(|&key| contacts[key as u32 as usize].bodies) {
            if let Some(body) = bodies.get_mut(body as usize) {
                body.solver_body = 0;
            }
        }
    }

    /// Takes the impulse of a contact, of which the solve had no more than `most`, and adds what it changes to the motions.
    fn take(&mut self, place: u32, impulse: i64, most: i64) {
        let Self { contacts, bodies, .. } = self;
        let known = &mut contacts[place as usize];
        let change = impulse - known.impulse.min(most);
        known.impulse = (known.impulse + change).min(PUSH_MAX);
        for (side, signed) in [-change, change].into_iter().enumerate() {
            if let Some(body) = bodies.get_mut(known.bodies[side] as usize) {
                add(&mut body.change, added(known.steps[side], signed));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP: [i32; 3] = [0, 1 << DIRECTION_BITS, 0];
    /// How much more than it needs a contact asks for.
    const MARGIN: i64 = 8;

    /// Equal bodies 0, 1, ... in columns: each rests on the one below, and the lowest on ground, or two on one.
    #[derive(Default)]
    struct Heap {
        violated: Violated,
        solver: RowSolver,
        /// The lower and the upper body, and the motion that they ask for, per contact.
        contacts: Vec<([Option<u32>; 2], i64)>,
        motions: Vec<[i64; 3]>,
    }

    impl Heap {
        fn new(motions: &[i64], contacts: &[([Option<u32>; 2], i64)]) -> Self {
            let mut heap = Self { contacts: contacts.to_vec(), ..Self::default() };
            heap.motions = motions.iter().map(|&up| [0, up, 0]).collect();
            heap.violated.clear(contacts.len(), motions.len());
            heap
        }

        fn residual(&self, contact: usize) -> Residual {
            let (sides, target) = self.contacts[contact];
            let [low, high] = sides.map(|side| side.map_or(0, |body| self.motions[body as usize][1]));
            let velocity = target - (high - low);
            Residual { velocity: velocity + MARGIN, is_violated: velocity > 0, normal: Normal::Y }
        }

        /// Rounds in an order of contacts until none is violated; returns how many.
        fn settle(&mut self, order: &[usize]) -> u32 {
            for round in 0..48 {
                for &contact in order {
                    let (residual, number) = (self.residual(contact), contact as u32);
                    if self.violated.has(number) || residual.is_violated {
                        let both = self.contacts[contact].0.iter().flatten().count();
                        let step = UP.map(|c| c >> (both - 1));
                        let sides = self.contacts[contact].0.map(|side| side.map(|body| (body, step)));
                        self.violated.set(number, residual, UP, sides);
                    }
                }
                if self.violated.remaining().next().is_none() {
                    return round;
                }
                self.violated.solve(&mut self.solver);
                for (body, change) in self.violated.changes() {
                    add(&mut self.motions[body as usize], change);
                }
            }
            panic!("{:?} after 48 rounds", self.motions);
        }
    }

    /// Contacts of a column of so many bodies, which ask for no closing.
    fn column(count: u32) -> Vec<([Option<u32>; 2], i64)> {
        (0..count).map(|body| ([body.checked_sub(1), Some(body)], 0)).collect()
    }

    #[test]
    fn one_contact_is_separated_to_its_target() {
        for (target, motion, moved) in [(0, -100, 8), (7, -100, 15), (-30, -100, -22), (-100, -100, -100)] {
            let mut heap = Heap::new(&[motion], &[([None, Some(0)], target)]);
            heap.settle(&[0]);
            assert_eq!(heap.motions, [[0, moved, 0]], "{target} {motion}");
        }
        // Two equal bodies share it.
        let mut heap = Heap::new(&[0, -100], &[([Some(0), Some(1)], 0)]);
        heap.settle(&[0]);
        assert_eq!(heap.motions, [[0, -54, 0], [0, -46, 0]]);
    }

    #[test]
    fn columns_are_separated_in_few_rounds() {
        for (count, most) in [(2, 4), (5, 10), (20, 40)] {
            let mut motions = vec![0; count as usize];
            motions[count as usize - 1] = -1 << 24;
            let mut heap = Heap::new(&motions, &column(count));
            let rounds = heap.settle(&(0..count as usize).collect::<Vec<_>>());
            assert!(rounds <= most, "{count} bodies: {rounds} rounds");
            // Nothing is thrown: what came down ends on the rest, which the ground holds.
            let highest = heap.motions.iter().map(|motion| motion[1]).max().unwrap();
            assert!(highest <= 1 << 22, "{count} bodies: {highest}");
        }
    }

    #[test]
    fn an_impulse_is_taken_back_that_another_one_makes_needless() {
        // The upper body is pushed off the middle one before that is known to rise.
        let mut heap = Heap::new(&[0, -1_000], &column(2));
        heap.contacts[0].1 = 400;
        heap.settle(&[0, 1]);
        let [low, high] = [heap.motions[0][1], heap.motions[1][1]];
        assert!((400..=600).contains(&low) && (low..=low + 100).contains(&high), "{low} {high}");
    }

    #[test]
    fn neither_the_order_nor_other_islands_change_a_solution() {
        let motions = [-300, -900, 200, -4_000, 0, -70_000];
        let mut contacts = column(3);
        contacts.extend([([None, Some(3)], 0), ([Some(3), Some(4)], 10), ([Some(4), Some(5)], -5)]);
        let orders = [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 0, 5, 1, 4, 2]];
        let ends = orders.map(|order| {
            let mut heap = Heap::new(&motions, &contacts);
            heap.settle(&order);
            heap.motions
        });
        assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?}");
        let mut alone = Heap::new(&motions[..3], &contacts[..3]);
        alone.settle(&[0, 1, 2]);
        assert_eq!(alone.motions, ends[0][..3]);
    }

    #[test]
    fn a_change_is_made_once() {
        let mut violated = Violated::default();
        violated.clear(1, 1);
        let residual = Residual { velocity: 5, is_violated: true, normal: Normal::Y };
        violated.set(0, residual, UP, [None, Some((0, UP))]);
        violated.solve(&mut RowSolver::default());
        assert_eq!(violated.changes().collect::<Vec<_>>(), [(0, [0, 5, 0])]);
        // Along another normal no impulse moves the body: it may be locked.
        violated.set(0, residual, UP, [None, None]);
        violated.solve(&mut RowSolver::default());
        assert_eq!(violated.changes().count(), 0);
    }

    #[test]
    fn contacts_that_nothing_moves_are_blocked() {
        let mut violated = Violated::default();
        violated.clear(2, 1);
        let residual = Residual { velocity: 5, is_violated: true, normal: Normal::Y };
        violated.set(1, residual, UP, [None, None]);
        violated.set(0, residual, UP, [None, Some((0, UP))]);
        assert_eq!(violated.blocked().collect::<Vec<_>>(), [1]);
        assert_eq!(violated.remaining().collect::<Vec<_>>(), [1, 0]);
        violated.clear(2, 1);
        assert!(!violated.has(0) && violated.remaining().next().is_none());
    }
}
