//! The ledger of angular momentum, by cause.
//!
//! An impulse changes the momentum of a body at its center, and rotates it by the arm of its point: together
//! that is the moment of the impulse about the origin. An impulse between two bodies adds nothing, because
//! their points are the same. Any other impulse is a line of the ledger, computed from the point of *the
//! other* side, so a wrong arm on either side is found.

use std::fmt;

use crate::geom::{IVec3, Vec3};

/// A line: an angular momentum about the origin, in 2^-65.
type Line = [i128; 3];

/// The change of the angular momentum of all dynamic bodies about the origin of the world in a tick, by
/// cause, in 2^-65 mass units times units squared per tick: half of raw squared, for points between two raw.
/// All zero if no body rotates. Commands are before the tick, and in none of the lines.
///
/// Twice [`World::angular_momentum_wide`](crate::tick::World::angular_momentum_wide) changes in a tick by
/// [`total`](Self::total), within [`slack`](Self::slack) on each axis: half a raw of angular momentum for
/// each impulse that rotated a body; nothing else is rounded. **Range**: sums are modulo 2^128.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct AngularLedger {
    /// The change by gravity, at the middle of each body's displacement.
    pub gravity: [i128; 3],
    /// The change by damping.
    pub damping: [i128; 3],
    /// The change by statics of the scenery and static bodies.
    pub statics: [i128; 3],
    /// The change by kinematic bodies.
    pub kinematics: [i128; 3],
    /// The change by locked axes, which cancel motion and rotation along them.
    pub locks: [i128; 3],
    /// The change by the limits of speed and of angular speed.
    pub clamps: [i128; 3],
    /// The change by bodies that were held or reverted, and from impacts on held bodies.
    pub holds: [i128; 3],
    /// The change by bodies in contact whose velocity was clamped, or that were brought to rest.
    pub velocity_corrections: [i128; 3],
    /// The change by drives.
    pub drives: [i128; 3],
    /// The change by bodies that stopped or were removed at their first impact.
    pub on_hit: [i128; 3],
    /// The angular part of impulses beside the centers of bodies that never rotate.
    pub unturned: [i128; 3],
    /// The change by positions: displacements by contacts and by the rounding of motions that momenta do not account
    /// for.
    pub motions: [i128; 3],
    /// Number of impulses that rotated a body, and were rounded.
    pub roundings: u64,
}

impl fmt::Debug for AngularLedger {
    /// The derived format, without the lines of rules that no body had.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            gravity, damping, statics, kinematics, locks, clamps, holds, velocity_corrections, ..
        } = self;
        let Self { drives, on_hit, unturned, motions, roundings, .. } = self;
        let mut text = f.debug_struct("AngularLedger");
        text.field("gravity", gravity).field("damping", damping).field("statics", statics);
        text.field("kinematics", kinematics).field("locks", locks).field("clamps", clamps);
        text.field("holds", holds).field("velocity_corrections", velocity_corrections);
        for (name, line) in [("drives", drives), ("on_hit", on_hit)] {
            if *line != [0; 3] {
                text.field(name, line);
            }
        }
        text.field("unturned", unturned).field("motions", motions).field("roundings", roundings).finish()
    }
}

impl AngularLedger {
    /// The sum of all lines, modulo 2^128.
    #[must_use]
    pub fn total(&self) -> [i128; 3] {
        let Self {
            gravity, damping, statics, kinematics, locks, clamps, holds, velocity_corrections, ..
        } = self;
        let lines = [gravity, damping, statics, kinematics, locks, clamps, holds, velocity_corrections];
        let lines = lines.into_iter().chain([&self.drives, &self.on_hit, &self.unturned, &self.motions]);
        lines.fold([0; 3], |sum, line| [0, 1, 2].map(|axis| i128::wrapping_add(sum[axis], line[axis])))
    }

    /// The largest difference of the change of a component from that sum.
    #[must_use]
    pub const fn slack(&self) -> i128 {
        (self.roundings as i128) << 32
    }
}

impl AngularLedger {
    /// Adds the ledger of a step of a tick.
    pub(in crate::tick) fn add(&mut self, step: &Self) {
        let Self {
            gravity, damping, statics, kinematics, locks, clamps, holds, velocity_corrections, ..
        } = step;
        let Self { drives, on_hit, unturned, motions, roundings, .. } = step;
        self.roundings += roundings;
        for (line, more) in [
            (&mut self.gravity, gravity),
            (&mut self.damping, damping),
            (&mut self.statics, statics),
            (&mut self.kinematics, kinematics),
            (&mut self.locks, locks),
            (&mut self.clamps, clamps),
            (&mut self.holds, holds),
            (&mut self.velocity_corrections, velocity_corrections),
            (&mut self.drives, drives),
            (&mut self.on_hit, on_hit),
            (&mut self.unturned, unturned),
            (&mut self.motions, motions),
        ] {
            add_to(line, IVec3(*more));
        }
    }
}

/// Adds to a line.
pub(in crate::tick) fn add_to(line: &mut Line, more: IVec3<i128>) {
    for (sum, more) in line.iter_mut().zip(more.0) {
        *sum = sum.wrapping_add(more);
    }
}

/// Twice a position, for points that lie between two raw.
pub(in crate::tick) fn twice(place: Vec3) -> IVec3<i128> {
    wide(place).map(|raw| 2 * raw)
}

pub(in crate::tick) fn wide(vector: Vec3) -> IVec3<i128> {
    IVec3::from(vector).wide()
}

/// Adds the change of angular momentum by a change of momentum at a position.
pub(in crate::tick) fn add_moment(line: &mut Line, place: Vec3, from: Vec3, to: Vec3) {
    add_to(line, twice(place).wrapping_cross(wide(to) - wide(from)));
}

/// Adds the change from one angular momentum of a body to another.
pub(in crate::tick) fn add_turning(line: &mut Line, from: Vec3, to: Vec3) {
    add_turning_wide(line, wide(to) - wide(from));
}

/// Adds a change of the angular momentum of a body, in raw.
pub(in crate::tick) fn add_turning_wide(line: &mut Line, change: IVec3<i128>) {
    add_to(line, change.map(|raw| raw << 33));
}
