//! The terms of a match: what all players of it must have alike.

use bitstep::session::Session;
use serde::{Deserialize, Serialize};

use crate::{GameId, LockstepGame};

/// Largest number of players of a match.
///
/// Each compares its ticks with all others, which costs an encoding of the state per tick and other player.
pub const PLAYERS_MAX: u8 = 32;
/// Largest number of turns between an order and its tick.
pub const DELAY_MAX: u8 = 40;
/// Largest size of a game's options, in bytes.
pub const OPTIONS_BYTES_MAX: usize = 16 << 10;
/// Largest number of a tick after which a match ends.
pub const LAST_TICK_MAX: u64 = 1 << 30;
/// Largest number of ticks played per second.
const RATE_MAX: u32 = 1_000;
/// Largest size of a game's name, in bytes.
pub const NAME_BYTES_MAX: usize = 255;

/// The terms of a match. The relay has them, and tells them to every player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// A number that no other match has: messages about the ticks of another match are refused.
    pub session: u64,
    /// The game.
    pub game: GameId,
    /// Number of seats, up to [`PLAYERS_MAX`].
    pub players: u8,
    /// Number of turns between an order and its tick, from 1 to [`DELAY_MAX`]: as long as a message takes to all and back.
    pub delay: u8,
    /// The tick after which the match ends.
    pub last_tick: u64,
    /// Number of ticks played per second, up to 1,000; 0 for as many as possible.
    pub rate: u32,
    /// The game's [options](LockstepGame::Options), as bytes.
    #[serde(with = "serde_bytes")]
    pub options: Vec<u8>,
}

/// The reason why a match cannot be played by its terms.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TermsError {
    /// A number is out of range.
    #[error("{field} is {value}, must be in {low}..={high}")]
    Range {
        /// The field.
        field: &'static str,
        /// Its value.
        value: u64,
        /// The smallest value.
        low: u64,
        /// The largest value.
        high: u64,
    },
    /// The match is of another game, or of another version of it.
    #[error("a match of {found}, this is {here}")]
    OtherGame {
        /// That of the match.
        found: GameId,
        /// That of this build.
        here: GameId,
    },
    /// The options cannot be read.
    #[error("options: {0}")]
    Options(String),
    /// The game has no such match.
    #[error("{0}")]
    Game(String),
}

impl Terms {
    /// A match of so many players, at the tick rate of its world, with a delay of 4 turns and no last tick. The game is asked
    /// for its first state, to find out here whether there is one.
    ///
    /// # Errors
    ///
    /// If the game has no such match.
    pub fn new<G: LockstepGame>(session: u64, players: u8, options: &G::Options) -> Result<Self, TermsError> {
        let state =
            G::initial_state(options, players).map_err(|error| TermsError::Game(error.to_string()))?;
        let options = bincode::serde::encode_to_vec(options, bincode::config::standard())
            .map_err(|error| TermsError::Options(error.to_string()))?;
        let rate = state.world().limits().tick_rate;
        let game = GameId::of::<G>();
        Self { session, game, players, delay: 4, last_tick: LAST_TICK_MAX, rate, options }.checked()
    }

    /// The terms, if their numbers are in range.
    ///
    /// # Errors
    ///
    /// Names the field, its value and its range.
    pub fn checked(self) -> Result<Self, TermsError> {
        let ranges = [
            ("players", self.players.into(), 1, PLAYERS_MAX.into()),
            ("delay", self.delay.into(), 1, DELAY_MAX.into()),
            ("last_tick", self.last_tick, 1, LAST_TICK_MAX),
            ("rate", self.rate.into(), 0, RATE_MAX.into()),
            ("options.len", self.options.len() as u64, 0, OPTIONS_BYTES_MAX as u64),
            ("game.name.len", self.game.name.len() as u64, 0, NAME_BYTES_MAX as u64),
        ];
        match ranges.into_iter().find(|&(_, value, low, high)| value < low || value > high) {
            Some((field, value, low, high)) => Err(TermsError::Range { field, value, low, high }),
            None => Ok(self),
        }
    }

    /// The options, of a match of this game.
    ///
    /// # Errors
    ///
    /// If it is a match of another game, version or rules, or the bytes are no options.
    pub fn options<G: LockstepGame>(&self) -> Result<G::Options, TermsError> {
        let here = GameId::of::<G>();
        if self.game != here {
            return Err(TermsError::OtherGame { found: self.game.clone(), here });
        }
        let layout = bincode::config::standard().with_limit::<{ 8 * OPTIONS_BYTES_MAX }>();
        let (options, used): (G::Options, usize) = bincode::serde::decode_from_slice(&self.options, layout)
            .map_err(|error| TermsError::Options(error.to_string()))?;
        let rest = self.options.len() - used;
        if rest == 0 { Ok(options) } else { Err(TermsError::Options(format!("{rest} bytes too many"))) }
    }

    /// The state before the first tick, of a match of this game.
    ///
    /// # Errors
    ///
    /// As [`options`](Self::options), and if the game has no such match.
    pub fn initial_state<G: LockstepGame>(&self) -> Result<Session<G>, TermsError> {
        let options = self.options::<G>()?;
        G::initial_state(&options, self.players).map_err(|error| TermsError::Game(error.to_string()))
    }
}
