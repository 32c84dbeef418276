//! The setup of a side.

use std::{fmt, io::Write, time::Duration};

use bitstep::session::TickLog;

use crate::{Address, RollbackError, rollback::WINDOW};

/// The largest delay of inputs.
const DELAY_MAX: u32 = 60;

/// The largest number of players.
const PLAYERS_MAX: usize = 255;

/// A player of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player<A> {
    /// On this side.
    Local,
    /// On the side at an address.
    Remote(A),
}

/// The setup of one side of a match. [`new`](Self::new) has defaults for all but the number of the match and the players.
pub struct Setup<A> {
    /// The number of this match, the same on all sides and another one for each match, also between the same addresses: datagrams
    /// of another match are refused.
    pub session: u64,
    /// The players, in the order of their inputs. One or several may be on a side, also on this one.
    pub players: Vec<Player<A>>,
    /// The addresses of spectators, to which this side sends the inputs of all confirmed ticks. They have no say: the match neither
    /// waits for them nor ends with them, so this side goes on with [`frame`](super::Match::frame) for as long as they are to
    /// see the end.
    pub spectators: Vec<A>,
    /// Number of ticks between an input and its effect, up to 60: fewer rollbacks, and a slower game. 0 by default. So many ticks at the
    /// beginning, and after a side is gone, are played with the default input.
    pub input_delay: u32,
    /// Frames per second, by which ggrs measures which side is ahead; for 0, the default, the tick rate of the world.
    pub frame_rate: u32,
    /// The tick after which the match ends, the same on all sides; by default `u64::MAX`: players leave, or a
    /// [rule](super::Match::ends_when) ends it.
    pub last_tick: u64,
    /// Longest silence of another side: 5 seconds by default. The longest time without a confirmed tick is twice that.
    pub patience: Duration,
    /// Longest time until all sides are there, at the beginning and when they go on without one: 60 seconds by default.
    pub wait: Duration,
    /// True if ticks list events and impulses, for [`Match::changes`](super::Match::changes) and reports. A game that
    /// [needs](bitstep::session::Game::EVENTS) them has them anyway.
    pub events: bool,
    /// The log of each tick: hashes of its phases, by default. A desync report then names the phase even where the
    /// tick, played again, comes out differently; it costs as much as the tick. With the library's feature `trace` a log can
    /// carry an injection, to test that a desync is found.
    pub log: TickLog,
    /// The recording of the confirmed ticks.
    pub recording: Option<Box<dyn Write>>,
}

impl<A> Setup<A> {
    /// A match of players, with defaults for all else.
    #[must_use]
    pub fn new(session: u64, players: impl Into<Vec<Player<A>>>) -> Self {
        Self {
            session,
            players: players.into(),
            spectators: Vec::new(),
            input_delay: 0,
            frame_rate: 0,
            last_tick: u64::MAX,
            patience: Duration::from_secs(5),
            wait: Duration::from_secs(60),
            events: false,
            log: TickLog::sums(),
            recording: None,
        }
    }
}

impl<A: Address> Setup<A> {
    /// Checks what ggrs does not.
    pub(super) fn check(&self) -> Result<(), RollbackError> {
        let remotes = || self.players.iter().filter_map(|player| player.address());
        let twice = |address: &A| self.spectators.iter().filter(|other| *other == address).count() > 1;
        let error = if !self.players.iter().any(|player| player.address().is_none()) {
            "no player is on this side"
        } else if self.players.len() > PLAYERS_MAX {
            "there are more than 255 players"
        } else if self.input_delay > DELAY_MAX {
            "inputs are delayed by more than 60 ticks"
        } else if remotes().next().is_none() {
            "no player is on another side"
        } else if remotes().any(|address| self.spectators.contains(address)) {
            "an address is that of a player and of a spectator"
        } else if self.spectators.iter().any(twice) {
            "an address is that of two spectators"
        } else {
            return Ok(());
        };
        Err(RollbackError::Setup(error))
    }

    /// The sides of players in the order of their first players, with that player; no address is this side.
    pub(super) fn sides(&self) -> Vec<(Option<&A>, usize)> {
        let mut sides: Vec<(Option<&A>, usize)> = Vec::new();
        for (number, player) in self.players.iter().enumerate() {
            if sides.iter().all(|side| side.0 != player.address()) {
                sides.push((player.address(), number));
            }
        }
        sides
    }

    /// Number of states that are kept.
    ///
    /// A tick is played ahead of what all have played by what is predicted here and on another side, and by what is on its way; with
    /// two sides by what is predicted here.
    pub(super) fn states(&self) -> u32 {
        let windows = if self.sides().len() > 2 { 3 } else { 1 };
        windows * WINDOW as u32 + self.input_delay + 4
    }
}

impl<A> Player<A> {
    /// The address of another side's player.
    pub(super) const fn address(&self) -> Option<&A> {
        match self {
            Self::Local => None,
            Self::Remote(address) => Some(address),
        }
    }
}

impl<A: fmt::Debug> fmt::Debug for Setup<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup")
            .field("session", &self.session)
            .field("players", &self.players)
            .field("spectators", &self.spectators)
            .field("last_tick", &self.last_tick)
            .finish_non_exhaustive()
    }
}
