//! Deterministic fixed-point 3D physics.
//!
//! The rooms, from the ground floor up: [`num`], [`geom`], [`shape`], [`overlap`], [`sweep`].

pub mod broad;
pub mod geom;
pub mod num;
pub mod overlap;
pub mod shape;
pub mod sweep;
pub mod tick;
pub mod world;
