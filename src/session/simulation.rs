//! The interface for recording, seeking, verifying and comparing.

use std::{fmt::Debug, sync::Arc};

use super::{PhaseState, SessionError, TickLog};
use crate::{
    snapshot::{Checksum, Field, SnapshotError},
    state::{BodyId, Scenery},
    tick::{TickOutcomes, TickReport, World},
};

/// A state that changes by ticks, and by their inputs alone.
///
/// [`World`] and [`Session`](super::Session) implement it. Recordings, seeking, comparing and the protocol
/// between peers are written against it.
pub trait Simulation: Clone + Debug + Send + Sync {
    /// One input of a tick; a tick takes several, in order.
    type Input: Clone + PartialEq + Debug + Send + Sync;

    /// The name of the game; empty for a world alone.
    fn name() -> &'static str;

    /// The world of bodies.
    fn world(&self) -> &World;

    /// Number of ticks played.
    fn tick_count(&self) -> u64;

    /// Sets whether ticks list events in their reports, as [`World::enable_events`] does: an observer's
    /// setting, no state.
    ///
    /// A [`Session`](super::Session) lists them anyway if its game [needs](super::Game::EVENTS) them.
    fn enable_events(&mut self, enabled: bool);

    /// True if ticks list events.
    fn events_enabled(&self) -> bool {
        self.world().events_enabled()
    }

    /// Plays one tick, and returns the outcomes of its commands, which are in the report as well.
    ///
    /// The inputs of a [`World`] are the commands, in this order. Those of a [`Session`](super::Session) are the
    /// players': the commands are its game's, which had each outcome from [`Tick::apply`](super::Tick::apply).
    fn tick<'a>(&mut self, inputs: &[Self::Input], report: &'a mut TickReport) -> TickOutcomes<'a> {
        self.tick_logged(inputs, report, &mut TickLog::off())
    }

    /// Plays one tick as [`tick`](Self::tick) does, and records in the log whatever the log is set to keep.
    fn tick_logged<'a>(
        &mut self,
        inputs: &[Self::Input],
        report: &'a mut TickReport,
        log: &mut TickLog,
    ) -> TickOutcomes<'a>;

    /// Replaces the content of `bytes` by the state's snapshot, keeping its memory.
    ///
    /// Canonical: equal states in equal sceneries give equal bytes, on every target.
    fn encode_into(&self, bytes: &mut Vec<u8>);

    /// The state of a snapshot, in its scenery.
    ///
    /// # Errors
    ///
    /// If the bytes are not a snapshot of this kind of simulation, are damaged, or hold a state that
    /// breaks its limits.
    fn decode(bytes: &[u8], scenery: &Arc<Scenery>) -> Result<Self, SnapshotError>;

    /// Every number of the state and its path, in the order of the encoding.
    fn fields(&self) -> Vec<Field>;

    /// True if the state is the same everywhere: a game's can come to hold a float or a map in no order.
    ///
    /// # Errors
    ///
    /// Names the path of the first such thing.
    fn check(&self) -> Result<(), SnapshotError> {
        Ok(())
    }

    /// Appends the bytes of a tick's inputs.
    fn encode_inputs(inputs: &[Self::Input], bytes: &mut Vec<u8>);

    /// Reads what [`encode_inputs`](Self::encode_inputs) wrote.
    ///
    /// # Errors
    ///
    /// If the bytes are not inputs.
    fn decode_inputs(bytes: &[u8]) -> Result<Vec<Self::Input>, SessionError>;

    /// Every number of a phase that a log kept.
    ///
    /// # Errors
    ///
    /// If the bytes are damaged.
    fn fields_of(phase: &PhaseState) -> Result<Vec<Field>, SnapshotError>;

    /// Writes another rules version into a snapshot, as if a build of those rules had written it.
    ///
    /// Bytes that are not a snapshot are left unchanged.
    fn relabel(snapshot: &mut [u8], rules_version: u32);

    /// The outcome as text that can be compared: the bodies that exist, or what the game says.
    fn outcome(&self) -> String {
        let bodies: Vec<String> = self.world().bodies().map(|(id, _)| id.to_string()).collect();
        format!("{} bodies: {}", bodies.len(), bodies.join(" "))
    }

    /// The game's own outcome so far, which viewers show beside a tick; empty for a world alone.
    fn caption(&self) -> String {
        String::new()
    }

    /// The game's [name of a body](super::Game::body_name); none for a world alone.
    fn body_name(&self, _body: BodyId) -> Option<String> {
        None
    }

    /// The checksum of the state: XXH3-128 over its snapshot.
    fn checksum(&self) -> Checksum {
        let mut bytes = Vec::new();
        self.encode_into(&mut bytes);
        Checksum::of(&bytes)
    }

    /// The scenery, shared.
    fn scenery(&self) -> &Arc<Scenery> {
        self.world().scenery()
    }
}
