//! `rts`: arguments, files, and the players.

mod arguments;
mod run;

use std::{error::Error, fs, process::ExitCode, time::Duration};

use clap::Parser;

use crate::{
    Rts, bench,
    peer::Client,
    relay::{Plan, Relay},
    script::play_alone,
    transfer::Parcel,
};
use arguments::{Arguments, Command, RelayOptions};
use bitstep::session::Simulation;

/// Reads the arguments, executes them, and returns the exit code.
#[must_use]
pub fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Run(run) => run::run(&run),
        Command::Relay(options) => relay(&options),
        Command::Peer(options) => options.setup().and_then(|setup| {
            let outcome = Client::new(setup)?.run()?;
            println!("{outcome}");
            Ok(outcome.exit_code())
        }),
        Command::Alone(options) => alone(&options),
        Command::Bench(options) => bench::measure(options.runs, options.only.as_deref()).map(|()| 0),
        // All other work with recordings.
        Command::Recording(_) => return bitstep_program::main::<Rts>(),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("rts: {error}");
            ExitCode::from(2)
        }
    }
}

/// The plan of a relay.
fn plan(options: &RelayOptions) -> Result<Plan, Box<dyn Error>> {
    let saved = match &options.load {
        Some(file) => Some(Parcel::decode(&fs::read(file)?)?),
        None => None,
    };
    let mut terms = options.terms.terms()?;
    if let Some(saved) = &saved {
        // The saved match is played; its length and its pace may change.
        terms = crate::transfer::Terms { ticks: terms.ticks, rate: terms.rate, ..saved.terms };
        if saved.tick >= terms.ticks {
            return Err(format!("ticks is {}, the match was saved after {}", terms.ticks, saved.tick).into());
        }
    }
    let begin_with = options.begin_with.unwrap_or(terms.players);
    if begin_with == 0 || begin_with > terms.players {
        return Err(format!("begin-with is {begin_with}, must be in 1..={}", terms.players).into());
    }
    let patience = Duration::from_millis(options.patience);
    Ok(Plan { terms, begin_with, patience, hold_at: options.hold, saved })
}

/// Relays a match.
fn relay(options: &RelayOptions) -> Result<u8, Box<dyn Error>> {
    let relay = Relay::bind(options.port, plan(options)?, Duration::from_secs(options.wait))?;
    // The process that starts peers reads this line.
    println!("listening on {}", relay.address()?);
    let was_played = relay.run(|words| println!("relay: {words}"))?;
    Ok(if was_played { 0 } else { 3 })
}

/// Plays a script in this process alone.
fn alone(options: &arguments::TermsOptions) -> Result<u8, Box<dyn Error>> {
    let end = play_alone(&options.terms()?, |_, _| {})?;
    println!("match      {}\nchecksum   {} after tick {}", end.outcome(), end.checksum(), end.tick_count());
    Ok(0)
}
