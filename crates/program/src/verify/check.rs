//! One recording: the result of its verification, and its speed.

use std::{
    any::Any,
    cell::Cell,
    fs,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    time::Duration,
};

use anyhow::{Context, Result, ensure};

use super::{
    super::{
        Ending,
        found::Found,
        hand_over::{Other, other_program},
        output::{count, thousandths},
        progress::{Together, Watch},
        recordings::read_to_damage,
    },
    identity::Identity,
    limits::Limits,
    resume::{Earlier, Lines},
};
use bitstep::{
    replay::{Damage, Replay, ReplayError, Verdict, rules_version_of, verify_while},
    session::Simulation,
    snapshot::RULES_VERSION,
};

/// The result of a recording, and its duration, reading included.
pub struct Done {
    pub outcome: Outcome,
    pub time: Duration,
    /// `None` where the bytes could not be read, or not all.
    pub identity: Option<Identity>,
}

/// The result of a recording.
pub enum Outcome {
    Checked(Checked),
    /// The recording has other rules, and a program has them that was not called yet.
    Other(Other),
    /// An earlier run verified the same bytes.
    Earlier(Earlier),
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

/// Error: the game's own code panicked as it read or played a recording.
#[derive(Debug, thiserror::Error)]
#[error("panicked {}: {message}", self.place())]
pub struct Panicked {
    /// The last tick that was played; `None` if it was still read.
    pub after: Option<u64>,
    pub message: String,
}

impl Panicked {
    fn new(after: Option<u64>, payload: &(dyn Any + Send)) -> Self {
        let texts = [payload.downcast_ref::<&str>().copied(), payload.downcast_ref().map(String::as_str)];
        let text = texts.into_iter().flatten().next().unwrap_or("without a message");
        // Those of `assert_eq!` have several lines.
        let message = text.lines().map(str::trim).collect::<Vec<_>>().join(", ");
        Self { after, message }
    }

    fn place(&self) -> String {
        self.after.map_or_else(|| "as it was read".to_owned(), |tick| format!("after tick {}", count(tick)))
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

/// The work on every recording of a run.
pub struct Work<'a> {
    pub limits: Limits,
    /// The verdicts of an earlier run.
    pub lines: Option<&'a Lines>,
    /// True if recordings of other rules go to their own program.
    pub hand_over: bool,
    pub progress: &'a Together,
}

/// The state of the work on one recording, which outlives a panic.
struct Job {
    watch: Watch,
    identity: Cell<Option<Identity>>,
    /// The last tick that was played.
    after: Cell<Option<u64>>,
}

impl Work<'_> {
    /// Re-simulates a recording; a panic of the game's own code is its result.
    pub fn done<S: Simulation>(&self, found: &Found) -> Done {
        let job = Job { watch: Watch::start(), identity: Cell::new(None), after: Cell::new(None) };
        let caught = catch_unwind(AssertUnwindSafe(|| self.outcome::<S>(found, &job)));
        let outcome = caught.unwrap_or_else(|payload| {
            Err(Panicked::new(job.after.get(), &*payload)).with_context(|| found.path.display().to_string())
        });
        let (time, identity) = (job.watch.time(), job.identity.take());
        Done { outcome: outcome.unwrap_or_else(Outcome::Bad), time, identity }
    }

    fn outcome<S: Simulation>(&self, found: &Found, job: &Job) -> Result<Outcome> {
        let path = found.path.as_path();
        let is_pipe = |known: fs::Metadata| !known.is_file() && !known.is_dir();
        let waits = !found.is_named && fs::metadata(path).is_ok_and(is_pipe);
        ensure!(!waits, "{}: a pipe or a device in a folder is not read", path.display());
        let bytes = self.limits.read(path)?;
        let identity = Identity::of(&bytes);
        if let Some(recorded) = rules_version_of(&bytes).ok().filter(|rules| *rules != RULES_VERSION) {
            job.identity.set(Some(identity));
            // Standard input has been read.
            let hands_over = self.hand_over && path != Path::new("-");
            if let Some(other) = hands_over.then(|| other_program::<S>(recorded)).flatten() {
                return Ok(Outcome::Other(other));
            }
            return Err(ReplayError::OtherRules { recorded }).with_context(|| path.display().to_string());
        }
        let earlier = self.lines.and_then(|lines| lines.verdict(path, &identity, &self.limits));
        job.identity.set(Some(identity));
        match earlier {
            Some(earlier) => Ok(Outcome::Earlier(earlier)),
            None => Ok(Outcome::Checked(self.check::<S>(path, bytes, job)?)),
        }
    }

    fn check<S: Simulation>(&self, path: &Path, bytes: Vec<u8>, job: &Job) -> Result<Checked> {
        let name = || path.display().to_string();
        let (replay, damage): (Replay<S>, _) = read_to_damage(path, &bytes)?;
        drop(bytes);
        self.limits.check_start(&replay).with_context(name)?;
        self.progress.more(replay.ticks().len() as u64);
        let (start, mut beyond) = (replay.initial_state().tick_count(), None);
        job.after.set(Some(start));
        let watch = Watch::start();
        let mut verdict = verify_while(&replay, |state, _| {
            job.after.set(Some(state.tick_count()));
            self.progress.played(state.tick_count().saturating_sub(start));
            beyond = self.limits.check_tick(state, &job.watch).err();
            if beyond.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let time = watch.time();
        // After a divergence it was played to the next keyframe.
        let known = verdict.divergence.is_none();
        if let Some(beyond) = beyond.filter(|_| known) {
            return Err(beyond).with_context(name);
        }
        let tick_rate = replay.initial_state().world().limits().tick_rate;
        let speed = known.then(|| Speed::new(verdict.ticks, tick_rate, time)).flatten();
        // For a part of a recording, ticks have their original numbers.
        if let Some(divergence) = &mut verdict.divergence {
            divergence.tick += start;
        }
        Ok(Checked { verdict, damage, speed })
    }
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
