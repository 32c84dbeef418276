//! Bodies, the static level and commands: everything that is saved, and everything that a tick reads.
//!
//! [`State`] is saved, hashed and compared: bodies, limits, gravity, layers, ignored pairs, sleep, and the heights of ground that
//! commands have changed. All else of a [`Scenery`] never changes: shapes, materials and statics. This module defines what they may contain; it
//! does not know how a tick changes them. Start with `saved.rs`, then `command.rs`, which has every change
//! between ticks.

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod body;
mod body_type;
mod checks;
mod command;
mod drive;
mod error;
mod filter;
mod height_patch;
mod id;
mod ignored_pairs;
mod limits;
mod material;
mod on_hit;
mod platform;
mod rate;
mod refused;
mod saved;
mod scenery;
mod skin;
mod sleep;
mod sleeping;
mod terrain;
pub(crate) mod wire;

pub use body::{Body, Spin};
pub use body_type::{BodyType, Locks};
pub use command::{Command, Done, Outcome, Refusal, Spawn};
pub use drive::Drive;
pub use error::StateError;
pub use filter::{Filter, LayerTable, Rule};
pub use height_patch::HeightPatch;
pub(crate) use id::SlotIndex;
pub use id::{BodyId, Collider, CompoundId, MaterialId, ShapeId, StaticId};
pub use ignored_pairs::IgnoredPair;
pub use limits::Limits;
pub use material::Material;
pub use on_hit::OnHit;
pub use refused::Refused;
pub use saved::{Slot, State};
pub use scenery::{ChildShape, Face, PlacedShape, Scenery, Static, builder::SceneryBuilder};
pub use skin::{SKIN, skin, turning_skin};
pub use sleep::Sleep;
pub use terrain::{Terrain, Tile, TileId};

pub(crate) use body::{momentum_wide, velocity_nearest};
pub(crate) use checks::{check_angular_velocity, check_layer, check_size, check_vector};
pub(crate) use material::pair_friction_q16;
pub(crate) use platform::Platform;

/// The widest numbers of the state.
#[cfg(test)]
pub(crate) const WIDTHS: [(&str, crate::num::bound::Width); 2] =
    [("state::body", body::WIDTH), ("state::body", body::SUM_WIDTH)];
