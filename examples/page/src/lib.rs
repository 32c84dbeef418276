//! Two peers of a game in one page: the computation of the page's module.
//!
//! A [`Duel`] is the fight behind rollback: two sides with their own worlds and a link that loses packets. A [`Skirmish`] is the
//! strategy game in lockstep: two clients with their own worlds and a relay. Between the peers there is nothing but packets or messages,
//! and every tick is compared by the library's `Peer`; [`Finding`] is what that says of a bit that was put wrong. The functions that
//! JavaScript calls are in `exports`, the only place that needs `unsafe` attributes: names that are not mangled.

mod border;
pub mod exports;
mod finding;
mod flip;
mod weather;

#[cfg(feature = "fight")]
pub mod duel;
#[cfg(feature = "rts")]
pub mod skirmish;

#[cfg(feature = "fight")]
pub use duel::Duel;
pub use finding::Finding;
#[cfg(feature = "rts")]
pub use skirmish::Skirmish;
pub use weather::{Weather, WeatherError};
