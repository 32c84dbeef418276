//! The player of a side.

use bitstep::{num::Rng, session::Session};
use fight::{Fight, Input, script::Mind};

/// One player.
#[derive(Clone, Debug)]
pub enum Player {
    /// One column of a script.
    Script(Vec<Input>),
    /// The mind that writes scripts; it decides by the predictions of its own side.
    Mind {
        /// Its state.
        mind: Mind,
        /// The seed of its draws.
        seed: u64,
    },
    /// A person, who holds these keys.
    Person(Input),
}

impl Player {
    /// A mind in its initial state.
    #[must_use]
    pub fn mind(seed: u64) -> Self {
        Self::Mind { mind: Mind::default(), seed }
    }

    /// The keys for the tick behind this state.
    pub fn keys(&mut self, state: &Session<Fight>, player: usize, tick: u64) -> Input {
        match self {
            Self::Script(column) => column.get(tick as usize - 1).copied().unwrap_or_default(),
            Self::Mind { mind, seed } => {
                mind.think(state, player, Rng::new(*seed).at(1, player as u64, tick))
            }
            Self::Person(keys) => *keys,
        }
    }
}
