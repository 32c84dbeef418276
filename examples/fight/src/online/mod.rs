//! A match between two processes, on `bitstep-rollback`.
//!
//! Start with [`play`]. `ending.rs` says how a match ends, and writes the desync reports.

mod ending;

use std::{error::Error, fs::File, io::BufWriter, net::SocketAddr, path::PathBuf, time::Duration};

use bitstep::session::{Injection, Session, Simulation, TickLog};
use bitstep_rollback::{Match, Pace, Player, Setup as MatchSetup};

pub use ending::Outcome;

use crate::{
    Fight, Input, initial_state,
    link::{Link, Terms},
};
use ending::Findings;

/// Time for which a side that is done keeps answering, beyond the delay of the weather.
const LINGER: Duration = Duration::from_millis(150);

/// The settings of one side of a match.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The player here: 0 or 1.
    pub side: usize,
    /// The terms of the match.
    pub terms: Terms,
    /// Address of the other side.
    pub other: SocketAddr,
    /// Number of ticks between a key and its effect.
    pub delay: u32,
    /// Longest time without a message of the other side.
    pub patience: Duration,
    /// Longest time for the other side to begin.
    pub wait: Duration,
    /// Longest delay of a datagram by this side's weather.
    pub weather: Duration,
    /// A number that is changed here.
    pub injection: Option<Injection>,
    /// Path of the recording.
    pub record: PathBuf,
}

/// The next action of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keys {
    /// Holds these keys.
    Held(Input),
    /// Leaves.
    Leave,
}

/// The player here, and the display.
pub trait Front {
    /// The keys for the tick after `played`.
    fn keys(&mut self, played: u64) -> Keys;

    /// Shows the predicted state, and a line about the match.
    fn show(&mut self, state: &Session<Fight>, line: &str);
}

/// Plays a match until it ends.
///
/// # Errors
///
/// If the recording cannot be written, or the setup is refused.
pub fn play(setup: Setup, link: Link, front: &mut impl Front) -> Result<Outcome, Box<dyn Error>> {
    let mut game = begin(&setup, link.clone())?;
    let (mut pace, mut findings) = (Pace::new(setup.terms.rate), Findings::default());
    while game.ending().is_none() {
        match front.keys(game.state().tick_count()) {
            Keys::Held(keys) => game.frame(&[keys], |_| {})?,
            Keys::Leave => game.leave(),
        }
        findings.take(&mut game, &setup.record)?;
        front.show(game.state(), &line(&game, setup.side));
        pace.wait();
    }
    game.linger(setup.weather + LINGER)?;
    findings.take(&mut game, &setup.record)?;
    Ok(Outcome { end: game.finish()?, findings, weather: link.weather(), setup })
}

fn begin(setup: &Setup, link: Link) -> Result<Match<Session<Fight>, SocketAddr>, Box<dyn Error>> {
    let who = |player| if player == setup.side { Player::Local } else { Player::Remote(setup.other) };
    let log = TickLog::sums();
    let setup = MatchSetup {
        input_delay: setup.delay,
        frame_rate: setup.terms.rate,
        last_tick: setup.terms.ticks,
        patience: setup.patience,
        wait: setup.wait,
        log: setup.injection.iter().fold(log, |log, injection| log.injected(injection.clone())),
        recording: Some(Box::new(BufWriter::new(File::create(&setup.record)?))),
        ..MatchSetup::new(setup.terms.session, [0, 1].map(who))
    };
    Ok(Match::new(initial_state()?, setup, link)?)
}

fn line(game: &Match<Session<Fight>, SocketAddr>, side: usize) -> String {
    if !game.is_running() {
        return "waiting for the other player".to_owned();
    }
    let (stats, ping) = (game.stats(), game.ping(1 - side).unwrap_or(0));
    let [rollbacks, deepest, stalls] = [stats.rollbacks, stats.deepest, stats.stalls];
    format!("ping {ping} ms  rollbacks {rollbacks}  deepest {deepest}  stalls {stalls}")
}
