//! The ledgers: the change of total momentum and of total angular momentum in a tick, by cause.
//!
//! An impulse changes the momentum of a body at its center, and rotates it by the arm of its point: together
//! that is the moment of the impulse about the origin. An impulse between two bodies adds nothing, because
//! their points are the same. Any other impulse is a line of the angular ledger, computed from the point of *the
//! other* side, so a wrong arm on either side is found.

use std::{
    fmt,
    ops::{Index, IndexMut},
};

use crate::geom::{IVec3, Vec3};

/// The cause of a change of total momentum or total angular momentum: the line of a [`Ledger`].
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// Commands: bodies that were added, removed or pushed. Zero in an angular ledger.
    Commands,
    /// Gravity; its moment is that at the middle of each body's displacement.
    Gravity,
    /// Damping.
    Damping,
    /// Impacts and contacts with statics of the scenery and static bodies.
    Statics,
    /// Impacts and contacts with kinematic bodies.
    Kinematics,
    /// Locked axes, which cancel motion and rotation along them.
    Locks,
    /// The limits of speed and of angular speed.
    Clamps,
    /// Bodies that were held or reverted, and impacts with held bodies.
    Holds,
    /// Bodies in contact whose velocity was clamped, or that were brought to rest.
    VelocityCorrections,
    /// Drives.
    Drives,
    /// Bodies that stopped or were removed at their first impact.
    OnHit,
    /// Impulses beside the centers of bodies that never rotate: their angular part. Zero in a ledger of momentum.
    Unturned,
    /// Positions: displacements by contacts and by the rounding of motions that momenta do not account for. Zero in
    /// a ledger of momentum.
    Motions,
}

impl Cause {
    /// All causes, in the order of the lines.
    pub const ALL: &[Self] = &[
        Self::Commands,
        Self::Gravity,
        Self::Damping,
        Self::Statics,
        Self::Kinematics,
        Self::Locks,
        Self::Clamps,
        Self::Holds,
        Self::VelocityCorrections,
        Self::Drives,
        Self::OnHit,
        Self::Unturned,
        Self::Motions,
    ];

    /// The name of the line in the text of a ledger, for example `on_hit`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Commands => "commands",
            Self::Gravity => "gravity",
            Self::Damping => "damping",
            Self::Statics => "statics",
            Self::Kinematics => "kinematics",
            Self::Locks => "locks",
            Self::Clamps => "clamps",
            Self::Holds => "holds",
            Self::VelocityCorrections => "velocity_corrections",
            Self::Drives => "drives",
            Self::OnHit => "on_hit",
            Self::Unturned => "unturned",
            Self::Motions => "motions",
        }
    }
}

/// The change of the total momentum of all dynamic bodies in a tick, by cause, in raw; exact to the last bit. The
/// line of a cause is `ledger[Cause::Gravity]`.
///
/// `Ledger<true>` is the [`AngularLedger`]. **Range**: sums are modulo 2^128, which momenta never reach.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Ledger<const ANGULAR: bool = false> {
    lines: [IVec3<i128>; Cause::ALL.len()],
    /// Number of impulses that rotated a body, and were rounded; zero in a ledger of momentum.
    pub roundings: u64,
}

/// The change of the angular momentum of all dynamic bodies about the origin of the world in a tick, by
/// cause, in 2^-65 mass units times units squared per tick: half of raw squared, for points between two raw.
/// All zero if no body rotates. Commands are before the tick, and in none of the lines.
///
/// Twice [`World::angular_momentum_wide`](crate::tick::World::angular_momentum_wide) changes in a tick by
/// [`total`](Ledger::total), within [`slack`](Ledger::slack) on each axis: half a raw of angular momentum for
/// each impulse that rotated a body; nothing else is rounded. **Range**: sums are modulo 2^128.
pub type AngularLedger = Ledger<true>;

impl<const ANGULAR: bool> Ledger<ANGULAR> {
    /// The sum of all lines, modulo 2^128.
    #[must_use]
    pub fn total(&self) -> [i128; 3] {
        self.lines.iter().fold([0; 3], |sum, line| line.zip(IVec3(sum), i128::wrapping_add).0)
    }

    /// The largest difference of the change of a component from that sum; zero in a ledger of momentum.
    #[must_use]
    pub const fn slack(&self) -> i128 {
        (self.roundings as i128) << 32
    }

    /// Adds a change to the line of a cause.
    #[inline(always)]
    pub(in crate::tick) fn add(&mut self, cause: Cause, change: IVec3<i128>) {
        let line = &mut self.lines[cause as usize];
        *line = line.zip(change, i128::wrapping_add);
    }

