//! What exists between ticks: ids, bodies, materials, layers, scenery, limits and commands.
//!
//! This room holds the state and says what may be in it; it does not know how a tick changes it.
//! [`World`] has three parts: `state`, which is all that is saved, hashed and compared; `scenery`,
//! which never changes and is shared; and `scratch`, memory that a tick reuses and that can be
//! thrown away at any time. Start with `state.rs`, then `command.rs`, the only door for change;
//! [`query`] asks what is where, and changes nothing.

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod body;
mod command;
mod drive;
mod exception;
mod filter;
mod grip;
mod id;
mod kept;
mod kind;
mod limits;
mod material;
mod measure;
mod notes;
mod on_hit;
mod platform;
pub mod query;
mod rate;
mod rest;
mod scenery;
mod scratch;
mod separating;
mod skin;
mod sleep;
mod spinner;
mod state;
mod strike;
mod together;
mod walk;
pub(crate) mod wire;
mod wired;

pub use body::{Body, Spin};
pub use command::{Command, Done, Outcome, Refusal, Spawn};
pub use drive::Drive;
pub use exception::Exception;
pub use filter::{Filter, LayerTable, Rule};
pub use id::{BodyId, Collider, MaterialId, SetId, ShapeId, StaticId};
pub use kind::{Kind, Locks};
pub use limits::{LimitError, Limits};
pub use material::{FrictionError, Material};
pub use on_hit::OnHit;
pub use scenery::{Face, Part, Scenery, SceneryBuilder, SceneryError, Solid, Static};
pub use skin::{SKIN, skin, turning_skin};
pub use sleep::Sleep;
pub use state::{Slot, State, StateError};
pub use walk::{Met, Walk, Walker};

pub(crate) use body::{momentum_wide, velocity_nearest};
pub(crate) use grip::{
    Asked, AskedMover, Crowd, Grip, GripMemo, GripRow, GripScale, GripSolved, Gripped, Held, Lack, Point,
    Quick, Sway,
};
pub(crate) use kept::{Kept, KeptPair, KeptPairs};
pub(crate) use material::pair_friction_q16;
#[cfg(test)]
pub(crate) use notes::Leg;
pub(crate) use notes::{Legs, Notes};
pub(crate) use platform::Platform;
pub(crate) use rest::{
    Bearing, Budget, Contact, Mark, Memo, NONE, Piled, Pushed, Rest, Row, Solved, Stopped, Touch,
};
pub(crate) use scratch::{Conduct, Event, Mover, Partner, Places, Scratch, Tie};
pub(crate) use separating::{Going, Overlap, Separating, Yielder};
pub(crate) use sleep::Dormitory;
pub(crate) use spinner::{Spinner, axes_of};
pub(crate) use state::{check_angular_velocity, check_layer, check_vector};
pub(crate) use strike::{Hits, Knock, Party, Push, Spot, Strike};
pub(crate) use together::{Blow, Struck, Together};

use std::sync::Arc;

use crate::geom::Vec3;

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
