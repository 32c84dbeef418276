//! What a match has to know of a game beside its rules.

use std::{error::Error, fmt::Debug};

use bitstep::session::{Game, Session};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// A game that is played in lockstep: orders of players become inputs of ticks.
///
/// Every function must give the same on every machine.
pub trait LockstepGame: Game {
    /// The beginning of a match, such as a seed and a map; no element of a list in it may take no bytes. The relay hands it to every
    /// player.
    type Options: Clone + Debug + Serialize + DeserializeOwned;

    /// An act of a player in a turn; no element of a list in it may take no bytes. Orders come from other machines: the rules must check in their own state that a unit
    /// exists, and that it is the player's.
    type Order: Serialize + DeserializeOwned;

    /// The version of the rules, to be raised with every change of them. Players and saved matches of other versions are
    /// refused.
    const VERSION: u32;

    /// The state before the first tick.
    ///
    /// # Errors
    ///
    /// Why there is no such match. A client gets options from its relay, so any value may come.
    fn initial_state(
        options: &Self::Options,
        players: u8,
    ) -> Result<Session<Self>, Box<dyn Error + Send + Sync>>;

    /// An order of a player, from 0, as an input of a tick. A tick has the inputs of all players, by player.
    fn input(player: u8, order: Self::Order) -> Self::Input;

    /// The input by which the rules learn that a player comes or leaves, before the orders of that tick; `None`, the default,
    /// for a game that needs not know. A match begins without it: all are taken to be here. One that is loaded tells
    /// of every player, since others may have been here when it was saved.
    fn presence(_player: u8, _is_here: bool) -> Option<Self::Input> {
        None
    }
}

/// A game's name, its version, and the library's rules: what must be the same to play one match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameId {
    /// [`Game::NAME`].
    pub name: String,
    /// [`LockstepGame::VERSION`].
    pub version: u32,
    /// [`bitstep::snapshot::RULES_VERSION`].
    pub rules: u32,
}

impl GameId {
    /// The identity of a game in this build.
    #[must_use]
    pub fn of<G: LockstepGame>() -> Self {
        Self { name: G::NAME.to_owned(), version: G::VERSION, rules: bitstep::snapshot::RULES_VERSION }
    }
}

impl std::fmt::Display for GameId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` version {} under rules {}", self.name.escape_debug(), self.version, self.rules)
    }
}
