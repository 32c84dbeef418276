//! The deviations of one body in a tick from its prediction.

use super::{
    columns::{Columns, Kind},
    encode::{MOTION_STEP, MOTION_STEP_FINE, POSITION_ROOM, POSITION_STEP, RATE_STEP, TURN_ROOM, TURN_STEP},
    impacts::Impacts,
    marks::Mark,
    prediction::{INSTANTS, PredictedBody, Turn, added, instant_of, is_near, stepped, steps},
    scale::Scale,
    seen::{Actor, Way},
};
use bitstep::state;

/// The parts of a record of a body in a tick.
pub mod flag {
    /// The body is removed.
    pub const GONE: u64 = 1;
    /// Its appearance.
    pub const LOOK: u64 = 1 << 1;
    /// Its initial position, at rest.
    pub const POSITION: u64 = 1 << 2;
    /// Its flag for falling changes.
    pub const FALLS: u64 = 1 << 3;
    /// Instants at which its motion changes.
    pub const NODES: u64 = 1 << 4;
    /// Deviation of its position at the end.
    pub const END: u64 = 1 << 5;
    /// Deviations of its orientation and rate at the end.
    pub const TURN_END: u64 = 1 << 6;
}

/// The changes at an instant.
pub mod node {
    /// The position deviates.
    pub const POSITION: u64 = 1;
    /// Another motion, in coarse steps.
    pub const MOTION: u64 = 1 << 1;
    /// Another motion, in fine steps.
    pub const FINE: u64 = 1 << 2;
    /// Another orientation and rate.
    pub const TURN: u64 = 1 << 3;
    /// An impact with a body of a higher slot, which is named.
    pub const IMPACT: u64 = 1 << 4;
    /// An impact that the other body has written: the motion at that instant follows from the other's.
    pub const GIVEN: u64 = 1 << 5;
}

/// The data to be written of a body, and the reader's knowledge after it.
pub struct Record {
    pub flags: u64,
    pub after: PredictedBody,
    begin: PredictedBody,
    nodes: Vec<Node>,
    end: [i64; 3],
    turn_end: TurnSteps,
}

/// The changes at an instant, in steps.
#[derive(Clone, Copy, Default)]
struct Node {
    instant: i64,
    flags: u64,
    position: [i64; 3],
    motion: [i64; 3],
    turn: TurnSteps,
    /// The slot of the other, less its own; whether the point is written, and whether they are equals.
    impact: u64,
}

/// The difference of two rotations.
#[derive(Clone, Copy, Default)]
pub struct TurnSteps {
    at: [i64; 4],
    rate: [i64; 4],
}

/// A part of a path in the page's integers.
struct Leg {
    start: i64,
    end: i64,
    position: [i64; 3],
    motion: [i64; 3],
    end_position: [i64; 3],
    turn: Option<Turn>,
}

impl TurnSteps {
    /// **Rounding**: to nearest, in [`TURN_STEP`] and [`RATE_STEP`].
    pub fn between(from: Turn, to: Turn) -> Self {
        Self { at: steps(from.at, to.at, TURN_STEP), rate: steps(from.rate, to.rate, RATE_STEP) }
    }

    /// The rotation, advanced by these steps.
    pub fn from(self, turn: Turn) -> Turn {
        Turn { at: stepped(turn.at, self.at, TURN_STEP), rate: stepped(turn.rate, self.rate, RATE_STEP) }
    }

    pub fn put(self, columns: &mut Columns) {
        columns.put_all(Kind::Turns, self.at);
        columns.put_all(Kind::Turns, self.rate);
    }
}

