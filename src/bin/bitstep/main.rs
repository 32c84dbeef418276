//! The bitstep program: run scenes, verify recordings, look into them, sweep single pairs.
//!
//! Exit codes: 0 all is well, 1 a recording and its re-run differ, 2 bad input or arguments.

mod files;
mod output;
mod picture;
mod progress;
mod run;
mod scene;
mod show;
mod summary;
mod sweep;
mod sweep_line;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Deterministic fixed-point 3D physics: the same bits everywhere, nothing passes through
/// anything, recordings that verify.
#[derive(Parser)]
#[command(version, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Subcommands>,
}

#[derive(Subcommand)]
enum Subcommands {
    /// Simulate a scene, record it, and check that the recording re-simulates to the bit
    Run(run::Run),
    /// Re-simulate recordings and say whether every tick matches
    Verify(verify::Verify),
    /// Say what is in a recording
    Show(show::Show),
    /// Sweep pairs of shapes, one per line of JSON or RON: exact time, normal and positions
    Sweep(sweep::Sweep),
}

const EXIT_CODES: &str = "Exit codes: 0 all is well, 1 a recording diverged, 2 bad input.";

/// How a subcommand ended that ended well enough to have printed its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    Match,
    Diverged,
    BadInput,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        None => output::introduce(),
        Some(Subcommands::Run(run)) => run.run(),
        Some(Subcommands::Verify(verify)) => verify.run(),
        Some(Subcommands::Show(show)) => show.run(),
        Some(Subcommands::Sweep(sweep)) => sweep.run(),
    };
    match result {
        Ok(Ending::Match) => ExitCode::SUCCESS,
        Ok(Ending::Diverged) => ExitCode::from(1),
        Ok(Ending::BadInput) => ExitCode::from(2),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::from(2)
        }
    }
}

/// Whether whoever read our output has seen enough.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |cause: &std::io::Error| cause.kind() == std::io::ErrorKind::BrokenPipe;
    error.chain().filter_map(|cause| cause.downcast_ref()).any(is_pipe)
}
