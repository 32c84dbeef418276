//! The ledger of angular momentum, by cause.
//!
//! An impulse changes the momentum of a body at its center, and rotates it by the arm of its point: together
//! that is the moment of the impulse about the origin. An impulse between two bodies adds nothing, because
//! their points are the same. Any other impulse is a line of the ledger, computed from the point of *the
//! other* side, so a wrong arm on either side is found.

use std::fmt;

use super::{spin::damped as damped_turning, step::Step};
use crate::{
    geom::Vec3,
    num::Toi,
    state::{Body, Kind, momentum_wide},
    tick::{
        bodies::mover::{Conduct, Mover, Partner},
        schedule::Event,
    },
};

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
    /// From gravity, at the middle of each body's displacement.
    pub gravity: [i128; 3],
    /// From damping.
    pub damping: [i128; 3],
    /// From statics of the scenery and static bodies.
    pub statics: [i128; 3],
    /// From kinematic bodies.
    pub kinematics: [i128; 3],
    /// From locked axes, which cancel motion and rotation along them.
    pub locks: [i128; 3],
    /// From the limits of speed and of angular speed.
    pub clamps: [i128; 3],
    /// From bodies that were held or reverted, and from impacts on held bodies.
    pub holds: [i128; 3],
    /// From bodies in contact whose velocity was clamped, or that were brought to rest.
    pub braces: [i128; 3],
    /// From drives.
    pub drives: [i128; 3],
    /// From bodies that stopped or were removed at their first impact.
    pub on_hit: [i128; 3],
    /// The angular part of impulses beside the centers of bodies that never rotate.
    pub unturned: [i128; 3],
    /// From positions: displacements by contacts and by the rounding of motions that momenta do not account
    /// for.
    pub motions: [i128; 3],
    /// Number of impulses that rotated a body, and were rounded.
    pub roundings: u64,
}

impl fmt::Debug for AngularLedger {
    /// The derived format, without the lines of rules that no body had.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { gravity, damping, statics, kinematics, locks, clamps, holds, braces, .. } = self;
        let Self { drives, on_hit, unturned, motions, roundings, .. } = self;
        let mut text = f.debug_struct("AngularLedger");
        text.field("gravity", gravity).field("damping", damping).field("statics", statics);
        text.field("kinematics", kinematics).field("locks", locks).field("clamps", clamps);
        text.field("holds", holds).field("braces", braces);
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
        let Self { gravity, damping, statics, kinematics, locks, clamps, holds, braces, .. } = self;
        let lines = [gravity, damping, statics, kinematics, locks, clamps, holds, braces];
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
    pub(super) fn add(&mut self, step: &Self) {
        let Self { gravity, damping, statics, kinematics, locks, clamps, holds, braces, .. } = step;
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
            (&mut self.braces, braces),
            (&mut self.drives, drives),
            (&mut self.on_hit, on_hit),
            (&mut self.unturned, unturned),
            (&mut self.motions, motions),
        ] {
            add(line, *more);
        }
    }
}

/// Adds to a line.
fn add(line: &mut Line, more: [i128; 3]) {
    for (sum, more) in line.iter_mut().zip(more) {
        *sum = sum.wrapping_add(more);
    }
}

/// The cross product of a position and a momentum.
fn cross(place: [i128; 3], momentum: [i128; 3]) -> [i128; 3] {
    [0, 1, 2].map(|axis: usize| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        let product = |a: usize, b: usize| place[a].wrapping_mul(momentum[b]);
        product(next, last).wrapping_sub(product(last, next))
    })
}

/// Twice a position, for points that lie between two raw.
fn twice(place: Vec3) -> [i128; 3] {
    wide(place).map(|raw| 2 * raw)
}

fn wide(vector: Vec3) -> [i128; 3] {
    vector.raw().map(i128::from)
}

fn minus(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
    [0, 1, 2].map(|axis: usize| a[axis] - b[axis])
}

/// Adds the change of angular momentum by a change of momentum at a position.
pub(super) fn add_moment(line: &mut Line, place: Vec3, from: Vec3, to: Vec3) {
    add(line, cross(twice(place), minus(wide(to), wide(from))));
}

/// Adds the change from one angular momentum of a body to another.
pub(super) fn add_turning(line: &mut Line, from: Vec3, to: Vec3) {
    add(line, minus(wide(to), wide(from)).map(|raw| raw << 33));
}