/// A body at rest at its first position, in the steps in which it is written.
pub fn whole(scale: Scale, actor: &Actor, position: [i64; 3]) -> PredictedBody {
    let position = stepped([0; 3], steps([0; 3], scale.quanta(position), POSITION_STEP), POSITION_STEP);
    let turn = actor.orientation.map(|orientation| {
        let to = Turn { at: scale.turn(orientation), rate: [0; 4] };
        TurnSteps::between(Turn::default(), to).from(Turn::default())
    });
    let falls = actor.look.kind == state::BodyType::Dynamic;
    PredictedBody { position, motion: [0; 3], falls, since: 0, turn }
}

/// Writes the position and orientation of a body.
pub fn put_whole(columns: &mut Columns, predicted: &PredictedBody) {
    columns.put_all(Kind::Positions, steps([0; 3], predicted.position, POSITION_STEP));
    if let Some(turn) = predicted.turn {
        TurnSteps::between(Turn::default(), turn).put(columns);
    }
}

/// A body's motion in a tick.
pub struct BodyMotion<'a> {
    pub scale: Scale,
    pub gravity: [i64; 3],
    pub actor: &'a Actor,
    pub ways: &'a [Way],
    /// The position and orientation before.
    pub before: Option<&'a Actor>,
}

impl Record {
    /// The record of a body in a tick, given the reader's knowledge; `flags` has the appearance.
    pub fn of(body_motion: &BodyMotion<'_>, known: Option<PredictedBody>, flags: u64) -> Self {
        let BodyMotion { scale, actor, ways, .. } = body_motion;
        let known = known.filter(|predicted| predicted.turn.is_some() == actor.orientation.is_some());
        let start = ways.first().map(|way| way.position);
        let begins = known.filter(|predicted| {
            start.is_none_or(|start| is_near(predicted.position, scale.quanta(start), 2 * POSITION_ROOM))
        });
        let begin = begins.unwrap_or_else(|| whole(*scale, actor, start.unwrap_or(actor.position)));
        let flags = flags | if begins.is_none() { flag::POSITION } else { 0 };
        let (nodes, end, turn_end) = (Vec::new(), [0; 3], TurnSteps::default());
        Self { flags, after: begin, begin, nodes, end, turn_end }
    }

    /// Goes through the tick, and records the deviations.
    pub fn follow(mut self, body_motion: &BodyMotion<'_>, marks: &[Mark], impacts: &mut Impacts) -> Self {
        let end = body_motion.scale.quanta(body_motion.actor.position);
        let legs = body_motion.legs(end);
        self.start(body_motion.gravity, &legs[0]);
        // The reader goes from node to node, and so rounds only there.
        let mut at = 0;
        for leg in &legs {
            let known = self.after;
            self.after.go(leg.start - at);
            let mut node = Node { instant: leg.start, ..Node::default() };
            self.shift(&mut node, leg);
            self.change_motion(&mut node, leg, body_motion, (marks, impacts));
            self.turn(&mut node, leg);
            if node.flags == 0 {
                self.after = known;
            } else {
                at = leg.start;
                self.nodes.push(node);
            }
        }
        self.after.go(INSTANTS - at);
        if !is_near(self.after.position, end, POSITION_ROOM) {
            self.flags |= flag::END;
            self.end = steps(self.after.position, end, POSITION_STEP);
            self.after.position = stepped(self.after.position, self.end, POSITION_STEP);
        }
        if let (Some(turn), Some(orientation)) = (self.after.turn, body_motion.actor.orientation) {
            let at = aligned(turn.at, body_motion.scale.turn(orientation));
            if !is_near(turn.at, at, TURN_ROOM) {
                self.end_turn(turn, Turn { at, rate: body_motion.last_rate(at) });
            }
        }
        self.flags |= if self.nodes.is_empty() { 0 } else { flag::NODES };
        self
    }

