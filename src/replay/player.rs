//! Seeking to any tick of a replay.

use super::{Replay, ReplayError, index::Index};
use crate::{
    session::{Simulation, TickLog, first_difference},
    snapshot::{Checksum, RULES_VERSION},
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
    /// The encoding of a state that is compared.
    snapshot: Vec<u8>,
}

/// A tick that was played and compared with what was recorded: see [`Player::step_compared`].
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComparedTick {
    /// The checksum of the state after the tick.
    pub checksum: Checksum,
    /// True if the tick came out as it was recorded.
    pub is_recorded: bool,
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
        let (report, snapshot) = (TickReport::default(), Vec::new());
        Self { replay, index, state, tick: 0, report, played: 0, snapshot }
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

    /// The report of the last tick that was played.
    #[must_use]
    pub const fn report(&self) -> &TickReport {
        &self.report
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
        let _ = self.state.tick_logged(&record.inputs, &mut self.report, log); // in the report
        self.tick += 1;
        self.played += 1;
        if self.replay.keyframe_at(self.tick).is_none() {
            self.index.pass(self.tick, &self.state);
        }
        Some(&self.report)
    }

    /// Plays the next tick as [`step`](Self::step) does, and compares it with all that the recording says of it: the
    /// [checksums and the keyframe](Replay::is_recorded) after it, and its trace layer, if the recording has one and is of
    /// this build's rules. `None` at the end.
    ///
    /// It is how [`verify`](super::verify), [`compare_with_rerun`](super::compare_with_rerun) and
    /// [`migrate`](super::migrate) find the first tick that differs. The rules version in a snapshot does not count: the
    /// checksum is that of the state as a build of the recording's rules would have written it.
    pub fn step_compared(&mut self) -> Option<ComparedTick> {
        let rules = self.replay.rules_version();
        let record = self.replay.ticks().get(usize::try_from(self.tick).ok()?)?;
        // Other rules may have other phases, and still come to the same states.
        let layer = if rules == RULES_VERSION { record.log() } else { None };
        let mut log = if layer.is_some() { TickLog::states() } else { TickLog::off() };
        self.step_logged(&mut log)?;
        self.state.encode_into(&mut self.snapshot);
        S::relabel(&mut self.snapshot, rules);
        let checksum = Checksum::of(&self.snapshot);
        let is_recorded = layer.is_none_or(|layer| first_difference::<S>(&layer, &log) == Ok(None))
            && self.replay.is_recorded(self.tick, checksum);
        Some(ComparedTick { checksum, is_recorded })
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
