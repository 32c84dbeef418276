//! One side of a match: ggrs predicts, [`Rollback`] plays, [`Comparison`] compares what is confirmed.
//!
//! `frame` on this page is all of it, in order: advance, note which sides are there (`sides.rs`), confirm, compare, tell the
//! others, look for the end.

mod comparison;
mod ending;
mod event;
mod ggrs_session;
mod setup;
mod sides;

use std::{
    cell::RefCell,
    collections::VecDeque,
    rc::Rc,
    time::{Duration, Instant},
};

use bitstep::session::{EventChange, Simulation};
use ggrs::GgrsEvent;

pub use comparison::Comparison;
pub use ending::{Ending, Outcome};
pub use event::MatchEvent;
pub use setup::{Player, Setup};

use crate::{
    Address, Confirmed, Counts, Pace, PlayerInput, RollbackError, Stats, Transport, exchange::Exchange,
    progress::Progress, rollback::Rollback, stream::Stream,
};
use ggrs_session::{GgrsSession, Terms};
use sides::Side;

/// One side of a match of any number of players.
pub struct Match<S: Simulation, A: Address>
where
    S::Input: PlayerInput,
{
    terms: Terms<A>,
    session: GgrsSession<S::Input, A>,
    rollback: Rollback<S>,
    exchange: Rc<RefCell<Exchange<A>>>,
    comparison: Comparison<S, A>,
    stream: Stream,
    /// The other sides: those of players in their order, then spectators.
    sides: Vec<Side<A>>,
    /// The numbers of the players here.
    here: Vec<usize>,
    events: VecDeque<MatchEvent<A>>,
    said: Progress,
    /// The tick with which the session of ggrs began.
    began: u64,
    /// The last tick that a side that has left had confirmed.
    confirmed_by_gone: u64,
    /// Number of frames that are still to be skipped.
    skip: u32,
    last_tick: u64,
    /// The rule by which a match ends before.
    is_last: Option<fn(&S) -> bool>,
    /// Longest time until the match begins, or goes on without a side.
    wait: Duration,
    /// A tick was confirmed: from then on silence counts.
    has_begun: bool,
    /// The instant of the last confirmed tick, or at which a side was gone.
    moved: Instant,
    ending: Option<Ending>,
}

