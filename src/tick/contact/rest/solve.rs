//! The solve: the contacts of each island, all at once (`rows.rs`; with points `grip.rs`).

use std::mem;

use super::rows::{
    CHANGE_BITS, DIRECTION_BITS, Effort, PUSH_MAX, Row, RowSolver, STEP_BITS, SolverBody, add, narrow,
};
use crate::tick::contact::rest::memory::{Contact, Rest};

impl Rest {
    /// Changes the pushes, and the rates by them, until no two in contact close by more than a bound, nearly,
    /// and no push is larger than that needs. `rates` must be what they are with the pushes as they are.
    ///
    /// `which` of the tick's solves it is says where its solutions are remembered. The islands must be found, and their order.
    pub(super) fn solve(&mut self, which: usize, effort: Effort, bound: impl Fn(&Contact) -> i64) {
        let grouped = mem::take(&mut self.grouped);
        let mut memo = mem::take(&mut self.memos[which]);
        memo.begin(effort);
        if which == 0 && !self.touches.is_empty() {
            self.forget_guesses(&grouped);
        }
        self.note_outset();
        for island in grouped.chunk_by(|a, b| a >> u32::BITS == b >> u32::BITS) {
            if self.has_points(island) {
                self.solve_points(island, which, effort, &bound);
                continue;
            }
            self.gather_rows(island, &bound);
            let name = (island[0] >> u32::BITS) as u32;
            let mut shift = 0;
            if let [row] = &mut self.solver.rows[..] {
                row.push = row.push.saturating_sub(row.excess).clamp(0, PUSH_MAX);
            } else if !memo.recall(name, &mut self.solver.rows, &self.solver.bodies) {
                shift = self.solver.weigh();
                self.solver.solve(effort, shift);
                memo.remember(&self.solver.rows, shift);
            }
            self.take_pushes(shift);
        }
        self.grouped = grouped;
        self.memos[which] = memo;
    }

    /// Notes the velocities with which all islands are asked.
    ///
    /// What is not pushed along the normal of a contact, as it is locked, may be pushed along another one, which is in its own
    /// island: which of the two islands is solved first is for ids to say, and must not matter.
    fn note_outset(&mut self) {
        self.outset.clone_from(&self.rates);
        self.spins_outset.clone_from(&self.spins);
    }

    /// Joins movers that contacts connect into islands, each named by its least mover. What no push
    /// moves is no part of any.
    pub(super) fn find_islands(&mut self) {
        let Self { islands, contacts, .. } = self;
        islands.clear();
        islands.extend(0..self.first.len() as u32);
        for contact in contacts.iter().filter(|contact| contact.steps[0] != [0; 3]) {
            if let Some(low) = contact.low_mover() {
                let (a, b) = (root_of(islands, contact.high), root_of(islands, low));
                islands[a.max(b) as usize] = a.min(b);
            }
        }
        for index in 0..islands.len() as u32 {
            islands[index as usize] = root_of(islands, index);
        }
    }

    /// Lists the contacts island by island whose pushes are not known, as keys of island and contact.
    pub(super) fn order_contacts(&mut self) {
        let Self { contacts, islands, grouped: order, places, .. } = self;
        let is_live = |contact: &Contact| !contact.dropped && !contact.is_known;
        let live = || (0_u32..).zip(contacts.iter()).filter(|(_, contact)| is_live(contact));
        let island = |contact: &Contact| islands[contact.high as usize];
        places.clear();
        places.resize(islands.len(), 0);
        live().for_each(|(_, contact)| places[island(contact) as usize] += 1);
        let mut count = 0;
        for place in &mut *places {
            count += mem::replace(place, count);
        }
        order.clear();
        order.resize(count as usize, 0);
        for (index, contact) in live() {
            let place = &mut places[island(contact) as usize];
            order[*place as usize] = (u64::from(island(contact)) << u32::BITS) | u64::from(index);
            *place += 1;
        }
        places.fill(0);
    }

    /// Copies what the solve needs of the contacts of an island, and numbers its bodies from 1; what no
    /// push moves is 0.
    fn gather_rows(&mut self, island: &[u64], bound: impl Fn(&Contact) -> i64) {
        let Self { solver, contacts, places, outset: rates, grounds, .. } = self;
        solver.clear();
        let RowSolver { rows, bodies, .. } = solver;
        let mut place_of = |mover: Option<u32>, step: [i32; 3]| match mover {
            Some(mover) if step != [0; 3] => {
                let index = mover as usize;
                if places[index] == 0 {
                    places[index] = bodies.len() as u32;
                    let drift = drift(rates[index], grounds[index]);
                    bodies.push(SolverBody { drift, ..SolverBody::default() });
                }
                places[index]
            }
            _ => 0,
        };
        rows.extend(island.iter().map(|&key| {
            let contact = &contacts[key as u32 as usize];
            let (low, high) = (contact.low_mover(), contact.high);
            let low_rate = low.map_or([0; 3], |low| rates[low as usize]);
            Row {
                contact: key as u32,
                sides: [place_of(low, contact.steps[0]), place_of(Some(high), contact.steps[1])],
                direction: narrow(contact.direction, DIRECTION_BITS).map(|c| c as i16),
                steps: contact.steps.map(|step| narrow(step, STEP_BITS)),
                weight: 0,
                excess: contact.rate(low_rate, rates[high as usize]).saturating_add(bound(contact)),
                push: contact.push,
                before: 0,
                rate: 0,
            }
        }));
    }

    /// Hands the pushes of an island to its contacts, and what they do to the rates.
    fn take_pushes(&mut self, shift: u32) {
        let Self { solver, contacts, rates, .. } = self;
        for row in &solver.rows {
            let contact = &mut contacts[row.contact as usize];
            let push = row.push << shift;
            let change = push - contact.push;
            contact.push = push;
            for (which, mover) in [contact.low_mover(), Some(contact.high)].into_iter().enumerate() {
                if let Some(mover) = mover {
                    add(&mut rates[mover as usize], contact.added(which, change));
                }
            }
        }
    }
}

/// How a body moves over the ground that carries it, as far as it fits; without ground, faster than anything.
fn drift(rate: [i64; 3], ground: Option<[i64; 3]>) -> [i64; 3] {
    let most = 1 << (62 - CHANGE_BITS);
    let over = |ground: [i64; 3]| [0, 1, 2].map(|i| rate[i].saturating_sub(ground[i]).clamp(-most, most));
    ground.map_or([most; 3], over)
}

/// The least mover of an island that is in the making.
fn root_of(islands: &mut [u32], mover: u32) -> u32 {
    let mut at = mover;
    while islands[at as usize] != at {
        islands[at as usize] = islands[islands[at as usize] as usize];
        at = islands[at as usize];
    }
    at
}
