//! Memory that a tick reuses. Nothing here survives a tick in meaning; all of it can be rebuilt.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::{
    Body, BodyId, Dormitory, Filter, Hits, Kind, Locks, MaterialId, Notes, OnHit, Rest, Separating, ShapeId,
    Spin, Spinner, State, StaticId, Together,
};
use crate::{
    broad::{Forest, Meeting, Piece, Regions},
    geom::{Aabb, Normal, Path, Vec3},
    num::{Scalar, Toi},
};

/// All of a world that is not state.
#[derive(Default, Debug)]
pub struct Scratch {
    /// The free slots, which follow from the state.
    pub free: FreeSlots,
    /// Where bodies are, for commands that place bodies.
    pub places: Places,
    /// Whether the last tick left every solid pair apart, and nothing has let one overlap since.
    pub is_apart: bool,
    /// Whether somebody altered the state in the middle of this tick.
    #[cfg(feature = "trace")]
    pub is_altered: bool,
    /// The pairs of parts that overlapped when the tick began, the smaller id first, in order.
    pub overlapping: Vec<(u32, Partner, [u8; 2])>,
    /// The length of gravity in this tick, in raw per tick, rounded up.
    pub gravity: i64,
    /// Whether another step of the tick follows the one under way.
    pub goes_on: bool,
    /// The bodies as this tick sees them, in the order of their ids.
    pub movers: Vec<Mover>,
    /// How those of them turn that can.
    pub spinners: Vec<Spinner>,
    /// Whether any contact of this tick may need points: a body turns, or a material rubs.
    pub may_grip: bool,
    /// The boxes that the movers' paths fill.
    pub boxes: Vec<Aabb>,
    /// How many pieces each mover's path is cut into.
    pub cuts: Vec<u8>,
    /// The boxes of the paths that are cut, as they were at the beginning.
    pub pieces: Vec<Piece>,
    /// All of the movers' boxes, to be searched.
    pub regions: Regions,
    /// Who overlaps, and goes where.
    pub separating: Separating,
    /// The pairs of movers whose boxes touched when contacts were looked for, but for those that are only soft to each other.
    pub pairs: Vec<[u32; 2]>,
    /// Whether those are all pairs whose boxes in `regions` touch, but for what came later and for paths in pieces.
    pub knows_pairs: bool,
    /// Per mover, whether its path has left the box in `regions`.
    pub outgrown: Vec<bool>,
    /// The impacts to come, the earliest on top.
    pub queue: BinaryHeap<Reverse<Event>>,
    /// The impacts of those that are pressed together, and how fast they close; the earliest last.
    pub blows: Vec<(Event, Scalar)>,
    /// The impacts of one instant.
    pub events: Vec<Event>,
    /// Those of them that are blows.
    pub ties: Vec<Tie>,
    /// The bodies that they move.
    pub moved: Vec<u32>,
    /// What is solved of them.
    pub together: Together,
    /// What is solved of those that turn, or rub.
    pub hits: Hits,
    /// How many candidates were looked at in this tick.
    pub candidates: u64,
    /// What the last search found.
    pub found: Vec<u32>,
    /// Whom the boxes of the last new path meet.
    pub met: Vec<(u32, Meeting)>,
    /// Which statics it found.
    pub found_statics: Vec<StaticId>,
    /// The contacts of bodies that lie on each other.
    pub rest: Rest,
    /// What the boxes of new paths touched: those may overlap at the end if a sweep was wrong.
    pub near: Vec<(u32, Partner)>,
    /// The bodies whose ends are looked at.
    pub suspects: Vec<u32>,
    /// The bodies that overlap there, or are in the way of somebody.
    pub clashing: Vec<u32>,
    /// Who went where, if somebody listens.
    pub notes: Notes,
    /// Who sleeps, and who woke.
    pub dormitory: Dormitory,
    /// Whether anybody stops or goes at its first impact in this tick.
    pub has_hitters: bool,
    /// The movers as they were when the tick began, where anything is open on one side.
    pub entries: Vec<Body>,
    /// Where each of them was then, by slot, in a tick of several steps: it decides in all of them.
    pub origins: Vec<Option<(Vec3, Option<Spin>)>>,
    /// Whether there are pairs that the layers make solid and that may be nothing to each other in this tick.
    pub has_passes: bool,
    /// Who has gone in this tick, and when.
    pub gone: Vec<(u32, Toi)>,
}

/// Where bodies are between two ticks.
#[derive(Default, Debug)]
pub struct Places {
    /// Their boxes, once they are known.
    pub known: Option<Forest>,
    /// How often somebody has asked before that.
    pub looks: u32,
}

impl Places {
    /// Bodies have moved.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

impl Scratch {
    /// What a state implies.
    pub fn of(state: &State) -> Self {
        let mut scratch = Self::default();
        scratch.reset(state);
        scratch
    }

