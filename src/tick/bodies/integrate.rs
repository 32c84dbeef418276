//! Damping, gravity, and the paths of all bodies.

use super::{
    BodiesMut, SimBodies,
    body::{BodyIndex, Conduct, SimBody},
    damping::damped,
    rotation::SimRotation,
};
use crate::{
    geom::{IVec3, Path, Vec3},
    num::index::IndexOf,
    shape::length_ceil,
    state::{Body, BodyType, Filter, Locks, SlotIndex, Spin, State, momentum_wide, velocity_nearest},
    tick::{Cause, ledger::wide},
};

impl BodiesMut<'_> {
    /// Collects the bodies, subtracts the damping from the momenta of dynamic ones, adds the whole tick's
    /// gravity to them, and gives every body a path.
    ///
    /// Sleepers that are left out of the tick are no bodies of it.
    pub fn integrate(&mut self, is_left_out: impl Fn(SlotIndex) -> bool) {
        self.sim.gravity = length_ceil(self.state.gravity).to_bits();
        self.sim.clear();
        // Exact: gravity is even in raw.
        let half_pull = self.state.gravity.map_raw(|g| g / 2);
        for slot in self.state.slot_indices() {
            if is_left_out(slot) {
                let rotates =
                    || self.state.slots[slot.place()].body.as_ref().is_some_and(|body| body.spin.is_some());
                self.sim.leaves_out_rotating = self.sim.leaves_out_rotating || rotates();
                continue;
            }
            let Some(stored) = &self.state.slots[slot.place()].body else { continue };
            let mut body = self.begin_body(slot, stored);
            let velocity = velocity_nearest(body.momentum, body.mass);
            body.path.displacement = velocity;
            if body.is_free() && half_pull != Vec3::ZERO {
                body.path.displacement -= body.locks.free_part(half_pull);
            }
            let is_too_fast = body.is_free() && self.bodies().is_too_fast(velocity);
            if is_too_fast || !self.accepts(&body.path) {
                self.sim.limited.push(BodyIndex(self.sim.bodies.len() as u32));
            }
            self.sim.bodies.push(body);
        }
        // Only now is it known whether any body rotates, and so what the ledgers need.
        for place in 0..self.sim.limited.len() {
            self.limit_motion(self.sim.limited[place], half_pull);
        }
        self.begin_one_ways();
        self.keep_flat();
        if self.bodies().is_accounted() {
            self.account_moments();
        }
    }

    /// Accounts for the moments of drives, damping and gravity before any body moves.
    fn account_moments(&mut self) {
        for sim_body in &self.sim.bodies {
            let Some(body) = &self.state.slots[sim_body.slot.place()].body else { continue };
            if sim_body.filter.body_type != BodyType::Dynamic || sim_body.conduct == Conduct::Frozen {
                continue; // sleepers included
            }
            let angular = &mut self.report.angular;
            self.state.driven_and_pulled(body, |cause, change| {
                angular.add_moment(cause, body.position, change);
            });
        }
    }

    /// Clamps a body's momentum to the speed limit, and sets its motion from it.
    #[cold]
    fn limit_motion(&mut self, index: BodyIndex, half_pull: Vec3) {
        let is_free = self.bodies().body(index).is_free();
        if is_free {
            self.clamp_speed(index);
        }
        let body = self.bodies().body(index);
        let pull = if is_free { body.locks.free_part(half_pull) } else { Vec3::ZERO };
        let motion = velocity_nearest(body.momentum, body.mass) - pull;
        self.set_motion(index, motion);
    }

    /// A body at the start of the tick, with damping and gravity in its momentum, and without a motion.
    #[inline(always)]
    fn begin_body(&mut self, slot: SlotIndex, stored: &Body) -> SimBody {
        let sleeps = self.state.is_asleep(slot);
        let has_rules = stored.has_rules();
        let body_type = if sleeps { BodyType::Static } else { stored.body_type };
        let mut body = SimBody {
            slot,
            mass: stored.mass,
            shape: stored.shape,
            material: stored.material,
            filter: Filter { body_type, ..stored.filter() },
            locks: stored.locks,
            rotation: None,
            impacts: 0,
            stamp: 0,
            struck: false,
            held: body_type == BodyType::Static,
            reverted: false,
            conduct: Conduct::Usual,
            momentum: if sleeps || has_rules {
                stored.momentum
            } else {
                self.state.pulled(stored, |cause, change| self.report.ledger.add(cause, change))
            },
            path: Path::new(stored.position, Vec3::ZERO),
        };
        if has_rules {
            let stored = Body { body_type, ..*stored };
            (body.conduct, body.momentum, body.rotation) = self.begin_with_rules(slot, stored, sleeps);
            body.held |= body.conduct == Conduct::Frozen;
        } else if stored.spin.is_some() {
            body.rotation = self.spin_up(slot, &Body { body_type, ..*stored });
        }
        body
    }

    /// Stores the bodies at the start of the tick if one-way platforms need them.
    fn begin_one_ways(&mut self) {
        let has_one_ways = self.scenery.has_one_ways();
        let SimBodies { entries, origins, bodies, .. } = &mut *self.sim;
        entries.clear();
        if has_one_ways {
            let has_steps = self.state.limits.substeps > 1;
            origins.resize(if has_steps { self.state.slots.len() } else { 0 }, None);
            let of = |body: &SimBody| {
                let slot = body.slot.place();
                let body = self.state.slots[slot].body?;
                let here = (body.position, body.spin);
                // A body that first takes part in a later step has not moved before.
                let (position, spin) =
                    origins.get_mut(slot).map_or(here, |origin| *origin.get_or_insert(here));
                // A sleeper is treated as awake here, as in depenetration.
                Some(Body { position, spin, ..body })
            };
            entries.extend(bodies.iter().filter_map(of));
        }
    }
}

