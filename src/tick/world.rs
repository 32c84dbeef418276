//! A world: state, scenery, and the memory of its ticks.

mod measure;
#[cfg(feature = "trace")]
mod rows;

use std::sync::Arc;

use crate::{
    character::{self, CharacterMove, CharacterSettings},
    geom::Vec3,
    query::QueryView,
    state::{Body, BodyId, Limits, Refusal, Scenery, Sleep, State, StateError},
    tick::scratch::Scratch,
};

/// Bodies in their scenery, between two ticks.
///
/// Cloning copies the state and the [setting of events](Self::enable_events), and shares the scenery until a command changes heights;
/// `clone_from` reuses the memory it has.
#[derive(Debug)]
pub struct World {
    pub(crate) state: State,
    pub(crate) scenery: Arc<Scenery>,
    pub(crate) scratch: Scratch,
    /// True if ticks list events: a setting of the observer's, not state.
    pub(super) events: bool,
}

impl World {
    /// An empty world without gravity, at tick 0.
    ///
    /// # Errors
    ///
    /// If a limit is outside the range for which the arithmetic is proved. The scenery was checked against
    /// its own limits when it was built; those of the world are for bodies.
    pub fn new(limits: Limits, scenery: Arc<Scenery>) -> Result<Self, StateError> {
        Self::from_state(State::new(limits), scenery)
    }

    /// A world with a state, which is checked in full.
    ///
    /// # Errors
    ///
    /// Names the field, its value and the limit that it violates.
    pub fn from_state(state: State, scenery: Arc<Scenery>) -> Result<Self, StateError> {
        state.check(&scenery)?;
        let scenery = scenery.with_terrain(&state.terrain);
        let scratch = Scratch::of(&state);
        Ok(Self { state, scenery, scratch, events: false })
    }

    /// Everything that is saved, hashed and compared.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The static level: shapes, materials and statics, with the ground as commands have left it.
    #[must_use]
    pub const fn scenery(&self) -> &Arc<Scenery> {
        &self.scenery
    }

    /// The limits of the world.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.state.limits
    }

    /// Number of ticks played.
    #[must_use]
    pub const fn tick_count(&self) -> u64 {
        self.state.tick
    }

    /// The change of every body's velocity per tick, in units per tick.
    #[must_use]
    pub const fn gravity(&self) -> Vec3 {
        self.state.gravity
    }

    /// The body of an id, or `None` if it was removed.
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.state.body(id)
    }

    /// The angular velocity of a body in the world's frame, in radians per tick, as
    /// [`Body::angular_velocity`]; `None` also if it was removed.
    #[must_use]
    pub fn angular_velocity(&self, id: BodyId) -> Option<Vec3> {
        self.body(id)?.angular_velocity(&self.scenery)
    }

    /// All bodies in the order of their ids.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        self.state.bodies()
    }

    /// The ids that the next `count` spawns will get, in order, whatever the limit on bodies.
    #[must_use]
    pub fn next_ids(&self, count: u32) -> Vec<BodyId> {
        self.scratch.free.next_ids(&self.state, count)
    }

    /// Sets whether ticks list [events](crate::tick::TickReport::events) and
    /// [impulses](crate::tick::TickReport::impulses) in their reports; a new world's do not.
    ///
    /// It is an observer's setting and no state: it changes no result, and it is neither saved, hashed nor
    /// compared. A clone has it from its source, `clone_from` too. A world that comes from a state or a snapshot
    /// has it off; what goes back to a state it kept, as [`Ring`](crate::session::Ring) and
    /// [`Player`](crate::replay::Player) do, keeps its own.
    pub const fn enable_events(&mut self, enabled: bool) {
        self.events = enabled;
    }

    /// True if ticks list events: see [`enable_events`](Self::enable_events).
    #[must_use]
    pub const fn events_enabled(&self) -> bool {
        self.events
    }

    /// The sleep state of a body; `None` if it was removed.
    ///
    /// In a world without sleep it is [`Sleep::NEW`] for every body.
    #[must_use]
    pub fn sleep(&self, id: BodyId) -> Option<Sleep> {
        self.body(id).map(|_| self.state.sleep_of(id.slot))
    }

    /// The sleeping bodies, in the order of their ids.
    pub fn sleepers(&self) -> impl Iterator<Item = BodyId> {
        self.bodies().map(|(id, _)| id).filter(|id| self.state.is_asleep(id.slot))
    }

    /// Discards the list of bodies that commands woke since the last tick.
    pub(crate) fn forget_woken(&mut self) {
        self.scratch.sleepers.waking.woken.clear();
    }

    /// Moves a kinematic body as a character in the next tick: see [`character::move_character`].
    ///
    /// # Errors
    ///
    /// As [`character::move_character`].
    pub fn move_character(
        &self,
        body: BodyId,
        displacement: Vec3,
        settings: &CharacterSettings,
    ) -> Result<CharacterMove, Refusal> {
        character::move_character(&self.state, &self.scenery, body, displacement, settings)
    }

    /// A view for queries: see [`QueryView`]; [`QueryView::rebuild`] reuses its memory.
    #[must_use]
    pub fn query_view(&self) -> QueryView {
        QueryView::new(&self.state, &self.scenery)
    }
}

impl Clone for World {
    fn clone(&self) -> Self {
        let scratch = Scratch::of(&self.state);
        Self { state: self.state.clone(), scenery: Arc::clone(&self.scenery), scratch, events: self.events }
    }

    fn clone_from(&mut self, source: &Self) {
        self.state.clone_from(&source.state);
        self.scenery.clone_from(&source.scenery);
        self.scratch.reset(&self.state);
        self.scratch.sim.forget(); // its shapes may be of another scenery
        self.events = source.events;
    }
}
