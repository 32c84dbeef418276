//! Deterministic fixed-point 3D physics.
//!
//! The rooms, from the ground floor up: [`num`], [`geom`], [`shape`], [`overlap`], [`sweep`],
//! [`broad`], [`world`], [`tick`], [`snapshot`], [`replay`].

pub mod broad;
pub mod geom;
pub mod num;
pub mod overlap;
pub mod replay;
pub mod shape;
pub mod snapshot;
pub mod sweep;
pub mod tick;
pub mod world;
