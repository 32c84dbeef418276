//! A recording played again as it was recorded, tick by tick.

use bitstep::{
    World,
    replay::{ComparedTick, Player, Replay},
    session::Simulation,
    snapshot::Checksum,
    tick::TickReport,
};

/// A recording in play, from its initial state to its end.
///
/// Where this build does not reproduce the recording, the recorded states are shown as far as the recording
/// kept them: of a tick with a trace layer, and from the next keyframe on.
pub struct Playback<'a, S: Simulation> {
    replay: &'a Replay<S>,
    /// The run of this build; from a keyframe where it came to something else.
    player: Player<'a, S>,
    /// The recorded state, where it differs.
    recorded: Option<World>,
    /// True if the last tick stepped the world once and reproduced the recording.
    matches: bool,
    diverged: Option<u64>,
}

impl<'a, S: Simulation> Playback<'a, S> {
    /// A playback at the initial state.
    pub fn new(replay: &'a Replay<S>) -> Self {
        Self { replay, player: player_at(replay, 0), recorded: None, matches: false, diverged: None }
    }

    /// Plays a tick; false at the end.
    pub fn advance(&mut self) -> bool {
        let before = self.player.state().world().tick_count();
        let Some(ComparedTick { is_recorded, .. }) = self.player.step_compared() else { return false };
        self.recorded = None;
        self.matches = is_recorded && self.player.state().world().tick_count() == before + 1;
        if !is_recorded {
            self.diverged.get_or_insert(self.tick());
            self.restore();
        }
        true
    }

    /// Takes the recorded state of this tick, if there is one.
    fn restore(&mut self) {
        let tick = self.player.tick();
        if self.replay.keyframe_at(tick).is_some() {
            self.player = player_at(self.replay, tick);
            return;
        }
        let log = self.replay.ticks()[tick as usize - 1].log();
        let last = log.as_ref().and_then(|log| log.phases.last());
        let state = last.and_then(|phase| phase.world_state().ok());
        self.recorded = state.and_then(|state| World::from_state(state, self.replay.scenery().clone()).ok());
    }

    /// The state after the ticks so far; none where the recorded one differs, of which there is only a world.
    pub fn state(&self) -> Option<&S> {
        self.recorded.is_none().then(|| self.player.state())
    }

    /// The world after the ticks so far.
    pub fn world(&self) -> &World {
        self.recorded.as_ref().unwrap_or_else(|| self.player.state().world())
    }

    /// The number that the state counts.
    pub fn tick(&self) -> u64 {
        self.replay.initial_state().tick_count() + self.player.tick()
    }

    /// The report of the last tick, if it stepped the world once and reproduced the recording.
    pub fn report(&self) -> Option<&TickReport> {
        self.matches.then(|| self.player.report())
    }

    /// The number of the first tick so far that this build does not reproduce.
    pub const fn diverged(&self) -> Option<u64> {
        self.diverged
    }

    /// The checksum of this build's state, or of the recorded one that is shown.
    pub fn checksum(&self) -> Checksum {
        self.player.state().checksum()
    }
}

/// A player whose state is the initial state, or that of the keyframe after so many ticks, and whose ticks list events.
fn player_at<S: Simulation>(replay: &Replay<S>, tick: u64) -> Player<'_, S> {
    let mut player = Player::with_budget(replay, 0);
    player.enable_events(true);
    player.seek(tick).expect("a keyframe is within its recording");
    player
}
