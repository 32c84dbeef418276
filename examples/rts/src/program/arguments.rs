//! What can be asked for.

use std::{
    collections::hash_map::RandomState, error::Error, ffi::OsString, hash::BuildHasher, net::SocketAddr,
    path::PathBuf,
};

use bitstep::session::Injection;
use bitstep_lockstep::Terms;
use clap::{Args, Parser, Subcommand};

use crate::{Army, Rts, TICK_RATE};

/// A lockstep strategy game on bitstep.
#[derive(Parser, Debug)]
#[command(
    name = "rts",
    after_help = format!(
        "For recordings: {}; `rts verify --help` says more.\n\n\
         Exit codes: 0 all is well, 1 a desync or a recording that differs, 2 bad input or arguments, 3 others are gone",
        bitstep_program::subcommands(),
    )
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// A relay and as many processes as there are players, which play a script
    Run(Run),
    /// Wait for players, and order their turns
    Relay(RelayOptions),
    /// Play a script at a relay
    Peer(PeerOptions),
    /// Play a script in this process alone: what all come to
    Alone(TermsOptions),
    /// Say what ticks, queries, catching up and recordings cost with 2,000 units
    Bench(Bench),
    /// What the program of every game does, which reads the arguments by itself
    #[command(external_subcommand)]
    Recording(#[expect(dead_code, reason = "the arguments are read again")] Vec<OsString>),
}

/// What is played.
#[derive(Args, Clone, Debug)]
pub struct TermsOptions {
    /// The seed of the game and of the script
    #[arg(long, default_value_t = 7)]
    pub seed: u64,
    /// How many players there are
    #[arg(long, default_value_t = 4)]
    pub players: u8,
    /// How many units each begins with
    #[arg(long, default_value_t = 100)]
    pub units: u16,
    /// After which tick the match ends
    #[arg(long, default_value_t = 2_000)]
    pub ticks: u64,
    /// How many turns pass between an order and its tick
    #[arg(long, default_value_t = 4)]
    pub delay: u8,
    /// How many ticks per second are played; 0 for as many as can be
    #[arg(long, default_value_t = TICK_RATE)]
    pub rate: u32,
}

impl TermsOptions {
    /// The terms, under a number that no other match has.
    pub fn terms(&self) -> Result<Terms, Box<dyn Error>> {
        let Self { seed, players, units, ticks, delay, rate } = *self;
        let session = RandomState::new().hash_one("match");
        let terms = Terms::new::<Rts>(session, players, &Army { seed, units })?;
        Ok(Terms { delay, last_tick: ticks, rate, ..terms }.checked()?)
    }
}

#[derive(Args, Clone, Debug)]
pub struct RelayOptions {
    #[command(flatten)]
    pub terms: TermsOptions,
    /// The port on the loopback; 0 for any
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Begin when so many have come; the others may come late
    #[arg(long)]
    pub begin_with: Option<u8>,
    /// In this turn wait until every seat is taken
    #[arg(long, value_name = "TURN")]
    pub hold: Option<u64>,
    /// How long a player may let the others wait, in milliseconds
    #[arg(long, default_value_t = 10_000)]
    pub patience: u64,
    /// For how long to wait for players at first, in seconds
    #[arg(long, default_value_t = 60)]
    pub wait: u64,
    /// Go on with a match that was saved; seed, players, units and delay are its own
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub struct PeerOptions {
    /// Where the relay listens
    pub relay: SocketAddr,
    /// Which seat to take, from 1; the first free one if it is not said
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub seat: Option<u8>,
    /// Where the match is recorded
    #[arg(long, default_value = "rts.replay")]
    pub record: PathBuf,
    /// Put a number wrong here: TICK:FIELD, such as 400:17:vel.x
    #[arg(long = "inject", value_name = "TICK:FIELD")]
    pub injection: Option<Injection>,
    /// After a desync whose state is wrong takes another's, and the match goes on
    #[arg(long)]
    pub resync: bool,
    /// Hash every phase, so that a desync that does not come again has its phase
    #[arg(long)]
    pub phases: bool,
    /// Take so long for one tick: TICK:MILLISECONDS
    #[arg(long, value_name = "TICK:MS", value_parser = numbers)]
    pub slow: Option<(u64, u64)>,
    /// Be gone after this tick without a word
    #[arg(long, value_name = "TICK")]
    pub vanish: Option<u64>,
    /// Save the match after a tick: TICK:FILE
    #[arg(long, value_name = "TICK:FILE", value_parser = tick_and_file)]
    pub save: Option<(u64, PathBuf)>,
    /// How long nothing may come of the relay, in milliseconds
    #[arg(long, default_value_t = 30_000)]
    pub patience: u64,
    /// For how long to wait for the match to begin, in seconds
    #[arg(long, default_value_t = 60)]
    pub wait: u64,
}

#[derive(Args, Clone, Debug)]
pub struct Run {
    #[command(flatten)]
    pub terms: TermsOptions,
    /// Put a number wrong in the last process: TICK:FIELD, such as 400:17:vel.x or 400:game.units[3].health
    #[arg(long = "inject", value_name = "TICK:FIELD")]
    pub injection: Option<Injection>,
    /// After a desync whose state is wrong takes another's, and the match goes on
    #[arg(long)]
    pub resync: bool,
    /// Hash every phase
    #[arg(long)]
    pub phases: bool,
    /// The last process takes so long for one tick: TICK:MILLISECONDS
    #[arg(long, value_name = "TICK:MS", value_parser = numbers)]
    pub slow: Option<(u64, u64)>,
    /// The last process is gone after this tick, without a word
    #[arg(long, value_name = "TICK")]
    pub vanish: Option<u64>,
    /// The last process comes late: when the others are there
    #[arg(long)]
    pub late: bool,
    /// How long a player may let the others wait, in milliseconds
    #[arg(long, default_value_t = 10_000)]
    pub patience: u64,
    /// Where rts-1.replay and so on are written
    #[arg(long, default_value = ".")]
    pub folder: PathBuf,
}

#[derive(Args, Clone, Debug)]
pub struct Bench {
    /// How often each scene is played; of each tick the shortest time counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// march, blob, crossing, match or queries, and nothing else
    #[arg(long)]
    pub only: Option<String>,
}

/// Two numbers with a colon between them.
fn numbers(text: &str) -> Result<(u64, u64), String> {
    let both = text.split_once(':').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    both.ok_or_else(|| format!("`{text}` is not two numbers, such as 400:1500"))
}

/// A tick and a file with a colon between them.
fn tick_and_file(text: &str) -> Result<(u64, PathBuf), String> {
    let both = text.split_once(':').and_then(|(tick, file)| Some((tick.parse().ok()?, file.into())));
    both.ok_or_else(|| format!("`{text}` is not a tick and a file, such as 400:match.save"))
}
