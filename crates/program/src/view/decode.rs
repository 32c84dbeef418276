//! The page's reading of chunks, in Rust: the tests compare it with the played recording.

use std::collections::BTreeMap;

use super::{
    columns::{Columns, Kind},
    encode::{MOTION_STEP, MOTION_STEP_FINE, NORMAL_STEP, POSITION_STEP, RATE_STEP, TURN_STEP},
    prediction::{INSTANTS, POSITION_BITS, PredictedBody, Turn, added, stepped},
    record::{flag, node},
};

/// A body as the page knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shown {
    pub bits: u64,
    pub generation: u64,
    pub shape: u64,
    pub mass: u64,
    pub predicted: PredictedBody,
}

/// A body at an instant within a tick: slot, instant, position and quaternion.
pub type Point = (u32, i64, [i64; 3], Option<[i64; 4]>);
/// The pair of an impact: instant, slot, the other's slot or the static.
pub type Pair = (i64, u32, Result<u32, u32>);

/// A chunk being read.
pub struct Decoder<'a> {
    columns: Vec<&'a [u8]>,
    gravity: [i64; 3],
    pub shown: BTreeMap<u32, Shown>,
    /// The bodies at instants within the last tick.
    pub points: Vec<Point>,
    pub impacts: Vec<Pair>,
    /// The points and normals of the impacts for which they are written.
    pub touched: Vec<(Pair, [i64; 3], [i64; 3])>,
    given: BTreeMap<(u32, i64), [i64; 3]>,
    /// True if each mark has a spot.
    spots: Vec<bool>,
}

/// Takes a number of variable length.
pub fn take(column: &mut &[u8]) -> u64 {
    let length = column.iter().position(|byte| *byte < 0x80).unwrap() + 1;
    let (number, rest) = column.split_at(length);
    *column = rest;
    number.iter().rev().fold(0, |sum, byte| sum << 7 | u64::from(byte & 0x7f))
}

