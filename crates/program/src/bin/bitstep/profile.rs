//! `run --profile`: the time of a tick by its phases.

use std::time::Duration;

use anyhow::Result;
use bitstep::tick::{Phase, Probe, View};
use bitstep_program::{
    output::{Screen, count, duration},
    progress::Watch,
};
use serde_json::{Value, json};

/// The names of the parts of a tick: its phases, and what comes behind the last one.
const PARTS: [&str; 6] = ["apply", "integrate", "rest", "impacts", "finish", "report"];

/// A stopwatch for the parts of ticks.
pub struct Profile {
    lap: Watch,
    /// The tick that is under way, and all before.
    tick: [Duration; 6],
    all: [Duration; 6],
    ticks: u32,
    /// The longest tick.
    worst: (u64, [Duration; 6]),
}

impl Profile {
    pub fn new() -> Self {
        let none = [Duration::ZERO; 6];
        Self { lap: Watch::start(), tick: none, all: none, ticks: 0, worst: (0, none) }
    }

    /// Starts a tick.
    pub fn begin(&mut self) {
        self.tick = [Duration::ZERO; 6];
        self.lap = Watch::start();
    }

    /// Ends the tick of this number.
    pub fn end(&mut self, number: u64) {
        self.add(5);
        self.ticks += 1;
        self.all.iter_mut().zip(self.tick).for_each(|(all, time)| *all += time);
        if self.tick.iter().sum::<Duration>() > self.worst.1.iter().sum() {
            self.worst = (number, self.tick);
        }
    }

    fn add(&mut self, part: usize) {
        self.tick[part] += self.lap.time();
        self.lap = Watch::start();
    }

    /// Prints the time of each part in the mean, and the longest tick.
    pub fn show(&self, screen: &mut Screen) -> Result<()> {
        let mut label = "profile";
        for (part, time) in PARTS.iter().zip(self.all) {
            let mean = duration(time / self.ticks.max(1));
            screen
                .fact(label, format!("{part:<10} {mean:>12} per tick {:>4} %", percent(time, &self.all)))?;
            label = "";
        }
        let (tick, parts) = &self.worst;
        let longest = (0..6).max_by_key(|part| parts[*part]).unwrap_or(0);
        let (time, share) = (duration(parts.iter().sum()), percent(parts[longest], parts));
        screen.fact("", format!("longest tick {}: {time}, {} {share} %", count(*tick), PARTS[longest]))
    }

    /// Nanoseconds of all ticks by part, and the longest tick.
    pub fn to_json(&self) -> Value {
        let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let parts = PARTS.iter().zip(self.all).map(|(part, time)| ((*part).to_owned(), nanos(time).into()));
        let longest = json!({ "tick": self.worst.0, "nanos": nanos(self.worst.1.iter().sum()) });
        json!({ "nanos": parts.collect::<serde_json::Map<_, _>>(), "longest": longest })
    }
}

impl Probe for Profile {
    fn after(&mut self, phase: Phase, _: &View<'_>) {
        self.add(phase as usize);
    }
}

/// A part of a time in percent, rounded down.
fn percent(part: Duration, all: &[Duration; 6]) -> u128 {
    part.as_nanos() * 100 / all.iter().sum::<Duration>().as_nanos().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_of_the_phases() {
        for (index, phase) in Phase::ALL.into_iter().enumerate() {
            assert_eq!((phase as usize, PARTS[index]), (index, phase.name()));
        }
    }

    #[test]
    fn parts_do_not_overlap() {
        let (whole, mut profile) = (Watch::start(), Profile::new());
        profile.begin();
        for part in 0..5 {
            std::thread::sleep(Duration::from_millis(2));
            profile.add(part);
        }
        profile.end(7);
        let sum: Duration = profile.all.iter().sum();
        assert!(sum >= Duration::from_millis(10) && sum <= whole.time(), "{sum:?}");
        assert_eq!((profile.worst.0, profile.worst.1), (7, profile.all));
    }

    #[test]
    fn shares_are_of_the_sum() {
        let times = [1, 2, 3, 0, 0, 4].map(Duration::from_millis);
        assert_eq!(times.map(|time| percent(time, &times)), [10, 20, 30, 0, 0, 40]);
        assert_eq!(percent(Duration::ZERO, &[Duration::ZERO; 6]), 0);
    }
}
