//! The visible content of one tick: the path of every body, and the impacts.

use bitstep::{
    World,
    geom::Vec3,
    num::Toi,
    state::{Body, BodyId, BodyType, ShapeId, Sleep},
    tick::{PathSegment, TickReport},
};

use super::marks::{Mark, mark_of};

/// One tick, or several in a row.
#[derive(Default, Debug)]
pub struct Seen {
    /// Every body, in the order of slots.
    pub bodies: Vec<Actor>,
    /// The legs of all bodies.
    pub legs: Vec<Way>,
    /// The impacts, in the order of time.
    pub marks: Vec<Mark>,
    /// The change of velocity per tick, in raw per tick.
    pub gravity: [i64; 3],
}

/// A body after a tick.
#[derive(Clone, Copy, Debug)]
pub struct Actor {
    pub slot: u32,
    pub look: Look,
    /// Its center, in raw.
    pub position: [i64; 3],
    /// Its orientation with 30 fraction bits, if it rotates.
    pub orientation: Option<[i64; 4]>,
    /// Its legs: the first and their number. None are known of a sleeping body, or where only the end is
    /// known.
    pub legs: (u32, u32),
}

/// The appearance of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    pub generation: u32,
    pub shape: ShapeId,
    pub mass: u32,
    pub kind: BodyType,
    pub rotates: bool,
    pub held: bool,
    pub asleep: bool,
}

/// A part of a body's path through a tick.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Its beginning.
    pub start: Toi,
    /// Its first position, in raw.
    pub position: [i64; 3],
    /// Its displacement in a whole tick.
    pub motion: [i64; 3],
    /// The orientation at its beginning, and the increment in a whole tick, with 30 fraction bits.
    pub turn: Option<([i64; 4], [i64; 4])>,
}

impl Look {
    /// The look as bits: the kind, then a bit each.
    pub fn bits(&self) -> u64 {
        let kind = u64::from(u8::from(self.kind));
        kind | u64::from(self.rotates) << 2 | u64::from(self.held) << 3 | u64::from(self.asleep) << 4
    }
}

impl Seen {
    /// Takes a world after a tick. The path is known only with a report of that tick that lists events, and
    /// for a tick in one step.
    pub fn take(&mut self, world: &World, report: Option<&TickReport>) {
        self.legs.clear();
        self.marks.clear();
        self.bodies.clear();
        let steps = world.limits().substeps;
        self.gravity = world.gravity().raw().map(|pull| pull * i64::from(steps).pow(2));
        let mut segments = world
            .path_segments()
            .filter(|_| report.is_some() && steps == 1)
            .map(|one| (one.body, one))
            .peekable();
        for (id, body) in world.bodies() {
            let first = self.legs.len() as u32;
            while let Some((_, segment)) = segments.next_if(|(of, _)| *of <= id) {
                self.legs.extend((segment.body == id).then(|| Way::of(&segment)));
            }
            let is_held = report.is_some_and(|report| report.impact_limited.binary_search(&id).is_ok());
            self.bodies.push(Actor {
                slot: id.slot(),
                look: look(world, id, body, is_held),
                position: body.position.raw(),
                orientation: body.spin.map(|spin| spin.orientation.components().map(i64::from)),
                legs: (first, self.legs.len() as u32 - first),
            });
        }
        if let Some(report) = report.filter(|_| steps == 1) {
            let marks = report.impacts.iter().filter_map(|impact| mark_of(self, world, impact));
            self.marks = marks.collect();
            self.marks.sort_by_key(|mark| mark.instant);
        }
    }

    /// The legs of a body.
    pub fn ways(&self, actor: &Actor) -> &[Way] {
        let (first, count) = actor.legs;
        &self.legs[first as usize..(first + count) as usize]
    }

    /// The body of a slot.
    pub fn actor(&self, slot: u32) -> Option<&Actor> {
        let index = self.bodies.binary_search_by_key(&slot, |actor| actor.slot).ok()?;
        Some(&self.bodies[index])
    }
}

impl Way {
    fn of(segment: &PathSegment) -> Self {
        let turn = segment.turning.map(|turning| {
            let [from, to] = turning.ends().map(|end| end.components().map(i64::from));
            let now = turning.at(Toi::START).components().map(i64::from);
            (now, std::array::from_fn(|index| to[index] - from[index]))
        });
        Self {
            start: segment.start,
            position: segment.position.raw(),
            motion: segment.displacement.raw(),
            turn,
        }
    }

    /// The position at an instant of it, in raw.
    pub fn at(&self, toi: Toi) -> Vec3 {
        let passed = toi.since(self.start.min(toi));
        Vec3::from_raw(std::array::from_fn(|axis| self.position[axis] + passed.of_nearest(self.motion[axis])))
    }
}

fn look(world: &World, id: BodyId, body: &Body, held: bool) -> Look {
    let Body { shape, mass, body_type: kind, spin, .. } = *body;
    let asleep = world.sleep(id) == Some(Sleep::Asleep);
    Look { generation: id.generation(), shape, mass, kind, rotates: spin.is_some(), held, asleep }
}
