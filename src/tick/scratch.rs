//! Memory that a tick reuses. It has no meaning between ticks; all of it can be rebuilt.

use crate::{
    state::{SlotIndex, State},
    tick::{
        bodies::SimBodies, budget::WorkBudget, contact::ContactBuffers,
        depenetration::memory::DepenetrationBuffers, events::Events, overlap_check::CheckBuffers,
        overlapping::OverlappingBuffers, pairs::Pairs, placement::PlacementIndex, queue::ImpactQueue,
        sleep::Sleepers, slots::FreeSlots, toi_loop::LoopBuffers, unproved::Unproved,
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
    pub places: PlacementIndex,
    /// True if the last tick left every solid pair apart, and no command has accepted an overlap since.
    pub is_apart: bool,
    /// True if an observer altered the state during this tick.
    #[cfg(feature = "trace")]
    pub is_altered: bool,
    /// The boxes of paths, and the pairs whose boxes touch.
    pub pairs: Pairs,
    /// The impacts to come.
    pub queue: ImpactQueue,
    /// The candidates that the tick may test.
    pub budget: WorkBudget,
    /// The buffers of contacts and impacts.
    pub contact: ContactBuffers,
    /// The pairs and bodies that the sweeps have not proved to be apart.
    pub unproved: Unproved,
    /// The overlapping bodies, and their displacements.
    pub depenetration: DepenetrationBuffers,
    /// The slots of sleepers of ignored pairs that end in this tick.
    pub ended: Vec<SlotIndex>,
    /// The buffers of the search for bodies that overlap at the start of the tick.
    pub overlapping: OverlappingBuffers,
    /// The buffers of the loop of impacts.
    pub toi_loop: LoopBuffers,
    /// The buffers of the final overlap check.
    pub checked: CheckBuffers,
    /// The stage that finds events.
    pub events: Events,
    /// The memory of sleep.
    pub sleepers: Sleepers,
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
        self.events.forget_paths();
        self.sleepers.reset();
        self.contact.forget();
    }
}