    /// Fits the scratch to another state, keeping its memory.
    pub fn reset(&mut self, state: &State) {
        self.free.rebuild(state);
        self.is_apart = false;
        self.places.forget();
        self.dormitory.reset();
        self.rest.kept.forget();
    }
}

/// A body during a tick, in two lines of a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mover {
    /// Its slot in the state.
    pub slot: u32,
    /// Its mass.
    pub mass: u32,
    /// Its shape.
    pub shape: ShapeId,
    /// Its material.
    pub material: MaterialId,
    /// What decides whom it meets.
    pub filter: Filter,
    /// The axes along which it does not move.
    pub locks: Locks,
    /// Where it is in the list of those that turn, or none.
    pub spinner: u32,
    /// How many impacts it has had in this tick; no more than the budget and one.
    pub impacts: u16,
    /// Rises with every new path, so that impacts with the old one are dropped.
    pub stamp: u32,
    /// Whether the exact predicates must look at where it ends: what its sweeps say is not a proof.
    pub doubtful: bool,
    /// Whether an impact has changed its momentum in this tick.
    pub struck: bool,
    /// Whether it stays where it is for the rest of the tick; a static body does from the beginning.
    pub held: bool,
    /// Whether it was put back to where the tick began.
    pub put_back: bool,
    /// What rules of its own it has in this tick.
    pub conduct: Conduct,
    /// Its momentum at the end of the tick if nothing else happens.
    pub momentum: Vec3,
    /// Where it goes.
    pub path: Path,
}

/// What a body's own rules make of it in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conduct {
    /// Nothing: it moves as any other.
    Usual,
    /// It stands still, without momentum; the state keeps what it has.
    Frozen,
    /// It stops at its first impact.
    StopsAtHit,
    /// It did.
    Stopped,
    /// It goes at its first impact.
    GoesAtHit,
    /// It did: it is nothing to anybody from then on.
    Gone,
}

impl Conduct {
    /// What a body's rules make of it when a tick begins; those of one who sleeps nothing.
    pub fn of(body: &Body, sleeps: bool) -> Self {
        match body.on_hit {
            _ if body.frozen > 0 => Self::Frozen,
            OnHit::Stop if !sleeps => Self::StopsAtHit,
            OnHit::Remove if !sleeps => Self::GoesAtHit,
            _ => Self::Usual,
        }
    }

    /// Whether it is of one that stops or goes at its first impact.
    pub const fn ends_at_hit(self) -> bool {
        matches!(self, Self::StopsAtHit | Self::Stopped | Self::GoesAtHit | Self::Gone)
    }
}

const _: () = assert!(size_of::<Mover>() <= 128, "larger, it is copied by calls");

impl Mover {
    /// Whether impacts change how it moves.
    pub fn is_free(&self) -> bool {
        self.filter.kind == Kind::Dynamic && !self.held
    }
}

/// An impact to come. The order of the fields is the order of resolution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Event {
    /// When.
    pub toi: Toi,
    /// The mover with the smaller id.
    pub a: u32,
    /// The other mover, or a static behind all movers.
    pub b: Partner,
    /// Which part of each; 0 of a single shape.
    pub parts: [u8; 2],
    /// The stamps of both when this was found; a static's is 0.
    pub stamps: [u32; 2],
    /// From A to B.
    pub normal: Normal,
}

/// One of several blows at the same instant.
#[derive(Clone, Copy, Debug)]
pub struct Tie {
    /// The impact.
    pub event: Event,
    /// Whether it is slow and gravity presses on.
    pub is_pressed: bool,
    /// Whether it is too slow to bounce.
    pub is_slow: bool,
    /// Whether one of the two turns, or they rub.
    pub grips: bool,
    /// The place of its two in the list of knocks, if any grips.
    pub knock: u32,
    /// How fast they part at least because they turn, where they touch: in raw times the normal's length.
    pub turning: i128,
    /// Whether it is solved at its points: one that shares bodies with it grips.
    pub at_points: bool,
    /// The impulse on B.
    pub impulse: Vec3,
}

impl Tie {
    /// An impact of which nothing is known yet.
    pub const fn new(event: Event) -> Self {
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

/// What a mover meets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Partner {
    /// Another mover, by its index.
    Mover(u32),
    /// A static of the scenery.
    Static(StaticId),
}

/// The free slots below the end of the list.
#[derive(Default, Debug)]
pub struct FreeSlots {
    free: BinaryHeap<Reverse<u32>>,
}

impl FreeSlots {
    fn rebuild(&mut self, state: &State) {
        self.free.clear();
        let reusable =
            (0..).zip(&state.slots).filter(|(_, slot)| is_reusable(slot.body.is_some(), slot.generation));
        self.free.extend(reusable.map(|(index, _)| Reverse(index)));
    }

    /// Notes that a slot's body was removed; a slot out of generations is never used again.
    pub fn give(&mut self, slot: u32, generation: u32) {
        if is_reusable(false, generation) {
            self.free.push(Reverse(slot));
        }
    }

    /// Whether a new slot must be added for the next body.
    pub fn is_empty(&self) -> bool {
        self.free.is_empty()
    }

    /// Takes the lowest free slot, or `None` where a new one must be added.
    pub fn take(&mut self) -> Option<u32> {
        self.free.pop().map(|Reverse(slot)| slot)
    }

    /// The ids of the next spawns.
    pub fn next_ids(&self, state: &State, count: u32) -> Vec<BodyId> {
        let added = (state.slots.len() as u32..).map(|slot| BodyId { slot, generation: 0 });
        let mut free: Vec<u32> = self.free.iter().map(|&Reverse(slot)| slot).collect();
        free.sort_unstable();
        let reused = free.into_iter().map(|slot| state.id_of(slot));
        reused.chain(added).take(count as usize).collect()
    }
}

const fn is_reusable(occupied: bool, generation: u32) -> bool {
    !occupied && generation < u32::MAX
}
