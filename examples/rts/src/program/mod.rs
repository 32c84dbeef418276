//! `rts`: arguments, files, and the players.

mod arguments;
mod peer;
mod report;
mod run;

use std::{
    error::Error,
    net::{Ipv4Addr, SocketAddr},
    process::ExitCode,
    time::Duration,
};

use bitstep::session::Simulation;
use bitstep_lockstep::{Plan, Relay, SavedMatch, Terms, transport::TcpLinks};
use clap::Parser;

use crate::{Rts, bench, script::play_alone};
use arguments::{Arguments, Command, RelayOptions};

/// Reads the arguments, executes them, and returns the exit code.
#[must_use]
pub fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Run(run) => run::run(&run),
        Command::Relay(options) => relay(&options),
        Command::Peer(options) => peer::play(&options).map(|report| {
            println!("{report}");
            report.exit_code()
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
    let terms = options.terms.terms()?;
    let plan = match &options.load {
        Some(file) => {
            // The saved match is played; its length and its pace may change.
            let mut plan = Plan::load(SavedMatch::read(file)?);
            plan.terms = Terms { last_tick: terms.last_tick, rate: terms.rate, ..plan.terms };
            plan
        }
        None => Plan::new(terms),
    };
    Ok(Plan {
        begin_with: options.begin_with.unwrap_or(plan.terms.players),
        patience: Duration::from_millis(options.patience),
        wait: Duration::from_secs(options.wait),
        hold_at: options.hold,
        ..plan
    })
}

/// A relay on the loopback, and its address; at port 0 the system chooses one.
fn listen(port: u16, plan: Plan) -> Result<(Relay<TcpLinks>, SocketAddr), Box<dyn Error>> {
    let links = TcpLinks::bind((Ipv4Addr::LOCALHOST, port))?;
    let address = links.address()?;
    Ok((Relay::new(links, plan)?, address))
}

/// Relays a match.
fn relay(options: &RelayOptions) -> Result<u8, Box<dyn Error>> {
    let (relay, address) = listen(options.port, plan(options)?)?;
    // The process that starts peers reads this line.
    println!("listening on {address}");
    let was_played = relay.run(|event| println!("relay: {event}"));
    Ok(if was_played { 0 } else { 3 })
}

/// Plays a script in this process alone.
fn alone(options: &arguments::TermsOptions) -> Result<u8, Box<dyn Error>> {
    let end = play_alone(&options.terms()?, |_, _| {})?;
    println!("match      {}\nchecksum   {} after tick {}", end.outcome(), end.checksum(), end.tick_count());
    Ok(0)
}
