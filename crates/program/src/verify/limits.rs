//! Limits of what a recording may cost, and the error of one beyond them.

use std::{fs::File, io::Read, path::Path};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::super::{
    output::{count, counted, thousandths},
    progress::Watch,
};
use bitstep::{replay::Replay, session::Simulation};

/// The options that limit what a recording may cost.
#[derive(clap::Args, Clone, Copy)]
pub struct Limits {
    /// Refuse recordings with more ticks, before any is played
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    ticks_max: Option<u64>,
    /// Refuse recordings with more bodies, at the start or after any tick
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    bodies_max: Option<u64>,
    /// Stop recordings that take longer, reading included; the clock is read between ticks
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=SECONDS_MOST))]
    seconds_max: Option<u64>,
    /// Refuse longer files unread: the memory for reading one is bounded by a multiple of it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=BYTES_MOST))]
    #[arg(default_value_t = 1 << 30)]
    bytes_max: u64,
}

/// The largest limits: of a thousand years, and of a file system.
const SECONDS_MOST: u64 = 1 << 35;
const BYTES_MOST: u64 = 1 << 60;

/// Error: a recording costs more than it may.
#[derive(Debug, thiserror::Error)]
#[error("beyond a limit: {found}, --{} is {max}", measure.option())]
pub struct Beyond {
    measure: Measure,
    /// The excess in words: `600 ticks`.
    found: String,
    value: u64,
    max: u64,
}

/// The quantity that is limited.
#[derive(Clone, Copy, Debug)]
enum Measure {
    Ticks,
    Bodies,
    /// The values, not the limits, are in thousandths.
    Seconds,
    Bytes,
}

impl Measure {
    const fn option(self) -> &'static str {
        match self {
            Self::Ticks => "ticks-max",
            Self::Bodies => "bodies-max",
            Self::Seconds => "seconds-max",
            Self::Bytes => "bytes-max",
        }
    }
}

impl Beyond {
    fn new(measure: Measure, found: String, value: u64, max: u64) -> Self {
        Self { measure, found, value, max }
    }

    /// The limit's name, the value and the limit.
    pub fn to_json(&self) -> Value {
        let value = match self.measure {
            Measure::Seconds => decimal(self.value.into()),
            _ => Some(self.value.into()),
        };
        json!({ "name": self.measure.option(), "value": value, "max": self.max })
    }
}

/// Thousandths as a number with decimals, from its text: there are no floats here.
pub fn decimal(thousandths: u128) -> Option<Value> {
    serde_json::from_str(&format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000)).ok()
}

impl Limits {
    /// The bytes of a file, or the limit that it is beyond; `-` is standard input.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>> {
        let (name, max) = (path.display(), self.bytes_max);
        let beyond = |value| Beyond::new(Measure::Bytes, counted(value, "byte"), value, max);
        let mut bytes = Vec::new();
        let source: Box<dyn Read> = if path == Path::new("-") {
            Box::new(std::io::stdin().lock())
        } else {
            let file = File::open(path).with_context(|| format!("{name}: cannot be opened"))?;
            // A pipe has no length.
            let length = file.metadata().map_or(0, |known| if known.is_file() { known.len() } else { 0 });
            if length > max {
                return Err(beyond(length)).context(name.to_string());
            }
            Box::new(file)
        };
        source.take(max + 1).read_to_end(&mut bytes).with_context(|| format!("{name}: cannot be read"))?;
        match bytes.len() as u64 {
            length if length > max => Err(beyond(length)).context(name.to_string()),
            _ => Ok(bytes),
        }
    }

    /// Checks what is known of a recording before it is played.
    pub fn check_start<S: Simulation>(&self, replay: &Replay<S>) -> Result<(), Beyond> {
        let ticks = replay.ticks().len() as u64;
        if let Some(max) = self.ticks_max.filter(|max| ticks > *max) {
            return Err(Beyond::new(Measure::Ticks, counted(ticks, "tick"), ticks, max));
        }
        self.bodies(replay.initial_state())
    }

    /// Checks a state after a tick, and the time that its recording took so far.
    pub fn check_tick<S: Simulation>(&self, state: &S, watch: &Watch) -> Result<(), Beyond> {
        if let Some(max) = self.seconds_max {
            let millis = u64::try_from(watch.time().as_millis()).unwrap_or(u64::MAX);
            if millis > max.saturating_mul(1_000) {
                let seconds = thousandths(millis.into());
                let found = format!("{seconds} seconds after tick {}", count(state.tick_count()));
                return Err(Beyond::new(Measure::Seconds, found, millis, max));
            }
        }
        self.bodies(state)
    }

    fn bodies<S: Simulation>(&self, state: &S) -> Result<(), Beyond> {
        let Some(max) = self.bodies_max else { return Ok(()) };
        let bodies = state.world().bodies().count() as u64;
        if bodies <= max {
            return Ok(());
        }
        let found = format!("{} after tick {}", counted(bodies, "body"), count(state.tick_count()));
        Err(Beyond::new(Measure::Bodies, found, bodies, max))
    }

    /// True if a limit that an earlier run told, as [`Beyond::to_json`] writes it, is set as it was then.
    pub fn stands(&self, told: &Value) -> bool {
        let now = [
            (Measure::Ticks, self.ticks_max),
            (Measure::Bodies, self.bodies_max),
            (Measure::Seconds, self.seconds_max),
            (Measure::Bytes, Some(self.bytes_max)),
        ];
        now.into_iter().any(|(measure, max)| {
            told["name"] == measure.option() && max.is_some_and(|max| told["max"] == max)
        })
    }

    /// The options that are set, for the program of a recording's own rules.
    pub fn arguments(&self) -> Vec<String> {
        let bytes = Some(self.bytes_max).filter(|bytes| *bytes != 1 << 30);
        let all = [
            (Measure::Ticks, self.ticks_max),
            (Measure::Bodies, self.bodies_max),
            (Measure::Seconds, self.seconds_max),
            (Measure::Bytes, bytes),
        ];
        let set = all.into_iter().filter_map(|(measure, max)| Some((measure, max?)));
        set.map(|(measure, max)| format!("--{}={max}", measure.option())).collect()
    }
}
