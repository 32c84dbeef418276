//! The numbers of a tick that only a picture has.

use bitstep::{
    World,
    tick::{Cause, TickReport},
};

use crate::numbers::Numbers;

/// Number of causes of a change of momentum.
pub const CAUSES: usize = Cause::ALL.len();

/// The numbers of a world after a tick.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Row {
    pub numbers: Numbers,
    /// Number of pairs of colliders that pushed each other in the tick.
    pub contacts: u32,
    /// The change of total momentum by each cause in the tick: its length, in raw per tick.
    pub changes: [u128; CAUSES],
}

impl Row {
    /// The numbers of a world after a tick; without a report only those of the world are known.
    pub fn of(world: &World, report: Option<&TickReport>) -> Self {
        let numbers = Numbers::of(world, report);
        let Some(report) = report else { return Self { numbers, ..Self::default() } };
        // Momenta are those of a step.
        let steps = u128::from(world.limits().substeps);
        let mut changes = [0; CAUSES];
        for (change, &cause) in changes.iter_mut().zip(Cause::ALL) {
            *change = length(report.ledger[cause]).saturating_mul(steps);
        }
        Self { numbers, contacts: report.impulses.len() as u32, changes }
    }
}

/// The length of a vector.
///
/// **Rounding**: down, by less than one raw or one part in 2^59.
fn length(vector: [i128; 3]) -> u128 {
    let parts = vector.map(i128::unsigned_abs);
    let highest = parts.iter().copied().max().map_or(0, |most| 128 - most.leading_zeros());
    let shift = highest.saturating_sub(62);
    parts.iter().map(|part| (part >> shift).pow(2)).sum::<u128>().isqrt() << shift
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn lengths_are_those_of_any_vector() {
        assert_eq!([[3, -4, 0], [0, 0, 0], [-1, 0, 0], [2, 3, -6]].map(length), [5, 0, 1, 7]);
        let large = length([3 << 100, 0, -4 << 100]);
        assert_eq!(large, 5 << 100);
        assert_eq!(length([i128::MIN, 0, 0]), 1 << 127);
    }
}
