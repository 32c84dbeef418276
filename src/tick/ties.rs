//! Impacts at the same instant: resolved together, so that no id is favoured.
//!
//! All blows of an instant that share bodies are solved at once (`together.rs`): each pair parts as fast as its
//! restitution says, whatever the others do to it, and nobody closes. A blow that shares no body with
//! another is the same as if it came alone.

use std::{cmp::Reverse, mem};

use super::step::Step;
use crate::{
    geom::Vec3,
    world::{Event, Kind, Tie},
};

/// The largest component of all impulses on a body, in raw.
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
        self.find_ties(events, &mut ties);
        self.gather_blows(&ties);
        self.find_impulses(&mut ties);
        let most = MOMENTUM_MAX / i64::from(self.scratch.together.most_of_a_body());
        for tie in &ties {
            let meeting = self.meeting(&tie.event);
            self.give(&tie.event, &meeting, tie.impulse.map_raw(|raw| raw.clamp(-most, most)));
        }
        for index in ties.iter().flat_map(|tie| [Some(tie.event.a), tie.event.partner()]).flatten() {
            self.clamp_speed_of(index);
        }
        self.part_together(&ties);
        self.scratch.ties = ties;
    }

    /// Lists the impacts that are blows. Kinematic bodies that are blocked stop before anybody else meets them, and
    /// all are noted before that.
    fn find_ties(&mut self, events: &[Event], ties: &mut Vec<Tie>) {
        ties.clear();
        for event in events {
            let meeting = self.meeting(event);
            self.note(event, &meeting);
        }
        for event in events {
            if self.meeting(event).mobility() == 0 {
                self.block_kinematic(event);
            }
        }
        for event in events {
            let meeting = self.meeting(event);
            if meeting.mobility() != 0 && !self.carries(event, &meeting) {
                let is_pressed = meeting.is_pressed(self.rest_speed());
                ties.push(Tie { event: *event, is_pressed, impulse: Vec3::ZERO });
            }
        }
    }
}
