//! The settings of a client.

use std::{fmt, io, time::Duration};

use bitstep::session::TickLog;

/// The end of a recording that is written; `Send`, so that a client may be given to a thread.
pub type Writer = Box<dyn io::Write + Send>;

/// A part of a match that is recorded: a state that is replaced begins another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The tick before its first.
    pub tick: u64,
    /// False for the first ticks of the match, and of one that goes on from a saved one; true where the player came late or took
    /// another state.
    pub is_late: bool,
}

/// The settings of a client. The default asks for any seat and records nothing.
pub struct Setup {
    /// The seat, from 0; `None` for any.
    pub seat: Option<u8>,
    /// The ticket, of a relay that asks for one: at most 256 bytes.
    pub ticket: Vec<u8>,
    /// True if a desync is healed: the player whose state is wrong takes another's, and the match goes on.
    pub resync: bool,
    /// True if ticks list events and impulses. A game that [needs](bitstep::session::Game::EVENTS) them has them anyway.
    pub events: bool,
    /// The log of each tick; off by default. With hashes of its phases ([`TickLog::sums`]) a desync report names the phase even where
    /// the tick, played again, comes out differently. With the library's feature `trace` a log can carry an injection, to test
    /// that a desync is found.
    pub log: TickLog,
    /// Opens the recording of a part of the match.
    pub record: Option<Box<dyn FnMut(Part) -> io::Result<Writer> + Send>>,
    /// Longest silence of the relay in a match: 30 seconds by default. A relay says something at every tick, or every five seconds
    /// for which player all wait. For the reports of a desync at most four seconds pass without news.
    pub patience: Duration,
    /// Longest wait for the match to begin: 60 seconds by default.
    pub wait: Duration,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            seat: None,
            ticket: Vec::new(),
            resync: false,
            events: false,
            log: TickLog::off(),
            record: None,
            patience: Duration::from_secs(30),
            wait: Duration::from_secs(60),
        }
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup")
            .field("seat", &self.seat)
            .field("resync", &self.resync)
            .finish_non_exhaustive()
    }
}
