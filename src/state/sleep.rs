//! The sleep state: one byte for each slot of a world with sleep, and everything that is rebuilt from it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Body, BodyType, State, StateError};
use crate::geom::Vec3;

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

impl State {
    /// True if bodies fall asleep in this world.
    #[must_use]
    pub const fn has_sleep(&self) -> bool {
        self.limits.sleep_after > 0
    }

    /// The sleep state of the body in a slot.
    #[inline]
    pub(crate) fn sleep_of(&self, slot: u32) -> Sleep {
        self.sleep.get(slot as usize).copied().unwrap_or(Sleep::NEW)
    }

    #[inline]
    pub(crate) fn is_asleep(&self, slot: u32) -> bool {
        self.sleep_of(slot) == Sleep::Asleep
    }

    /// Changes the sleep state of a body, in a world with sleep.
    pub(crate) fn set_sleep(&mut self, slot: u32, sleep: Sleep) {
        if let Some(place) = self.sleep.get_mut(slot as usize) {
            *place = sleep;
        }
    }

    /// Resets the count of resting ticks of the body in a slot, if it is awake and may sleep.
    pub(crate) fn count_anew(&mut self, slot: u32) {
        if let Sleep::Awake(_) = self.sleep_of(slot) {
            self.set_sleep(slot, Sleep::NEW);
        }
    }

    /// Checks that only dynamic bodies at rest sleep, and none in a world without sleep.
    pub(super) fn check_sleep(&self) -> Result<(), StateError> {
        let places = if self.has_sleep() { self.slots.len() } else { 0 };
        if self.sleep.len() != places {
            let reason = "there is one for each slot, and none where sleep_after is 0";
            return Err(StateError::impossible("sleep", reason));
        }
        for (index, (slot, &sleep)) in self.slots.iter().zip(&self.sleep).enumerate() {
            if let Err(reason) = self.check_sleep_of(slot.body.as_ref(), sleep) {
                return Err(StateError::impossible(&format!("sleep[{index}]"), reason));
            }
        }
        Ok(())
    }

    fn check_sleep_of(&self, body: Option<&Body>, sleep: Sleep) -> Result<(), &'static str> {
        let dynamic = body.filter(|body| body.body_type == BodyType::Dynamic);
        match (sleep, dynamic) {
            (Sleep::NEW, _) | (Sleep::Never, Some(_)) => Ok(()),
            (Sleep::Awake(ticks), Some(_)) if ticks <= self.limits.sleep_after => Ok(()),
            (Sleep::Awake(_), Some(_)) => Err("no body counts further than sleep_after"),
            (Sleep::Asleep, Some(body)) if body.frozen > 0 => Err("a body that is frozen does not sleep"),
            (Sleep::Asleep, Some(body)) if body.is_at_rest() => Ok(()),
            (Sleep::Asleep, Some(_)) => Err("a body that sleeps has no momentum"),
            (_, None) => Err("only a dynamic body sleeps, or never does"),
        }
    }
}

impl Body {
    /// True if the body has neither momentum nor angular momentum.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.momentum == Vec3::ZERO && self.spin.is_none_or(|spin| spin.angular_momentum == Vec3::ZERO)
    }
}
