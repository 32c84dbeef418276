//! A peer: it plays a match that a relay orders, compares every tick with the others, and continues when
//! peers come and go.
//!
//! One thread plays; another one reads the socket. All effects depend on turns alone. The clock decides only
//! how fast they are played, and how long nothing may happen. Start with [`Client::run`].

mod board;
mod ending;
mod lines;
mod link;

use std::{
    error::Error,
    net::SocketAddr,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use bitstep::{
    session::{Injection, Session, Simulation},
    state::Scenery,
};

pub use board::{Board, Seat};
pub use ending::{Counts, Ending, Outcome};
pub use lines::{Dispute, Lines};
pub use link::{Heard, Link};

use crate::{
    Rts, initial_state,
    transfer::{Assembly, Parcel, Terms, pieces},
    wire::{Frame, PROTOCOL},
};

/// Interval of messages to the others while nothing arrives.
const POLL: Duration = Duration::from_millis(5);
/// A player later than this loses the time, and does not catch up with it.
const LATE_MAX: Duration = Duration::from_millis(100);
/// Largest number of turns that wait to be played; the rest waits in the socket.
const TURNS_MAX: usize = 4_096;

/// The settings of a player.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Address of the relay.
    pub relay: SocketAddr,
    /// The seat that it wants, if any.
    pub seat: Option<u8>,
    /// Path of the recording.
    pub record: PathBuf,
    /// A number that is changed here.
    pub injection: Option<Injection>,
    /// True if a desync is healed by another state, and the match goes on.
    pub resync: bool,
    /// True if every phase is hashed, so that a desync report names the phase of a tick that is not reproduced.
    pub phases: bool,
    /// A slow tick, and its duration.
    pub slow: Option<(u64, Duration)>,
    /// The tick after which the player vanishes without a message.
    pub vanish: Option<u64>,
    /// The tick after which the match is saved, and the path.
    pub save: Option<(u64, PathBuf)>,
    /// Longest silence of the relay.
    pub patience: Duration,
    /// Longest wait for the beginning of the match.
    pub wait: Duration,
}

/// The terms that were agreed on before there is a board.
#[derive(Debug)]
struct Agreed {
    terms: Terms,
    seat: u8,
    seats: Vec<u8>,
    coming: u32,
    scenery: Arc<Scenery>,
}

/// A player at a relay.
#[derive(Debug)]
pub struct Client {
    setup: Setup,
    link: Link,
    agreed: Option<Agreed>,
    assembly: Assembly,
    board: Option<Board>,
    counts: Counts,
    /// Findings of boards that were given up.
    disputes: Vec<(u8, Dispute)>,
    /// The instant of the next tick.
    due: Instant,
    /// The instants of the last arrival, and of the last message to the others.
    heard: Instant,
    polled: Instant,
    /// The instant and tick from which missed turns are played.
    behind: Option<(Instant, u64)>,
    disputed: Option<Instant>,
    is_done: bool,
    ending: Option<Ending>,
}

impl Client {
    /// A player who connects to the relay.
    ///
    /// # Errors
    ///
    /// If the relay cannot be reached.
    pub fn new(setup: Setup) -> Result<Self, Box<dyn Error>> {
        let now = Instant::now();
        let mut link = Link::connect(setup.relay, now + setup.wait)?;
        link.send(&Frame::Join { protocol: PROTOCOL, seat: setup.seat })?;
        Ok(Self {
            setup,
            link,
            agreed: None,
            assembly: Assembly::default(),
            board: None,
            counts: Counts::default(),
            disputes: Vec::new(),
            due: now,
            heard: now,
            polled: now,
            behind: None,
            disputed: None,
            is_done: false,
            ending: None,
        })
    }