    /// Begins the tick: falling or not, whichever leads nearer to the end of the first leg.
    fn start(&mut self, gravity: [i64; 3], leg: &Leg) {
        let [mut as_before, mut otherwise] = [self.after; 2];
        otherwise.falls = !otherwise.falls;
        as_before.begin(gravity);
        otherwise.begin(gravity);
        let miss = |mut predicted: PredictedBody| {
            predicted.go(leg.end - leg.start);
            (0..3).map(|axis| (predicted.position[axis] - leg.end_position[axis]).abs()).max().unwrap_or(0)
        };
        let is_better = miss(as_before) > POSITION_ROOM && miss(otherwise) < miss(as_before);
        self.after = if is_better { otherwise } else { as_before };
        self.flags |= if is_better { flag::FALLS } else { 0 };
    }

    /// Writes a position that deviates where a leg begins.
    fn shift(&mut self, node: &mut Node, leg: &Leg) {
        let predicted = &mut self.after;
        if !is_near(predicted.position, leg.position, 2 * POSITION_ROOM) {
            node.flags |= node::POSITION;
            node.position = steps(predicted.position, leg.position, POSITION_STEP);
            predicted.position = stepped(predicted.position, node.position, POSITION_STEP);
        }
    }

    /// Writes another motion, which may follow from the other body of an impact.
    fn change_motion(
        &mut self,
        node: &mut Node,
        leg: &Leg,
        body_motion: &BodyMotion<'_>,
        told: (&[Mark], &mut Impacts),
    ) {
        let ((marks, impacts), slot, before) = (told, body_motion.actor.slot, self.after.motion);
        let mut ahead = self.after;
        ahead.go(leg.end - leg.start);
        if is_near(ahead.position, leg.end_position, POSITION_ROOM) {
            return;
        }
        let last = self.nodes.last().map_or(-1, |node| node.instant);
        let given = impacts.next(slot, last).filter(|(instant, _)| *instant == leg.start);
        let predicted = &mut self.after;
        if let Some((_, motion)) = given {
            node.flags |= node::GIVEN;
            predicted.motion = added(predicted.motion, motion);
            ahead = *predicted;
            ahead.go(leg.end - leg.start);
        }
        let is_there = is_near(ahead.position, leg.end_position, POSITION_ROOM);
        let is_little = is_near(predicted.motion, leg.motion, 4 << MOTION_STEP);
        let (kind, step) = match (given, is_little) {
            (None, true) => (node::FINE, MOTION_STEP_FINE),
            _ => (node::MOTION, MOTION_STEP),
        };
        if !is_there {
            node.motion = steps(predicted.motion, leg.motion, step);
        }
        if node.motion != [0; 3] {
            node.flags |= kind;
            predicted.motion = stepped(predicted.motion, node.motion, step);
        }
        if node.flags & (kind | node::GIVEN) == 0 {
            return;
        }
        predicted.since = leg.start;
        let change = std::array::from_fn(|axis| before[axis] - predicted.motion[axis]);
        if let Some(mark) = impacts.take(slot, leg.start).map(|index| marks[index]) {
            let other = mark.b.unwrap_or(slot);
            node.flags |= node::IMPACT;
            let bits = u64::from(mark.spot.is_some()) << 1 | u64::from(mark.of_equals);
            node.impact = u64::from(other - slot) << 2 | bits;
            // Two equals exchange their motions; for others it is not predicted.
            impacts.give(other, leg.start, if mark.of_equals { change } else { [0; 3] });
        }
    }

    /// Writes another orientation and rate where a leg begins within the tick.
    fn turn(&mut self, node: &mut Node, leg: &Leg) {
        let (Some(turn), Some(to)) = (self.after.turn, leg.turn) else { return };
        let to = Turn { at: aligned(turn.at, to.at), rate: aligned_as(turn.at, to) };
        let is_as_before = is_near(turn.at, to.at, TURN_ROOM) && is_near(turn.rate, to.rate, TURN_ROOM / 2);
        if leg.start > 0 && !is_as_before {
            node.flags |= node::TURN;
            node.turn = TurnSteps::between(turn, to);
            self.after.turn = Some(node.turn.from(turn));
        }
    }

