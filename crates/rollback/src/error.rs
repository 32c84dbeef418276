//! The errors of a match.

use std::io;

use bitstep::{peer::PeerError, session::SessionError};
use ggrs::GgrsError;

/// The reason why a match cannot begin or go on.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum RollbackError {
    /// A state is not kept that ggrs or a confirmed tick needs.
    #[error(transparent)]
    State(#[from] SessionError),
    /// The settings of the comparison are refused, or a tick was not the next one.
    #[error(transparent)]
    Peer(#[from] PeerError),
    /// ggrs refuses the setup, or an input.
    #[error("ggrs: {0}")]
    Ggrs(GgrsError),
    /// A match has no player here, no other side, more than 255 players, too long a delay, or a spectator's address twice.
    #[error("setup: {0}")]
    Setup(&'static str),
    /// The number of inputs is not that of the players here.
    #[error("{given} inputs for {players} players on this side")]
    Inputs {
        /// The number of inputs.
        given: usize,
        /// The number of players.
        players: usize,
    },
    /// ggrs asks for another frame than the due one.
    #[error("ggrs asks for frame {asked}, frame {due} is due")]
    Frame {
        /// The frame of the state here.
        due: u64,
        /// The frame that it asks for.
        asked: i32,
    },
    /// ggrs takes back a tick that was confirmed, which no honest side makes it do.
    #[error("tick {tick} was confirmed, and ggrs takes back all behind tick {to}")]
    Confirmed {
        /// The last tick that was confirmed.
        tick: u64,
        /// The tick behind which everything is taken back.
        to: u64,
    },
    /// The recording cannot be written.
    #[error("recording: {0}")]
    Recording(#[from] io::Error),
}

impl From<GgrsError> for RollbackError {
    fn from(error: GgrsError) -> Self {
        Self::Ggrs(error)
    }
}
