//! Memory that a tick reuses. It has no meaning between ticks; all of it can be rebuilt.

use crate::{
    state::{State, StaticId},
    tick::{
        bodies::SimBodies,
        contact::ContactBuffers,
        events::Events,
        pairs::Pairs,
        queue::{ImpactQueue, QueuedImpact},
        room::Places,
        search::{Found, Unproved},
        separate::memory::Separating,
        sleep::dormitory::Dormitory,
        slots::FreeSlots,
    },
};

/// Everything of a world that is not state.
#[derive(Default, Debug)]
pub struct Scratch {
    /// The bodies.
    pub sim: SimBodies,
    /// The free slots, which follow from the state.
    pub free: FreeSlots,
    /// The positions of bodies, for commands that place bodies.
    pub places: Places,
    /// True if the last tick left every solid pair apart, and no command has accepted an overlap since.
    pub is_apart: bool,
    /// True if an observer altered the state during this tick.
    #[cfg(feature = "trace")]
    pub is_altered: bool,
    /// True if another step of the tick follows the current one.
    pub goes_on: bool,
    /// The boxes of paths, and the pairs whose boxes touch.
    pub pairs: Pairs,
    /// The impacts to come.
    pub queue: ImpactQueue,
    /// Buffers of the search for impacts.
    pub found_impacts: Found,
    /// The buffers of contacts and impacts.
    pub contact: ContactBuffers,
    /// What the sweeps have not proved to be apart.
    pub unproved: Unproved,
    /// The overlapping bodies, and their displacements.
    pub separating: Separating,
    /// The impacts of one instant.
    pub tied: Vec<QueuedImpact>,
    /// The bodies that they move.
    pub moved: Vec<u32>,
    /// The result of the last search.
    pub found: Vec<u32>,
    /// The statics of the last search.
    pub found_statics: Vec<StaticId>,
    /// The candidates of the final overlap check.
    pub suspects: Vec<u32>,
    /// The bodies that overlap there, or are in the way of a reverted body.
    pub clashing: Vec<u32>,
    /// The stage that finds events.
    pub events: Events,
    /// The memory of sleep.
    pub dormitory: Dormitory,
}

impl Scratch {
    /// The scratch of a state.
    pub fn of(state: &State) -> Self {
        let mut scratch = Self::default();
        scratch.reset(state);
        scratch
    }

    /// Adapts the scratch to another state, in the same memory.
    pub fn reset(&mut self, state: &State) {
        self.free.rebuild(state);
        self.is_apart = false;
        self.places.forget();
        self.dormitory.reset();
        self.contact.rest.kept.forget();
    }
}
