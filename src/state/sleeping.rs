//! The sleep states of all bodies.

use super::{Body, BodyType, Sleep, SlotIndex, State, StateError};

impl State {
    /// True if bodies fall asleep in this world.
    #[must_use]
    pub const fn has_sleep(&self) -> bool {
        self.limits.sleep_after > 0
    }

    /// The sleep state of the body in a slot.
    #[inline]
    pub(crate) fn sleep_of(&self, slot: SlotIndex) -> Sleep {
        self.sleep.get(slot.place()).copied().unwrap_or(Sleep::NEW)
    }

    #[inline]
    pub(crate) fn is_asleep(&self, slot: SlotIndex) -> bool {
        self.sleep_of(slot) == Sleep::Asleep
    }

    /// Changes the sleep state of a body, in a world with sleep.
    pub(crate) fn set_sleep(&mut self, slot: SlotIndex, sleep: Sleep) {
        if let Some(place) = self.sleep.get_mut(slot.place()) {
            *place = sleep;
        }
    }

    /// Resets the count of resting ticks of the body in a slot, if it is awake and may sleep.
    pub(crate) fn count_anew(&mut self, slot: SlotIndex) {
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
