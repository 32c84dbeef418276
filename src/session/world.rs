//! A world alone: its inputs are commands.

use std::sync::Arc;

use super::{PhaseState, SessionError, Simulation, TickLog};
use crate::{
    snapshot::{self, Field, SnapshotError, decode_commands, encode_command_into},
    state::{Command, Scenery},
    tick::{TickOutcomes, TickReport, World},
};

impl Simulation for World {
    type Input = Command;

    fn name() -> &'static str {
        ""
    }

    fn world(&self) -> &World {
        self
    }

    fn tick_count(&self) -> u64 {
        World::tick_count(self)
    }

    fn enable_events(&mut self, enabled: bool) {
        World::enable_events(self, enabled);
    }

    fn tick_logged<'a>(
        &mut self,
        commands: &[Command],
        report: &'a mut TickReport,
        log: &mut TickLog,
    ) -> TickOutcomes<'a> {
        log.begin(self.tick_count() + 1);
        commands.iter().for_each(|command| log.add_command(*command, None));
        self.tick_with(commands, report, log)
    }

    fn encode_into(&self, bytes: &mut Vec<u8>) {
        snapshot::encode_into(self, bytes);
    }

    fn decode(bytes: &[u8], scenery: &Arc<Scenery>) -> Result<Self, SnapshotError> {
        snapshot::decode(bytes, scenery)
    }

    fn relabel(snapshot: &mut [u8], rules_version: u32) {
        snapshot::relabel(snapshot, rules_version);
    }

    fn fields(&self) -> Vec<Field> {
        snapshot::fields(self)
    }

    fn encode_inputs(commands: &[Command], bytes: &mut Vec<u8>) {
        commands.iter().for_each(|command| encode_command_into(command, bytes));
    }

    fn decode_inputs(bytes: &[u8]) -> Result<Vec<Command>, SessionError> {
        decode_commands(bytes).map_err(SessionError::Commands)
    }

    fn fields_of(phase: &PhaseState) -> Result<Vec<Field>, SnapshotError> {
        snapshot::fields_of_state(&phase.world)
    }
}
