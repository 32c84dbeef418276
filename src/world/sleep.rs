//! Who sleeps: one byte for each slot of a world in which bodies may sleep, and what is rebuilt from it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Body, BodyId, Kind, State, StateError, World};
use crate::{
    broad::Forest,
    geom::{Aabb, Vec3},
};

/// How a body is to be still, or no longer to be moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Sleep {
    /// Awake, and still for so many ticks; counts up to [`Limits::sleep_after`](super::Limits::sleep_after).
    Awake(u8),
    /// Awake for as long as the game wants it to be: see [`Command::SetSleep`](super::Command::SetSleep).
    Never,
    /// Asleep: no tick moves it, until something wakes it.
    Asleep,
}

impl Sleep {
    /// The most ticks that [`Sleep::Awake`] counts.
    pub const TICKS_MAX: u8 = 250;
    /// What a new body has, and a slot without one.
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
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        match number {
            0..=Self::TICKS_MAX => Ok(Self::Awake(number)),
            Self::NEVER => Ok(Self::Never),
            Self::ASLEEP => Ok(Self::Asleep),
            _ => Err(format!("no sleep has number {number}")),
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

impl World {
    /// Whether a body sleeps, or how long it has been still; `None` where it was removed.
    ///
    /// In a world in which nobody sleeps everybody is [`Sleep::NEW`].
    #[must_use]
    pub fn sleep(&self, id: BodyId) -> Option<Sleep> {
        self.body(id).map(|_| self.state.sleep_of(id.slot))
    }

    /// The bodies that sleep, in the order of their ids.
    pub fn sleepers(&self) -> impl Iterator<Item = BodyId> {
        self.bodies().map(|(id, _)| id).filter(|id| self.state.is_asleep(id.slot))
    }
}

impl World {
    /// Forgets who woke by commands that no tick came after.
    pub(crate) fn forget_woken(&mut self) {
        self.scratch.dormitory.woken.clear();
    }
}

impl State {
    /// Whether bodies fall asleep in this world.
    #[must_use]
    pub const fn has_sleep(&self) -> bool {
        self.limits.sleep_after > 0
    }

    /// Whether and how the body in a slot sleeps.
    #[inline]
    pub(crate) fn sleep_of(&self, slot: u32) -> Sleep {
        self.sleep.get(slot as usize).copied().unwrap_or(Sleep::NEW)
    }

    #[inline]
    pub(crate) fn is_asleep(&self, slot: u32) -> bool {
        self.sleep_of(slot) == Sleep::Asleep
    }

    /// Changes how a body sleeps, in a world in which bodies do.
    pub(crate) fn set_sleep(&mut self, slot: u32, sleep: Sleep) {
        if let Some(place) = self.sleep.get_mut(slot as usize) {
            *place = sleep;
        }
    }

    /// Takes it that the body in a slot has not been still, if it is awake and counts.
    pub(crate) fn count_anew(&mut self, slot: u32) {
        if let Sleep::Awake(_) = self.sleep_of(slot) {
            self.set_sleep(slot, Sleep::NEW);
        }
    }

    /// Checks that only dynamic bodies at rest sleep, and nobody where sleep is off.
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
        let dynamic = body.filter(|body| body.kind == Kind::Dynamic);
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
    /// Whether it has neither momentum nor angular momentum.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.momentum == Vec3::ZERO && self.spin.is_none_or(|spin| spin.angular_momentum == Vec3::ZERO)
    }
}

/// What is known of those who sleep: it follows from the state.
#[derive(Default, Debug)]
pub struct Dormitory {
    /// The reaches of those who sleep, by their slots, and of some who did; `None` before it is needed.
    pub beds: Option<Forest>,
    /// By slot, who has woken since `beds` were looked at last; and how many have.
    pub risen: Vec<bool>,
    pub risen_count: usize,
    /// Who woke since the last tick ended.
    pub woken: Vec<BodyId>,
    /// Whose sleep the tick under way disturbs, by slot.
    pub disturbed: Vec<u32>,
    /// Whose touching is still to be looked at.
    pub waking: Vec<u32>,
    /// Who was found in a search.
    pub found: Vec<u32>,
    /// By slot, who of those who sleep takes part in the tick under way.
    pub present: Vec<bool>,
    /// By slot, where somebody's way through the tick was expected, and those who sleep there take part.
    pub seen: Vec<Option<Aabb>>,
    /// Whether all of them do.
    pub takes_all: bool,
    /// Whether somebody was left out who might be met.
    pub missed: bool,
    /// How many were looked at in this tick to see who might be.
    pub looks: u64,
}

impl Dormitory {
    /// Forgets where they lie: it is looked at anew when it is needed.
    pub fn forget_beds(&mut self) {
        self.beds = None;
        self.risen.clear();
        self.risen_count = 0;
    }

    /// Forgets what was known of another state.
    pub fn reset(&mut self) {
        self.forget_beds();
        self.woken.clear();
        self.disturbed.clear();
    }
}
