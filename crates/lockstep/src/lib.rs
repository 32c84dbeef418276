//! Lockstep netcode for [bitstep]: a relay, clients, late join, resync and saved matches, over any link that keeps the order of its
//! messages.
//!
//! Nothing is predicted: a tick is played when the orders of all players for it are here.
//!
//! - [`LockstepGame`]: what a match has to know of a game beside its [`Game`](bitstep::session::Game).
//! - [`Relay`]: orders the turns of one match. It knows no game, and runs anywhere: on a server, or beside one of the players.
//! - [`Client`]: one player. [`Client::update`] plays what is due and compares every tick with the others.
//! - [`SavedMatch`]: a match in a file, with the turns that were under way.
//! - [`transport`]: the links. [`TcpLink`](transport::TcpLink) is a connection over TCP, [`Network`](transport::Network) one within a
//!   process; [`Link`](transport::Link) is two functions over bytes.
//!
//! ```
//! use bitstep::{World, session::{Game, Session, Simulation, Tick}, state::{Limits, SceneryBuilder}};
//! use bitstep_lockstep::{Client, LockstepGame, Plan, Relay, Setup, Terms, transport::Network};
//! use serde::{Deserialize, Serialize};
//! use std::{error::Error, time::Duration};
//!
//! #[derive(Clone, Debug, Serialize, Deserialize)]
//! struct Mine { gold: [u32; 2] }
//!
//! impl Game for Mine {
//!     type Input = (u8, u32);
//!     const NAME: &'static str = "mine";
//!
//!     fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[(u8, u32)]) {
//!         for &(player, amount) in inputs {
//!             self.gold[usize::from(player) % 2] += amount % 10;
//!         }
//!         tick.step();
//!     }
//! }
//!
//! impl LockstepGame for Mine {
//!     type Options = u64; // a seed
//!     type Order = u32;
//!     const VERSION: u32 = 1;
//!
//!     fn initial_state(seed: &u64, _players: u8) -> Result<Session<Self>, Box<dyn Error + Send + Sync>> {
//!         let world = World::new(Limits::new(20), SceneryBuilder::default().build()?)?;
//!         Ok(Session::new(world, Self { gold: [0; 2] }, *seed)?)
//!     }
//!
//!     fn input(player: u8, amount: u32) -> (u8, u32) {
//!         (player, amount)
//!     }
//! }
//!
//! // A relay and both players, here in one process and by a clock of its own.
//! let network = Network::default();
//! let terms = Terms { last_tick: 40, ..Terms::new::<Mine>(99, 2, &7)? };
//! let mut relay = Relay::new(network.links(), Plan::new(terms))?;
//! let mut players = [0, 1].map(|_| Client::<Mine, _>::new(network.connect(), Setup::default()));
//! let mut now = Duration::ZERO;
//! while players.iter().any(|player| player.ending().is_none()) {
//!     relay.update(now, Duration::ZERO, |event| println!("relay: {event}"));
//!     for player in &mut players {
//!         player.update(now, |played| {
//!             if played.is_playing() && played.state.tick_count() % 10 == 0 {
//!                 played.order(&u32::from(1 + played.seat)).expect("a small order");
//!             }
//!         })?;
//!         // here: player.state() is drawn, player.events() are read
//!     }
//!     now += Duration::from_millis(10);
//! }
//! let [first, second] = players.map(|player| player.finish().expect("no recording"));
//! let gold = first.state.expect("a match").game().gold;
//! assert_eq!(gold, second.state.expect("a match").game().gold);
//! assert_eq!((gold, first.compared), ([4, 8], Some(40)));
//! # Ok::<(), Box<dyn Error>>(())
//! ```
//!
//! # Turns
//!
//! A player that has played tick `t` gives its orders for turn `t + delay + 1`. The relay sends a turn to all when the orders of all
//! players for it are there. If one is missing, all wait; after a quarter of a second they are told for which player, and after
//! [`Plan::patience`] that player is let go. What a turn says of players that leave and come reaches the rules by
//! [`LockstepGame::presence`].
//!
//! # How players compare
//!
//! Each with each, by a [`Peer`](bitstep::peer::Peer) of the library for every other player. The checksum of tick `t` goes out before
//! the orders that were given after it, over a link that keeps the order: a player that plays turn `t + delay + 1` has the checksums
//! of all others for `t`, so a difference is found within the delay. Reports are exchanged then, and come as
//! [`ClientEvent::Compared`]. The majority says which state is wrong; with two players, and in a tie, the tick, played again. A
//! player pays an encoding of the state per tick and other player; that is why there are at most [`PLAYERS_MAX`].
//!
//! # When a player comes late
//!
//! It gets the terms, a state from the first player that takes part, and the turns since; it plays them as fast as it can, and
//! says so. The relay puts "has joined" into a turn, with the list of the players that are present. Behind the tick of that turn **each
//! of those opens a `Peer` for the one that has come, and that one opens a `Peer` for each of those**: all of them from the same state,
//! whose checksum is in the first message, so a state that did not come as it was is found before a tick is compared. Orders of the
//! late player count from the turn behind the delay on.
//!
//! A player that leaves is in a turn as well: in its tick all others drop its `Peer`. One that returns has a new one; messages say
//! from which tick on they compare, so that old ones are no nuisance. Resync is leaving and coming late.
//!
//! # What it does not do
//!
//! Players find the relay by other means. The relay checks what comes, and no client can make it take unbounded memory, stall it for
//! longer than the patience at a time, or end another's connection; but a free seat is anyone's unless there are [tickets](Plan::tickets), and a
//! link that does not encrypt shows them: take one that authenticates. A relay that lies can stop a match, order turns that no player
//! gave, or hand over another state, which all players see alike or find as a desync. Every player knows the whole state; hidden
//! information is the game's to hide.

#[allow(clippy::disallowed_types)] // `Client::run` needs a clock
mod client;
mod error;
mod game;
mod orders;
mod pieces;
#[allow(clippy::disallowed_types)] // `Relay::run` needs a clock
mod relay;
mod save;
mod terms;
#[allow(clippy::disallowed_types)] // connections that are closed have a time
pub mod transport;
pub mod wire;

pub use client::{Client, ClientEvent, Dispute, Ending, Outcome, Part, Played, Setup, Writer};
pub use error::LockstepError;
pub use game::{GameId, LockstepGame};
pub use orders::{ORDERS_MAX, OrderError, decode_orders, encode_orders};
pub use pieces::{Assembly, pieces};
pub use relay::{Action, Hub, Plan, Relay, RelayEvent};
pub use save::{SAVE_BYTES_MAX, SaveError, SavedMatch};
pub use terms::{DELAY_MAX, OPTIONS_BYTES_MAX, PLAYERS_MAX, Terms, TermsError};

/// The README's example is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