impl BodiesMut<'_> {
    /// A body's conduct, momentum and rotation at the start of the tick. A frozen body has no momentum
    /// in it, and a drive is applied before anything else.
    #[cold]
    #[inline(never)]
    fn begin_with_rules(
        &mut self,
        slot: SlotIndex,
        mut body: Body,
        sleeps: bool,
    ) -> (Conduct, Vec3, Option<IndexOf<SimRotation>>) {
        let conduct = Conduct::of(&body, sleeps);
        self.sim.has_hitters |= conduct.ends_at_hit();
        let mut momentum = body.momentum;
        if conduct == Conduct::Frozen {
            (momentum, body.spin) = (Vec3::ZERO, body.spin.map(Spin::stopped));
        } else if !sleeps {
            momentum =
                self.state.driven_and_pulled(&body, |cause, change| self.report.ledger.add(cause, change));
        }
        (conduct, momentum, self.spin_up(slot, &body))
    }
}

impl State {
    /// A body's momentum after its drive, damping and gravity.
    fn driven_and_pulled(&self, body: &Body, mut record: impl FnMut(Cause, IVec3<i128>)) -> Vec3 {
        let Some(drive) = &body.drive else { return self.pulled(body, record) };
        let momentum = self.driven(body, drive);
        record(Cause::Drives, wide(momentum) - wide(body.momentum));
        self.pulled(&Body { momentum, ..*body }, record)
    }

    /// A body's momentum after damping and gravity, which change dynamic bodies only; locks cancel gravity
    /// along their axes.
    #[inline(always)]
    fn pulled(&self, body: &Body, mut record: impl FnMut(Cause, IVec3<i128>)) -> Vec3 {
        if body.body_type != BodyType::Dynamic {
            return body.momentum;
        }
        let mut momentum = body.momentum;
        // Operations without effect are skipped: most bodies have neither damping nor locks.
        if body.damping_q16 != 0 {
            momentum = damped(body.momentum, body.damping_q16);
            record(Cause::Damping, wide(momentum) - wide(body.momentum));
        }
        if self.gravity != Vec3::ZERO {
            let kick = momentum_wide(self.gravity, body.mass);
            record(Cause::Gravity, wide(kick));
            momentum += kick;
        }
        if body.locks != Locks::NONE {
            let kept = body.locks.free_part(momentum);
            record(Cause::Locks, wide(kept) - wide(momentum));
            momentum = kept;
        }
        momentum
    }
}
