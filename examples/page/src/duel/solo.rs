//! One session alone, for a page that has its own netcode or none: open, tick, save, load, checksum.

use std::{error::Error, fmt::Write as _};

use bitstep::{
    session::{Session, Simulation},
    tick::TickReport,
};
use fight::{Fight, Input, initial_state, script::script};

use crate::duel::SCRIPT_TICKS_MAX;

/// A session and the report of a tick of it.
#[derive(Debug)]
pub struct Solo {
    state: Session<Fight>,
    report: TickReport,
}

impl Solo {
    /// A match at its beginning.
    ///
    /// # Errors
    ///
    /// None, as the tests see; what the library might refuse is passed on.
    pub fn new() -> Result<Self, Box<dyn Error>> {
        Ok(Self { state: initial_state()?, report: TickReport::default() })
    }

    /// The state.
    #[must_use]
    pub const fn state(&self) -> &Session<Fight> {
        &self.state
    }

    /// Plays a tick with the keys of both players.
    pub fn tick(&mut self, keys: [Input; 2]) {
        self.state.tick(&keys, &mut self.report);
    }

    /// The snapshot, on all machines the same.
    pub fn save(&self, bytes: &mut Vec<u8>) {
        self.state.encode_into(bytes);
    }

    /// Continues from a snapshot, which may come from anyone.
    ///
    /// # Errors
    ///
    /// If the bytes are not a snapshot of this game; then the state is unchanged.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
        self.state = Session::decode(bytes, self.state.scenery())?;
        Ok(())
    }

    /// Every number of the state: a line each, path, tab, value.
    #[must_use]
    pub fn fields(&self) -> String {
        fields_of(&self.state)
    }
}

/// Every number of a state: a line each, path, tab, value.
#[must_use]
pub fn fields_of(state: &Session<Fight>) -> String {
    state.fields().iter().fold(String::new(), |mut text, field| {
        let _ = writeln!(text, "{}\t{}", field.path, field.value); // writing to a String cannot fail
        text
    })
}

/// A script without a network: a byte for each player's keys of each tick, and its result in two lines.
///
/// # Errors
///
/// If it has too many ticks.
pub fn straight(seed: u64, ticks: u64) -> Result<(Vec<u8>, String), Box<dyn Error>> {
    if ticks > SCRIPT_TICKS_MAX {
        return Err(format!("ticks is {ticks}, must be in 0..={SCRIPT_TICKS_MAX}").into());
    }
    let played = script(seed, ticks)?;
    let keys = played.inputs.iter().flatten().map(|keys| keys.0).collect();
    Ok((keys, format!("checksum\t{}\noutcome\t{}\n", played.end.checksum(), played.end.outcome())))
}
