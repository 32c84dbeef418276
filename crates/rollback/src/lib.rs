//! Rollback netcode for [bitstep]: a match of any number of players over any link that carries datagrams.
//!
//! [ggrs] decides what is predicted and what is played again; bitstep knows the states. This package puts them together:
//!
//! - [`Match`]: one side of a match. [`Match::frame`] advances *and* confirms in one call, so that a predicted tick cannot be
//!   confirmed by mistake. Each confirmed tick is handed out once, recorded, and compared with other sides.
//! - [`Spectator`]: plays what a side of the match sends to it, and is compared as well.
//! - [`Transport`]: the link, as two functions over bytes. [`UdpTransport`] is a socket, [`Network`] one in memory for tests,
//!   [`Weather`] loses, delays, repeats and spoils the datagrams of any of them.
//! - [`sync_test`] and [`bitstep::session::determinism_check`]: whether a game comes out the same when it is rolled back, in
//!   a line each.
//! - [`Pace`]: frames by the clock.
//!
//! ```
//! use bitstep::{World, session::{Game, Session, Tick}, state::{Limits, SceneryBuilder}};
//! use bitstep_rollback::{Match, Network, Player, Setup};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Debug, Serialize, Deserialize)]
//! struct Taps([u32; 2]);
//!
//! impl Game for Taps {
//!     type Input = u8;
//!     const NAME: &'static str = "taps";
//!
//!     fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[u8]) {
//!         for (taps, input) in self.0.iter_mut().zip(inputs) {
//!             *taps += u32::from(*input);
//!         }
//!         tick.step();
//!     }
//! }
//!
//! fn state() -> Session<Taps> {
//!     let scenery = SceneryBuilder::default().build().expect("an empty scenery");
//!     let world = World::new(Limits::new(60), scenery).expect("default limits");
//!     Session::new(world, Taps([0; 2]), 7).expect("a game of integers")
//! }
//!
//! // Both sides of a match of 30 ticks, here in one process.
//! let network = Network::default();
//! let mut sides = [("left", "right"), ("right", "left")].map(|(here, there)| {
//!     let player = |name| if name == here { Player::Local } else { Player::Remote(there) };
//!     let setup = Setup { last_tick: 30, ..Setup::new(99, ["left", "right"].map(player)) };
//!     Match::new(state(), setup, network.transport(here)).expect("a match")
//! });
//! let mut confirmed = [0, 0];
//! while sides.iter().any(|side| side.ending().is_none()) {
//!     for (side, confirmed) in sides.iter_mut().zip(&mut confirmed) {
//!         side.frame(&[1], |tick| *confirmed = tick.state.game().0[0])?;
//!         // here: side.state() is drawn, side.events() are read
//!     }
//! }
//! let [left, right] = sides.map(|side| side.finish().expect("confirmed states are kept"));
//! assert_eq!(confirmed, [30, 30]);
//! assert_eq!(left.state.game().0, right.state.game().0);
//! # Ok::<(), bitstep_rollback::RollbackError>(())
//! ```
//!
//! # Which sides are compared
//!
//! Sides are in a ring, by the first player of each; each compares every confirmed tick with the side before and the side behind
//! it, with others when those are gone, and with its own spectators, through a [`bitstep::peer::Peer`] for each. Equality is transitive, so no difference is
//! missed, and a side that differs differs from both of its neighbours. The cost of a side does not grow with the number of players.
//!
//! # When a tick is confirmed
//!
//! With two sides: when all inputs for it are here and it was played with them. With more: when that is so on every side. A player
//! whose link breaks may have reached some of the others only; what is confirmed stays confirmed all the same.
//!
//! # When a player leaves
//!
//! A match of two ends. In a match of more the others go on: a side that leaves, or is silent for longer than [`Setup::patience`]
//! for any of them, is gone for all. They wait until all of them know, and go on behind the last tick that any has confirmed, with
//! the default input for the players of that side. A player who has left cannot come back.
//!
//! # What it does not do
//!
//! Players find each other, agree on a [`Setup`] and on the first state by other means: a lobby, a server, the knock of
//! `examples/fight`. Datagrams carry a hash under the number of the match, which keeps out accidents and strangers, not an
//! opponent; take a link that authenticates. What such a side sends ends the match at most; where ggrs asserts against it, that takes
//! panics that unwind. A side that answers but does not play holds up all others, until they
//! [end](Ending::Stalled) the match. Where a network falls in two, the sides of either part may drop those of the other.

mod error;
mod exchange;
mod ggrs_types;
mod inputs_of_ggrs;
mod pace;
mod play;
mod progress;
mod rollback;
mod spectator;
mod stream;
mod sync_test;
mod transport;

pub use error::RollbackError;
pub use exchange::Counts;
pub use ggrs_types::{Address, PlayerInput};
pub use pace::Pace;
pub use play::{Ending, Match, MatchEvent, Outcome, Player, Setup};
pub use rollback::{Confirmed, Stats};
pub use spectator::{Spectator, SpectatorSetup};
pub use sync_test::{SyncTest, sync_test};
pub use transport::{Forecast, ForecastError, Network, NetworkTransport, Transport, UdpTransport, Weather};

/// The README's example is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
