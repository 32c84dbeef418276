//! The end of a match.

use std::{fmt, time::Duration};

use bitstep::session::Session;

use super::{ClientEvent, Dispute};
use crate::LockstepGame;

/// The end of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All ticks were played.
    Finished,
    /// A tick came out differently.
    Desync,
    /// The relay ended it before its last tick: another player has found a desync, or all others are gone.
    Early,
    /// The player here has left.
    Left,
    /// The relay closed the connection, with a reason.
    Refused(String),
    /// The connection is lost.
    Lost(String),
    /// Nothing arrived from the relay for so long.
    Silent(Duration),
    /// The relay sends what none does.
    Broken(String),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => f.write_str("the match was played to its end"),
            Self::Desync => f.write_str("DESYNC"),
            Self::Early => f.write_str("the match was ended before its last tick"),
            Self::Left => f.write_str("the player has left"),
            Self::Refused(reason) => write!(f, "the relay lets this player go: {reason}"),
            Self::Lost(reason) => write!(f, "the connection to the relay is lost: {reason}"),
            Self::Silent(time) => write!(f, "nothing came from the relay for {} ms", time.as_millis()),
            Self::Broken(reason) => write!(f, "the relay sends what none does: {reason}"),
        }
    }
}

/// The result of a match that has ended.
#[derive(Debug)]
pub struct Outcome<G: LockstepGame> {
    /// The end.
    pub ending: Ending,
    /// The seat, if there was one.
    pub seat: Option<u8>,
    /// The ticks that came out differently, by seat.
    pub disputes: Vec<(u8, Dispute)>,
    /// The last tick up to which every tick was compared with all players that were here at the end.
    pub compared: Option<u64>,
    /// The state after the last tick that was played.
    pub state: Option<Session<G>>,
    /// The events that were not read.
    pub events: Vec<ClientEvent>,
}