impl<S: Simulation, A: Address> Match<S, A>
where
    S::Input: PlayerInput,
{
    /// Begins a match at a state, which is the same on all sides, over a link.
    ///
    /// # Errors
    ///
    /// If the setup is refused, the recording cannot be written, or the state cannot be recorded.
    pub fn new(
        mut initial_state: S,
        setup: Setup<A>,
        transport: impl Transport<A> + 'static,
    ) -> Result<Self, RollbackError> {
        setup.check()?;
        if setup.events {
            initial_state.enable_events(true);
        }
        let sides = sides::sides_of(&setup);
        let addresses = sides.iter().map(|side| side.address.clone());
        let exchange = Exchange::new(Box::new(transport), setup.session, addresses);
        let exchange = Rc::new(RefCell::new(exchange));
        let beside = sides::beside(&setup.players, |_| true);
        let comparison = Comparison::new(&initial_state, setup.session, beside, setup.spectators.clone())?;
        let rate = match setup.frame_rate {
            0 => initial_state.world().limits().tick_rate as usize,
            rate => rate as usize,
        };
        let mut rollback = Rollback::new(initial_state, setup.states(), setup.log)?;
        if let Some(writer) = setup.recording {
            rollback.record(writer)?;
        }
        let here = (0..).zip(&setup.players).filter(|(_, player)| player.address().is_none());
        let here = here.map(|(number, _)| number).collect();
        let (players, input_delay) = (setup.players, setup.input_delay as usize);
        let terms = Terms { players, input_delay, rate, patience: setup.patience };
        let tick = rollback.confirmed();
        Ok(Self {
            session: GgrsSession::new(&terms, |_| false, &exchange)?,
            terms,
            rollback,
            exchange,
            comparison,
            stream: Stream::new(tick),
            sides,
            here,
            events: VecDeque::new(),
            said: Progress { played: tick, confirmed: tick, ..Progress::default() },
            began: tick,
            confirmed_by_gone: tick,
            skip: 0,
            last_tick: setup.last_tick,
            is_last: None,
            wait: setup.wait,
            has_begun: false,
            moved: Instant::now(),
            ending: None,
        })
    }

    /// Ends the match by a rule: behind the first confirmed tick of which the state says so. The rule is the same on all sides, and
    /// follows from the state alone.
    #[must_use]
    pub fn ends_when(mut self, is_last: fn(&S) -> bool) -> Self {
        self.is_last = Some(is_last);
        self
    }

    /// Plays one frame with the inputs of the players here, in their order, and hands each tick that is confirmed to `told`:
    /// once, in order, when no rollback will change it.
    ///
    /// The state may stay as it is: while the others are not there, when it is their turn to catch up, or when too much would be
    /// predicted. After the [end](Self::ending) nothing more is played, but the others still get answers.
    ///
    /// # Errors
    ///
    /// If the number of inputs is not that of the players here, or the recording cannot be written.
    pub fn frame(
        &mut self,
        inputs: &[S::Input],
        mut told: impl FnMut(Confirmed<'_, S>),
    ) -> Result<(), RollbackError> {
        if inputs.len() != self.here.len() {
            return Err(RollbackError::Inputs { given: inputs.len(), players: self.here.len() });
        }
        self.advance(inputs)?;
        self.take_events();
        self.note_sides();
        self.confirm(&mut told)?;
        self.compare();
        self.tell();
        if self.ending.is_none() {
            self.ending = self.find_ending();
        }
        Ok(())
    }

    /// The predicted state, to be drawn.
    pub const fn state(&self) -> &S {
        self.rollback.state()
    }

    /// The last tick that was confirmed.
    pub const fn confirmed(&self) -> u64 {
        self.rollback.confirmed()
    }

    /// The changes of events since the last call, for pictures and sounds: see
    /// [`EventLedger`](bitstep::session::EventLedger). Empty where ticks list none.
    pub fn changes(&mut self) -> &[EventChange] {
        self.rollback.changes()
    }

    /// The events beside the ticks since the last call.
    pub fn events(&mut self) -> impl Iterator<Item = MatchEvent<A>> {
        self.events.drain(..)
    }

    /// The end of the match, if it has come.
    pub const fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// True if all sides are there, so that the match is played.
    pub fn is_running(&self) -> bool {
        self.session.is_running()
    }

    /// The statistics of rollbacks.
    pub const fn stats(&self) -> Stats {
        self.rollback.stats
    }

    /// The statistics of the link.
    pub fn counts(&self) -> Counts {
        self.exchange.borrow().counts()
    }

    /// The round-trip time to the side of a player, in milliseconds, if it is known: not in the first second.
    pub fn ping(&self, player: usize) -> Option<u64> {
        self.session.ping(player)
    }

    /// The players here leave: the match ends, and the others are told by the frames that follow, or by [`linger`](Self::linger).
    pub fn leave(&mut self) {
        self.said.has_left = true;
        self.ending.get_or_insert(Ending::Left);
    }

    /// Keeps answering for a while after the end: another side may have missed the last message.
    ///
    /// # Errors
    ///
    /// As [`frame`](Self::frame).
    pub fn linger(&mut self, time: Duration) -> Result<(), RollbackError> {
        let (until, mut pace) = (Instant::now() + time, Pace::new(self.terms.rate as u32));
        while Instant::now() < until {
            self.frame(&vec![S::Input::default(); self.here.len()], |_| {})?;
            pace.wait();
        }
        Ok(())
    }

    /// Ends the recording, and returns what is left. A match that has no end yet was left.
    ///
    /// # Errors
    ///
    /// If the recording cannot be written.
    pub fn finish(self) -> Result<Outcome<S>, RollbackError> {
        let (tick, stats, counts) = (self.confirmed(), self.stats(), self.counts());
        Ok(Outcome {
            ending: self.ending.unwrap_or(Ending::Left),
            compared: self.comparison.compared().unwrap_or(tick),
            log: self.rollback.log().clone(),
            state: self.rollback.finish()?,
            tick,
            stats,
            counts,
        })
    }

    /// Advances by a frame, or only hears the others.
    fn advance(&mut self, inputs: &[S::Input]) -> Result<(), RollbackError> {
        let is_over = self.ending.is_some() || self.desync().is_some() || self.confirmed() >= self.last_tick;
        let is_full = self.rollback.is_full();
        if is_over || is_full || self.skip > 0 || self.is_settling() || !self.is_running() {
            if !is_over {
                self.rollback.stats.stalls += u64::from(is_full);
                self.rollback.stats.skipped += u64::from(self.skip > 0);
            }
            self.skip = self.skip.saturating_sub(1);
            self.session.poll();
            return Ok(());
        }
        match self.session.advance(&self.here, inputs)? {
            Some(requests) => match self.rollback.fulfil(requests, self.session.numbers()) {
                Err(RollbackError::Recording(error)) => return Err(error.into()),
                // What ggrs was made to ask for by another side.
                Err(error) => self.session.give_up(error.to_string()),
                Ok(()) => {}
            },
            None => self.rollback.stats.stalls += 1,
        }
        // Right behind an advance only: inputs that come later have not been played yet, nor have delayed ones.
        if let Some(frame) = self.session.confirmed_frame() {
            let here = self.rollback.tick_of(frame).min(self.rollback.state().tick_count());
            self.said.played = self.said.played.max(here);
        }
        Ok(())
    }

    fn take_events(&mut self) {
        let Self { session, events, skip, .. } = self;
        events.extend(session.events().filter_map(|event| match event {
            GgrsEvent::Synchronizing { addr, count, total } => {
                Some(MatchEvent::Synchronizing { with: addr, count, total })
            }
            GgrsEvent::Synchronized { addr } => Some(MatchEvent::Synchronized { with: addr }),
            GgrsEvent::NetworkInterrupted { addr, .. } => Some(MatchEvent::Interrupted { with: addr }),
            GgrsEvent::NetworkResumed { addr } => Some(MatchEvent::Resumed { with: addr }),
            GgrsEvent::WaitRecommendation { skip_frames } => {
                *skip = skip_frames;
                None
            }
            // It drops no side, and has no checksums to compare.
            GgrsEvent::Disconnected { .. } | GgrsEvent::DesyncDetected { .. } => None,
        }));
    }

    /// Hands over the ticks that are final; and where sides are gone, and all others know, begins anew behind the last of them.
    fn confirm(&mut self, told: &mut impl FnMut(Confirmed<'_, S>)) -> Result<(), RollbackError> {
        if self.said.has_left {
            return Ok(()); // the others go on behind what was confirmed here when it was said
        }
        let until = match self.is_settling() {
            true => self.restart_tick(),
            false => self.played_by_others(),
        };
        let begins_again = self.is_settling() && until.is_some();
        // A side that has left had confirmed some: those stay so.
        let until = until.unwrap_or_default().max(self.confirmed_by_gone).min(self.said.played);
        let (before, comparison, stream) =
            (self.rollback.confirmed(), &mut self.comparison, &mut self.stream);
        let has_spectators = self.sides.iter().any(|side| !side.is_player);
        let (is_last, last_tick) = (self.is_last, &mut self.last_tick);
        self.rollback.confirm(until.min(*last_tick), |tick, log| {
            comparison.confirm(&tick, log)?;
            if has_spectators {
                stream.push::<S>(tick.inputs);
            }
            if is_last.is_some_and(|is_last| is_last(tick.state)) {
                *last_tick = tick.tick;
            }
            let goes_on = tick.tick < *last_tick;
            told(tick);
            Ok(goes_on)
        })?;
        if self.rollback.confirmed() > before {
            (self.has_begun, self.moved) = (true, Instant::now());
        }
        if begins_again { self.begin_again() } else { Ok(()) }
    }

    fn compare(&mut self) {
        let Self { comparison, exchange, events, .. } = self;
        comparison.exchange(&mut exchange.borrow_mut(), |with, finding| {
            events.push_back(MatchEvent::Compared { with: with.clone(), finding });
        });
    }

    /// The first tick that is known to differ between any two players' sides.
    fn desync(&self) -> Option<u64> {
        let exchange = self.exchange.borrow();
        let players = self.sides.iter().filter(|side| side.is_player);
        let told = players.filter_map(|side| exchange.progress(&side.address).desync);
        told.chain(self.comparison.desync()).min()
    }

    /// Says how far this side is.
    fn tell(&mut self) {
        let tick = self.confirmed();
        let is_all = tick >= self.last_tick && self.comparison.compared().unwrap_or(tick) >= self.last_tick;
        let is_told = self.desync().is_some() && self.comparison.has_reports();
        self.said.confirmed = tick;
        self.said.is_done |= is_all || is_told;
        self.said.desync = self.desync();
        let mut exchange = self.exchange.borrow_mut();
        let mut players = self.sides.iter().filter(|side| side.is_player && side.is_there());
        self.said.has_heard = players.all(|side| exchange.progress(&side.address).is_done);
        for side in &self.sides {
            // Also to those that are gone: one that is not heard may hear that it was dropped.
            exchange.send_progress(self.said, &side.address);
            if !side.is_player && side.is_there() {
                let has = exchange.progress(&side.address).confirmed;
                self.stream.messages(has).for_each(|message| exchange.send_inputs(&message, &side.address));
            }
        }
    }
}

#[cfg(test)]
mod tests;
