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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{snapshot::Value, tick::World};

    /// A log of hashes: of each phase its name and hash.
    fn log(phases: &[(&str, u64)]) -> TickLog {
        let phase = |&(name, sum): &(&str, u64)| PhaseState {
            name: name.to_owned(),
            sum,
            world: Vec::new(),
            game: Vec::new(),
        };
        let mut log = TickLog::sums();
        (log.tick, log.phases) = (5, phases.iter().map(phase).collect());
        log
    }

    #[test]
    fn a_phase_that_one_log_lacks_is_a_difference() {
        let (short, long) = (&[("apply", 1)][..], &[("apply", 1), ("rest", 2)][..]);
        for (left, right, text) in [
            (long, long, ""),
            (&[], &[], ""),
            (long, short, "tick 5, after rest | (no phase): other phases"),
            (short, long, "tick 5, after (no phase) | rest: other phases"),
            (&[], short, "tick 5, after (no phase) | apply: other phases"),
            (long, &[("apply", 1), ("orders", 2)], "tick 5, after rest | orders: other phases"),
            (long, &[("apply", 1), ("rest", 3)], "tick 5, after rest"),
            (long, &[("apply", 3), ("orders", 2)], "tick 5, after apply"),
        ] {
            let found = first_difference::<World>(&log(left), &log(right)).unwrap();
            assert_eq!(found.map_or(String::new(), |address| address.to_string()), text);
        }
    }

    #[test]
    fn an_address_shows_the_first_of_its_fields() {
        let field = |path: &str, value| Difference {
            path: path.to_owned(),
            left: Some(Value::Whole(value)),
            right: Some(Value::Whole(value + 1)),
        };
        let fields = vec![field("gravity.x", 3), field("tick", 8)];
        let address = Address { tick: 5, phase: "rest".to_owned(), other_phase: None, fields };
        assert_eq!(address.to_string(), "tick 5, after rest: gravity.x: 3 | 4");
    }
}
