//! A recording played again as it was recorded, tick by tick.

use bitstep::{World, replay::Replay, session::Simulation, snapshot::Checksum, tick::TickReport};

/// A recording in play, from its initial state to its end.
///
/// Where this build does not reproduce the recording, the recorded states are shown as far as the recording
/// kept them: of a tick with a trace layer, and from the next keyframe on.
pub struct Playback<'a, S: Simulation> {
    replay: &'a Replay<S>,
    state: S,
    /// The recorded state, where it differs.
    recorded: Option<World>,
    report: TickReport,
    ticks: usize,
    matches: bool,
    diverged: Option<u64>,
}

impl<'a, S: Simulation> Playback<'a, S> {
    /// A playback at the initial state.
    pub fn new(replay: &'a Replay<S>) -> Self {
        let (mut state, report) = (replay.initial_state().clone(), TickReport::default());
        state.enable_events(true);
        Self { replay, state, recorded: None, report, ticks: 0, matches: false, diverged: None }
    }

    /// Plays a tick; false at the end.
    pub fn advance(&mut self) -> bool {
        let Some(record) = self.replay.ticks().get(self.ticks) else { return false };
        let before = self.state.world().tick_count();
        self.state.tick(&record.inputs, &mut self.report);
        self.ticks += 1;
        self.recorded = None;
        let is_recorded = self.state.checksum().short() == record.checksum;
        if !is_recorded {
            self.diverged.get_or_insert(self.state.tick_count());
            self.restore();
        }
        self.matches = is_recorded && self.state.world().tick_count() == before + 1;
        true
    }

    /// Takes the recorded state of this tick, if there is one.
    fn restore(&mut self) {
        let scenery = self.replay.scenery();
        let keyframe = self.replay.keyframe_at(self.ticks as u64);
        if let Some(state) = keyframe.and_then(|keyframe| S::decode(&keyframe.snapshot, scenery).ok()) {
            self.state = state;
            self.state.enable_events(true);
            return;
        }
        let log = self.replay.ticks()[self.ticks - 1].log();
        let last = log.as_ref().and_then(|log| log.phases.last());
        let state = last.and_then(|phase| phase.world_state().ok());
        self.recorded = state.and_then(|state| World::from_state(state, scenery.clone()).ok());
    }

    /// The world after the ticks so far.
    pub fn world(&self) -> &World {
        self.recorded.as_ref().unwrap_or_else(|| self.state.world())
    }

    /// The number that the state counts.
    pub fn tick(&self) -> u64 {
        self.replay.initial_state().tick_count() + self.ticks as u64
    }

    /// The report of the last tick, if it stepped the world once and reproduced the recording.
    pub fn report(&self) -> Option<&TickReport> {
        self.matches.then_some(&self.report)
    }

    /// The number of the first tick so far that this build does not reproduce.
    pub const fn diverged(&self) -> Option<u64> {
        self.diverged
    }

    /// The checksum of this build's state, or of the recorded one that is shown.
    pub fn checksum(&self) -> Checksum {
        self.state.checksum()
    }
}
