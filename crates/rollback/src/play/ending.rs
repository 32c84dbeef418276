//! The end of a match.

use std::{fmt, time::Duration};

use bitstep::session::{Simulation, TickLog};

use super::{
    Match,
    sides::{Presence, Side},
};
use crate::{Address, Counts, PlayerInput, Stats};

/// The end of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All ticks were played, and are the same on all sides that were compared.
    Finished,
    /// The players here have left.
    Left,
    /// All other players have left or are gone.
    OthersLeft,
    /// Nothing came from any other side for too long.
    OthersVanished,
    /// The other players go on without this side: one of them has heard nothing of it for too long.
    Dropped,
    /// Other sides answer, but no tick was confirmed for so long.
    Stalled(Duration),
    /// ggrs cannot go on with what another side sends.
    Broken(String),
    /// A tick came out differently on two sides, or another side plays something else: then the tick is 0. The two sides have the
    /// findings among their [events](super::Match::events).
    Desync(u64),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => f.write_str("every tick is the same on all sides"),
            Self::Left => f.write_str("you have left"),
            Self::OthersLeft => f.write_str("all other players have left"),
            Self::OthersVanished => f.write_str("all other players are gone: nothing is heard of them"),
            Self::Dropped => {
                f.write_str("the other players go on without you: one has heard nothing for too long")
            }
            Self::Stalled(time) => {
                write!(f, "the other players answer, but have not gone on for {} ms", time.as_millis())
            }
            Self::Broken(words) => write!(f, "another side sends what no player does: {words}"),
            Self::Desync(0) => f.write_str("another side plays something else"),
            Self::Desync(tick) => write!(f, "desync in tick {tick}"),
        }
    }
}

/// The result of a match.
#[derive(Debug)]
pub struct Outcome<S: Simulation> {
    /// The end.
    pub ending: Ending,
    /// The state after the last tick that was confirmed.
    pub state: S,
    /// The number of that tick.
    pub tick: u64,
    /// The last tick up to which all ticks were compared with the neighbouring sides that are still there.
    pub compared: u64,
    /// The statistics of rollbacks.
    pub stats: Stats,
    /// The statistics of the link.
    pub counts: Counts,
    /// The log of the tick that was played last.
    pub log: TickLog,
}

impl<S: Simulation, A: Address> Match<S, A>
where
    S::Input: PlayerInput,
{
    /// The end, if it has come.
    pub(super) fn find_ending(&self) -> Option<Ending> {
        if let Some(words) = self.session.broken() {
            return Some(Ending::Broken(words.to_owned()));
        }
        let verdict = || self.desync().map_or(Ending::Finished, Ending::Desync);
        let exchange = self.exchange.borrow();
        let is_over = |side: &Side<A>| {
            let theirs = exchange.progress(&side.address);
            theirs.is_done && theirs.has_heard
        };
        let mut there = self.sides.iter().filter(|side| side.is_player && side.is_there());
        if self.said.is_done && there.all(is_over) {
            return Some(verdict());
        }
        // A side that has everything needs nothing more of the others.
        let or_verdict = |ending| Some(if self.said.is_done { verdict() } else { ending });
        let players = || self.sides.iter().filter(|side| side.is_player);
        if players().all(|side| !side.is_there()) {
            let has_left = players().any(|side| side.presence == Presence::Left);
            return or_verdict(if has_left { Ending::OthersLeft } else { Ending::OthersVanished });
        }
        if self.is_dropped() {
            return or_verdict(Ending::Dropped);
        }
        let still = self.moved.elapsed();
        // Until a session has its first tick, sides may still find each other.
        let patience = if self.confirmed() > self.began { 2 * self.terms.patience } else { self.wait };
        if still > patience { or_verdict(Ending::Stalled(still)) } else { None }
    }
}
