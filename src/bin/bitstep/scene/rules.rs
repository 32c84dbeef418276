//! Commands on the rules of a body.

use bitstep::world::{BodyId, Command};

use super::leaf::{Fault, Leaf};

/// What a body is told, whoever it is.
#[derive(Clone, Copy, Debug)]
pub enum RuleOrder {
    Freeze { ticks: u16 },
}

impl RuleOrder {
    pub fn freeze(ticks: Leaf<'_>) -> Result<Self, Fault<'_>> {
        Ok(Self::Freeze { ticks: ticks.whole("ticks", 0, u16::MAX.into())? as u16 })
    }

    pub const fn command(self, body: BodyId) -> Command {
        match self {
            Self::Freeze { ticks } => Command::Freeze { body, ticks },
        }
    }
}
