//! Ticks as bytes: every body at the beginning of a chunk, then only those that deviate from the prediction.

use super::{
    columns::{Columns, Kind},
    impacts::Impacts,
    marks::Mark,
    prediction::{POSITION_BITS, PredictedBody, TURN_BITS, stepped, steps},
    record::{BodyMotion, Record, flag, put_whole, whole},
    scale::Scale,
    seen::{Actor, Look, Seen},
};

/// The bits of a step of a position: a quarter of a quantum.
pub const POSITION_STEP: u32 = POSITION_BITS - 2;
/// The bits of a step of a motion after an event: an eighth of a quantum a tick.
pub const MOTION_STEP: u32 = POSITION_BITS - 3;
/// The bits of a step of a motion that was a little off.
pub const MOTION_STEP_FINE: u32 = POSITION_BITS - 10;
/// The bits of a step of an orientation: 2^-13.
pub const TURN_STEP: u32 = TURN_BITS - 13;
/// The bits of a step of its rate.
pub const RATE_STEP: u32 = TURN_BITS - 18;
/// Largest deviation of a body from its predicted position: half a quantum.
pub const POSITION_ROOM: i64 = 1 << (POSITION_BITS - 1);
/// The same for the components of an orientation: 2^-12.
pub const TURN_ROOM: i64 = 1 << (TURN_BITS - 12);

/// Writes ticks into chunks.
pub struct Encoder {
    scale: Scale,
    gravity: [i64; 3],
    /// The state that a reader knows so far, by slot.
    known: Vec<Option<Known>>,
    columns: Columns,
}

#[derive(Clone, Copy)]
struct Known {
    actor: Actor,
    predicted: PredictedBody,
}

impl Encoder {
    /// An encoder without content.
    pub fn new(scale: Scale) -> Self {
        Self { scale, gravity: [0; 3], known: Vec::new(), columns: Columns::default() }
    }

    /// Begins a chunk with the present state of every body; returns the one before.
    pub fn begin(&mut self, seen: &Seen) -> Vec<u8> {
        let before = std::mem::take(&mut self.columns);
        self.gravity = self.scale.gravity(seen.gravity);
        self.columns.put_all(Kind::Positions, self.gravity);
        self.columns.of(Kind::Control).put(seen.bodies.len() as u64);
        let old = std::mem::take(&mut self.known);
        let mut next = 0;
        for actor in &seen.bodies {
            let known = old.get(actor.slot as usize).copied().flatten();
            let known = known.filter(|known| known.actor.look.generation == actor.look.generation);
            self.gap(&mut next, actor.slot);
            self.put_body(actor, known.map(|known| known.predicted));
        }
        before.finish()
    }

    /// The last chunk.
    pub fn finish(self) -> Vec<u8> {
        self.columns.finish()
    }

    /// Writes a body and its motion.
    fn put_body(&mut self, actor: &Actor, before: Option<PredictedBody>) {
        let mut predicted = whole(self.scale, actor, actor.position);
        put_look(&mut self.columns, &actor.look);
        put_whole(&mut self.columns, &predicted);
        if let Some(before) = before {
            predicted.falls = before.falls;
            predicted.motion = rounded(before.motion, MOTION_STEP_FINE);
            if let (Some(turn), Some(before)) = (&mut predicted.turn, before.turn) {
                // The quaternion is the recorded one, so the rate may be that of the opposite one.
                let dot: i64 = turn.at.iter().zip(before.at).map(|(a, b)| a * b).sum();
                turn.rate = rounded(before.rate.map(|part| part * dot.signum()), RATE_STEP);
            }
        }
        self.columns.of(Kind::Control).put(predicted.falls.into());
        self.columns.put_motion(steps([0; 3], predicted.motion, MOTION_STEP_FINE));
        if let Some(turn) = predicted.turn {
            self.columns.put_all(Kind::Turns, steps([0; 4], turn.rate, RATE_STEP));
        }
        self.know(actor.slot, Some(Known { actor: *actor, predicted }));
    }

    /// Writes a tick: the path of every body since the last one, and the impacts.
    pub fn tick(&mut self, seen: &Seen) {
        let (mut next, mut impacts) = (0, Impacts::of(&seen.marks));
        let mut actors = seen.bodies.iter().peekable();
        let slots = (self.known.len() as u32).max(seen.bodies.last().map_or(0, |actor| actor.slot + 1));
        for slot in 0..slots {
            match actors.next_if(|actor| actor.slot == slot) {
                Some(actor) => self.put_actor(seen, actor, (&mut next, &mut impacts)),
                None if self.known(slot).is_some() => {
                    self.gap(&mut next, slot);
                    self.columns.of(Kind::Control).put(flag::GONE);
                    self.know(slot, None);
                }
                None => {}
            }
        }
        self.columns.of(Kind::Control).put(0);
        let scale = self.scale;
        impacts.put(&mut self.columns, &seen.marks, |columns, mark| put_spot(columns, scale, mark));
    }

    /// Writes the deviation of a body from its prediction, if there is any.
    fn put_actor(&mut self, seen: &Seen, actor: &Actor, (next, impacts): (&mut u32, &mut Impacts)) {
        let known = self.known(actor.slot);
        let is_look = known.is_some_and(|known| known.actor.look == actor.look);
        let same = known.filter(|known| known.actor.look.generation == actor.look.generation);
        let before = same.as_ref().map(|known| &known.actor);
        let (scale, gravity, ways) = (self.scale, self.gravity, seen.ways(actor));
        let body_motion = BodyMotion { scale, gravity, actor, ways, before };
        let flags = if is_look { 0 } else { flag::LOOK };
        let record = Record::of(&body_motion, same.map(|known| known.predicted), flags);
        let record = record.follow(&body_motion, &seen.marks, impacts);
        if record.flags != 0 {
            self.gap(next, actor.slot);
            self.columns.of(Kind::Control).put(record.flags);
            if !is_look {
                put_look(&mut self.columns, &actor.look);
            }
            record.put(&mut self.columns);
        }
        self.know(actor.slot, Some(Known { actor: *actor, predicted: record.after }));
    }

    /// Writes the distance of a slot from the last one written, at least 1: 0 ends a list.
    fn gap(&mut self, next: &mut u32, slot: u32) {
        self.columns.of(Kind::Control).put(u64::from(slot - *next) + 1);
        *next = slot + 1;
    }

    fn known(&self, slot: u32) -> Option<Known> {
        self.known.get(slot as usize).copied().flatten()
    }

    fn know(&mut self, slot: u32, known: Option<Known>) {
        let slot = slot as usize;
        if self.known.len() <= slot {
            self.known.resize(slot + 1, None);
        }
        self.known[slot] = known;
    }
}

/// The bits of a step of a normal, whose length is 2^30.
pub const NORMAL_STEP: u32 = 24;

/// Writes the point of an impact, unless it can be computed.
fn put_spot(columns: &mut Columns, scale: Scale, mark: &Mark) {
    if let Some((position, normal)) = mark.spot {
        columns.put_all(Kind::Points, steps([0; 3], scale.quanta(position), POSITION_BITS));
        columns.put_all(Kind::Points, steps([0; 3], normal, NORMAL_STEP));
    }
}

fn put_look(columns: &mut Columns, look: &Look) {
    let column = columns.of(Kind::Looks);
    column.put(look.bits());
    column.put(look.generation.into());
    column.put(look.shape.0.into());
    column.put(look.mass.into());
}

/// A row in whole steps.
fn rounded<const N: usize>(row: [i64; N], bits: u32) -> [i64; N] {
    stepped([0; N], steps([0; N], row, bits), bits)
}
