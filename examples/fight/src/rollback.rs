//! The glue between ggrs and a [`Simulation`]: it knows no game, and can be copied into another one
//! unchanged.
//!
//! ggrs decides when to save, load and advance, and sees no state: its own is `()`. Here are
//!
//! - the state, and a [`Ring`] of the last ones, from which it is loaded. Saving into a ring that has been
//!   filled once allocates nothing;
//! - a [`Recorder`], which writes a tick when it is confirmed, and discards mispredicted ones;
//! - the inputs of the last ticks, so that confirmed ticks can be handed to the comparison
//!   ([`Peer`](bitstep::peer::Peer)).
//!
//! How to use it, once per frame:
//!
//! 1. `session.add_local_input(..)`, then `rollback.fulfil(session.advance_frame()?)?`;
//! 2. `rollback.confirm(session.confirmed_frame(), |state, inputs, log| ..)`.
//!
//! Frame 0 of ggrs is the initial state: what it calls frame `f` is the state after tick `f` counted from there,
//! and its inputs are those of tick `f + 1`. Checksums are not given to ggrs, whose detection compares one
//! now and then and drops the states: confirmed ticks go to a `Peer` instead.

use std::{collections::VecDeque, io, io::Write, marker::PhantomData, net::SocketAddr};

use bitstep::{
    replay::{RecordOptions, Recorder},
    session::{Injection, Ring, SessionError, Simulation, TickLog},
    snapshot::Checksum,
    tick::TickReport,
};
use ggrs::{Config, Frame, GgrsRequest, PredictRepeatLast, SessionBuilder};
use serde::{Serialize, de::DeserializeOwned};

/// Largest number of predicted ticks.
pub const WINDOW: usize = 8;

/// The game's input type for ggrs. The prediction is that no player presses a key.
#[derive(Debug)]
pub struct Ggrs<I>(PhantomData<I>);

impl<I: Copy + PartialEq + Default + Serialize + DeserializeOwned + 'static> Config for Ggrs<I> {
    type Input = I;
    type InputPredictor = PredictRepeatLast;
    type State = ();
    type Address = SocketAddr;
}

/// Statistics of rollbacks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Number of times a state was loaded.
    pub rollbacks: u64,
    /// Number of ticks that were played again.
    pub replayed: u64,
    /// Largest number of them in one rollback.
    pub deepest: u64,
    /// Number of frames without another tick, since the other player was too far behind.
    pub stalls: u64,
}

/// An error of a rollback.
#[derive(Debug)]
pub enum RollbackError {
    /// ggrs wants a state that the ring has discarded: it is smaller than the prediction window.
    NotKept(SessionError),
    /// ggrs asks for another frame than the due one.
    Frame {
        /// The frame of the state here.
        here: u64,
        /// The frame that it asks for.
        asked: Frame,
    },
    /// The recording cannot be written.
    Recording(io::Error),
}

impl std::fmt::Display for RollbackError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotKept(error) => error.fmt(f),
            Self::Frame { here, asked } => write!(f, "ggrs speaks of frame {asked}, it is frame {here}"),
            Self::Recording(error) => write!(f, "recording: {error}"),
        }
    }
}

impl std::error::Error for RollbackError {}

impl From<SessionError> for RollbackError {
    fn from(error: SessionError) -> Self {
        Self::NotKept(error)
    }
}

impl From<io::Error> for RollbackError {
    fn from(error: io::Error) -> Self {
        Self::Recording(error)
    }
}

/// A state that ggrs plays forward and back.
#[derive(Debug)]
pub struct Rollback<S: Simulation, W: Write = io::Sink> {
    state: S,
    ring: Ring<S>,
    /// The tick count of the initial state.
    initial_tick: u64,
    /// The last tick that was confirmed.
    confirmed: u64,
    /// The ticks played since.
    past: VecDeque<Past<S::Input>>,
    log: TickLog,
    report: TickReport,
    recorder: Option<Recorder<W, S>>,
    gives_checksums: bool,
    stats: Stats,
}

/// A tick that was played and may still be rolled back.
#[derive(Debug)]
struct Past<I> {
    inputs: Vec<I>,
    log: TickLog,
}

impl<S: Simulation, W: Write> Rollback<S, W> {
    /// Begins at a state; `log` sets what is logged of each tick for the comparison.
    #[must_use]
    pub fn new(initial_state: S, log: TickLog) -> Self {
        let ring = Ring::new(&initial_state, WINDOW as u32 + 2).expect("a window has ticks");
        let tick = initial_state.tick_count();
        Self {
            ring,
            initial_tick: tick,
            confirmed: tick,
            state: initial_state,
            past: VecDeque::new(),
            log,
            report: TickReport::default(),
            recorder: None,
            gives_checksums: false,
            stats: Stats::default(),
        }
    }

    /// Records the ticks that are confirmed.
    ///
    /// # Errors
    ///
    /// All errors of the writer.
    pub fn record(mut self, writer: W) -> io::Result<Self> {
        let options = RecordOptions { window: WINDOW as u32 + 2, ..RecordOptions::default() };
        self.recorder = Some(Recorder::with_options(writer, &self.state, options)?);
        Ok(self)
    }

    /// The predicted state.
    pub const fn state(&self) -> &S {
        &self.state
    }

    /// The statistics.
    pub const fn stats(&self) -> Stats {
        self.stats
    }

    /// The last tick that was confirmed.
    pub const fn confirmed(&self) -> u64 {
        self.confirmed
    }

    /// The outcome of a injection, if the log has one.
    pub fn injection_outcome(&self) -> Option<String> {
        self.log.injection_outcome().map(|outcome| outcome.to_string())
    }

