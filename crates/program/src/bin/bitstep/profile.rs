//! `run --profile`: the time of a tick by its phases.

use std::time::Duration;

use anyhow::Result;
use bitstep_program::{
    laps::{PARTS, Parts},
    output::{Screen, count, duration},
};
use serde_json::{Value, json};

/// The time of the parts of ticks.
#[derive(Default)]
pub struct Profile {
    all: Parts<Duration>,
    ticks: u32,
    /// The longest tick.
    worst: (u64, Parts<Duration>),
}

impl Profile {
    /// Adds the tick of this number.
    pub fn add(&mut self, number: u64, tick: Parts<Duration>) {
        self.ticks += 1;
        self.all.iter_mut().zip(tick).for_each(|(all, time)| *all += time);
        if tick.iter().sum::<Duration>() > self.worst.1.iter().sum() {
            self.worst = (number, tick);
        }
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
        let longest = (0..PARTS.len()).max_by_key(|part| parts[*part]).unwrap_or(0);
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

/// A part of a time in percent, rounded down.
fn percent(part: Duration, all: &Parts<Duration>) -> u128 {
    part.as_nanos() * 100 / all.iter().sum::<Duration>().as_nanos().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_added_and_the_longest_is_known() {
        let mut profile = Profile::default();
        for (number, millis) in [(1, 2), (2, 5), (3, 4)] {
            profile.add(number, [millis; 6].map(Duration::from_millis));
        }
        assert_eq!((profile.ticks, profile.all), (3, [11; 6].map(Duration::from_millis)));
        assert_eq!(profile.worst, (2, [5; 6].map(Duration::from_millis)));
    }

    #[test]
    fn shares_are_of_the_sum() {
        let times = [1, 2, 3, 0, 0, 4].map(Duration::from_millis);
        assert_eq!(times.map(|time| percent(time, &times)), [10, 20, 30, 0, 0, 40]);
        assert_eq!(percent(Duration::ZERO, &[Duration::ZERO; 6]), 0);
    }
}
