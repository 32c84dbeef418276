//! The ledgers: the change of total momentum and of total angular momentum in a tick, by cause.

mod angular;

use std::fmt;

use crate::geom::Vec3;

pub use angular::AngularLedger;
pub(super) use angular::{add_moment, add_to, add_turning, add_turning_wide, twice, wide};

/// The change of the total momentum of all dynamic bodies in a tick, by cause, in raw; exact to the last bit.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Ledger {
    /// The change by commands: bodies that were added, removed or pushed.
    pub commands: [i128; 3],
    /// The change by gravity.
    pub gravity: [i128; 3],
    /// The change by damping.
    pub damping: [i128; 3],
    /// The change by impacts with statics of the scenery and static bodies.
    pub statics: [i128; 3],
    /// The change by impacts with kinematic bodies.
    pub kinematics: [i128; 3],
    /// The change by locked axes, which cancel the impulses of gravity and impacts along them.
    pub locks: [i128; 3],
    /// The change by the speed limit.
    pub clamps: [i128; 3],
    /// The change by bodies that were held or reverted, and from impacts with held bodies.
    pub holds: [i128; 3],
    /// The change by bodies in contact whose velocity was clamped, or that were brought to rest.
    pub velocity_corrections: [i128; 3],
    /// The change by drives.
    pub drives: [i128; 3],
    /// The change by bodies that stopped or were removed at their first impact.
    pub on_hit: [i128; 3],
}

impl fmt::Debug for Ledger {
    /// The derived format, without the lines of rules that no body had.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { commands, gravity, damping, statics, kinematics, locks, clamps, .. } = self;
        let Self { holds, velocity_corrections, drives, on_hit, .. } = self;
        let mut text = f.debug_struct("Ledger");
        text.field("commands", commands).field("gravity", gravity).field("damping", damping);
        text.field("statics", statics).field("kinematics", kinematics).field("locks", locks);
        text.field("clamps", clamps)
            .field("holds", holds)
            .field("velocity_corrections", velocity_corrections);
        for (name, line) in [("drives", drives), ("on_hit", on_hit)] {
            if *line != [0; 3] {
                text.field(name, line);
            }
        }
        text.finish()
    }
}

impl Ledger {
    /// Adds the ledger of a step of a tick.
    pub(in crate::tick) fn add(&mut self, step: &Self) {
        let Self {
            commands,
            gravity,
            damping,
            statics,
            kinematics,
            locks,
            clamps,
            holds,
            velocity_corrections,
            drives,
            on_hit,
        } = step;
        for (line, more) in [
            (&mut self.commands, commands),
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
        ] {
            line.iter_mut().zip(more).for_each(|(total, more)| *total += more);
        }
    }

    /// The sum of all lines: the change of the world's momentum.
    #[must_use]
    pub fn total(&self) -> [i128; 3] {
        let Self { commands, gravity, damping, statics, kinematics, locks, clamps, .. } = self;
        let Self { holds, velocity_corrections, drives, on_hit, .. } = self;
        let lines = [
            commands,
            gravity,
            damping,
            statics,
            kinematics,
            locks,
            clamps,
            holds,
            velocity_corrections,
            drives,
            on_hit,
        ];
        std::array::from_fn(|axis| lines.iter().map(|line| line[axis]).sum())
    }
}

/// Adds a momentum to a line of the ledger.
pub(in crate::tick) fn add(line: &mut [i128; 3], momentum: Vec3) {
    for (total, raw) in line.iter_mut().zip(momentum.raw()) {
        *total += i128::from(raw);
    }
}

/// Adds the change from one momentum to another.
pub(in crate::tick) fn add_change(line: &mut [i128; 3], from: Vec3, to: Vec3) {
    for (total, (from, to)) in line.iter_mut().zip(from.raw().into_iter().zip(to.raw())) {
        *total += i128::from(to) - i128::from(from);
    }
}
