//! A match between two processes: ggrs plays it, `Rollback` holds it, `Peer` compares every confirmed tick.
//!
//! Start with [`Match::run`]. `ending.rs` lists the ends of a match.

mod ending;
mod pace;

use std::{
    any::Any,
    cell::RefCell,
    error::Error,
    fs::File,
    io::BufWriter,
    net::SocketAddr,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    rc::Rc,
    time::{Duration, Instant},
};

use bitstep::{
    peer::{Config, Event, Peer},
    session::{Injection, Session, Simulation},
};
use ggrs::{GgrsEvent, P2PSession, PlayerType, SessionBuilder, SessionState};

pub use ending::{Desync, Ending, Outcome};
pub use pace::Pace;

use crate::{
    Fight, Input, initial_state,
    link::{GgrsSocket, Link, Parcel, Progress, Terms},
    rollback::{Ggrs, Rollback, WINDOW, log_with},
};

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
    pub delay: usize,
    /// Longest time without a message or without progress of the other side.
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

/// One side of a match.
pub struct Match {
    setup: Setup,
    link: Rc<RefCell<Link>>,
    session: P2PSession<Ggrs<Input>>,
    rollback: Rollback<Session<Fight>, BufWriter<File>>,
    peer: Peer<Session<Fight>>,
    desync: Option<Desync>,
    /// The error with which ggrs stopped.
    broken: Option<String>,
    said: Progress,
    /// Number of frames still to be skipped, so that the other side catches up, and number of those that
    /// were.
    skip: u32,
    waits: u64,
    /// The instant of the last confirmed tick.
    moved: Instant,
}

impl Match {
    /// A match that begins.
    ///
    /// # Errors
    ///
    /// If the recording cannot be written, or ggrs refuses the setup.
    pub fn new(setup: Setup, link: Link) -> Result<Self, Box<dyn Error>> {
        let (state, link) = (initial_state()?, Rc::new(RefCell::new(link)));
        let mut builder = SessionBuilder::<Ggrs<Input>>::new()
            .with_max_prediction_window(WINDOW)
            .with_input_delay(setup.delay)
            .with_fps(setup.terms.rate as usize)?
            // Patience is counted here: the other side must make progress, not only answer.
            .with_disconnect_timeout(setup.patience.max(setup.wait) * 2);
        for player in [0, 1] {
            let who = if player == setup.side { PlayerType::Local } else { PlayerType::Remote(setup.other) };
            builder = builder.add_player(who, player)?;
        }
        let session = builder.start_p2p_session(GgrsSocket(Rc::clone(&link)))?;
        let peer = Peer::new(&state, Config { session: setup.terms.session, ..Config::default() })?;
        let log = log_with(setup.injection.clone());
        let rollback = Rollback::new(state, log).record(BufWriter::new(File::create(&setup.record)?))?;
        let (desync, said, moved) = (None, Progress::default(), Instant::now());
        let (broken, skip, waits) = (None, 0, 0);
        Ok(Self { setup, link, session, rollback, peer, desync, broken, said, skip, waits, moved })
    }

    /// Plays until the match ends.
    ///
    /// # Errors
    ///
    /// If the recording cannot be written; faults of this program.
    pub fn run(mut self, front: &mut impl Front) -> Result<Outcome, Box<dyn Error>> {
        let mut pace = Pace::new(self.setup.terms.rate);
        let ending = loop {
            if let Some(ending) = self.frame(front)? {
                break ending;
            }
            front.show(self.rollback.state(), &self.line());
            pace.wait();
        };
        self.linger(&mut pace)?;
        self.outcome(ending)
    }

    /// One frame: keys, ggrs, confirmed ticks, messages of the other side.
    fn frame(&mut self, front: &mut impl Front) -> Result<Option<Ending>, Box<dyn Error>> {
        let played = self.rollback.state().tick_count();
        let keys = match front.keys(played) {
            Keys::Held(keys) => keys,
            Keys::Leave => {
                self.said.has_left = true;
                return Ok(Some(Ending::Left));
            }
        };
        self.advance(keys)?;
        self.compare()?;
        self.say();
        Ok(self.ending())
    }

    fn advance(&mut self, keys: Input) -> Result<(), Box<dyn Error>> {
        let is_complete = self.rollback.confirmed() >= self.setup.terms.ticks;
        let is_running = self.session.current_state() == SessionState::Running;
        if self.skip > 0 || is_complete || !is_running {
            self.waits += u64::from(self.skip > 0);
            self.skip = self.skip.saturating_sub(1);
            self.ask(P2PSession::poll_remote_clients);
        } else {
            self.session.add_local_input(self.setup.side, keys)?;
            let Some(requests) = self.ask(P2PSession::advance_frame) else { return Ok(()) };
            self.rollback.fulfil(requests?)?;
            self.confirm()?;
        }
        for event in self.session.events() {
            if let GgrsEvent::WaitRecommendation { skip_frames } = event {
                self.skip = skip_frames;
            }
        }
        Ok(())
    }

    /// Calls ggrs, which panics at inputs that no honest player sends; then it is not called again.
    fn ask<T>(&mut self, call: impl FnOnce(&mut P2PSession<Ggrs<Input>>) -> T) -> Option<T> {
        if self.broken.is_some() {
            return None;
        }
        let session = &mut self.session;
        let given = catch_unwind(AssertUnwindSafe(|| call(session)));
        given.inspect_err(|panic| self.broken = Some(words_of(panic.as_ref()))).ok()
    }

