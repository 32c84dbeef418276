//! A replay whose bytes were checked.

use std::sync::Arc;

use super::layer;
use crate::{
    session::{Simulation, TickLog},
    snapshot::Checksum,
    state::Scenery,
    tick::World,
};

/// A replay whose bytes are sound.
#[derive(Clone, Debug)]
pub struct Replay<S: Simulation = World> {
    pub(super) rules_version: u32,
    pub(super) file_hash: u128,
    pub(super) initial_state: S,
    pub(super) ticks: Vec<TickRecord<S::Input>>,
    pub(super) keyframes: Vec<Keyframe>,
    pub(super) checks: Vec<Check>,
    pub(super) final_checksum: Option<Checksum>,
}

/// The record of a tick.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TickRecord<I> {
    /// The inputs of the tick, in order: commands, or the inputs of a game.
    pub inputs: Vec<I>,
    /// Bytes kept with the tick, in order; nothing depends on them.
    pub notes: Vec<Vec<u8>>,
    /// The low 32 bits of the checksum after the tick.
    pub checksum: u32,
    /// The trace layer, which was checked.
    pub(super) layer: Option<Vec<u8>>,
}

/// A snapshot inside a replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Keyframe {
    /// Number of ticks of the replay before it.
    pub tick: u64,
    /// The snapshot's bytes, which were checked.
    pub snapshot: Vec<u8>,
}

/// A whole checksum inside a replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Check {
    /// Number of ticks of the replay before it.
    pub tick: u64,
    /// The checksum after them.
    pub checksum: Checksum,
}

impl<S: Simulation> Replay<S> {
    /// The version of the rules that the replay was recorded under.
    #[must_use]
    pub const fn rules_version(&self) -> u32 {
        self.rules_version
    }

    /// XXH3-128 over the bytes that the replay was read from.
    #[must_use]
    pub const fn file_hash(&self) -> u128 {
        self.file_hash
    }

    /// The state that the replay starts from.
    #[must_use]
    pub const fn initial_state(&self) -> &S {
        &self.initial_state
    }

    /// Sets whether playing, verifying and seeking list events in their reports: the setting of the
    /// [initial state](Self::initial_state), of which they take a clone. A replay that was read does not.
    pub fn enable_events(&mut self, enabled: bool) {
        self.initial_state.enable_events(enabled);
    }

    /// The scenery of the replay.
    #[must_use]
    pub fn scenery(&self) -> &Arc<Scenery> {
        self.initial_state.scenery()
    }

    /// The recorded ticks, in order.
    #[must_use]
    pub fn ticks(&self) -> &[TickRecord<S::Input>] {
        &self.ticks
    }

    /// The keyframes, in order.
    #[must_use]
    pub fn keyframes(&self) -> &[Keyframe] {
        &self.keyframes
    }

    /// The whole checksums between the ticks, in order.
    #[must_use]
    pub fn checks(&self) -> &[Check] {
        &self.checks
    }

    /// The checksum after the last tick; `None` of a replay that was repaired, or read up to its damage.
    #[must_use]
    pub const fn final_checksum(&self) -> Option<Checksum> {
        self.final_checksum
    }

    /// The snapshot after so many ticks, where the replay has one.
    #[must_use]
    pub fn keyframe_at(&self, tick: u64) -> Option<&Keyframe> {
        let index = self.keyframes.binary_search_by_key(&tick, |keyframe| keyframe.tick).ok()?;
        Some(&self.keyframes[index])
    }

    /// The whole checksum after so many ticks, where a check or the end record has one.
    #[must_use]
    pub fn check_at(&self, tick: u64) -> Option<Checksum> {
        let last = self.final_checksum.filter(|_| tick == self.ticks.len() as u64);
        self.inner_check_at(tick).or(last)
    }

    /// True if a checksum is that of the recorded state after so many ticks, by all that the replay says of it: the record
    /// of the tick, the checks, the end record and the keyframe; after 0 ticks, by the initial state.
    #[must_use]
    pub fn is_recorded(&self, tick: u64, found: Checksum) -> bool {
        let recorded = match tick.checked_sub(1) {
            None => self.initial_state.checksum() == found,
            Some(before) => {
                let record = usize::try_from(before).ok().and_then(|index| self.ticks.get(index));
                record.is_some_and(|record| record.checksum == found.short())
            }
        };
        let is = |recorded: Checksum| recorded == found;
        // A check may stand where the end record does, and say something else.
        let is_last = tick == self.ticks.len() as u64;
        recorded
            && self.inner_check_at(tick).is_none_or(is)
            && self.final_checksum.is_none_or(|last| !is_last || is(last))
            && self.keyframe_at(tick).is_none_or(|keyframe| is(Checksum::of(&keyframe.snapshot)))
    }

    /// The whole checksum of the check after so many ticks.
    pub(super) fn inner_check_at(&self, tick: u64) -> Option<Checksum> {
        let index = self.checks.binary_search_by_key(&tick, |check| check.tick).ok()?;
        Some(self.checks[index].checksum)
    }
}

impl<I> TickRecord<I> {
    /// The course of the tick, phase by phase, where the recording kept it.
    ///
    /// # Panics
    ///
    /// Never: the layer was decoded when the replay was read.
    #[must_use]
    pub fn log(&self) -> Option<TickLog> {
        self.layer.as_deref().map(|layer| layer::decode_log(layer).expect("a layer that was decoded before"))
    }

    /// Size of the trace layer in bytes, 0 where there is none.
    #[must_use]
    pub fn layer_bytes(&self) -> u64 {
        self.layer.as_ref().map_or(0, |layer| layer.len() as u64)
    }

    /// True if the recording has a trace layer of the tick.
    #[must_use]
    pub const fn has_log(&self) -> bool {
        self.layer.is_some()
    }
}
