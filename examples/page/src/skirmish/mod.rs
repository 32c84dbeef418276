//! The strategy game: two peers, the relay between them, and the clock of the page.
//!
//! Each peer has its own world; between them and the relay there are nothing but messages, over connections that take their time.
//! Netcode, saves and resync are those of the package `bitstep-lockstep`, as a game has them.

mod commander;
mod picture;
mod wire;

use std::{error::Error, time::Duration};

use bitstep::session::Simulation;
use bitstep_lockstep::{
    Plan, Relay, SavedMatch, Terms,
    transport::{Network, NetworkLinks},
};
use rts::{Army, Order, Rts};

pub use commander::{Commander, Player};
pub use picture::draw;

use crate::Weather;
use wire::{Sky, Wire};

/// Longest time between two looks of a peer at its connection.
const STEP: Duration = Duration::from_millis(5);
/// Longest time that passes in one call.
const ADVANCE_MAX: Duration = Duration::from_secs(1);
/// The patience of the relay and of both peers: a connection may be as bad as it likes.
const PATIENCE: Duration = Duration::from_secs(3_600);
/// Number of players.
const PLAYERS: u8 = 2;

/// A match between two peers.
#[derive(Debug)]
pub struct Skirmish {
    relay: Relay<NetworkLinks>,
    peers: [Commander; 2],
    sky: Sky,
    last_tick: Option<u64>,
}

impl Skirmish {
    /// A match of so many units on each side: of so many ticks of the script, or, with 0 ticks, one without an end between two
    /// opponents.
    ///
    /// # Errors
    ///
    /// If there are too many units or ticks.
    pub fn new(seed: u64, units: u16, ticks: u64) -> Result<Self, Box<dyn Error>> {
        let terms = Terms::new::<Rts>(seed, PLAYERS, &Army { seed, units })?;
        let last_tick = (ticks > 0).then_some(ticks);
        let terms = Terms { last_tick: last_tick.unwrap_or(terms.last_tick), ..terms };
        let player = if ticks > 0 { Player::Script } else { Player::Opponent };
        Self::of(Plan::new(terms.checked()?), [player; 2], last_tick)
    }

    /// A match that goes on from a saved one, between a person and the opponent.
    ///
    /// # Errors
    ///
    /// If the bytes are no saved match of two players of this game, or of another version of it.
    pub fn load(bytes: &[u8]) -> Result<Self, Box<dyn Error>> {
        let saved = SavedMatch::decode(bytes)?;
        if saved.terms.players != PLAYERS {
            return Err(format!("a match of {} players, must be of {PLAYERS}", saved.terms.players).into());
        }
        // All that the peers would refuse is refused here.
        let first = saved.terms.initial_state::<Rts>()?;
        saved.state::<Rts>(first.scenery())?;
        Self::of(Plan::load(saved), [Player::Person, Player::Opponent], None)
    }

    fn of(plan: Plan, players: [Player; 2], last_tick: Option<u64>) -> Result<Self, Box<dyn Error>> {
        let plan = Plan { patience: PATIENCE, ..plan };
        let (network, sky) = (Network::default(), Sky::default());
        let seed = plan.terms.session;
        let peers = [0, 1].map(|seat: u8| {
            let wire = Wire::new(network.connect(), sky.clone(), seed.wrapping_mul(2) + u64::from(seat));
            Commander::new(wire, (seat, PATIENCE), players[usize::from(seat)])
        });
        Ok(Self { relay: Relay::new(network.links(), plan)?, peers, sky, last_tick })
    }

    /// Changes the weather, for messages that are sent later.
    pub fn set_weather(&self, weather: Weather) {
        self.sky.weather.set(weather);
    }

    /// Lets time pass, at most a second.
    pub fn advance(&mut self, time: Duration) {
        let end = self.sky.now.get() + time.min(ADVANCE_MAX);
        while self.sky.now.get() < end {
            let now = (self.sky.now.get() + STEP).min(end);
            self.sky.now.set(now);
            self.relay.update(now, Duration::ZERO, |_| {});
            self.peers.iter_mut().for_each(|peer| peer.update(now));
        }
    }

    /// Gives an order of the person who plays for the first peer, and makes it a person's.
    ///
    /// # Errors
    ///
    /// If it is too large, too many wait, or the match is over.
    pub fn order(&mut self, order: &Order) -> Result<(), Box<dyn Error>> {
        self.take_over();
        self.peers[0].order(order)
    }

    /// Lets a person play for the first peer, and the opponent for the second. A script ends there.
    pub const fn take_over(&mut self) {
        (self.peers[0].player, self.peers[1].player) = (Player::Person, Player::Opponent);
    }

    /// Changes a number on one side, from its next tick on: `BODY:FIELD` or a path, and `@PHASE` if it is not the last.
    ///
    /// # Errors
    ///
    /// If the text names no place.
    pub fn flip(&mut self, side: usize, place: &str) -> Result<(), Box<dyn Error>> {
        self.peers.iter_mut().for_each(Commander::forget);
        self.peers[side].flip(place)
    }

    /// Ends the match for both.
    pub fn end(&mut self) {
        self.peers.iter_mut().for_each(Commander::leave);
        self.advance(STEP);
    }

    /// True if the match is over for both.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.peers.iter().all(Commander::is_over)
    }

    /// The last tick, if the match has one.
    #[must_use]
    pub const fn last_tick(&self) -> Option<u64> {
        self.last_tick
    }

    /// One peer.
    #[must_use]
    pub const fn peer(&self, side: usize) -> &Commander {
        &self.peers[side]
    }

    /// One peer, to be asked for what it has.
    pub const fn peer_mut(&mut self, side: usize) -> &mut Commander {
        &mut self.peers[side]
    }
}