    /// Hands over final ticks. Right behind an advance only: inputs that ggrs receives later have not been
    /// played yet.
    fn confirm(&mut self) -> Result<(), Box<dyn Error>> {
        let (before, last) = (self.rollback.confirmed(), self.setup.terms.ticks);
        let peer = &mut self.peer;
        self.rollback.confirm(self.session.confirmed_frame(), last, |after, inputs, log| {
            peer.confirm(after, inputs, log).map_err(Box::<dyn Error>::from)
        })?;
        if self.rollback.confirmed() > before {
            self.moved = Instant::now();
        }
        Ok(())
    }

    /// Exchanges messages about confirmed ticks.
    fn compare(&mut self) -> Result<(), Box<dyn Error>> {
        let mut link = self.link.borrow_mut();
        while let Some(message) = link.next_of_ticks() {
            let _ = self.peer.receive(&message); // repeated and late messages are refused
        }
        self.peer.poll(&mut |message| link.send(&Parcel::Ticks(message.to_vec())));
        drop(link);
        while let Some(event) = self.peer.next_event() {
            match event {
                Event::Desync { tick, report, .. } => {
                    self.desync = Some(Desync::new(tick, &self.setup.record, &report)?);
                }
                Event::DesyncWithoutReport { tick, reason } => {
                    self.desync = Some(Desync::without_report(tick, &reason.to_string()));
                }
                Event::RemoteReport { theirs, comparison } => {
                    if let Some(desync) = &mut self.desync {
                        desync.judge(&self.setup.record, &theirs, comparison)?;
                    }
                }
                Event::NoRemoteReport { reason } => {
                    if let Some(desync) = &mut self.desync {
                        desync.say(&reason.to_string());
                    }
                }
                Event::HandshakeMismatch { differences } => {
                    let first = differences.first().map(ToString::to_string).unwrap_or_default();
                    self.desync =
                        Some(Desync::without_report(0, &format!("the other plays something else: {first}")));
                }
                Event::OtherProtocol { ours, theirs } => {
                    let text = format!("the other compares ticks by protocol {theirs}, this one by {ours}");
                    self.desync = Some(Desync::without_report(0, &text));
                }
                Event::Connected => {}
            }
        }
        Ok(())
    }

    /// Sends the progress of this side, if it is worth sending.
    fn say(&mut self) {
        let is_compared = self.peer.compared() >= self.setup.terms.ticks;
        let is_told = self.desync.as_ref().is_some_and(|desync| self.peer.is_done() || !desync.has_report());
        self.said.is_done |= is_compared || is_told;
        self.said.has_heard = self.link.borrow().progress().is_done;
        if self.said.is_done || self.said.has_left {
            self.link.borrow_mut().send(&Parcel::Progress(self.said));
        }
    }

    fn ending(&mut self) -> Option<Ending> {
        if let Some(words) = self.broken.clone() {
            return Some(Ending::Broken(words));
        }
        let (theirs, heard) = (self.link.borrow().progress(), self.link.borrow().heard());
        let is_over = self.said.is_done && theirs.is_done && theirs.has_heard;
        if is_over {
            return Some(self.verdict());
        }
        let (silent, still) = (heard.elapsed(), self.moved.elapsed());
        let is_done = self.said.is_done || self.desync.is_some();
        if theirs.has_left && !is_done {
            return Some(Ending::OtherLeft);
        }
        let has_begun = self.rollback.confirmed() > 0;
        let patience = if has_begun { self.setup.patience } else { self.setup.wait.max(self.setup.patience) };
        if silent.max(still) <= patience {
            return None;
        }
        // A side that has everything needs nothing more of the other.
        Some(match is_done {
            true => self.verdict(),
            false if silent > patience => Ending::Vanished(silent),
            false => Ending::Stalled(still),
        })
    }

    fn verdict(&mut self) -> Ending {
        self.desync.take().map_or(Ending::Finished, Ending::Desync)
    }

    /// Keeps answering for a while: the other side may have missed the last message.
    fn linger(&mut self, pace: &mut Pace) -> Result<(), Box<dyn Error>> {
        let until = Instant::now() + self.setup.weather + LINGER;
        while Instant::now() < until {
            self.ask(P2PSession::poll_remote_clients);
            self.compare()?;
            self.say();
            pace.wait();
        }
        Ok(())
    }

    fn outcome(self, ending: Ending) -> Result<Outcome, Box<dyn Error>> {
        let (stats, counts, injection) =
            (self.rollback.stats(), self.link.borrow().counts(), self.rollback.injection_outcome());
        let ticks = self.rollback.confirmed();
        let confirmed = self.rollback.finish()?;
        let (compared, waits, setup) = (self.peer.compared(), self.waits, self.setup);
        Ok(Outcome { ending, stats, counts, waits, ticks, compared, confirmed, injection, setup })
    }

    fn line(&self) -> String {
        let stats = self.rollback.stats();
        let ping = self.session.network_stats(1 - self.setup.side).map_or(0, |stats| stats.ping);
        match self.session.current_state() {
            SessionState::Synchronizing => "waiting for the other player".to_owned(),
            SessionState::Running => {
                format!(
                    "ping {ping} ms  rollbacks {}  deepest {}  stalls {}",
                    stats.rollbacks, stats.deepest, stats.stalls
                )
            }
        }
    }
}

/// The text of a panic.
fn words_of(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().map(ToString::to_string);
    words
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}
