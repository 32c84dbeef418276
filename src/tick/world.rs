//! A world: state, scenery, and the memory of its ticks.

mod measure;

use std::sync::Arc;

use crate::{
    character::{self, Walk, Walker},
    geom::Vec3,
    query::QueryView,
    state::{Body, BodyId, Limits, Refusal, Scenery, Sleep, State, StateError},
    tick::scratch::Scratch,
};

/// Bodies in their scenery, between two ticks.
///
/// Cloning copies the state and shares the scenery; `clone_from` reuses the memory it has.
#[derive(Debug)]
pub struct World {
    pub(crate) state: State,
    pub(crate) scenery: Arc<Scenery>,
    pub(crate) scratch: Scratch,
}

impl World {
    /// An empty world without gravity, at tick 0.
    ///
    /// # Errors
    ///
    /// If a limit is beyond what the arithmetic is proved for. The scenery has its own limits, which
    /// it was checked against when it was made; those of the world are for bodies.
    pub fn new(limits: Limits, scenery: Arc<Scenery>) -> Result<Self, StateError> {
        Self::from_state(State::new(limits), scenery)
    }

    /// A world from a state, which is checked in full.
    ///
    /// # Errors
    ///
    /// Names the field, its value and the limit that it breaks.
    pub fn from_state(state: State, scenery: Arc<Scenery>) -> Result<Self, StateError> {
        state.check(&scenery)?;
        let scratch = Scratch::of(&state);
        Ok(Self { state, scenery, scratch })
    }

    /// Everything that is saved, hashed and compared.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// What stands still: shapes, materials and static solids.
    #[must_use]
    pub const fn scenery(&self) -> &Arc<Scenery> {
        &self.scenery
    }

    /// The limits the world was made with.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.state.limits
    }

    /// How many ticks have been stepped.
    #[must_use]
    pub const fn tick_count(&self) -> u64 {
        self.state.tick
    }

    /// The change of every body's velocity per tick, in units per tick.
    #[must_use]
    pub const fn gravity(&self) -> Vec3 {
        self.state.gravity
    }

    /// The body of an id, or `None` where it was removed.
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.state.body(id)
    }

    /// The angular velocity of a body in the world's frame, in radians per tick, as
    /// [`Body::angular_velocity`]; `None` also where it was removed.
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

    /// Whether a body sleeps, or how long it has been still; `None` where it was removed.
    ///
    /// In a world in which nobody sleeps everybody is [`Sleep::NEW`].
    #[must_use]
    pub fn sleep(&self, id: BodyId) -> Option<Sleep> {
        self.body(id).map(|_| self.state.sleep_of(id.slot))
    }

    /// The bodies that sleep, in the order of their ids.
    pub fn sleepers(&self) -> impl Iterator<Item = BodyId> {
        self.bodies().map(|(id, _)| id).filter(|id| self.state.is_asleep(id.slot))
    }

    /// Forgets who woke by commands that no tick came after.
    pub(crate) fn forget_woken(&mut self) {
        self.scratch.dormitory.woken.clear();
    }

    /// Where a kinematic body gets to in the next tick: see [`character::walk`].
    ///
    /// # Errors
    ///
    /// As [`character::walk`].
    pub fn walk(&self, body: BodyId, way: Vec3, walker: &Walker) -> Result<Walk, Refusal> {
        character::walk(&self.state, &self.scenery, body, way, walker)
    }

    /// A view to ask what is where: see [`QueryView`], which is rebuilt into its memory by
    /// [`QueryView::rebuild`].
    #[must_use]
    pub fn query_view(&self) -> QueryView {
        QueryView::new(&self.state, &self.scenery)
    }
}

impl Clone for World {
    fn clone(&self) -> Self {
        let scratch = Scratch::of(&self.state);
        Self { state: self.state.clone(), scenery: Arc::clone(&self.scenery), scratch }
    }

    fn clone_from(&mut self, source: &Self) {
        self.state.clone_from(&source.state);
        self.scenery.clone_from(&source.scenery);
        self.scratch.reset(&self.state);
    }
}