    /// Adds the ledger of a step of a tick.
    pub(in crate::tick) fn add_step(&mut self, step: &Self) {
        Cause::ALL.iter().zip(step.lines).for_each(|(&cause, line)| self.add(cause, line));
        self.roundings += step.roundings;
    }
}

impl AngularLedger {
    /// Adds the moment of a change of momentum at a position.
    pub(in crate::tick) fn add_moment(&mut self, cause: Cause, place: Vec3, change: IVec3<i128>) {
        self.add(cause, twice(place).wrapping_cross(change));
    }

    /// Adds a change of the angular momentum of a body about its center, in raw.
    pub(in crate::tick) fn add_spin(&mut self, cause: Cause, change: IVec3<i128>) {
        self.add(cause, change.map(|raw| raw << 33));
    }
}

impl<const ANGULAR: bool> Index<Cause> for Ledger<ANGULAR> {
    type Output = [i128; 3];

    fn index(&self, cause: Cause) -> &[i128; 3] {
        &self.lines[cause as usize].0
    }
}

impl<const ANGULAR: bool> IndexMut<Cause> for Ledger<ANGULAR> {
    fn index_mut(&mut self, cause: Cause) -> &mut [i128; 3] {
        &mut self.lines[cause as usize].0
    }
}

impl<const ANGULAR: bool> fmt::Debug for Ledger<ANGULAR> {
    /// The lines by name, without those that a ledger of its kind never has, and without those of rules that no
    /// body had.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct(if ANGULAR { "AngularLedger" } else { "Ledger" });
        for &cause in Cause::ALL {
            let is_shown = match cause {
                Cause::Commands => !ANGULAR,
                Cause::Unturned | Cause::Motions => ANGULAR,
                Cause::Drives | Cause::OnHit => self[cause] != [0; 3],
                _ => true,
            };
            if is_shown {
                text.field(cause.name(), &self[cause]);
            }
        }
        if ANGULAR {
            text.field("roundings", &self.roundings);
        }
        text.finish()
    }
}

/// Twice a position, for points that lie between two raw.
pub(in crate::tick) fn twice(place: Vec3) -> IVec3<i128> {
    wide(place).map(|raw| 2 * raw)
}

/// A vector in raw, in 128 bits.
#[inline(always)]
pub(in crate::tick) fn wide(vector: Vec3) -> IVec3<i128> {
    IVec3::from(vector).wide()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_in_the_order_of_causes_and_rules_without_a_body_are_not_printed() {
        assert!(Cause::ALL.iter().enumerate().all(|(place, &cause)| cause as usize == place));
        let (mut ledger, mut angular) = (Ledger::<false>::default(), AngularLedger::default());
        ledger.add(Cause::OnHit, IVec3([1, -2, 3]));
        ledger.add(Cause::Commands, IVec3([4, 0, 0]));
        angular.add_moment(Cause::Drives, Vec3::from_raw([0, 5, 0]), IVec3([0, 0, 7]));
        angular.add_spin(Cause::Motions, IVec3([0, 0, -1]));
        angular.roundings = 2;
        assert_eq!(
            format!("{ledger:?}"),
            "Ledger { commands: [4, 0, 0], gravity: [0, 0, 0], damping: [0, 0, 0], statics: [0, 0, 0], \
             kinematics: [0, 0, 0], locks: [0, 0, 0], clamps: [0, 0, 0], holds: [0, 0, 0], velocity_corrections: [0, 0, 0], \
             on_hit: [1, -2, 3] }"
        );
        assert_eq!(
            format!("{angular:?}"),
            "AngularLedger { gravity: [0, 0, 0], damping: [0, 0, 0], statics: [0, 0, 0], \
             kinematics: [0, 0, 0], locks: [0, 0, 0], clamps: [0, 0, 0], holds: [0, 0, 0], velocity_corrections: [0, 0, 0], \
             drives: [70, 0, 0], unturned: [0, 0, 0], motions: [0, 0, -8589934592], roundings: 2 }"
        );
    }

    #[test]
    fn steps_add_up_and_totals_are_modulo_2_to_the_128() {
        let mut step = AngularLedger::default();
        step.add(Cause::Gravity, IVec3([i128::MAX, 1, 0]));
        step.add(Cause::Motions, IVec3([1, 1, -5]));
        step.roundings = 3;
        assert_eq!((step.total(), step.slack()), ([i128::MIN, 2, -5], 3 << 32));
        let mut tick = step;
        tick.add_step(&step);
        assert_eq!((tick[Cause::Gravity], tick[Cause::Motions]), ([-2, 2, 0], [2, 2, -10]));
        assert_eq!((tick.total(), tick.slack()), ([0, 4, -10], 6 << 32));
    }
}
