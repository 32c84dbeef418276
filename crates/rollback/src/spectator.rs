//! A side without players.

use std::{
    collections::VecDeque,
    io::Write,
    time::{Duration, Instant},
};

use bitstep::session::{Simulation, TickLog};

use crate::{
    Address, Confirmed, Counts, Ending, MatchEvent, Outcome, RollbackError, Transport, exchange::Exchange,
    play::Comparison, progress::Progress, rollback::Rollback, stream::ticks_of,
};

/// Number of ticks in waiting beyond which two are played in a frame.
const BEHIND: usize = 8;

/// Largest number of ticks in waiting.
const WAITING_MAX: usize = 1 << 10;

/// The setup of a spectator.
pub struct SpectatorSetup<A> {
    /// The number of the match.
    pub session: u64,
    /// The side that has this spectator in its [`Setup`](crate::Setup).
    pub host: A,
    /// The number of players.
    pub players: usize,
    /// The tick after which the match ends: `u64::MAX` where players leave.
    pub last_tick: u64,
    /// Longest silence of the host: 5 seconds by default.
    pub patience: Duration,
    /// Longest time until the host is there, and between two ticks: 60 seconds by default.
    pub wait: Duration,
    /// The recording of the ticks.
    pub recording: Option<Box<dyn Write>>,
}

impl<A> SpectatorSetup<A> {
    /// A spectator of a match of so many players, with defaults for all else.
    #[must_use]
    pub const fn new(session: u64, players: usize, host: A) -> Self {
        let (patience, wait) = (Duration::from_secs(5), Duration::from_secs(60));
        Self { session, host, players, last_tick: u64::MAX, patience, wait, recording: None }
    }
}

/// A side without players: it plays the confirmed ticks that its host sends, and compares each with it.
///
/// It begins at the initial state, and may come late: the host keeps the inputs of 65,536 ticks. It is never in the way of the
/// match.
pub struct Spectator<S: Simulation, A: Address> {
    rollback: Rollback<S>,
    exchange: Exchange<A>,
    comparison: Comparison<S, A>,
    setup: SpectatorSetup<A>,
    /// The inputs of the ticks to come.
    waiting: VecDeque<Vec<S::Input>>,
    events: VecDeque<MatchEvent<A>>,
    said: Progress,
    has_begun: bool,
    /// The rule by which a match ends before its last tick.
    is_last: Option<fn(&S) -> bool>,
    /// The instant of the last tick.
    moved: Instant,
    ending: Option<Ending>,
}

impl<S: Simulation, A: Address> Spectator<S, A> {
    /// Begins to watch a match from its initial state.
    ///
    /// # Errors
    ///
    /// If the recording cannot be written.
    pub fn new(
        initial_state: S,
        mut setup: SpectatorSetup<A>,
        transport: impl Transport<A> + 'static,
    ) -> Result<Self, RollbackError> {
        let host = || [setup.host.clone()].into_iter();
        let exchange = Exchange::new(Box::new(transport), setup.session, host());
        let comparison = Comparison::new(&initial_state, setup.session, host().collect(), Vec::new())?;
        let tick = initial_state.tick_count();
        let mut rollback = Rollback::new(initial_state, 4, TickLog::sums())?;
        if let Some(writer) = setup.recording.take() {
            rollback.record(writer)?;
        }
        Ok(Self {
            rollback,
            exchange,
            comparison,
            setup,
            waiting: VecDeque::new(),
            events: VecDeque::new(),
            said: Progress { played: tick, confirmed: tick, ..Progress::default() },
            has_begun: false,
            is_last: None,
            moved: Instant::now(),
            ending: None,
        })
    }

    /// Ends the match by a rule, which is that of the players: see [`Match::ends_when`](crate::Match::ends_when).
    #[must_use]
    pub fn ends_when(mut self, is_last: fn(&S) -> bool) -> Self {
        self.is_last = Some(is_last);
        self
    }

