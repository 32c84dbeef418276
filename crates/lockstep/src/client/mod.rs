//! A client: it plays a match that a relay orders, compares every tick with the others, and goes on when players come and go.
//!
//! There is no clock here, nor a thread: [`Client::update`] is told the time. All effects depend on turns alone; the time decides
//! only how fast they are played, and how long nothing may happen.

mod board;
mod comparison;
mod ending;
mod event;
mod frames;
mod setup;
mod verdict;

use std::{
    collections::VecDeque,
    fmt,
    time::{Duration, Instant},
};

use bitstep::{
    session::{Session, TickLog},
    tick::TickReport,
};

pub use comparison::Dispute;
pub use ending::{Ending, Outcome};
pub use event::ClientEvent;
pub use setup::{Part, Setup, Writer};

use crate::{
    GameId, LockstepError, LockstepGame, OrderError, Terms,
    orders::Outbox,
    pieces::Assembly,
    transport::Link,
    wire::{Frame, PROTOCOL, Piece},
};
use board::{Board, Place};
use event::Events;

/// Longest wait for something to do.
const WAIT: Duration = Duration::from_millis(5);
/// Interval of messages to the others while nothing is played.
const POLL: Duration = Duration::from_millis(20);
/// A player later than this loses the time, and does not catch up with it.
const LATE_MAX: Duration = Duration::from_millis(100);
/// Largest number of turns that wait to be played; the rest waits in the link.
const TURNS_MAX: usize = 4_096;
/// Largest number of messages that are taken in one update: others may send more than can be read.
const MESSAGES_PER_UPDATE: u32 = 8_192;
/// Largest number of ticks in one update, so that a game can draw while it catches up.
const TICKS_PER_UPDATE: u32 = 8;

/// A state of the match, right when it is reached: the first one, and that after each tick.
#[derive(Debug)]
pub struct Played<'a, G: LockstepGame> {
    /// The seat of this player.
    pub seat: u8,
    /// The state.
    pub state: &'a Session<G>,
    /// The inputs of the tick; empty for a first state.
    pub inputs: &'a [G::Input],
    /// The report of the tick; empty for a first state.
    pub report: &'a TickReport,
    /// The orders that wait, of a player that gives some in this tick.
    outbox: Option<&'a mut Outbox>,
    is_saved: &'a mut bool,
}

impl<G: LockstepGame> Played<'_, G> {
    /// True if orders are taken here. They are not of a player that came late and does not take part yet, nor in the last ticks.
    #[must_use]
    pub const fn is_playing(&self) -> bool {
        self.outbox.is_some()
    }

    /// Gives an order, as [`Client::order`] does.
    ///
    /// # Errors
    ///
    /// If it is too large, too many wait, or no orders are taken here.
    pub fn order(&mut self, order: &G::Order) -> Result<(), OrderError> {
        self.outbox.as_mut().ok_or(OrderError::NotPlaying)?.push(order)
    }

    /// Saves this state, as [`Client::save`] does.
    pub const fn save(&mut self) {
        *self.is_saved = true;
    }
}

/// A player at a relay.
pub struct Client<G: LockstepGame, L> {
    setup: Setup,
    link: L,
    place: Option<Place>,
    /// The state of the terms, until the board is there: a state that is sent needs its scenery.
    first: Option<Session<G>>,
    assembly: Assembly,
    board: Option<Board<G>>,
    /// The last state of a board that was given up, and what was found on it.
    last: Option<Session<G>>,
    disputes: Vec<(u8, Dispute)>,
    compared: Option<u64>,
    events: Events,
    now: Duration,
    /// The time of the next tick.
    due: Duration,
    /// The times of the last arrival, and of the last message to the others.
    heard: Duration,
    polled: Duration,
    /// The time and tick from which missed turns are played, and the tick of which the relay was told last.
    behind: Option<(Duration, u64)>,
    told: Option<u64>,
    /// The state that is sent to another player.
    giving: VecDeque<Piece>,
    /// The time since which a tick differs; later where more has become known of it.
    disputed: Option<Duration>,
    /// True while another state is asked for.
    gives_up: bool,
    /// True if no other state is to be had for the present dispute.
    keeps: bool,
    is_done: bool,
    ending: Option<Ending>,
}

