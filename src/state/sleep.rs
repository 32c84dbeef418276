//! The sleep state of a body: one byte for each slot of a world with sleep.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::StateError;

/// The sleep state of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Sleep {
    /// Awake, and at rest for a number of ticks; counts up to
    /// [`Limits::sleep_after`](super::Limits::sleep_after).
    Awake(u8),
    /// Awake until a command allows sleep: see [`Command::SetSleep`](super::Command::SetSleep).
    Never,
    /// Asleep: no tick moves the body until something wakes it.
    Asleep,
}

impl Sleep {
    /// The largest count of [`Sleep::Awake`].
    pub const TICKS_MAX: u8 = 250;
    /// The sleep state of a new body, and of an empty slot.
    pub const NEW: Self = Self::Awake(0);
    const NEVER: u8 = 254;
    const ASLEEP: u8 = 255;
}

impl From<Sleep> for u8 {
    fn from(sleep: Sleep) -> Self {
        match sleep {
            Sleep::Awake(ticks) => ticks,
            Sleep::Never => Sleep::NEVER,
            Sleep::Asleep => Sleep::ASLEEP,
        }
    }
}

impl TryFrom<u8> for Sleep {
    type Error = StateError;

    fn try_from(number: u8) -> Result<Self, StateError> {
        match number {
            0..=Self::TICKS_MAX => Ok(Self::Awake(number)),
            Self::NEVER => Ok(Self::Never),
            Self::ASLEEP => Ok(Self::Asleep),
            _ => Err(StateError::Number { name: "sleep", number }),
        }
    }
}

impl fmt::Display for Sleep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Awake(ticks) => write!(f, "awake, still for {ticks}"),
            Self::Never => f.write_str("never asleep"),
            Self::Asleep => f.write_str("asleep"),
        }
    }
}
