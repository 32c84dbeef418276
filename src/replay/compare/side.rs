//! One of two runs that are compared.

use crate::{
    replay::{Player, Replay, TickRecord},
    session::{Simulation, TickLog},
    snapshot::{Checksum, RULES_VERSION},
};

/// A recording whose ticks go by the numbers that its states count.
pub(super) struct Side<'a, S: Simulation> {
    pub replay: &'a Replay<S>,
    /// The number of the initial state.
    pub start: u64,
}

impl<'a, S: Simulation> Side<'a, S> {
    pub(super) fn new(replay: &'a Replay<S>) -> Self {
        Self { replay, start: replay.initial_state().tick_count() }
    }

    /// The number of the last tick.
    pub(super) fn last(&self) -> u64 {
        self.start + self.replay.ticks().len() as u64
    }

    /// The record of a tick, if the recording has it.
    pub(super) fn record(&self, tick: u64) -> Option<&'a TickRecord<S::Input>> {
        let index = tick.checked_sub(self.start + 1)?;
        self.replay.ticks().get(usize::try_from(index).ok()?)
    }

    /// The low half of the checksum after a tick, or of the initial state.
    fn short_after(&self, tick: u64) -> Option<u32> {
        if tick == self.start {
            return Some(self.replay.initial_state().checksum().short());
        }
        self.record(tick).map(|record| record.checksum)
    }

    /// The whole checksum after a tick, where the recording has it or a snapshot; it always has that of the
    /// initial state.
    fn whole_after(&self, tick: u64) -> Option<Checksum> {
        let played = tick.checked_sub(self.start)?;
        if played == 0 {
            return Some(self.replay.initial_state().checksum());
        }
        let keyframe = || self.replay.keyframe_at(played).map(|keyframe| Checksum::of(&keyframe.snapshot));
        self.replay.check_at(played).or_else(keyframe)
    }

    /// True if two recordings can have the same state after a tick.
    pub(super) fn agrees_after(&self, other: &Self, tick: u64) -> bool {
        let whole = self.whole_after(tick).zip(other.whole_after(tick));
        self.short_after(tick) == other.short_after(tick) && whole.is_none_or(|(left, right)| left == right)
    }

    /// True if a state is the recorded one, by all that the recording says of it.
    pub(super) fn is_after(&self, tick: u64, found: Checksum) -> bool {
        tick.checked_sub(self.start).is_some_and(|played| self.replay.is_recorded(played, found))
    }

    /// The state of the keyframe after a tick, whatever its checksum.
    pub(super) fn keyframe_after(&self, tick: u64) -> Option<S> {
        let keyframe = self.replay.keyframe_at(tick.checked_sub(self.start)?)?;
        S::decode(&keyframe.snapshot, self.replay.scenery()).ok()
    }

    /// The recorded course of a tick.
    pub(super) fn log(&self, tick: u64) -> Option<TickLog> {
        self.record(tick)?.log()
    }

    /// True if the recording can be played by this build.
    pub(super) fn is_of_these_rules(&self) -> bool {
        self.replay.rules_version() == RULES_VERSION
    }

    /// The state after a tick, from the last keyframe before; `None` if that does not give the recorded
    /// checksum.
    pub(super) fn state_after(&self, tick: u64) -> Option<S> {
        let mut player = Player::with_budget(self.replay, 0);
        let played = tick.checked_sub(self.start)?;
        if !self.is_of_these_rules() && self.replay.keyframe_at(played).is_none() && played > 0 {
            return None;
        }
        let state = player.seek(played).ok()?;
        self.is_after(tick, state.checksum()).then(|| state.clone())
    }

    /// The first tick, from `tick` on, of which the recording has a snapshot.
    pub(super) fn keyframe_from(&self, tick: u64) -> Option<u64> {
        let keyframes = self.replay.keyframes().iter();
        keyframes.map(|keyframe| self.start + keyframe.tick).find(|&at| at >= tick)
    }

    /// The inputs of a tick, for people.
    pub(super) fn inputs(&self, tick: u64) -> Vec<String> {
        self.record(tick)
            .map_or_else(Vec::new, |record| record.inputs.iter().map(|input| format!("{input:?}")).collect())
    }
}