impl<G: LockstepGame, L: Link> Client<G, L> {
    /// A player that comes to a relay. Times count from here.
    pub fn new(link: L, setup: Setup) -> Self {
        let mut client = Self {
            link,
            place: None,
            first: None,
            assembly: Assembly::default(),
            board: None,
            last: None,
            disputes: Vec::new(),
            compared: None,
            events: Events::default(),
            now: Duration::ZERO,
            due: Duration::ZERO,
            heard: Duration::ZERO,
            polled: Duration::ZERO,
            behind: None,
            told: None,
            giving: VecDeque::new(),
            disputed: None,
            gives_up: false,
            keeps: false,
            is_done: false,
            ending: None,
            setup,
        };
        let (seat, ticket) = (client.setup.seat, client.setup.ticket.clone());
        client.send(&Frame::Join { protocol: PROTOCOL, game: GameId::of::<G>(), seat, ticket });
        client
    }

    /// Takes what has arrived, plays what is due, and sends what follows; never waits. `seen` gets each state when it is reached.
    ///
    /// At most eight ticks are played, so a player that has much to catch up plays it over several updates.
    ///
    /// # Errors
    ///
    /// If the recording cannot be written. The client must be dropped then.
    pub fn update(
        &mut self,
        now: Duration,
        mut seen: impl FnMut(&mut Played<'_, G>),
    ) -> Result<(), LockstepError> {
        self.now = now.max(self.now);
        self.listen(Duration::ZERO)?;
        if self.ending.is_some() {
            return Ok(());
        }
        for _ in 0..TICKS_PER_UPDATE {
            let was_played = self.advance(&mut seen)?;
            if !was_played || self.ending.is_some() {
                break;
            }
        }
        self.give_more();
        Ok(())
    }

    /// Waits until something arrives or is to be done, for at most a time: between two updates of a program that draws nothing.
    ///
    /// # Errors
    ///
    /// As [`update`](Self::update).
    pub fn wait(&mut self, longest: Duration) -> Result<(), LockstepError> {
        self.listen(self.idle().min(longest))
    }

    /// Plays by the clock until the match is over, for a program without pictures. `seen` gets each state when it is reached.
    ///
    /// # Errors
    ///
    /// As [`update`](Self::update).
    pub fn run(
        mut self,
        mut seen: impl FnMut(&mut Played<'_, G>),
        mut told: impl FnMut(ClientEvent),
    ) -> Result<Outcome<G>, LockstepError> {
        let began = Instant::now();
        while self.ending().is_none() {
            self.update(began.elapsed(), &mut seen)?;
            self.events().for_each(&mut told);
            self.wait(WAIT)?;
        }
        let mut outcome = self.finish()?;
        outcome.events.drain(..).for_each(told);
        Ok(outcome)
    }

    /// Gives an order. It goes out with the next tick that is played here, and its effect comes a delay later.
    ///
    /// # Errors
    ///
    /// If it is too large, too many wait, or the player does not take part.
    pub fn order(&mut self, order: &G::Order) -> Result<(), OrderError> {
        let is_over = self.is_done || self.ending.is_some() || self.gives_up;
        let board = self.board.as_mut().filter(|board| board.takes_orders() && !is_over);
        board.ok_or(OrderError::NotPlaying)?.outbox.push(order)
    }

    /// Saves the match as it is now: [`ClientEvent::Saved`] comes with it when the turns that are under way are here, a delay
    /// later.
    pub fn save(&mut self) {
        if let Some(board) = &mut self.board {
            board.save();
        }
    }

    /// Leaves the match. The others are told, and go on.
    pub fn leave(&mut self) {
        self.ending.get_or_insert(Ending::Left);
    }

    /// The present state; none before the match begins, and while the state is replaced.
    pub fn state(&self) -> Option<&Session<G>> {
        self.board.as_ref().map(Board::state)
    }

    /// The terms of the match, once they are known.
    pub fn terms(&self) -> Option<&Terms> {
        self.place.as_ref().map(|place| &place.terms)
    }

    /// The seat of this player, from 0, once it is known.
    pub fn seat(&self) -> Option<u8> {
        self.place.as_ref().map(|place| place.seat)
    }

    /// True if this player takes part: it gives orders.
    pub fn is_playing(&self) -> bool {
        self.board.as_ref().is_some_and(|board| board.is_in)
    }

    /// The log of the last tick.
    pub fn log(&self) -> &TickLog {
        self.board.as_ref().map_or(&self.setup.log, Board::log)
    }

    /// Logs the ticks from the next one on like this: a log can carry an injection, to test that a desync is found.
    pub fn set_log(&mut self, log: TickLog) {
        if let Some(board) = &mut self.board {
            board.set_log(log.clone());
        }
        self.setup.log = log;
    }

    /// The last tick up to which every tick was compared with every player that is here; none without others.
    pub fn compared(&self) -> Option<u64> {
        self.board.as_ref().and_then(|board| board.comparison.compared())
    }

    /// The events since the last call. At most 4,096 wait: beyond that the oldest are discarded.
    pub fn events(&mut self) -> impl Iterator<Item = ClientEvent> + '_ {
        self.events.drain()
    }

    /// The end of the match, when it is over.
    pub const fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Ends the recording, and closes the link; a match that is not over is left.
    ///
    /// # Errors
    ///
    /// If the recording cannot be written.
    pub fn finish(mut self) -> Result<Outcome<G>, LockstepError> {
        let ending = self.ending.clone().unwrap_or(Ending::Left);
        self.close_board()?;
        let (seat, events) = (self.seat(), self.events().collect());
        let Self { disputes, compared, last, .. } = self;
        Ok(Outcome { ending, seat, disputes, compared, state: last, events })
    }

    /// The time until something is to be done.
    fn idle(&self) -> Duration {
        let can_play = self.board.as_ref().is_some_and(|board| board.waiting() > 0) && !self.is_stopped();
        if !can_play {
            return WAIT;
        }
        if self.is_behind() { Duration::ZERO } else { self.due.saturating_sub(self.now).min(WAIT) }
    }

    /// True if more turns wait than there are at the pace of the others, which is the delay and that of the orders given last: they are
    /// played as fast as possible.
    fn is_behind(&self) -> bool {
        let delay = self.place.as_ref().map_or(0, |place| usize::from(place.terms.delay));
        self.behind.is_some() || self.board.as_ref().is_some_and(|board| board.waiting() > delay + 1)
    }

    /// True if the play has ended.
    const fn is_stopped(&self) -> bool {
        self.is_done || self.gives_up || (self.disputed.is_some() && !self.setup.resync)
    }

    /// Plays a due turn, writes to the others, and checks for the end; returns whether one was played.
    fn advance(&mut self, seen: &mut impl FnMut(&mut Played<'_, G>)) -> Result<bool, LockstepError> {
        let is_due = self.is_behind() || self.now >= self.due;
        let is_stopped = self.is_stopped();
        let Some(board) = &mut self.board else { return Ok(false) };
        board.show_first(seen);
        board.end(&mut self.events);
        let mut was_played = false;
        if is_due && board.waiting() > 0 && !is_stopped && !board.is_at_end() {
            // Known checksums are compared before anything is played on top of them.
            board.poll(&mut self.events);
            let is_in_dispute = board.comparison.is_in_dispute();
            if !is_in_dispute || self.setup.resync {
                board.play(&mut self.events, seen)?;
                self.polled = self.now;
                was_played = true;
            }
        } else if self.now.saturating_sub(self.polled) >= POLL {
            board.poll(&mut self.events);
            self.polled = self.now;
        }
        if board.comparison.is_in_dispute() {
            self.disputed.get_or_insert(self.now);
        }
        board.said().iter().for_each(|frame| self.send(frame));
        if was_played {
            self.pace();
        }
        self.catch_up();
        self.conclude()?;
        Ok(was_played)
    }

    /// Sets the time of the next tick: a period behind that of the last, but none is lost beyond a while, and none gained.
    fn pace(&mut self) {
        let rate = self.place.as_ref().map_or(0, |place| place.terms.rate);
        let period = Duration::from_secs(1).checked_div(rate).unwrap_or_default();
        let last = self.due.max(self.now.saturating_sub(LATE_MAX));
        self.due = (last + period).min(self.now + period);
    }

    /// Reports a player that came late when there is nothing more to play, until it takes part.
    fn catch_up(&mut self) {
        let (Some((since, from)), Some(board)) = (self.behind, &self.board) else { return };
        let tick = board.tick();
        if board.is_in {
            let (ticks, time) = (tick - from, self.now.saturating_sub(since));
            self.events.push(ClientEvent::CaughtUp { ticks, time });
            (self.behind, self.told) = (None, None);
        } else if board.waiting() == 0 && self.told != Some(tick) {
            self.send(&Frame::Ready { tick });
            self.told = Some(tick);
        }
    }
}

impl<G: LockstepGame, L> fmt::Debug for Client<G, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Client");
        shown.field("place", &self.place).field("ending", &self.ending).finish_non_exhaustive()
    }
}
