//! `fight`: arguments, files, and the players.

mod arguments;
mod duel;
mod fronts;

use std::{error::Error, process::ExitCode};

use bitstep::session::Simulation;
use bitstep_rollback::sync_test;
use clap::Parser;

use crate::{
    Fight,
    bench::measure,
    initial_state,
    link::Link,
    online::{self, Setup},
    script::script,
    terminal::{Board, Screen},
};
use arguments::{Arguments, Command, MatchOptions, SideOptions};
use fronts::{People, Scripted};

/// Reads the arguments, executes them, and returns the exit code.
#[must_use]
pub fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Run(run) => duel::run(&run),
        Command::Host(host) => self::host(&host.plan, &host.side),
        Command::Join(join) => self::join(join.address, &join.side),
        Command::Local => local(),
        Command::Sync(sync) => synctest(sync.scripted, sync.frames, sync.distance),
        Command::Script(sync) => straight(sync.scripted, sync.frames),
        Command::Measure(sync) => measure(sync.scripted, sync.frames).map(|text| {
            println!("{text}");
            0
        }),
        // All other work with recordings.
        Command::Recording(_) => return bitstep_program::main::<Fight>(),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("fight: {error}");
            ExitCode::from(2)
        }
    }
}

/// Waits for the other player, and plays.
fn host(plan: &MatchOptions, side: &SideOptions) -> Result<u8, Box<dyn Error>> {
    if plan.scripted.is_none() {
        Screen::check()?; // before a player waits
    }
    let mut link = Link::bind(side.port, side.forecast()?)?;
    // The process that starts the other one reads this line.
    println!("listening on {}", link.address()?);
    let terms = plan.terms();
    let Some(other) = link.host(terms, side.until()) else {
        return gone("nobody came");
    };
    play(side.setup(0, terms, other)?, link)
}

/// Joins a match, and plays.
fn join(address: std::net::SocketAddr, side: &SideOptions) -> Result<u8, Box<dyn Error>> {
    let mut link = Link::bind(side.port, side.forecast()?)?;
    let Some(terms) = link.join(address, side.until()) else {
        return gone(&format!("nobody answers at {address}"));
    };
    play(side.setup(1, terms, address)?, link)
}

fn gone(words: &str) -> Result<u8, Box<dyn Error>> {
    eprintln!("fight: {words}");
    Ok(3)
}

fn play(setup: Setup, link: Link) -> Result<u8, Box<dyn Error>> {
    let (side, ticks) = (setup.side, setup.terms.ticks);
    let outcome = match setup.terms.script {
        Some(seed) => {
            let mut player = Scripted::new(seed, ticks, side)?; // before the clock runs
            online::play(setup, link, &mut player)?
        }
        None => {
            let screen = Screen::open()?;
            let boards = vec![(Board::Left, side), (Board::Right, side)];
            online::play(setup, link, &mut People::new(screen, boards, side))?
        }
    };
    println!("{outcome}");
    Ok(outcome.exit_code())
}

/// Two players on one keyboard.
fn local() -> Result<u8, Box<dyn Error>> {
    let screen = Screen::open()?;
    let boards = vec![(Board::Left, 0), (Board::Right, 1)];
    let end = People::new(screen, boards, 0).play_here(initial_state()?)?;
    println!("{end}");
    Ok(0)
}

/// A script without any network: the result that every other way of playing it must give.
fn straight(seed: u64, frames: u64) -> Result<u8, Box<dyn Error>> {
    let end = script(seed, frames)?.end;
    println!("match      {}", end.outcome());
    println!("checksum   {} after tick {frames}", end.checksum());
    Ok(0)
}

/// The sync test of ggrs, at one distance or at all distances.
fn synctest(seed: u64, frames: u64, distance: Option<usize>) -> Result<u8, Box<dyn Error>> {
    let script = script(seed, frames)?;
    let straight = script.end.checksum();
    for distance in distance.map_or(1..=8, |distance| distance..=distance) {
        let test = sync_test(initial_state()?, &script.inputs, distance)?;
        let (rollbacks, replayed) = (test.stats.rollbacks, test.stats.replayed);
        println!(
            "distance {distance}: {rollbacks} rollbacks, {replayed} ticks played again, checksum {}",
            test.checksum
        );
        if test.checksum != straight {
            println!("played straight on it is {straight}");
            return Ok(1);
        }
    }
    Ok(0)
}
