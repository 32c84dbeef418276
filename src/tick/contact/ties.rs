//! Simultaneous impacts: resolved together, so that no id is favored.
//!
//! All impacts of an instant that share bodies are solved at once (`together.rs`): each pair separates at the
//! speed of its restitution, whatever the others do to it, and no pair closes. An impact that shares no body
//! with another has the same result as a single one.

use crate::tick::contact::ContactStage;
use std::mem;

use super::respond::Meeting;
use crate::{
    geom::Vec3,
    tick::{
        bodies::body::{BodyIndex, Partner},
        queue::QueuedImpact,
    },
};

/// The largest component of all impulses on a body, in raw.
const MOMENTUM_MAX: i64 = 1 << 60;

/// One of several impacts at the same instant.
#[derive(Clone, Copy, Debug)]
pub struct Tie {
    /// The impact.
    pub event: QueuedImpact,
    /// True if it is slow and gravity presses on the pair.
    pub is_pressed: bool,
    /// True if it is too slow to bounce.
    pub is_slow: bool,
    /// True if one of the pair rotates, or they have friction.
    pub grips: bool,
    /// The index of the pair in the list of knocks, if any grips.
    pub knock: u32,
    /// The least separating speed at the contact points by rotation, in raw times the normal's length.
    pub turning: i128,
    /// True if it is solved at its points, because an impact that shares bodies with it grips.
    pub at_points: bool,
    /// The impulse on B.
    pub impulse: Vec3,
}

impl Tie {
    /// An impact before it is solved.
    pub const fn new(event: QueuedImpact) -> Self {
        Self {
            event,
            is_pressed: false,
            is_slow: false,
            grips: false,
            knock: 0,
            turning: 0,
            at_points: false,
            impulse: Vec3::ZERO,
        }
    }
}

impl ContactStage<'_> {
    pub fn respond_together(&mut self, events: &[QueuedImpact]) {
        let mut ties = mem::take(&mut self.scratch.ties);
        self.find_ties(events, &mut ties);
        self.gather_blows(&ties);
        self.find_strikes(&mut ties);
        if ties.iter().any(|tie| !tie.at_points) {
            self.find_impulses(&mut ties);
        }
        let most = MOMENTUM_MAX / i64::from(self.scratch.together.most_of_a_body());
        self.give_strikes(&ties);
        for tie in ties.iter().filter(|tie| !tie.at_points) {
            let impulse = tie.impulse.map_raw(|raw| raw.clamp(-most, most));
            self.bodies_mut().account_plain(
                [Partner::Body(tie.event.a), tie.event.b],
                tie.event.toi,
                impulse,
            );
            self.give(&tie.event, impulse);
        }
        for index in ties.iter().flat_map(|tie| [Some(tie.event.a.0), tie.event.partner_number()]).flatten() {
            self.bodies_mut().clamp_speed_if_free(BodyIndex(index));
        }
        let mut moved = std::mem::take(&mut self.scratch.hits.moved);
        moved.clear();
        moved.extend(ties.iter().flat_map(|tie| [Some(tie.event.a.0), tie.event.partner_number()]).flatten());
        moved.sort_unstable();
        moved.dedup();
        moved.iter().for_each(|&index| self.turn_on_of(index));
        self.scratch.hits.moved = moved;
        for tie in ties.iter_mut().filter(|tie| tie.grips) {
            tie.turning = self.turning_apart(tie);
        }
        self.part_together(&ties);
        self.scratch.ties = ties;
    }

    /// Lists the impacts that need an impulse. Blocked kinematic bodies stop before any other body collides
    /// with them, and all impacts are recorded before that.
    fn find_ties(&mut self, events: &[QueuedImpact], ties: &mut Vec<Tie>) {
        ties.clear();
        self.report.unresolved += events.iter().filter(|event| event.is_unresolved()).count() as u32;
        let resolved = || events.iter().filter(|event| !event.is_unresolved());
        self.find_knocks(events);
        let numbered = || (0..).zip(events).filter(|(_, event)| !event.is_unresolved());
        for (number, event) in numbered() {
            let meeting = self.meeting_of(event, number);
            self.note(event, &meeting);
        }
        let mut blocks = false;
        for event in resolved() {
            if !self.gives_way(event, &self.meeting(event)) {
                self.block_kinematic(event);
                blocks = true;
            }
        }
        if blocks {
            self.find_knocks(events);
        }
        for (number, event) in numbered() {
            let meeting = self.meeting_of(event, number);
            if self.gives_way(event, &meeting) && !self.carries(event, &meeting) {
                let is_pressed = meeting.is_pressed(self.bodies().rest_speed());
                let is_slow = meeting.is_slow(self.bodies().rest_speed());
                let grips = self.grips(event.a.0, event.b);
                let event = if grips { self.with_normal_of(event, number) } else { *event };
                ties.push(Tie { event, is_pressed, is_slow, grips, knock: number, ..Tie::new(event) });
            }
        }
    }

    /// The relative motion of a pair; at its points if one of them rotates.
    fn meeting_of(&self, event: &QueuedImpact, number: u32) -> Meeting {
        if self.grips(event.a.0, event.b) {
            self.meeting_at_points(event, number)
        } else {
            self.meeting(event)
        }
    }

    /// True if an impulse changes anything.
    fn gives_way(&self, event: &QueuedImpact, meeting: &Meeting) -> bool {
        let turns = |&index: &u32| {
            self.sim.all()[index as usize].is_free() && self.bodies().rotation_of(BodyIndex(index)).is_some()
        };
        meeting.mobility() != 0 || [Some(event.a.0), event.partner_number()].iter().flatten().any(turns)
    }
}

#[cfg(test)]
mod tests;
