//! The fight: both peers, the link between them, and the clock of the page.
//!
//! A side predicts the other's keys, rolls back when they differ, and compares every confirmed tick with the other by the library's
//! `Peer`. Only packets pass between the two. [`solo`] is one session alone, for a page with a netcode of its own.

mod air;
mod parcel;
mod picture;
mod player;
mod side;
pub mod solo;

use std::error::Error;

use fight::{Input, initial_state, script::script};

pub use air::Air;
pub use parcel::{Parcel, Refused};
pub use picture::{UNIT, draw};
pub use player::Player;
pub use side::{Counts, Side, WINDOW};

use crate::{Weather, flip::Flip};

/// A frame, in microseconds: the clock of the link, which no state sees.
const FRAME: u64 = 16_667;
/// Largest number of ticks of a script: five minutes.
pub const SCRIPT_TICKS_MAX: u64 = 18_000;
/// A match without an end has this one, before ticks exceed the fields of packets.
const TICKS_MAX: u64 = 1 << 30;

/// A match between two peers.
#[derive(Debug)]
pub struct Duel {
    sides: [Side; 2],
    players: [Player; 2],
    /// The links for the packets of each side to the other.
    airs: [Air; 2],
    weather: Weather,
    flips: [Option<Flip>; 2],
    seed: u64,
    now: u64,
    last: u64,
}

impl Duel {
    /// A match of a script of so many ticks, or, with 0 ticks, one without an end between two minds.
    ///
    /// # Errors
    ///
    /// If a script has too many ticks.
    pub fn new(seed: u64, ticks: u64) -> Result<Self, Box<dyn Error>> {
        if ticks > SCRIPT_TICKS_MAX {
            return Err(format!("ticks is {ticks}, must be in 0..={SCRIPT_TICKS_MAX}").into());
        }
        let players = if ticks == 0 {
            [seed, seed ^ 1].map(Player::mind)
        } else {
            let inputs = script(seed, ticks)?.inputs;
            [0, 1].map(|side: usize| Player::Script(inputs.iter().map(|both| both[side]).collect()))
        };
        let key = seed ^ 0x6669_6768_7420_7061;
        let sides = [Side::new(initial_state()?, 0, key)?, Side::new(initial_state()?, 1, key)?];
        let airs = [Air::new(seed.wrapping_mul(2)), Air::new(seed.wrapping_mul(2) + 1)];
        let last = if ticks == 0 { TICKS_MAX } else { ticks };
        Ok(Self {
            sides,
            players,
            airs,
            weather: Weather::default(),
            flips: [None, None],
            seed,
            now: 0,
            last,
        })
    }

    /// Changes the weather, for packets that are sent later.
    pub const fn set_weather(&mut self, weather: Weather) {
        self.weather = weather;
    }

    /// Lets a person take over, or give back, a player. A script ends there: the other player continues with
    /// its own mind.
    pub fn take_over(&mut self, player: usize, by_a_person: bool) {
        for other in [0, 1] {
            if matches!(self.players[other], Player::Script(_)) {
                self.players[other] = Player::mind(self.seed ^ other as u64);
            }
        }
        self.last = TICKS_MAX;
        let mind = Player::mind(self.seed ^ player as u64);
        self.players[player] = if by_a_person { Player::Person(Input::NONE) } else { mind };
    }

    /// The keys of a person; ignored if no person plays there.
    pub fn hold(&mut self, player: usize, keys: Input) {
        if let Player::Person(held) = &mut self.players[player] {
            *held = keys;
        }
    }

    /// Advances by one frame, the second peer half a frame behind the first.
    pub fn advance(&mut self) {
        for side in [0, 1] {
            let now = self.now + side as u64 * FRAME / 2;
            while let Some(packet) = self.airs[1 - side].due(now) {
                self.sides[side].receive(&packet);
            }
            let (player, air, weather) = (&mut self.players[side], &mut self.airs[side], self.weather);
            self.sides[side].frame(self.last, |state, tick| player.keys(state, side, tick), &mut |packet| {
                air.send(packet, now, weather)
            });
            if let Some(flip) = &mut self.flips[side] {
                flip.watch(&mut self.sides[side]);
            }
        }
        self.now += FRAME;
    }

    /// Gives a side a packet of unknown origin.
    pub fn receive(&mut self, side: usize, packet: &[u8]) {
        self.sides[side].receive(packet);
    }

    /// Changes a number on one side, from its next tick on: `BODY:FIELD` or a path, and `@PHASE` if it is not
    /// the last.
    ///
    /// # Errors
    ///
    /// If the text names no place.
    pub fn flip(&mut self, side: usize, place: &str) -> Result<(), Box<dyn Error>> {
        self.flips[side] = Some(Flip::begin(&mut self.sides[side], place)?);
        Ok(())
    }

    /// The outcome of the change, in words; empty if there was none.
    #[must_use]
    pub fn flip_words(&self, side: usize) -> String {
        self.flips[side].as_ref().map(|flip| flip.words(&self.sides[side])).unwrap_or_default()
    }

    /// True if a script was played to its end, and both have confirmed and compared all of it.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.sides.iter().all(|side| side.compared() >= self.last)
    }

    /// The last tick, if the match has one.
    #[must_use]
    pub fn last(&self) -> Option<u64> {
        (self.last < TICKS_MAX).then_some(self.last)
    }

    /// One peer.
    #[must_use]
    pub const fn side(&self, side: usize) -> &Side {
        &self.sides[side]
    }

    /// The link for the packets of a side to the other.
    #[must_use]
    pub const fn air(&self, side: usize) -> &Air {
        &self.airs[side]
    }

    /// True if a person plays there.
    #[must_use]
    pub const fn is_person(&self, player: usize) -> bool {
        matches!(self.players[player], Player::Person(_))
    }
}
