//! Two scripted players: they look at each other, and change their minds a few times a second.
//!
//! A script is played once from the initial state, by itself. A match over a network takes one player's column of
//! it, and so every run of a seed has the same end.

use std::error::Error;

use bitstep::{
    num::{Draws, Rng, lit},
    session::Session,
    tick::TickReport,
};

use crate::{Doing, Fight, Input, initial_state};

/// The inputs of both players, tick by tick, and the end state.
#[derive(Clone, Debug)]
pub struct Script {
    /// The inputs of each tick.
    pub inputs: Vec<[Input; 2]>,
    /// The state after the last tick.
    pub end: Session<Fight>,
}

/// One player's mind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mind {
    keys: Input,
    left: u64,
}

/// Plays some ticks by a seed.
///
/// # Errors
///
/// If there is no initial state, as [`initial_state`].
pub fn script(seed: u64, ticks: u64) -> Result<Script, Box<dyn Error>> {
    let mut end = initial_state()?;
    let (mut minds, mut report) = ([Mind::default(); 2], TickReport::default());
    let mut inputs = Vec::new();
    for tick in 1..=ticks {
        let keys = [0, 1].map(|player: usize| {
            let draws = Rng::new(seed).at(0, player as u64, tick);
            minds[player].think(&end, player, draws)
        });
        end.tick(&keys, &mut report);
        inputs.push(keys);
    }
    Ok(Script { inputs, end })
}

impl Mind {
    /// Its next keys, from the positions of both. Draws decide: in a script they are keyed by seed, player
    /// and tick.
    pub fn think(&mut self, session: &Session<Fight>, player: usize, mut draws: Draws) -> Input {
        // A key is released before it is pressed.
        let pressed = Input(self.keys.0 & !(Input::LEFT.0 | Input::RIGHT.0 | Input::BLOCK.0));
        self.keys = self.keys.without(pressed);
        if self.left > 0 {
            self.left -= 1;
            return self.keys;
        }
        self.left = 2 + draws.below(9);
        let fighters = &session.game().fighters;
        let place = |player: usize| session.world().body(fighters[player].body).map(|body| body.position);
        let (Some(here), Some(there)) = (place(player), place(1 - player)) else { return Input::NONE };
        let toward = if here.x < there.x { Input::RIGHT } else { Input::LEFT };
        let above = here.y - there.y;
        let is_near = (there.x - here.x).abs() < lit("1.7") && above.abs() < lit("1.2");
        let is_in_danger = !matches!(fighters[1 - player].doing, Doing::Free | Doing::Block | Doing::Hurt);
        self.keys = match draws.below(16) {
            0 | 1 if is_near => Input::THROW,
            2..=5 if is_near => Input::PUNCH,
            6..=8 if is_near => Input::KICK,
            9..=12 if is_near && is_in_danger => Input::BLOCK,
            0 | 1 => Input::FIRE,
            2 => toward.and(Input::JUMP),
            3 => toward.mirrored(),
            4 => toward.mirrored().and(Input::JUMP),
            5 => Input::NONE,
            // Down from the platform, to the other's place.
            _ if above > lit("1.5") => {
                if here.x < 0 {
                    Input::LEFT
                } else {
                    Input::RIGHT
                }
            }
            _ => toward,
        };
        self.keys
    }
}
