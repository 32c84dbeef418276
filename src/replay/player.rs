//! Seeking to any tick of a replay.

use super::{Replay, ReplayError, index::Index};
use crate::{
    session::{Simulation, TickLog},
    tick::{TickReport, World},
};

/// A replay in play: at any tick, forward and back.
///
/// The state after a tick is the one that playing from the start gives, bit for bit, if the recording
/// verifies. Seeking plays no more ticks than there are since the last keyframe: one of the recording, or one
/// that the player kept on the way. It keeps them within a budget of bytes, and discards every other one when
/// that is full; [`save_index`](Self::save_index) gives them to the next player.
///
/// Ticks are counted from the start of the recording: 0 is its initial state.
#[derive(Debug)]
pub struct Player<'a, S: Simulation = World> {
    pub(super) replay: &'a Replay<S>,
    pub(super) index: Index,
    state: S,
    tick: u64,
    report: TickReport,
    played: u64,
}

impl<'a, S: Simulation> Player<'a, S> {
    /// Default budget of keyframes, in bytes.
    pub const BUDGET: u64 = 64 << 20;

    /// A player at the initial state, with [`BUDGET`](Self::BUDGET).
    #[must_use]
    pub fn new(replay: &'a Replay<S>) -> Self {
        Self::with_budget(replay, Self::BUDGET)
    }

    /// A player at the initial state that keeps at most so many bytes of keyframes; 0 for none.
    #[must_use]
    pub fn with_budget(replay: &'a Replay<S>, bytes: u64) -> Self {
        let (index, state) = (Index::new(bytes), replay.initial_state().clone());
        Self { replay, index, state, tick: 0, report: TickReport::default(), played: 0 }
    }

    /// The replay.
    #[must_use]
    pub const fn replay(&self) -> &'a Replay<S> {
        self.replay
    }

    /// The state after [`tick`](Self::tick) ticks.
    #[must_use]
    pub const fn state(&self) -> &S {
        &self.state
    }

    /// Number of ticks of the recording before the state.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// Number of ticks played so far: the work done.
    #[must_use]
    pub const fn played(&self) -> u64 {
        self.played
    }

    /// Size of the keyframes that the player keeps, in bytes.
    #[must_use]
    pub const fn kept_bytes(&self) -> u64 {
        self.index.bytes()
    }

    /// Sets whether the reports of [`step`](Self::step) list events, at whatever tick; without it as
    /// [`Replay::enable_events`] says.
    pub fn enable_events(&mut self, enabled: bool) {
        self.state.enable_events(enabled);
    }

    /// Goes to the state after so many ticks.
    ///
    /// # Errors
    ///
    /// If the recording has fewer; then the player stays where it is.
    pub fn seek(&mut self, tick: u64) -> Result<&S, ReplayError> {
        let ticks = self.replay.ticks().len() as u64;
        if tick > ticks {
            return Err(ReplayError::BeyondTheEnd { tick, ticks });
        }
        let nearest = self.nearest(tick);
        if tick < self.tick || nearest > self.tick {
            self.restore(nearest);
        }
        while self.tick < tick {
            self.step();
        }
        Ok(&self.state)
    }

    /// Plays the next tick and returns its report; `None` at the end.
    pub fn step(&mut self) -> Option<&TickReport> {
        self.step_logged(&mut TickLog::off())
    }

    /// Plays the next tick as [`step`](Self::step) does, and records in the log whatever the log is set to
    /// keep.
    pub fn step_logged(&mut self, log: &mut TickLog) -> Option<&TickReport> {
        let record = self.replay.ticks().get(usize::try_from(self.tick).ok()?)?;
        self.state.tick_logged(&record.inputs, &mut self.report, log);
        self.tick += 1;
        self.played += 1;
        if self.replay.keyframe_at(self.tick).is_none() {
            self.index.pass(self.tick, &self.state);
        }
        Some(&self.report)
    }

    /// The last tick up to this one whose state is kept.
    fn nearest(&self, tick: u64) -> u64 {
        let keyframes = self.replay.keyframes();
        let behind = keyframes.partition_point(|keyframe| keyframe.tick <= tick);
        let recorded = keyframes[..behind].last().map_or(0, |keyframe| keyframe.tick);
        recorded.max(self.index.nearest(tick))
    }

    /// Restores the state of a tick that is kept.
    fn restore(&mut self, tick: u64) {
        let events = self.state.events_enabled();
        let recorded = self.replay.keyframe_at(tick).map(|keyframe| &keyframe.snapshot);
        match recorded.or_else(|| self.index.snapshot_at(tick)) {
            Some(snapshot) => {
                self.state = S::decode(snapshot, self.replay.scenery())
                    .expect("a snapshot that was checked when it was read, or written here");
            }
            None => self.state.clone_from(self.replay.initial_state()),
        }
        self.state.enable_events(events);
        self.tick = tick;
    }
}
