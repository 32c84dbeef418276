//! A state that ggrs plays forward and back.
//!
//! ggrs decides when to save, load and advance, and sees no state: its own is `()`. Here are the predicted state, a [`Ring`] of
//! the last ones, a [`Recorder`] that writes a tick when it is confirmed and discards mispredicted ones, and what a confirmed
//! tick is told with.
//!
//! Frame 0 of ggrs is the initial state: its frame `f` is the state after tick `f` counted from there, and its inputs are
//! those of tick `f + 1`.

use std::{collections::VecDeque, io, io::Write};

use bitstep::{
    replay::{RecordOptions, Recorder},
    session::{EventChange, EventLedger, Ring, Simulation, TickLog},
    tick::TickReport,
};
use ggrs::{Config, Frame, GgrsRequest};

use crate::{PlayerInput, RollbackError};

/// Largest number of predicted ticks.
pub const WINDOW: usize = 8;

/// Statistics of the rollbacks of one side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Number of times a state was loaded.
    pub rollbacks: u64,
    /// Number of ticks that were played again.
    pub replayed: u64,
    /// Largest number of them in one rollback.
    pub deepest: u64,
    /// Number of frames without another tick, because another side was too far behind.
    pub stalls: u64,
    /// Number of frames skipped so that another side catches up.
    pub skipped: u64,
}

/// A tick that no rollback will change. Each is handed out once, in order.
#[derive(Debug)]
pub struct Confirmed<'a, S: Simulation> {
    /// Its number.
    pub tick: u64,
    /// The state after it.
    pub state: &'a S,
    /// The inputs of all players, in their order.
    pub inputs: &'a [S::Input],
    /// Its report; with events and impulses where the game has or the match wants them.
    pub report: &'a TickReport,
}

/// A tick that was played and may still be rolled back.
#[derive(Debug)]
struct Past<I> {
    inputs: Vec<I>,
    log: TickLog,
    report: TickReport,
}

/// The state, and all that is kept of it until it is confirmed.
pub struct Rollback<S: Simulation> {
    state: S,
    ring: Ring<S>,
    /// The tick count of the state with which the session of ggrs began.
    began: u64,
    /// The last tick that was confirmed.
    confirmed: u64,
    /// The ticks played since.
    past: VecDeque<Past<S::Input>>,
    /// Memory of ticks that are confirmed.
    spare: Vec<Past<S::Input>>,
    log: TickLog,
    recorder: Option<Recorder<Box<dyn Write>, S>>,
    events: Option<EventLedger>,
    /// True if ggrs gets checksums, as its sync test wants.
    gives_checksums: bool,
    pub stats: Stats,
}

impl<S: Simulation> Rollback<S> {
    /// Begins at a state, and keeps so many states; `log` sets what is logged of each tick for the comparison.
    pub fn new(initial_state: S, states: u32, log: TickLog) -> Result<Self, RollbackError> {
        let tick = initial_state.tick_count();
        Ok(Self {
            ring: Ring::new(&initial_state, states)?,
            began: tick,
            confirmed: tick,
            events: None,
            state: initial_state,
            past: VecDeque::new(),
            spare: Vec::new(),
            log,
            recorder: None,
            gives_checksums: false,
            stats: Stats::default(),
        })
    }

    /// Records the ticks that are confirmed.
    pub fn record(&mut self, writer: Box<dyn Write>) -> io::Result<()> {
        let options = RecordOptions { window: self.ring.capacity(), ..RecordOptions::default() };
        self.recorder = Some(Recorder::with_options(writer, &self.state, options)?);
        Ok(())
    }

    /// Gives ggrs a checksum with every state.
    pub fn give_checksums(&mut self) {
        self.gives_checksums = true;
    }

    /// The predicted state.
    pub const fn state(&self) -> &S {
        &self.state
    }

    /// The last tick that was confirmed.
    pub const fn confirmed(&self) -> u64 {
        self.confirmed
    }

    /// The tick that is played with the inputs of a frame.
    pub fn tick_of(&self, frame: Frame) -> u64 {
        self.began.saturating_add_signed(i64::from(frame) + 1)
    }

    /// True if another tick would drive a state from the ring that is not confirmed.
    pub fn is_full(&self) -> bool {
        self.state.tick_count() - self.confirmed + 2 >= u64::from(self.ring.capacity())
    }

    /// The log of the tick that was played last.
    pub const fn log(&self) -> &TickLog {
        &self.log
    }

    /// The changes of events since the last call; nothing where no events are listed.
    pub fn changes(&mut self) -> &[EventChange] {
        self.events.as_mut().map_or(&[], |events| events.reconcile(self.confirmed))
    }

