//! Impacts at the same instant: resolved together, so that no id is favoured.
//!
//! Blows that share a body are taken in the order of ids, again and again until nobody closes, and once
//! more from the same beginning in the reverse order; each pair gets the mean of both impulses. Two blows on one
//! body from both sides are so mirror images of each other whatever the ids, and the mean of two
//! outcomes in which nobody closes is one in which nobody does. The energy of the mean is at most the
//! mean of the energies: a tie may take more than blows one after the other would, and never gives any.

use std::{cmp::Reverse, mem};

use super::step::Step;
use crate::{
    geom::Vec3,
    num::round::div_nearest,
    world::{Event, Kind, Tie},
};

/// How often a tie is gone through in each order; what closes even then is found again by its sweep.
const ROUNDS: u32 = 16;

/// In how many of these rounds bodies bounce: between two that nothing stops they would for ever.
const BOUNCING_ROUNDS: u32 = 8;

/// The largest component of a momentum on the way, and of all impulses on a body, in raw.
const MOMENTUM_MAX: i64 = 1 << 60;

impl Step<'_> {
    /// Takes all impacts of the next instant from the queue, in the order of ids, each pair once.
    pub(super) fn take_next(&mut self, events: &mut Vec<Event>) {
        events.clear();
        while let Some(Reverse(event)) = self.scratch.queue.peek() {
            if events.first().is_some_and(|first: &Event| first.toi != event.toi) {
                break;
            }
            let event = *event;
            self.scratch.queue.pop();
            if self.is_current(&event)
                && events.last().is_none_or(|last| (last.a, last.b) != (event.a, event.b))
            {
                events.push(event);
            }
        }
    }

    /// Resolves impacts of one instant.
    pub(super) fn resolve_together(&mut self, events: &[Event]) {
        let toi = events[0].toi;
        let mut moved = mem::take(&mut self.scratch.moved);
        moved.clear();
        moved.extend(events.iter().flat_map(|event| [Some(event.a), event.partner()]).flatten());
        moved.sort_unstable();
        moved.dedup();
        moved.retain(|&index| !self.scratch.movers[index as usize].held);
        for index in events.iter().flat_map(|event| [Some(event.a), event.partner()]).flatten() {
            if self.scratch.movers[index as usize].is_free() {
                self.arrive(index, toi);
            }
        }
        self.respond_together(events);
        // A kinematic body that is not blocked has the path that it had.
        moved.retain(|&index| {
            let mover = &self.scratch.movers[index as usize];
            mover.filter.kind == Kind::Dynamic || mover.held
        });
        self.go_on(&moved, toi);
        self.scratch.moved = moved;
    }

    fn respond_together(&mut self, events: &[Event]) {
        let mut ties = mem::take(&mut self.scratch.ties);
        ties.clear();
        for event in events {
            let meeting = self.meeting(event);
            self.note(event, &meeting);
            if meeting.mobility() == 0 {
                self.block_kinematic(event);
            } else if !self.carries(event, &meeting) {
                let is_pressed = meeting.is_pressed(self.rest_speed());
                ties.push(Tie { event: *event, is_pressed, impulses: [Vec3::ZERO; 2] });
            }
        }
        self.find_impulses(&mut ties, 0);
        ties.reverse();
        self.find_impulses(&mut ties, 1);
        ties.reverse();
        let most = MOMENTUM_MAX / self.most_of_a_body(&ties);
        for tie in &ties {
            let meeting = self.meeting(&tie.event);
            self.give(&tie.event, &meeting, mean(tie.impulses, most));
        }
        for index in ties.iter().flat_map(bodies_of) {
            self.clamp_speed_of(index);
        }
        self.part_together(&ties);
        self.scratch.ties = ties;
    }

    /// How many blows the body has that has most, but at least one.
    fn most_of_a_body(&mut self, ties: &[Tie]) -> i64 {
        let bodies = &mut self.scratch.before;
        bodies.clear();
        bodies.extend(ties.iter().flat_map(bodies_of).map(|index| (index, Vec3::ZERO)));
        bodies.sort_unstable_by_key(|&(index, _)| index);
        bodies.chunk_by(|a, b| a.0 == b.0).fold(1, |most, of_one| most.max(of_one.len() as i64))
    }

    /// Finds the impulses of blows one after the other, and leaves all momenta as they are.
    fn find_impulses(&mut self, ties: &mut [Tie], which: usize) {
        let mut before = mem::take(&mut self.scratch.before);
        before.clear();
        for index in ties.iter().flat_map(bodies_of) {
            before.push((index, self.scratch.movers[index as usize].momentum));
        }
        for round in 0..ROUNDS {
            let mut closes = false;
            for tie in ties.iter_mut() {
                let mut meeting = self.meeting(&tie.event);
                if round >= BOUNCING_ROUNDS {
                    meeting.restitution_q16 = 0;
                }
                if round == 0 || meeting.closes() {
                    let impulse = meeting.impulse(self.rest_speed());
                    closes |= impulse != Vec3::ZERO;
                    tie.impulses[which] = bounded_sum(tie.impulses[which], impulse, MOMENTUM_MAX);
                    self.add_momentum(tie.event.a, -impulse);
                    tie.event.partner().into_iter().for_each(|b| self.add_momentum(b, impulse));
                }
            }
            if !closes {
                break;
            }
        }
        for &(index, momentum) in &before {
            self.scratch.movers[index as usize].momentum = momentum;
        }
        self.scratch.before = before;
    }

    fn add_momentum(&mut self, index: u32, impulse: Vec3) {
        let mover = &mut self.scratch.movers[index as usize];
        if mover.is_free() {
            mover.momentum = bounded_sum(mover.momentum, mover.locks.free_part(impulse), MOMENTUM_MAX);
        }
    }

    /// Sends all on; what makes one pair part is added to what makes the others.
    fn part_together(&mut self, ties: &[Tie]) {
        let Some(toi) = ties.first().map(|tie| tie.event.toi) else { return };
        let mut motions = mem::take(&mut self.scratch.before);
        motions.clear();
        motions.extend(ties.iter().flat_map(bodies_of).map(|index| (index, Vec3::ZERO)));
        motions.sort_unstable_by_key(|&(index, _)| index);
        motions.dedup_by_key(|&mut (index, _)| index);
        for (index, motion) in &mut motions {
            let mover = self.scratch.movers[*index as usize];
            *motion = if mover.held { Vec3::ZERO } else { self.free_motion(&mover, toi) };
            self.scratch.movers[*index as usize].path.motion = *motion;
        }
        for tie in ties {
            let meeting = self.meeting(&tie.event);
            let motion = |index: u32| self.scratch.movers[index as usize].path.motion;
            let apart = tie.event.partner().map_or(Vec3::ZERO, motion) - motion(tie.event.a);
            let [a, b] = meeting.corrections(apart, tie.is_pressed);
            for (index, correction) in [(Some(tie.event.a), -a), (tie.event.partner(), b)] {
                let at = index.map(|index| motions.binary_search_by_key(&index, |&(index, _)| index));
                if let Some(Ok(at)) = at {
                    motions[at].1 = motions[at].1 + correction;
                }
            }
        }
        for &(index, motion) in &motions {
            let mut mover = self.scratch.movers[index as usize];
            if mover.is_free() {
                self.launch(&mut mover, motion);
                self.scratch.movers[index as usize] = mover;
            }
        }
        self.scratch.before = motions;
    }
}

fn bodies_of(tie: &Tie) -> impl Iterator<Item = u32> {
    [Some(tie.event.a), tie.event.partner()].into_iter().flatten()
}

/// A sum with components between bounds.
fn bounded_sum(a: Vec3, b: Vec3, most: i64) -> Vec3 {
    let ([a, b], sum) = ([a.raw(), b.raw()], |a: i64, b: i64| a.saturating_add(b).clamp(-most, most));
    Vec3::from_raw([0, 1, 2].map(|i| sum(a[i], b[i])))
}

/// The mean of two impulses, with components between bounds.
///
/// **Rounding**: to nearest, halves away from zero.
fn mean([a, b]: [Vec3; 2], most: i64) -> Vec3 {
    let half = |sum: i128| (div_nearest(sum, 2) as i64).clamp(-most, most);
    let [a, b] = [a.raw(), b.raw()];
    Vec3::from_raw([0, 1, 2].map(|i| half(i128::from(a[i]) + i128::from(b[i]))))
}