impl Step<'_> {
    /// Accounts for damping and gravity before any body moves.
    pub(super) fn account_integrate(&mut self) {
        if !self.bodies().is_accounted() {
            return;
        }
        for index in 0..self.scratch.sim.movers.len() {
            let mover = &self.scratch.sim.movers[index];
            let Some(body) = self.state.slots[mover.slot as usize].body else { continue };
            if mover.filter.kind != Kind::Dynamic || mover.conduct == Conduct::Frozen {
                continue; // sleepers included
            }
            let (angular, undriven) = (&mut self.report.angular, body.momentum);
            let momentum = body.drive.map_or(undriven, |drive| self.state.driven(&body, &drive));
            let body = Body { momentum, ..body };
            add_moment(&mut angular.drives, body.position, undriven, momentum);
            let damped = super::integrate::damped(&body);
            let kick = momentum_wide(self.state.gravity, body.mass);
            add_moment(&mut angular.damping, body.position, body.momentum, damped);
            add_moment(&mut angular.gravity, body.position, Vec3::ZERO, kick);
            let pulled = damped + kick;
            add_moment(&mut angular.locks, body.position, pulled, body.locks.free_part(pulled));
            if let Some(spin) = body.spin {
                let damped = damped_turning(spin.angular_momentum, body.damping_q16);
                add_turning(&mut angular.damping, spin.angular_momentum, damped);
            }
        }
    }

    /// Accounts for a body's displacement from one position to another.
    #[inline(always)]
    pub(super) fn account_way(&mut self, mover: &Mover, from: Vec3, to: Vec3) {
        if self.bodies().is_accounted() && mover.filter.kind == Kind::Dynamic && from != to {
            self.account_pull(mover, from, to);
        }
    }

    fn account_pull(&mut self, mover: &Mover, from: Vec3, to: Vec3) {
        let way = minus(wide(to), wide(from));
        let kick = momentum_wide(self.state.gravity, mover.mass);
        let kept = mover.locks.free_part(kick);
        let angular = &mut self.report.angular;
        // Gravity acted at the positions in between, not at the start.
        add(&mut angular.gravity, cross(way, wide(kick)));
        add(&mut angular.locks, cross(way, minus(wide(kept), wide(kick))));
        let double = minus(wide(mover.momentum).map(|raw| 2 * raw), wide(kept));
        add(&mut angular.motions, cross(way, double));
    }

    /// Accounts for the rest of every body's path.
    pub(super) fn account_last_ways(&mut self) {
        for index in 0..self.scratch.sim.movers.len() {
            let mover = self.scratch.sim.movers[index];
            self.account_way(&mover, mover.path.pose.position, mover.path.at(Toi::END).position);
        }
    }

    /// Accounts for an impulse on one side of a contact, at a point at half of `arm_twice` from its center.
    pub(super) fn account_push(&mut self, which: Partner, toi: Toi, arm_twice: Vec3, change: Vec3) {
        if !self.bodies().is_accounted() {
            return;
        }
        let place = self.bodies().place_of(which, toi);
        let angular = &mut self.report.angular;
        let point = [0, 1].map(|part| if part == 0 { twice(place) } else { wide(arm_twice) });
        let back = wide(-change);
        let moment = || {
            let both = [0, 1, 2].map(|axis: usize| point[0][axis] + point[1][axis]);
            cross(both, back)
        };
        let mover = match which {
            Partner::Mover(index) => &self.scratch.sim.movers[index as usize],
            Partner::Static(_) => return add(&mut angular.statics, moment()),
        };
        match mover.filter.kind {
            Kind::Static => add(&mut angular.statics, moment()),
            Kind::Kinematic => add(&mut angular.kinematics, moment()),
            Kind::Dynamic if mover.held => add(&mut angular.holds, moment()),
            Kind::Dynamic => {
                add_moment(&mut angular.locks, place, change, mover.locks.free_part(change));
                match self.scratch.sim.spinners.get(mover.spinner as usize) {
                    Some(_) => angular.roundings += 1,
                    None => add(&mut angular.unturned, cross(point[1], back)),
                }
            }
        }
    }

    /// Accounts for an impulse on B at a point of an impact.
    pub(super) fn account_strike(&mut self, event: &Event, [arm_a, arm_b]: [Vec3; 2], impulse: Vec3) {
        let sides @ [a, b] = [Partner::Mover(event.a), event.b];
        let turns = |which: Partner| match which {
            Partner::Mover(index) => self.bodies().spinner_of(index).is_some(),
            Partner::Static(_) => false,
        };
        if turns(a) || turns(b) {
            self.account_push(a, event.toi, arm_a, -impulse);
            self.account_push(b, event.toi, arm_b, impulse);
        } else {
            self.account_plain(sides, event.toi, impulse); // all points move alike, and none was found
        }
    }

    /// Accounts for an impulse on B of a pair that does not rotate: its points are not needed.
    #[inline(always)]
    pub(super) fn account_plain(&mut self, sides: [Partner; 2], toi: Toi, impulse: Vec3) {
        if self.bodies().is_accounted() {
            self.account_both(sides, toi, impulse);
        }
    }

    fn account_both(&mut self, [a, b]: [Partner; 2], toi: Toi, impulse: Vec3) {
        for (which, other, change) in [(a, b, -impulse), (b, a, impulse)] {
            let Partner::Mover(index) = which else { continue };
            let mover = &self.scratch.sim.movers[index as usize];
            if !mover.is_free() {
                continue;
            }
            let (place, locks) = (mover.path.at(toi).position, mover.locks);
            let kind = |index: u32| self.scratch.sim.movers[index as usize].filter.kind;
            let is_free = |index: u32| self.scratch.sim.movers[index as usize].is_free();
            let angular = &mut self.report.angular;
            add_moment(&mut angular.locks, place, change, locks.free_part(change));
            let line = match other {
                Partner::Static(_) => &mut angular.statics,
                Partner::Mover(index) if is_free(index) => &mut angular.unturned,
                Partner::Mover(index) => match kind(index) {
                    Kind::Static => &mut angular.statics,
                    Kind::Kinematic => &mut angular.kinematics,
                    Kind::Dynamic => &mut angular.holds,
                },
            };
            add_moment(line, place, Vec3::ZERO, change);
        }
    }
}