    /// Fulfils the requests of ggrs, in order.
    ///
    /// # Errors
    ///
    /// If a state is not kept or a frame is not due, which would be a fault here; all errors of the
    /// recording's writer.
    pub fn fulfil<C>(&mut self, requests: Vec<GgrsRequest<C>>) -> Result<(), RollbackError>
    where
        C: Config<Input = S::Input, State = ()>,
    {
        let before = self.state.tick_count();
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    self.check(frame)?;
                    self.ring.save(&self.state);
                    let checksum = self.gives_checksums.then(|| self.state.checksum().0);
                    cell.save(frame, Some(()), checksum);
                }
                GgrsRequest::LoadGameState { frame, .. } => self.load(frame)?,
                GgrsRequest::AdvanceFrame { inputs } => {
                    self.advance(inputs.into_iter().map(|(input, _)| input).collect())?;
                }
            }
        }
        self.stats.stalls += u64::from(self.state.tick_count() <= before);
        Ok(())
    }

    /// Takes the frames up to this one as final, and calls `told` for each tick once: with the state after
    /// it, its inputs, its log.
    ///
    /// # Errors
    ///
    /// Errors of `told`; all errors of the recording's writer.
    pub fn confirm<E: From<RollbackError>>(
        &mut self,
        frame: Frame,
        last: u64,
        mut told: impl FnMut(&S, &[S::Input], &TickLog) -> Result<(), E>,
    ) -> Result<(), E> {
        let tick = self.initial_tick.saturating_add_signed(i64::from(frame) + 1);
        let until = tick.min(self.state.tick_count()).min(last);
        while self.confirmed < until {
            let Some(past) = self.past.pop_front() else { break };
            self.confirmed += 1;
            let is_newest = self.confirmed == self.state.tick_count();
            let after = if is_newest {
                &self.state
            } else {
                self.ring.get(self.confirmed).map_err(RollbackError::from)?
            };
            if let Some(recorder) = &mut self.recorder {
                recorder.confirm(self.confirmed).map_err(RollbackError::from)?;
            }
            told(after, &past.inputs, &past.log)?;
        }
        Ok(())
    }

    /// Ends the recording behind the last tick that was confirmed, and returns the state after it.
    ///
    /// # Errors
    ///
    /// All errors of the recording's writer; if that state is not kept, which would be a fault here.
    pub fn finish(self) -> Result<S, RollbackError> {
        if let Some(recorder) = self.recorder {
            recorder.finish()?;
        }
        if self.confirmed == self.state.tick_count() {
            return Ok(self.state);
        }
        Ok(self.ring.get(self.confirmed)?.clone())
    }

    fn load(&mut self, frame: Frame) -> Result<(), RollbackError> {
        let tick = self.initial_tick.saturating_add_signed(frame.into());
        let depth = self.state.tick_count() - tick.min(self.state.tick_count());
        self.ring.restore(tick, &mut self.state)?;
        self.past.truncate((tick - self.confirmed.min(tick)) as usize);
        if let Some(recorder) = &mut self.recorder {
            recorder.rewind(tick)?;
        }
        self.stats.rollbacks += 1;
        self.stats.replayed += depth;
        self.stats.deepest = self.stats.deepest.max(depth);
        Ok(())
    }

    fn advance(&mut self, inputs: Vec<S::Input>) -> Result<(), RollbackError> {
        // A session's game has seen them, and a world's commands may be refused in a prediction.
        let _ = self.state.tick_logged(&inputs, &mut self.report, &mut self.log);
        if let Some(recorder) = &mut self.recorder {
            recorder.tick(&inputs, &self.state)?;
        }
        let log = if self.log.is_on() { self.log.clone() } else { TickLog::off() };
        self.past.push_back(Past { inputs, log });
        Ok(())
    }

    fn check(&self, asked: Frame) -> Result<(), RollbackError> {
        let here = self.state.tick_count() - self.initial_tick;
        if u64::try_from(asked) == Ok(here) { Ok(()) } else { Err(RollbackError::Frame { here, asked }) }
    }
}

/// A log for [`Rollback::new`] where ticks are compared: hashes of the phases, and fault injection on
/// request.
#[must_use]
pub fn log_with(injection: Option<Injection>) -> TickLog {
    match injection {
        Some(injection) => TickLog::sums().injected(injection),
        None => TickLog::sums(),
    }
}

/// The result of a sync test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyncTest {
    /// The checksum of the last state.
    pub checksum: Checksum,
    /// Number and depth of the rollbacks.
    pub stats: Stats,
}

/// Plays inputs through ggrs's sync test: in every frame it goes back by the distance and plays again, and
/// every checksum must be the same.
///
/// # Errors
///
/// The frames that came out differently; or a distance that is not below [`WINDOW`] + 1.
pub fn sync_test<S: Simulation>(
    initial_state: S,
    inputs: &[[S::Input; 2]],
    distance: usize,
) -> Result<SyncTest, Box<dyn std::error::Error>>
where
    S::Input: Copy + Default + Serialize + DeserializeOwned + 'static,
{
    let builder = SessionBuilder::<Ggrs<S::Input>>::new().with_max_prediction_window(WINDOW + 1);
    let mut session = builder.with_check_distance(distance).start_synctest_session()?;
    let mut rollback = Rollback::<S>::new(initial_state, TickLog::off());
    rollback.gives_checksums = true;
    for both in inputs {
        for (player, input) in both.iter().enumerate() {
            session.add_local_input(player, *input)?;
        }
        let requests = session.advance_frame()?;
        rollback.fulfil(requests)?;
        // Ticks beyond the distance are final.
        let safe = session.current_frame() - distance as Frame - 1;
        rollback.confirm(safe, u64::MAX, |_, _, _| Ok::<(), RollbackError>(()))?;
    }
    Ok(SyncTest { checksum: rollback.state.checksum(), stats: rollback.stats })
}
