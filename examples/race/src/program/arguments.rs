//! What can be asked for.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, Parser, Subcommand};

use crate::TICK_RATE;

/// A car of one body and four swept wheels, on a track that is a mesh.
#[derive(Parser, Debug)]
#[command(
    name = "race",
    after_help = format!(
        "For recordings: {}; `race verify --help` says more.\n\n\
         Exit codes: 0 all is well, 1 a recording differs, 2 bad input or arguments",
        bitstep_program::subcommands(),
    )
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Drive in this terminal: W A S D or the arrows, space brakes, R puts the car back, P is the autopilot, Esc leaves
    Drive(Drive),
    /// Let the autopilot or a script drive, without a terminal
    Run(Run),
    /// What the program of every game does, which reads the arguments by itself
    #[command(external_subcommand)]
    Recording(#[expect(dead_code, reason = "the arguments are read again")] Vec<OsString>),
}

#[derive(Args, Clone, Debug)]
pub struct Drive {
    /// Where the race is recorded
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Begin with the autopilot
    #[arg(long)]
    pub autopilot: bool,
    /// How many ticks per second are played
    #[arg(long, default_value_t = TICK_RATE, value_parser = clap::value_parser!(u32).range(20..=240))]
    pub rate: u32,
}

#[derive(Args, Clone, Debug)]
pub struct Run {
    /// End after so many laps
    #[arg(long, default_value_t = 2)]
    pub laps: u16,
    /// End after so many seconds
    #[arg(long, default_value_t = 300)]
    pub seconds: u32,
    /// Drive by a script: each line has a number of ticks, throttle and steering from -127 to 127, and optionally `brake` or `reset`
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// How many ticks there are per second
    #[arg(long, default_value_t = TICK_RATE, value_parser = clap::value_parser!(u32).range(20..=240))]
    pub rate: u32,
    /// Where the race is recorded
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
