//! A program for any simulation: verify, show, and other work with recordings.
//!
//! This room knows files, a terminal and a clock, and shows results of the rooms below to people; nothing it
//! knows reaches a state. `bitstep` is this program for a world alone, beside its scenes; a game has its own
//! by [`main`]. Each subcommand is one file, or a folder. Start with `verify/`.

mod clip;
mod comparison;
mod contents;
mod diff;
mod ending;
mod found;
mod hand_over;
mod migrate;
mod numbers;
mod pictured;
mod playback;
mod plot;
mod recordings;
mod repair;
mod seek;
mod show;
mod state;
mod table;
mod test_text;
mod verdict;
mod verify;
mod view;
mod world_alone;

#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod laps;
#[doc(hidden)]
pub mod output;
#[doc(hidden)]
pub mod progress;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use bitstep::session::{Game, Session, Simulation};

#[doc(hidden)]
pub use ending::{EXIT_CODES, Ending, finish};
#[doc(hidden)]
pub use verdict::{describe, divergence_json};

/// The commands on the recordings of a simulation.
#[doc(hidden)]
#[derive(Subcommand)]
pub enum Subcommands {
    /// Re-simulate recordings and say whether every tick matches
    Verify(verify::Verify),
    /// Say where two recordings diverge, or a recording and another run: tick, phase, field, both values
    Diff(diff::Diff),
    /// Say what is in a recording
    Show(show::Show),
    /// Go to a tick of a recording, by keyframes, and print everything there
    Seek(seek::Seek),
    /// Write one tick of a recording as a file by itself, or as a Rust test
    Clip(clip::Clip),
    /// Write what is whole of a damaged recording as a shorter one
    Repair(repair::Repair),
    /// Re-simulate a folder of recordings under this build's rules, and tabulate what is another
    Migrate(migrate::Migrate),
    /// Write a page that shows a recording in three dimensions
    View(view::View),
    /// Draw the numbers of every tick of a recording: energy, momentum, impacts, asleep, and its time by phase
    Plot(plot::Plot),
}

impl Subcommands {
    /// Executes it, for recordings of `S`.
    #[doc(hidden)]
    pub fn run<S: Simulation>(self) -> Result<Ending> {
        match self {
            Self::Verify(verify) => verify.run::<S>(),
            Self::Diff(diff) => diff.run::<S>(),
            Self::Show(show) => show.run::<S>(),
            Self::Seek(seek) => seek.run::<S>(),
            Self::Clip(clip) => clip.run::<S>(),
            Self::Repair(repair) => repair.run::<S>(),
            Self::Migrate(migrate) => migrate.run::<S>(),
            Self::View(view) => view.run::<S>(),
            Self::Plot(plot) => plot.run::<S>(),
        }
    }
}

/// Verify, look into, seek in, compare, clip, repair and migrate recordings
#[derive(Parser)]
#[command(after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Subcommands,
}

/// A game's own program for its recordings: reads the arguments, and returns the exit code.
///
/// This is all that the program of a game takes:
///
/// ```no_run
/// use std::process::ExitCode;
/// # use bitstep::session::{Game, Tick};
/// # use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Debug, Serialize, Deserialize)]
/// struct Harvest { gold: u64 }
///
/// impl Game for Harvest {
///     type Input = u64;
///     const NAME: &'static str = "harvest";
///
///     fn tick(&mut self, tick: &mut Tick<'_>, mined: &[u64]) {
///         self.gold += mined.iter().sum::<u64>();
///         tick.step();
///     }
/// }
///
/// fn main() -> ExitCode {
///     bitstep_program::main::<Harvest>()
/// }
/// ```
///
/// Exit codes: 0 all is well, 1 a recording and its re-run differ, 2 bad input or arguments.
#[must_use]
pub fn main<G: Game>() -> ExitCode {
    let command = Arguments::command().name(G::NAME).bin_name(G::NAME);
    let arguments = Arguments::from_arg_matches(&command.get_matches());
    finish(
        program_of::<Session<G>>(),
        arguments.map_err(|error| error.exit()).and_then(|it| it.command.run::<Session<G>>()),
    )
}

/// The names of the commands on recordings, with commas between them: for the help of a game's own program that has
/// commands beside them.
#[must_use]
pub fn subcommands() -> String {
    let all = Subcommands::augment_subcommands(clap::Command::new("all"));
    all.get_subcommands().map(clap::Command::get_name).collect::<Vec<_>>().join(", ")
}

/// The name of the program for a simulation.
fn program_of<S: Simulation>() -> &'static str {
    if S::name().is_empty() { "bitstep" } else { S::name() }
}
