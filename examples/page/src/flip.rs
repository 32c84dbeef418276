//! Fault injection: a number of one peer's state that is changed, until the other can see it.
//!
//! Not every tick takes it: a held body has no momentum to change, and a change in the midst of a tick may be
//! undone by its end. Then it is tried again in a later tick.

use bitstep::session::{Injection, InjectionError, InjectionOutcome};

/// A peer in which a number can be put wrong.
pub trait Injected {
    /// The last tick that was played.
    fn tick(&self) -> u64;
    /// The last tick that is final.
    fn confirmed(&self) -> u64;
    /// The last tick up to which every tick was compared with the other.
    fn compared(&self) -> u64;
    /// True if a desync was found.
    fn has_found(&self) -> bool;
    /// Changes a number from the next tick on.
    fn inject(&mut self, injection: Injection);
    /// The outcome of that.
    fn injection_outcome(&self) -> Option<InjectionOutcome>;
}

/// Number of ticks in which it is tried.
const TRIES: u32 = 600;

/// The change, and its outcome.
#[derive(Clone, Debug)]
pub struct Flip {
    /// Body and field, or path, and the phase.
    place: String,
    /// The tick in which it is tried.
    tick: u64,
    tries: u32,
    /// The reason why it had no effect in the last tick.
    why: String,
    is_over: bool,
}

impl Flip {
    /// Changes a number on a side, from its next tick on.
    ///
    /// # Errors
    ///
    /// If the text names no place.
    pub fn begin(side: &mut impl Injected, place: &str) -> Result<Self, InjectionError> {
        let mut flip =
            Self { place: place.to_owned(), tick: 0, tries: 0, why: String::new(), is_over: false };
        flip.give(side)?;
        Ok(flip)
    }

    /// Checks the outcome, and tries again if there was no effect.
    pub fn watch(&mut self, side: &mut impl Injected) {
        let is_seen = side.has_found();
        if self.is_over || is_seen || side.confirmed() < self.tick {
            return;
        }
        match side.injection_outcome() {
            Some(InjectionOutcome::Given { .. }) if side.compared() < self.tick => return,
            Some(outcome @ InjectionOutcome::Given { .. }) => {
                self.why = format!("{outcome}, and the rest of the tick made it good");
            }
            Some(InjectionOutcome::Failed(error)) => self.why = error.to_string(),
            None => return,
        }
        self.is_over = self.tries >= TRIES || self.give(side).is_err();
    }

    /// True if it is still tried: it was neither found nor given up.
    #[must_use]
    pub fn is_pending(&self, side: &impl Injected) -> bool {
        !self.is_over && !side.has_found()
    }

    /// The status, in words.
    #[must_use]
    pub fn words(&self, side: &impl Injected) -> String {
        match side.injection_outcome() {
            Some(outcome @ InjectionOutcome::Given { .. }) => format!("tick {}, {outcome}", self.tick),
            _ if self.is_over => format!("given up after {} ticks: {}", self.tries, self.why),
            _ => format!(
                "waits for tick {}{}{}",
                self.tick,
                if self.why.is_empty() { "" } else { ": " },
                self.why
            ),
        }
    }

    fn give(&mut self, side: &mut impl Injected) -> Result<(), InjectionError> {
        self.tick = side.tick() + 1;
        self.tries += 1;
        let injection: Injection = format!("{}:{}", self.tick, self.place).parse()?;
        side.inject(injection);
        Ok(())
    }
}
