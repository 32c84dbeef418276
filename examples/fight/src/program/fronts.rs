//! The players: a script, or people in a terminal.

use std::error::Error;

use bitstep::{
    session::{Session, Simulation},
    tick::TickReport,
};
use bitstep_rollback::Pace;

use crate::{
    Fight, Input,
    online::{Front, Keys},
    script::script,
    stage::TICK_RATE,
    terminal::{Board, Keyboard, Screen},
};

/// Largest number of ticks of a script.
const SCRIPT_TICKS_MAX: u64 = 1 << 20;

/// A player that plays one column of a script.
#[derive(Debug)]
pub struct Scripted {
    column: Vec<Input>,
}

impl Scripted {
    /// The column of a side of a match of so many ticks.
    pub fn new(seed: u64, ticks: u64, side: usize) -> Result<Self, Box<dyn Error>> {
        if ticks > SCRIPT_TICKS_MAX {
            return Err(format!("frames is {ticks}, must be in 0..={SCRIPT_TICKS_MAX} for a script").into());
        }
        let script = script(seed, ticks)?;
        Ok(Self { column: script.inputs.iter().map(|both| both[side]).collect() })
    }
}

impl Front for Scripted {
    fn keys(&mut self, played: u64) -> Keys {
        let keys = usize::try_from(played).ok().and_then(|tick| self.column.get(tick));
        Keys::Held(keys.copied().unwrap_or_default())
    }

    fn show(&mut self, _: &Session<Fight>, _: &str) {}
}

/// People at a terminal.
#[derive(Debug)]
pub struct People {
    screen: Screen,
    keyboard: Keyboard,
    /// The player whose keys a match over the link asks for.
    player: usize,
    /// The error of the terminal: the players leave then.
    failed: bool,
}

impl People {
    pub fn new(screen: Screen, boards: Vec<(Board, usize)>, player: usize) -> Self {
        let keyboard = Keyboard::new(boards, screen.tells_releases());
        Self { screen, keyboard, player, failed: false }
    }

    /// Plays here alone, until a player leaves, and returns the end.
    pub fn play_here(mut self, mut state: Session<Fight>) -> Result<String, Box<dyn Error>> {
        let (mut pace, mut report) = (Pace::new(TICK_RATE), TickReport::default());
        let line = "A D W S  F punch  G kick  R fire  T throw      arrows  K L I O      Esc leaves";
        loop {
            self.keyboard.read()?;
            let [Keys::Held(left), Keys::Held(right)] = [0, 1].map(|player| self.keyboard.keys(player))
            else {
                return Ok(state.outcome());
            };
            state.tick(&[left, right], &mut report);
            self.screen.show(&state, line)?;
            pace.wait();
        }
    }
}

impl Front for People {
    fn keys(&mut self, _: u64) -> Keys {
        if self.failed || self.keyboard.read().is_err() {
            return Keys::Leave;
        }
        self.keyboard.keys(self.player)
    }

    fn show(&mut self, state: &Session<Fight>, line: &str) {
        self.failed |= self.screen.show(state, line).is_err();
    }
}
