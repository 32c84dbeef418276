//! The place within a tick at which two runs diverge.

use std::fmt;

use super::{PhaseState, Simulation, TickLog};
use crate::snapshot::{Difference, SnapshotError, diff_fields};

/// The first phase of a tick after which two runs differ, and the fields that do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// The number of the tick.
    pub tick: u64,
    /// The phase or mark.
    pub phase: String,
    /// The phase that the other run has in its place, if it is not of the same name.
    pub other_phase: Option<String>,
    /// Every field that differs after it, in the order of the encoding; empty where a log has only hashes,
    /// and where the phases have different names.
    pub fields: Vec<Difference>,
}

/// The first phase of a tick after which two logs differ, and every field that differs then.
///
/// Both logs have to keep states for fields, and hashes at least for the phase.
///
/// # Errors
///
/// If the data that a log keeps of a phase is damaged.
pub fn first_difference<S: Simulation>(
    left: &TickLog,
    right: &TickLog,
) -> Result<Option<Address>, SnapshotError> {
    let count = left.phases.len().max(right.phases.len());
    for index in 0..count {
        let phases = [left.phases.get(index), right.phases.get(index)];
        if let [Some(a), Some(b)] = phases {
            if a.name == b.name {
                if a.sum == b.sum {
                    continue;
                }
                let fields = if keeps_state(a) && keeps_state(b) {
                    diff_fields(&S::fields_of(a)?, &S::fields_of(b)?)
                } else {
                    Vec::new()
                };
                let phase = a.name.clone();
                return Ok(Some(Address { tick: left.tick, phase, other_phase: None, fields }));
            }
        }
        let [phase, other] =
            phases.map(|phase| phase.map_or_else(|| "(no phase)".to_owned(), |phase| phase.name.clone()));
        return Ok(Some(Address { tick: left.tick, phase, other_phase: Some(other), fields: Vec::new() }));
    }
    Ok(None)
}

fn keeps_state(phase: &PhaseState) -> bool {
    !phase.world.is_empty()
}

impl fmt::Display for Address {
    /// One line: tick, phase, and the first field with both values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, phase, other_phase, fields } = self;
        write!(f, "tick {tick}, after {phase}")?;
        if let Some(other) = other_phase {
            write!(f, " | {other}: other phases")?;
        }
        fields.first().map_or(Ok(()), |field| write!(f, ": {field}"))
    }
}