    /// Plays a tick if one is here, two while many are, and hands each to `told`. After the [end](Self::ending) nothing more is
    /// played.
    ///
    /// # Errors
    ///
    /// If the recording cannot be written.
    pub fn frame(&mut self, mut told: impl FnMut(Confirmed<'_, S>)) -> Result<(), RollbackError> {
        self.exchange.receive();
        self.take_inputs();
        let count = 1 + usize::from(self.waiting.len() > BEHIND);
        for _ in 0..count {
            if self.ending.is_some() || self.confirmed() >= self.setup.last_tick {
                break;
            }
            let Some(inputs) = self.waiting.pop_front() else { break };
            self.rollback.advance(inputs.into_iter())?;
            let (comparison, is_last, last_tick) =
                (&mut self.comparison, self.is_last, &mut self.setup.last_tick);
            self.rollback.confirm(u64::MAX, |tick, log| {
                comparison.confirm(&tick, log)?;
                if is_last.is_some_and(|is_last| is_last(tick.state)) {
                    *last_tick = tick.tick;
                }
                told(tick);
                Ok(true)
            })?;
            (self.has_begun, self.moved) = (true, Instant::now());
        }
        self.tell();
        if self.ending.is_none() {
            self.ending = self.find_ending();
        }
        Ok(())
    }

    /// The state after the last tick.
    pub const fn state(&self) -> &S {
        self.rollback.state()
    }

    /// The last tick.
    pub const fn confirmed(&self) -> u64 {
        self.rollback.confirmed()
    }

    /// Number of ticks that are here and not played yet.
    pub fn behind(&self) -> usize {
        self.waiting.len()
    }

    /// The findings of the comparison with the host since the last call.
    pub fn events(&mut self) -> impl Iterator<Item = MatchEvent<A>> {
        self.events.drain(..)
    }

    /// The end of the match, if it has come.
    pub const fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// The statistics of the link.
    pub const fn counts(&self) -> Counts {
        self.exchange.counts()
    }

    /// Ends the recording, and returns what is left.
    ///
    /// # Errors
    ///
    /// If the recording cannot be written.
    pub fn finish(self) -> Result<Outcome<S>, RollbackError> {
        let (tick, stats, counts) = (self.confirmed(), self.rollback.stats, self.counts());
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

    /// Takes the inputs of the ticks that come next; others have come before, or will come again.
    fn take_inputs(&mut self) {
        while let Some(message) = self.exchange.next_of_inputs(&self.setup.host) {
            for (tick, bytes) in ticks_of(&message).unwrap_or_default() {
                let next = self.confirmed() + self.waiting.len() as u64 + 1;
                if tick != next || self.waiting.len() >= WAITING_MAX {
                    continue;
                }
                match S::decode_inputs(bytes) {
                    Ok(inputs) if inputs.len() == self.setup.players => self.waiting.push_back(inputs),
                    Ok(inputs) => {
                        let words = format!("inputs of {} players, not {}", inputs.len(), self.setup.players);
                        self.ending.get_or_insert(Ending::Broken(words));
                    }
                    Err(error) => _ = self.ending.get_or_insert(Ending::Broken(error.to_string())),
                }
            }
        }
    }

    /// Compares, and says how far this side is.
    fn tell(&mut self) {
        let Self { comparison, exchange, events, setup, said, rollback, .. } = self;
        comparison.exchange(exchange, |with, finding| {
            events.push_back(MatchEvent::Compared { with: with.clone(), finding });
        });
        let tick = rollback.confirmed();
        let is_all = tick >= setup.last_tick && comparison.compared().unwrap_or(tick) >= setup.last_tick;
        let theirs = exchange.progress(&setup.host);
        said.desync = comparison.desync().into_iter().chain(theirs.desync).min();
        (said.played, said.confirmed) = (tick, tick);
        said.is_done |= is_all || said.desync.is_some() && comparison.has_reports();
        said.has_heard = theirs.is_done;
        exchange.send_progress(*said, &setup.host);
    }

    fn find_ending(&self) -> Option<Ending> {
        let theirs = self.exchange.progress(&self.setup.host);
        let verdict = self.said.desync.map_or(Ending::Finished, Ending::Desync);
        if self.said.is_done && theirs.is_done && theirs.has_heard {
            return Some(verdict);
        }
        let heard = self.exchange.heard(&self.setup.host);
        let (silent, still) = (heard.unwrap_or(self.moved).elapsed(), self.moved.elapsed());
        let patience = if self.has_begun { self.setup.patience } else { self.setup.wait };
        let ending = match theirs.has_left {
            // What it has confirmed it still sends.
            true if self.confirmed() >= theirs.confirmed => Ending::OthersLeft,
            _ if silent > patience => Ending::OthersVanished,
            _ if still > self.setup.wait => Ending::Stalled(still),
            _ => return None,
        };
        Some(if self.said.is_done { verdict } else { ending })
    }
}
