//! The fight between two peers in one page: the computation of the page's module.
//!
//! A [`Duel`] is two [`Side`]s with their own worlds, each with a player, and a link between them that
//! delays, loses and damages packets. A side predicts the other's keys, rolls back when they differ, and
//! compares every confirmed tick with the other by the library's `Peer`. Only packets pass between the two.
//! [`solo`] is one session alone, for a page with a netcode of its own. The functions that JavaScript calls
//! are in `exports.rs`, the only file that needs `unsafe` attributes: names that are not mangled.

mod air;
mod border;
mod duel;
pub mod exports;
mod finding;
mod flip;
mod parcel;
mod picture;
mod player;
mod side;
pub mod solo;

pub use air::{Air, Weather, WeatherError};
pub use duel::Duel;
pub use finding::Finding;
pub use parcel::{Parcel, Refused};
pub use picture::{UNIT, draw};
pub use player::Player;
pub use side::{Counts, Side, WINDOW};