    /// Writes the deviation of the rotation at its end.
    fn end_turn(&mut self, turn: Turn, to: Turn) {
        self.turn_end = TurnSteps::between(turn, to);
        self.after.turn = Some(self.turn_end.from(turn));
        self.flags |= flag::TURN_END;
    }

    /// Writes the part behind the flags, without the appearance.
    pub fn put(&self, columns: &mut Columns) {
        if self.flags & flag::POSITION != 0 {
            put_whole(columns, &self.begin);
        }
        if self.flags & flag::NODES != 0 {
            columns.of(Kind::Control).put(self.nodes.len() as u64);
            self.nodes.iter().for_each(|node| node.put(columns));
        }
        if self.flags & flag::END != 0 {
            columns.put_all(Kind::Fixes, self.end);
        }
        if self.flags & flag::TURN_END != 0 {
            self.turn_end.put(columns);
        }
    }
}

impl Node {
    fn put(&self, columns: &mut Columns) {
        columns.of(Kind::Control).put(self.flags);
        if self.flags & node::GIVEN == 0 {
            columns.of(Kind::Instants).put(self.instant as u64);
        }
        if self.flags & node::POSITION != 0 {
            columns.put_all(Kind::Fixes, self.position);
        }
        if self.flags & (node::MOTION | node::FINE) != 0 {
            columns.put_motion(self.motion);
        }
        if self.flags & node::IMPACT != 0 {
            columns.of(Kind::Impacts).put(self.impact);
        }
        if self.flags & node::TURN != 0 {
            self.turn.put(columns);
        }
    }
}

impl BodyMotion<'_> {
    /// The legs in the page's integers; a straight one where none is known.
    fn legs(&self, to: [i64; 3]) -> Vec<Leg> {
        let Self { scale, ways, .. } = self;
        if ways.is_empty() {
            let from = self.before.map_or(to, |before| scale.quanta(before.position));
            let motion = std::array::from_fn(|axis| to[axis] - from[axis]);
            return vec![Leg {
                start: 0,
                end: INSTANTS,
                position: from,
                motion,
                end_position: to,
                turn: None,
            }];
        }
        let leg = |(index, way): (usize, &Way)| {
            let next = ways.get(index + 1);
            Leg {
                start: instant_of(way.start),
                end: next.map_or(INSTANTS, |next| instant_of(next.start)),
                position: scale.quanta(way.position),
                motion: scale.quanta(way.motion),
                end_position: next.map_or(to, |next| scale.quanta(next.position)),
                turn: way.turn.map(|(at, rate)| Turn { at: scale.turn(at), rate: scale.turn(rate) }),
            }
        };
        ways.iter().enumerate().map(leg).collect()
    }

    /// The last rate of rotation, to an orientation.
    fn last_rate(&self, at: [i64; 4]) -> [i64; 4] {
        if let Some((from, rate)) = self.ways.last().and_then(|way| way.turn) {
            let turn = Turn { at: self.scale.turn(from), rate: self.scale.turn(rate) };
            return aligned_as(at, turn);
        }
        let before = self.before.and_then(|before| before.orientation);
        let from = before.map_or(at, |from| aligned(at, self.scale.turn(from)));
        std::array::from_fn(|index| at[index] - from[index])
    }
}

/// The one of two quaternions of one orientation that is nearer to another.
fn aligned(near: [i64; 4], quaternion: [i64; 4]) -> [i64; 4] {
    if is_opposite(near, quaternion) { quaternion.map(|part| -part) } else { quaternion }
}

/// The rate of a rotation whose quaternion is taken as the one nearer to another.
fn aligned_as(near: [i64; 4], turn: Turn) -> [i64; 4] {
    if is_opposite(near, turn.at) { turn.rate.map(|part| -part) } else { turn.rate }
}

fn is_opposite(near: [i64; 4], quaternion: [i64; 4]) -> bool {
    near.iter().zip(quaternion).map(|(a, b)| a * b).sum::<i64>() < 0
}
