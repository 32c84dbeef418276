//! Memory that a tick reuses. Nothing here survives a tick in meaning; all of it can be rebuilt.

use std::{cmp::Reverse, collections::BinaryHeap};

use crate::{
    broad::{Meeting, Piece, Regions},
    geom::{Aabb, Vec3},
    num::Scalar,
    state::{Spin, State, StaticId},
    tick::{
        bodies::{SimBodies, mover::Partner},
        events::Events,
        rest::memory::Rest,
        room::Places,
        schedule::Event,
        separate::memory::Separating,
        sleep::dormitory::Dormitory,
        slots::FreeSlots,
        strike::memory::Hits,
        ties::Tie,
        together::memory::Together,
    },
};

/// All of a world that is not state.
#[derive(Default, Debug)]
pub struct Scratch {
    /// The bodies.
    pub sim: SimBodies,
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
    /// Whether another step of the tick follows the one under way.
    pub goes_on: bool,
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
    pub tied: Vec<Event>,
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
    /// The stage that finds events.
    pub events: Events,
    /// Who sleeps, and who woke.
    pub dormitory: Dormitory,
    /// Where each of them was then, by slot, in a tick of several steps: it decides in all of them.
    pub origins: Vec<Option<(Vec3, Option<Spin>)>>,
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