    /// Plays to the end.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn run(mut self) -> Result<Outcome, Box<dyn Error>> {
        let ending = loop {
            self.listen()?;
            self.advance()?;
            if let Some(ending) = self.ending.take() {
                break ending;
            }
        };
        self.outcome(ending)
    }

    /// Takes the frames that have arrived; waits a little where there is nothing to play.
    fn listen(&mut self) -> Result<(), Box<dyn Error>> {
        let mut wait = self.idle();
        while self.ending.is_none() && self.board.as_ref().is_none_or(|board| board.waiting() < TURNS_MAX) {
            match self.link.next(wait) {
                Heard::Frame(frame) => {
                    self.heard = Instant::now();
                    if let Err(reason) = self.take(frame)? {
                        self.ending = Some(Ending::Broken(reason));
                    }
                }
                Heard::Lost(reason) => self.ending = Some(Ending::Lost(reason)),
                Heard::Nothing => break,
            }
            wait = Duration::ZERO;
        }
        let patience = if self.board.is_some() { self.setup.patience } else { self.setup.wait };
        if self.heard.elapsed() > patience && self.ending.is_none() {
            self.ending = Some(Ending::Silent(self.heard.elapsed()));
        }
        Ok(())
    }

    /// The time until the next action.
    fn idle(&self) -> Duration {
        let can_play = self.board.as_ref().is_some_and(|board| board.waiting() > 0) && !self.is_stopped();
        if !can_play {
            return POLL;
        }
        if self.is_behind() {
            Duration::ZERO
        } else {
            self.due.saturating_duration_since(Instant::now()).min(POLL)
        }
    }

    /// True if more turns wait than the delay: they are played as fast as possible.
    fn is_behind(&self) -> bool {
        self.board.as_ref().is_some_and(|board| self.is_behind_of(board))
    }

    /// True if the play has ended.
    fn is_stopped(&self) -> bool {
        self.is_done || (self.disputed.is_some() && !self.setup.resync)
    }

    /// Takes a frame; `Ok(Err(...))` is the reason why it is invalid.
    fn take(&mut self, frame: Frame) -> Result<Result<(), String>, Box<dyn Error>> {
        match frame {
            Frame::Begin { terms, seat, seats, has_state, coming } => {
                let terms = match terms.checked() {
                    Ok(terms) if seat < terms.players => terms,
                    Ok(_) => return Ok(Err(format!("there is no seat {seat}"))),
                    Err(reason) => return Ok(Err(reason)),
                };
                let initial_state = initial_state(terms.seed, terms.players, terms.units)?;
                self.agreed =
                    Some(Agreed { terms, seat, seats, coming, scenery: Arc::clone(initial_state.scenery()) });
                if !has_state {
                    self.sit_down(initial_state)?;
                }
            }
            Frame::Piece(piece) => {
                let (Some(agreed), None) = (&self.agreed, &self.board) else { return Ok(Ok(())) };
                let bytes = match self.assembly.take(piece) {
                    Ok(Some(bytes)) => bytes,
                    Ok(None) => return Ok(Ok(())),
                    Err(reason) => return Ok(Err(reason)),
                };
                let parcel = Parcel::decode(&bytes).and_then(|parcel| parcel.session(&agreed.scenery));
                match parcel {
                    Ok(state) => self.sit_down(state)?,
                    Err(error) => return Ok(Err(error.to_string())),
                }
            }
            // Without a state the turn was sent before the state was given up.
            Frame::Turn(turn) => return Ok(self.board.as_mut().map_or(Ok(()), |board| board.hear(turn))),
            Frame::Compare { seat, since, message } => {
                if let Some(board) = &mut self.board {
                    board.lines.hear(seat, since, &message);
                }
            }
            Frame::Give { transfer } => self.give(transfer)?,
            Frame::Waiting { seat, turn } => self.counts.note_pause(seat, turn),
            Frame::End => self.ending = Some(self.verdict()),
            Frame::Refused { reason } => self.ending = Some(Ending::Refused(reason)),
            _ => return Ok(Err("what only a peer says".to_owned())),
        }
        Ok(Ok(()))
    }

    /// Takes a state: turns are played from here on.
    fn sit_down(&mut self, state: Session<Rts>) -> Result<(), Box<dyn Error>> {
        let Some(Agreed { terms, seat, seats, coming, .. }) = &self.agreed else { return Ok(()) };
        self.due = Instant::now();
        self.behind = seats.is_empty().then(|| (Instant::now(), state.tick_count()));
        self.board =
            Some(Board::new(*terms, Seat { seat: *seat, coming: *coming }, state, seats, &self.setup)?);
        Ok(())
    }

    /// Sends the present state.
    fn give(&mut self, transfer: u32) -> Result<(), Box<dyn Error>> {
        let (Some(agreed), Some(board)) = (&self.agreed, &self.board) else { return Ok(()) };
        let parcel = Parcel::of(agreed.terms, board.state(), Vec::new());
        self.counts.given += 1;
        let frames: Vec<Frame> = pieces(transfer, parcel.tick, &parcel.encode()).map(Frame::Piece).collect();
        frames.iter().for_each(|frame| self.send(frame));
        Ok(())
    }

    /// Plays due turns, writes to the others, and checks for the end.
    fn advance(&mut self) -> Result<(), Box<dyn Error>> {
        let Some(mut board) = self.board.take() else { return Ok(()) };
        let is_due = self.is_behind_of(&board) || Instant::now() >= self.due;
        if is_due && board.waiting() > 0 && !self.is_stopped() && !board.is_at_end() {
            // Known checksums are compared before anything is played on top of them.
            board.poll()?;
            self.note_disputes(&board);
            if !self.is_stopped() {
                board.play(&self.setup)?;
                self.polled = Instant::now();
                self.pace(&board);
            }
        } else if self.polled.elapsed() >= POLL {
            board.poll()?;
            self.polled = Instant::now();
        }
        self.note_disputes(&board);
        board.said().iter().for_each(|frame| self.send(frame));
        if self.setup.vanish.is_some_and(|tick| board.tick() >= tick) {
            self.ending = Some(Ending::Vanished);
        }
        self.catch_up(&board);
        self.board = Some(board);
        self.conclude()
    }

    fn is_behind_of(&self, board: &Board) -> bool {
        let delay = self.agreed.as_ref().map_or(0, |agreed| usize::from(agreed.terms.delay));
        self.behind.is_some() || board.waiting() > delay
    }

    /// Sets the instant of the next tick.
    fn pace(&mut self, board: &Board) {
        let rate = self.agreed.as_ref().map_or(0, |agreed| agreed.terms.rate);
        let now = Instant::now();
        if rate > 0 {
            self.due += Duration::from_secs(1) / rate;
        }
        if rate == 0 || self.is_behind_of(board) || now.saturating_duration_since(self.due) > LATE_MAX {
            self.due = now;
        }
    }

    /// A player who came late reports when there is nothing more to play.
    fn catch_up(&mut self, board: &Board) {
        let Some((since, from)) = self.behind else { return };
        if board.waiting() == 0 && !board.is_in {
            self.send(&Frame::Ready { tick: board.tick() });
            self.counts.caught_up.push((board.tick() - from, since.elapsed()));
            self.behind = None;
        }
    }

    fn note_disputes(&mut self, board: &Board) {
        if board.lines.are_in_dispute() && self.disputed.is_none() {
            self.disputed = Some(Instant::now());
        }
    }

    /// Acts on the findings.
    fn conclude(&mut self) -> Result<(), Box<dyn Error>> {
        let Some(board) = &self.board else { return Ok(()) };
        if self.is_done {
            return Ok(());
        }
        if let Some(since) = self.disputed {
            let is_settled = board.lines.are_settled() || since.elapsed() > self.setup.patience;
            if !is_settled {
                return Ok(());
            }
            if !self.setup.resync {
                self.done(false);
            } else if board.lines.is_wrong_here() {
                return self.give_up_state();
            } else if board.is_at_end() {
                self.done(false);
            } else if !board.lines.are_in_dispute() {
                self.disputed = None; // the line is closed, and another one will come
            }
        } else if board.is_at_end() && board.lines.are_compared(board.tick()) {
            let is_well = self.disputes.is_empty() && board.lines.disputes().is_empty();
            self.done(is_well);
        }
        Ok(())
    }

    /// Gives up a wrong state, and requests another one.
    fn give_up_state(&mut self) -> Result<(), Box<dyn Error>> {
        self.close_board()?;
        (self.disputed, self.assembly) = (None, Assembly::default());
        self.counts.resyncs += 1;
        self.send(&Frame::Resync);
        Ok(())
    }

    /// Ends the recording, and keeps the findings.
    fn close_board(&mut self) -> Result<(), Box<dyn Error>> {
        if let Some(board) = self.board.take() {
            self.disputes.extend(board.lines.disputes());
            self.counts.records.push(board.record.clone());
            self.counts.refused_orders += board.refused;
            self.counts.injection = board.injection_outcome().or(self.counts.injection.take());
            self.counts.compared = board.lines.compared().or(self.counts.compared);
            self.counts.last = Some(board.finish()?);
        }
        Ok(())
    }

    fn done(&mut self, is_well: bool) {
        self.is_done = true;
        self.send(&Frame::Done { is_well });
    }

    /// The end of the match where the relay says that it is over.
    fn verdict(&self) -> Ending {
        match &self.board {
            Some(board) if board.lines.are_in_dispute() => Ending::Desync,
            Some(board) if board.is_at_end() => Ending::Finished,
            _ => Ending::Early,
        }
    }

    /// Sends a frame; the loss of the relay is noticed elsewhere.
    fn send(&mut self, frame: &Frame) {
        let _ = self.link.send(frame);
    }

    fn outcome(mut self, ending: Ending) -> Result<Outcome, Box<dyn Error>> {
        self.close_board()?;
        let seat = self.agreed.as_ref().map(|agreed| agreed.seat);
        let Self { counts, disputes, .. } = self;
        Ok(Outcome { ending, seat, disputes, counts })
    }
}
