//! The time of a tick by its parts.

use std::time::Duration;

use bitstep::tick::{Phase, Probe, View};

use super::progress::Watch;

/// The names of the parts of a tick: its phases, and what comes behind the last one.
pub const PARTS: [&str; 6] = ["apply", "integrate", "rest", "impacts", "finish", "report"];

/// A number for each part of a tick.
pub type Parts<T> = [T; PARTS.len()];

/// A stopwatch for the parts of a tick.
pub struct Laps {
    lap: Watch,
    parts: Parts<Duration>,
}

impl Laps {
    /// Starts a tick.
    #[must_use]
    pub fn start() -> Self {
        Self { lap: Watch::start(), parts: Parts::default() }
    }

    /// Ends a phase; its time is added where a tick has it several times.
    pub fn end_phase(&mut self, phase: Phase) {
        self.add(phase as usize);
    }

    /// Ends the tick, and returns the time of each part.
    pub fn end(&mut self) -> Parts<Duration> {
        self.add(PARTS.len() - 1);
        self.parts
    }

    fn add(&mut self, part: usize) {
        self.parts[part] += self.lap.time();
        self.lap = Watch::start();
    }
}

impl Probe for Laps {
    fn after(&mut self, phase: Phase, _: &View<'_>) {
        self.end_phase(phase);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_of_the_phases() {
        for (index, phase) in Phase::ALL.into_iter().enumerate() {
            assert_eq!((phase as usize, PARTS[index]), (index, phase.name()));
        }
        assert_eq!(Phase::ALL.len() + 1, PARTS.len());
    }

    #[test]
    fn parts_do_not_overlap() {
        let (whole, mut laps) = (Watch::start(), Laps::start());
        for phase in Phase::ALL {
            std::thread::sleep(Duration::from_millis(2));
            laps.end_phase(phase);
        }
        let parts = laps.end();
        let sum: Duration = parts.iter().sum();
        assert!(sum >= Duration::from_millis(10) && sum <= whole.time(), "{sum:?}");
        assert!(parts[..5].iter().all(|part| *part >= Duration::from_millis(2)), "{parts:?}");
    }
}
