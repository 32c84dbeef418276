//! What a match has to know of the game.

use std::error::Error;

use bitstep::session::Session;
use bitstep_lockstep::LockstepGame;
use serde::{Deserialize, Serialize};

use super::{Issued, Order, Rts, initial_state};

/// What a match begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Army {
    /// The seed of the game, and of the script that all play by.
    pub seed: u64,
    /// Number of units that each player begins with.
    pub units: u16,
}

impl LockstepGame for Rts {
    type Options = Army;
    type Order = Order;
    const VERSION: u32 = 1;

    fn initial_state(
        &Army { seed, units }: &Army,
        players: u8,
    ) -> Result<Session<Self>, Box<dyn Error + Send + Sync>> {
        initial_state(seed, players, units).map_err(|error| error.to_string().into())
    }

    fn input(player: u8, order: Order) -> Issued {
        Issued { player, order }
    }
}