/// Takes a number with a sign.
pub fn signed(column: &mut &[u8]) -> i64 {
    let number = take(column);
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

impl<'a> Decoder<'a> {
    /// The chunk's first picture.
    pub fn new(chunk: &'a [u8]) -> Self {
        let mut rest = chunk;
        let lengths: Vec<_> = (0..Columns::COUNT).map(|_| take(&mut rest) as usize).collect();
        let mut columns = Vec::new();
        for length in lengths {
            let (column, behind) = rest.split_at(length);
            columns.push(column);
            rest = behind;
        }
        assert!(rest.is_empty());
        let (shown, points, impacts, touched) = (BTreeMap::new(), Vec::new(), Vec::new(), Vec::new());
        let (given, spots) = (BTreeMap::new(), Vec::new());
        let mut decoder = Self { columns, gravity: [0; 3], shown, points, impacts, touched, given, spots };
        decoder.gravity = decoder.row(Kind::Positions);
        decoder.begin();
        decoder
    }

    fn take(&mut self, kind: Kind) -> u64 {
        take(&mut self.columns[kind as usize])
    }

    fn signed(&mut self, kind: Kind) -> i64 {
        signed(&mut self.columns[kind as usize])
    }

    fn row<const N: usize>(&mut self, kind: Kind) -> [i64; N] {
        std::array::from_fn(|_| self.signed(kind))
    }

    fn motion(&mut self) -> [i64; 3] {
        [Kind::MotionX, Kind::MotionY, Kind::MotionZ].map(|kind| self.signed(kind))
    }

    /// True if nothing is left.
    pub fn is_over(&self) -> bool {
        self.columns[Kind::Control as usize].is_empty()
    }

    /// Asserts that every column was read to its end.
    pub fn finish(self) {
        assert!(self.columns.iter().all(|column| column.is_empty()));
    }

    fn begin(&mut self) {
        let mut slot = 0;
        for _ in 0..self.take(Kind::Control) {
            slot += self.take(Kind::Control);
            let mut shown = self.look();
            self.whole(&mut shown);
            shown.predicted.falls = self.take(Kind::Control) == 1;
            shown.predicted.motion = stepped([0; 3], self.motion(), MOTION_STEP_FINE);
            if let Some(turn) = &mut shown.predicted.turn {
                turn.rate = stepped([0; 4], self.row(Kind::Turns), RATE_STEP);
            }
            self.shown.insert(slot as u32 - 1, shown);
        }
    }

    fn look(&mut self) -> Shown {
        let [bits, generation, shape, mass] = [(); 4].map(|()| self.take(Kind::Looks));
        let predicted =
            PredictedBody { position: [0; 3], motion: [0; 3], falls: false, since: 0, turn: None };
        Shown { bits, generation, shape, mass, predicted }
    }

    fn whole(&mut self, shown: &mut Shown) {
        let position = stepped([0; 3], self.row(Kind::Positions), POSITION_STEP);
        let turn = (shown.bits & 4 != 0).then(|| self.turn(Turn::default()));
        shown.predicted =
            PredictedBody { position, motion: [0; 3], falls: shown.bits & 3 == 0, since: 0, turn };
    }

    fn turn(&mut self, from: Turn) -> Turn {
        let at = stepped(from.at, self.row(Kind::Turns), TURN_STEP);
        Turn { at, rate: stepped(from.rate, self.row(Kind::Turns), RATE_STEP) }
    }

    /// The next tick.
    pub fn tick(&mut self) {
        (self.points, self.impacts, self.spots) = (Vec::new(), Vec::new(), Vec::new());
        self.touched.clear();
        self.given.clear();
        let mut done = 0;
        let mut slot = 0;
        loop {
            let gap = self.take(Kind::Control) as u32;
            let next = if gap == 0 { u32::MAX } else { slot + gap };
            for (_, shown) in self.shown.range_mut(done..next.saturating_sub(1)) {
                shown.predicted.begin(self.gravity);
                shown.predicted.go(INSTANTS);
            }
            if gap == 0 {
                break;
            }
            (slot, done) = (next, next);
            self.record(slot - 1);
        }
        self.marks();
    }

    fn record(&mut self, slot: u32) {
        let flags = self.take(Kind::Control);
        let known = self.shown.remove(&slot);
        if flags & flag::GONE != 0 {
            return;
        }
        let mut shown = match known {
            Some(known) if flags & flag::LOOK != 0 => Shown { predicted: known.predicted, ..self.look() },
            Some(known) => known,
            None => self.look(),
        };
        if flags & flag::POSITION != 0 {
            self.whole(&mut shown);
            self.points.push((slot, 0, shown.predicted.position, shown.predicted.turn.map(|turn| turn.at)));
        }
        shown.predicted.falls ^= flags & flag::FALLS != 0;
        shown.predicted.begin(self.gravity);
        let (mut instant, mut last) = (0, -1);
        let count = if flags & flag::NODES != 0 { self.take(Kind::Control) } else { 0 };
        for _ in 0..count {
            last = self.node(slot, &mut shown.predicted, (instant, last));
            instant = last;
        }
        shown.predicted.go(INSTANTS - instant);
        if flags & flag::END != 0 {
            shown.predicted.position =
                stepped(shown.predicted.position, self.row(Kind::Fixes), POSITION_STEP);
        }
        if flags & flag::TURN_END != 0 {
            shown.predicted.turn = shown.predicted.turn.map(|turn| self.turn(turn));
        }
        self.shown.insert(slot, shown);
    }

    fn node(&mut self, slot: u32, predicted: &mut PredictedBody, (now, last): (i64, i64)) -> i64 {
        let flags = self.take(Kind::Control);
        let given = self.given.range((slot, last + 1)..).next().map(|((_, at), motion)| (*at, *motion));
        let given = given.filter(|_| flags & node::GIVEN != 0);
        let instant = given.map_or_else(|| self.take(Kind::Instants) as i64, |(at, _)| at);
        predicted.go(instant - now);
        if flags & node::POSITION != 0 {
            predicted.position = stepped(predicted.position, self.row(Kind::Fixes), POSITION_STEP);
        }
        let before = predicted.motion;
        predicted.motion = added(predicted.motion, given.map_or([0; 3], |(_, motion)| motion));
        if flags & (node::MOTION | node::FINE) != 0 {
            let step = if flags & node::FINE != 0 { MOTION_STEP_FINE } else { MOTION_STEP };
            predicted.motion = stepped(predicted.motion, self.motion(), step);
        }
        if flags & (node::MOTION | node::FINE | node::GIVEN) != 0 {
            predicted.since = instant;
        }
        if flags & node::IMPACT != 0 {
            let bits = self.take(Kind::Impacts);
            let other = slot + (bits >> 2) as u32;
            let change = [0, 1, 2].map(|axis| before[axis] - predicted.motion[axis]);
            let given = self.given.entry((other, instant)).or_default();
            *given = added(*given, if bits & 1 == 1 { change } else { [0; 3] });
            self.impacts.push((instant, slot, Ok(other)));
            self.spots.push(bits & 2 != 0);
        }
        if flags & node::TURN != 0 {
            predicted.turn = predicted.turn.map(|turn| self.turn(turn));
        }
        if instant > 0 {
            self.points.push((slot, instant, predicted.position, predicted.turn.map(|turn| turn.at)));
        }
        instant
    }

    fn marks(&mut self) {
        let mut instant = 0;
        for _ in 0..self.take(Kind::Impacts) {
            instant += self.signed(Kind::Impacts);
            let [a, b] = [(); 2].map(|()| self.take(Kind::Impacts));
            let other = (b >> 1) as u32;
            self.impacts.push((instant, (a >> 1) as u32, if b & 1 == 0 { Ok(other) } else { Err(other) }));
            self.spots.push(a & 1 == 1);
        }
        for index in (0..self.spots.len()).filter(|index| self.spots[*index]).collect::<Vec<_>>() {
            let position = stepped([0; 3], self.row(Kind::Points), POSITION_BITS);
            let normal = stepped([0; 3], self.row(Kind::Points), NORMAL_STEP);
            self.touched.push((self.impacts[index], position, normal));
        }
    }
}
