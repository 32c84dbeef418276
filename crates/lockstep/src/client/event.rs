//! What a client is told beside its ticks.

use std::{collections::VecDeque, fmt, time::Duration};

use bitstep::peer;

use crate::SavedMatch;

/// Largest number of events that wait to be read: beyond it the oldest are discarded.
const EVENTS_MAX: usize = 4_096;

/// Something that happened to a match. It never changes a state. In words, players count from 1.
#[derive(Clone, PartialEq, Debug)]
pub enum ClientEvent {
    /// The player has a state, and plays from here on.
    Seated {
        /// The seat, from 0.
        seat: u8,
        /// The tick of the state.
        tick: u64,
    },
    /// The player has played all that it had missed, and takes part.
    CaughtUp {
        /// Number of ticks.
        ticks: u64,
        /// The time that they took.
        time: Duration,
    },
    /// A player has come; it takes part behind this tick. Also the player here.
    Joined {
        /// The seat.
        seat: u8,
        /// The tick.
        tick: u64,
    },
    /// A player has left, or is gone.
    Left {
        /// The seat.
        seat: u8,
        /// The tick.
        tick: u64,
    },
    /// All players wait for one.
    Waiting {
        /// The seat.
        seat: u8,
        /// The turn whose orders are missing.
        turn: u64,
    },
    /// Another player was given the state.
    Given,
    /// The state here was wrong, and is given up for another one.
    Resync,
    /// A player's orders are none: they are left out on every machine.
    BadOrders {
        /// The seat.
        seat: u8,
        /// The tick.
        tick: u64,
    },
    /// A finding of the comparison with another player: that ticks are compared, a desync, its reports.
    Compared {
        /// The seat of the other player.
        with: u8,
        /// The finding.
        finding: peer::Event,
    },
    /// The match that was to be saved, with the turns that were under way.
    Saved(Box<SavedMatch>),
}

impl fmt::Display for ClientEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = |seat: &u8| u32::from(*seat) + 1;
        match self {
            Self::Seated { seat, tick } => write!(f, "player {}, behind tick {tick}", player(seat)),
            Self::CaughtUp { ticks, time } => write!(f, "{ticks} ticks caught up in {} ms", time.as_millis()),
            Self::Joined { seat, tick } => write!(f, "player {} takes part behind tick {tick}", player(seat)),
            Self::Left { seat, tick } => write!(f, "player {} has left in tick {tick}", player(seat)),
            Self::Waiting { seat, turn } => write!(f, "all wait for player {} in turn {turn}", player(seat)),
            Self::Given => f.write_str("another player was given the state"),
            Self::Resync => f.write_str("the state here is given up for another one"),
            Self::BadOrders { seat, tick } => {
                write!(f, "the orders of player {} for tick {tick} are none", player(seat))
            }
            Self::Compared { with, finding } => write!(f, "with player {}: {finding}", player(with)),
            Self::Saved(saved) => write!(f, "saved behind tick {}", saved.tick),
        }
    }
}

/// Events that wait to be read.
#[derive(Default, Debug)]
pub struct Events {
    waiting: VecDeque<ClientEvent>,
}

impl Events {
    pub fn push(&mut self, event: ClientEvent) {
        if self.waiting.len() >= EVENTS_MAX {
            self.waiting.pop_front();
        }
        self.waiting.push_back(event);
    }

    pub fn drain(&mut self) -> impl Iterator<Item = ClientEvent> + '_ {
        self.waiting.drain(..)
    }
}