    /// Fulfils the requests of ggrs, in order. `numbers` has for each player its number in the session; one without plays the
    /// default input.
    pub fn fulfil<C>(
        &mut self,
        requests: Vec<GgrsRequest<C>>,
        numbers: &[Option<usize>],
    ) -> Result<(), RollbackError>
    where
        C: Config<Input = S::Input, State = ()>,
        S::Input: PlayerInput,
    {
        let before = self.state.tick_count();
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    self.check(frame)?;
                    self.ring.save(&self.state);
                    cell.save(frame, Some(()), self.gives_checksums.then(|| self.state.checksum().0));
                }
                GgrsRequest::LoadGameState { frame, .. } => self.load(frame)?,
                GgrsRequest::AdvanceFrame { inputs } => {
                    let of = |number: &Option<usize>| {
                        number.map_or_else(S::Input::default, |number| inputs[number].0)
                    };
                    self.advance(numbers.iter().map(of))?;
                }
            }
        }
        self.stats.stalls += u64::from(self.state.tick_count() <= before);
        Ok(())
    }

    /// Takes the ticks up to this one as final, and hands each to `told`, with its log, for as long as that says to go on.
    pub fn confirm(
        &mut self,
        until: u64,
        mut told: impl FnMut(Confirmed<'_, S>, &TickLog) -> Result<bool, RollbackError>,
    ) -> Result<(), RollbackError> {
        while self.confirmed < until.min(self.state.tick_count()) {
            let Some(past) = self.past.pop_front() else { break };
            self.confirmed += 1;
            let is_newest = self.confirmed == self.state.tick_count();
            let state = if is_newest { &self.state } else { self.ring.get(self.confirmed)? };
            if let Some(recorder) = &mut self.recorder {
                recorder.confirm(self.confirmed)?;
            }
            let Past { inputs, report, log } = &past;
            let goes_on = told(Confirmed { tick: self.confirmed, state, inputs, report }, log)?;
            self.spare.push(past);
            if !goes_on {
                break;
            }
        }
        Ok(())
    }

    /// Begins another session of ggrs with the state after a tick that is confirmed.
    pub fn begin_again(&mut self) -> Result<(), RollbackError> {
        let to = self.confirmed;
        if to < self.state.tick_count() {
            self.ring.restore(to, &mut self.state)?;
            self.spare.extend(self.past.drain(..));
            if let Some(recorder) = &mut self.recorder {
                recorder.rewind(to)?;
            }
        }
        self.began = to;
        Ok(())
    }

    /// Ends the recording behind the last tick that was confirmed, and returns the state after it.
    pub fn finish(self) -> Result<S, RollbackError> {
        if let Some(recorder) = self.recorder {
            recorder.finish()?;
        }
        match self.confirmed == self.state.tick_count() {
            true => Ok(self.state),
            false => Ok(self.ring.get(self.confirmed)?.clone()),
        }
    }

    fn load(&mut self, frame: Frame) -> Result<(), RollbackError> {
        let to = self.began.saturating_add_signed(frame.into());
        if to < self.confirmed {
            return Err(RollbackError::Confirmed { tick: self.confirmed, to });
        }
        let depth = self.state.tick_count().saturating_sub(to);
        self.ring.restore(to, &mut self.state)?;
        self.spare.extend(self.past.drain((to - self.confirmed) as usize..));
        if let Some(recorder) = &mut self.recorder {
            recorder.rewind(to)?;
        }
        self.stats.rollbacks += 1;
        self.stats.replayed += depth;
        self.stats.deepest = self.stats.deepest.max(depth);
        Ok(())
    }

    /// Plays a tick.
    pub fn advance(&mut self, inputs: impl Iterator<Item = S::Input>) -> Result<(), RollbackError> {
        let empty = || Past { inputs: Vec::new(), log: TickLog::off(), report: TickReport::default() };
        let mut past = self.spare.pop().unwrap_or_else(empty);
        past.inputs.clear();
        past.inputs.extend(inputs);
        // A game has seen the outcomes, and a world's commands may be refused in a prediction.
        let _ = self.state.tick_logged(&past.inputs, &mut past.report, &mut self.log);
        if self.log.is_on() {
            past.log.clone_from(&self.log);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.tick(&past.inputs, &self.state)?;
        }
        if past.report.events_listed {
            self.events
                .get_or_insert_with(|| EventLedger::new(1))
                .note(self.state.tick_count(), &past.report);
        }
        self.past.push_back(past);
        Ok(())
    }

    fn check(&self, asked: Frame) -> Result<(), RollbackError> {
        let due = self.state.tick_count() - self.began;
        if u64::try_from(asked) == Ok(due) { Ok(()) } else { Err(RollbackError::Frame { due, asked }) }
    }
}
