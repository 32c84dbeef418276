//! One recording: the result of its verification, and its speed.

use std::{path::Path, time::Duration};

use anyhow::Result;

use super::super::{
    Ending,
    hand_over::{Other, other_program},
    output::{count, thousandths},
    progress::{Together, Watch},
    recordings::{read_bytes, read_to_damage},
};
use bitstep::{
    replay::{Damage, Replay, ReplayError, Verdict, rules_version_of, verify},
    session::Simulation,
    snapshot::RULES_VERSION,
};

/// The result of a recording, and its duration, reading included.
pub struct Done {
    pub outcome: Outcome,
    pub time: Duration,
}

/// The result of a recording.
pub enum Outcome {
    Checked(Checked),
    /// The recording has other rules, and a program has them that was not called yet.
    Other(Other),
    Bad(anyhow::Error),
}

/// The result of a recording that could be played.
pub struct Checked {
    pub verdict: Verdict,
    pub damage: Option<Damage>,
    /// None where nothing was played, or where the number of played ticks is not known.
    pub speed: Option<Speed>,
}

impl Checked {
    /// The ending that it implies.
    pub const fn ending(&self) -> Ending {
        match (&self.verdict.divergence, &self.damage) {
            (Some(_), _) => Ending::Diverged,
            (None, Some(_)) => Ending::BadInput,
            (None, None) => Ending::Match,
        }
    }
}

/// The speed of playing and comparing ticks.
#[derive(Clone, Copy)]
pub struct Speed {
    ticks: u64,
    tick_rate: u32,
    nanos: u128,
}

impl Speed {
    fn new(ticks: u64, tick_rate: u32, time: Duration) -> Option<Self> {
        (ticks > 0).then(|| Self { ticks, tick_rate, nanos: time.as_nanos().max(1) })
    }

    /// Rounded down.
    pub fn ticks_per_second(self) -> u128 {
        u128::from(self.ticks) * 1_000_000_000 / self.nanos
    }

    /// The simulated time per elapsed time, in thousandths, rounded down.
    pub fn real_time_thousandths(self) -> u128 {
        u128::from(self.ticks) * 1_000_000_000_000 / (u128::from(self.tick_rate.max(1)) * self.nanos)
    }

    /// `512 times real time`; with decimals below 10.
    pub fn describe(self) -> String {
        let factor = match self.real_time_thousandths() {
            factor @ 0..10_000 => thousandths(factor),
            factor => count(factor / 1_000),
        };
        format!("{factor} times real time")
    }
}

/// Re-simulates a recording; one of other rules goes to its own program if `hand_over` is set.
pub fn done<S: Simulation>(path: &Path, hand_over: bool, progress: &Together) -> Done {
    let watch = Watch::start();
    let outcome = outcome::<S>(path, hand_over, progress).unwrap_or_else(Outcome::Bad);
    Done { outcome, time: watch.time() }
}

fn outcome<S: Simulation>(path: &Path, hand_over: bool, progress: &Together) -> Result<Outcome> {
    let bytes = read_bytes(path)?;
    if let Some(recorded) = rules_version_of(&bytes).ok().filter(|rules| *rules != RULES_VERSION) {
        if let Some(other) = hand_over.then(|| other_program::<S>(recorded)).flatten() {
            return Ok(Outcome::Other(other));
        }
        return Err(
            anyhow::Error::from(ReplayError::OtherRules { recorded }).context(path.display().to_string())
        );
    }
    Ok(Outcome::Checked(check::<S>(path, &bytes, progress)?))
}

fn check<S: Simulation>(path: &Path, bytes: &[u8], progress: &Together) -> Result<Checked> {
    let (replay, damage): (Replay<S>, _) = read_to_damage(path, bytes)?;
    progress.more(replay.ticks().len() as u64);
    let watch = Watch::start();
    let mut verdict = verify(&replay, |_, _| progress.tick())?;
    let time = watch.time();
    let tick_rate = replay.initial_state().world().limits().tick_rate;
    // After a divergence it was played to the next keyframe.
    let known = verdict.divergence.is_none();
    let speed = known.then(|| Speed::new(verdict.ticks, tick_rate, time)).flatten();
    // For a part of a recording, ticks have their original numbers.
    let start = replay.initial_state().tick_count();
    if let Some(divergence) = &mut verdict.divergence {
        divergence.tick += start;
    }
    Ok(Checked { verdict, damage, speed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_ticks_by_time_and_by_their_rate() {
        let of = |ticks, rate, millis| Speed::new(ticks, rate, Duration::from_millis(millis)).unwrap();
        let fast = of(600, 60, 5);
        assert_eq!((fast.ticks_per_second(), fast.real_time_thousandths()), (120_000, 2_000_000));
        assert_eq!(fast.describe(), "2,000 times real time");
        assert_eq!(of(100, 10, 20_000).describe(), "0.500 times real time");
        assert_eq!(of(99_999, 10_000, 1_000).describe(), "9.999 times real time");
        assert_eq!(of(100, 10, 1_000).describe(), "10 times real time");
        assert_eq!(Speed::new(3, 60, Duration::ZERO).unwrap().ticks_per_second(), 3_000_000_000);
        assert!(Speed::new(0, 60, Duration::ZERO).is_none());
    }
}
