//! The only door for change between ticks.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{BodyId, Collider, MaterialId, ShapeId, StateError};
use crate::geom::Vec3;

/// A change that takes effect at once, between two ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Adds a body, in the lowest free slot.
    Spawn(Spawn),
    /// Takes a body away; its id goes stale.
    Remove {
        /// Which body.
        body: BodyId,
    },
    /// Puts a body elsewhere; its momentum stays.
    Teleport {
        /// Which body.
        body: BodyId,
        /// Its new center, in world units.
        position: Vec3,
    },
    /// Replaces a body's velocity.
    SetVelocity {
        /// Which body.
        body: BodyId,
        /// In units per tick.
        velocity: Vec3,
    },
    /// Adds to a body's momentum.
    Push {
        /// Which body.
        body: BodyId,
        /// In mass units times units per tick.
        impulse: Vec3,
    },
    /// Replaces the world's gravity.
    SetGravity {
        /// The change of velocity per tick, in units per tick; even in raw, which
        /// [`Limits::gravity_nearest_even`](super::Limits::gravity_nearest_even) sees to.
        gravity: Vec3,
    },
}

/// What a new body is like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spawn {
    /// Which shape of the scenery: a sphere or an aabb.
    pub shape: ShapeId,
    /// Which material of the scenery.
    pub material: MaterialId,
    /// A whole number of mass units, at least 1.
    pub mass: u32,
    /// The center, in world units.
    pub position: Vec3,
    /// In units per tick.
    pub velocity: Vec3,
}

/// What became of a command.
pub type Outcome = Result<Done, Refusal>;

/// A command that took effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Done {
    /// A body was added under this id.
    Spawned(BodyId),
    /// The change was made.
    Applied,
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spawned(id) => write!(f, "spawned {id}"),
            Self::Applied => f.write_str("applied"),
        }
    }
}

/// Why a command was refused; it changed nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The body was removed, or never was.
    #[error("no body {body}")]
    NoBody {
        /// The stale id.
        body: BodyId,
    },
    /// A value is beyond a limit.
    #[error(transparent)]
    Beyond(#[from] StateError),
    /// The body would overlap something solid.
    #[error("would overlap {with}")]
    Overlaps {
        /// The one with the smallest id.
        with: Collider,
    },
    /// There is no room for another body.
    #[error("the world holds {limit} bodies already")]
    Full {
        /// The limit.
        limit: u32,
    },
}
