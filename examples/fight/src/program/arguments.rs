//! What can be asked for.

use std::{
    collections::hash_map::RandomState,
    error::Error,
    ffi::OsString,
    hash::BuildHasher,
    net::SocketAddr,
    path::PathBuf,
    time::{Duration, Instant},
};

use bitstep::session::Injection;
use bitstep_rollback::Forecast;
use clap::{Args, Parser, Subcommand};

use crate::{link::Terms, online::Setup};

/// A rollback fighting game on bitstep.
#[derive(Parser, Debug)]
#[command(
    name = "fight",
    after_help = format!(
        "For recordings: {}; `fight verify --help` says more.\n\n\
         Exit codes: 0 all is well, 1 a desync or a recording that differs, 2 bad input or arguments, 3 the other is gone",
        bitstep_program::subcommands(),
    )
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Two processes play a script against each other, without people
    Run(Run),
    /// Wait for the other player
    Host(Host),
    /// Play against who waits at an address
    Join(Join),
    /// Two players on one keyboard
    Local,
    /// Play a script through the sync test of ggrs
    Sync(Sync),
    /// Play a script straight on, here alone, and say what comes of it
    Script(Sync),
    /// Play a script, and say what a tick, a save, a load and a rollback take
    Measure(Sync),
    /// What the program of every game does, which reads the arguments by itself
    #[command(external_subcommand)]
    Recording(#[expect(dead_code, reason = "the arguments are read again")] Vec<OsString>),
}

#[derive(Args, Clone, Debug)]
pub struct Run {
    /// The seed of the script
    #[arg(long, value_name = "SEED")]
    pub scripted: u64,
    /// How many ticks the match has
    #[arg(long, default_value_t = 3_000)]
    pub frames: u64,
    /// Frames per second
    #[arg(long, default_value_t = 240, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rate: u32,
    /// Put a number wrong in the second process: TICK:FIELD, such as 900:game.fighters[1].health
    #[arg(long = "inject", value_name = "TICK:FIELD")]
    pub injection: Option<Injection>,
    /// Where fight-1.replay and fight-2.replay are written
    #[arg(long, default_value = ".")]
    pub folder: PathBuf,
    /// How long the other may be silent, in milliseconds; it may take twice as long to go on
    #[arg(long, default_value_t = 10_000)]
    pub patience: u64,
    #[command(flatten)]
    pub weather: WeatherOptions,
}

#[derive(Args, Clone, Debug)]
pub struct Host {
    #[command(flatten)]
    pub plan: MatchOptions,
    #[command(flatten)]
    pub side: SideOptions,
}

#[derive(Args, Clone, Debug)]
pub struct Join {
    /// What the host says it listens on
    pub address: SocketAddr,
    #[command(flatten)]
    pub side: SideOptions,
}

/// What is played.
#[derive(Args, Clone, Debug)]
pub struct MatchOptions {
    /// Play by a script of this seed, without people
    #[arg(long, value_name = "SEED")]
    pub scripted: Option<u64>,
    /// How many ticks a scripted match has
    #[arg(long, default_value_t = 3_000)]
    pub frames: u64,
    /// Frames per second
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rate: u32,
}

/// What one side brings along.
#[derive(Args, Clone, Debug)]
pub struct SideOptions {
    /// The port on the loopback; 0 for any
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// How many ticks pass between a key and what it does
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=8))]
    pub delay: u8,
    /// How long the other may be silent, in milliseconds; it may take twice as long to go on
    #[arg(long, default_value_t = 10_000)]
    pub patience: u64,
    /// For how long to wait for the other at first, in seconds
    #[arg(long, default_value_t = 60)]
    pub wait: u64,
    /// Put a number wrong here: TICK:FIELD
    #[arg(long = "inject", value_name = "TICK:FIELD")]
    pub injection: Option<Injection>,
    /// Where the match is recorded
    #[arg(long, default_value = "fight.replay")]
    pub record: PathBuf,
    #[command(flatten)]
    pub weather: WeatherOptions,
}

/// What becomes of datagrams that are sent.
#[derive(Args, Clone, Copy, Debug)]
pub struct WeatherOptions {
    /// The seed of the weather
    #[arg(long, default_value_t = 1)]
    pub weather: u64,
    /// How long every datagram takes, in milliseconds
    #[arg(long, default_value_t = 0)]
    pub latency: u32,
    /// How much longer it may take, in milliseconds
    #[arg(long, default_value_t = 0)]
    pub jitter: u32,
    /// How many of a hundred are lost
    #[arg(long, default_value_t = 0)]
    pub loss: u32,
    /// How many of a hundred come twice
    #[arg(long, default_value_t = 0)]
    pub twice: u32,
    /// With how many of a hundred comes rubbish
    #[arg(long, default_value_t = 0)]
    pub rubbish: u32,
}

#[derive(Args, Clone, Copy, Debug)]
pub struct Sync {
    /// The seed of the script
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub scripted: u64,
    /// How many ticks it has
    #[arg(long, default_value_t = 3_000)]
    pub frames: u64,
    /// How far to go back in every frame; 1 to 8, one after the other, if it is not said
    #[arg(long)]
    pub distance: Option<usize>,
}

impl WeatherOptions {
    pub const fn forecast(self) -> Forecast {
        let Self { weather: seed, latency, jitter, loss, twice, rubbish } = self;
        Forecast { seed, latency, jitter, loss, twice, rubbish }
    }
}

impl MatchOptions {
    /// The terms of a new match, under a random key.
    pub fn terms(&self) -> Terms {
        let session = RandomState::new().hash_one("match");
        let ticks = if self.scripted.is_some() { self.frames } else { 1 << 30 };
        Terms { session, script: self.scripted, ticks, rate: self.rate }
    }
}

impl SideOptions {
    pub fn forecast(&self) -> Result<Forecast, Box<dyn Error>> {
        Ok(self.weather.forecast().checked()?)
    }

    /// The instant until which to wait for the other.
    pub fn until(&self) -> Instant {
        Instant::now() + Duration::from_secs(self.wait)
    }

    pub fn setup(&self, side: usize, terms: Terms, other: SocketAddr) -> Result<Setup, Box<dyn Error>> {
        let under_way = u64::from(self.weather.latency) + u64::from(self.weather.jitter);
        if terms.rate == 0 || terms.rate > 1_000 || terms.ticks > 1 << 30 {
            return Err(format!("no match has {} ticks at {} per second", terms.ticks, terms.rate).into());
        }
        Ok(Setup {
            side,
            terms,
            other,
            delay: self.delay.into(),
            patience: Duration::from_millis(self.patience),
            wait: Duration::from_secs(self.wait),
            weather: Duration::from_millis(under_way),
            injection: self.injection.clone(),
            record: self.record.clone(),
        })
    }
}
