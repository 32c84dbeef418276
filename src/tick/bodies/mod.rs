//! The bodies of a tick, at a moment of it.
//!
//! A body in a tick is a [`Mover`], and a [`Spinner`] if it rotates. [`Bodies`] reads them, with the state at
//! the start of the tick and the scenery: the position and orientation of a body at an instant, the rule of a
//! pair of child shapes, the material of a pair. [`BodiesMut`] is what changes them: it begins the tick, sets
//! and clamps motions, advances and holds bodies, applies impulses, and enters in the ledgers what it changes.
//! All stages of the tick depend on these two, and they depend on none of the stages.

mod account;
mod angular_motion;
mod end;
mod forms;
pub(super) mod gap;
mod impulse;
mod integrate;
pub(super) mod levers;
mod material;
pub(super) mod mover;
mod pair_filter;
pub(super) mod parts;
pub(super) mod spinner;
mod trajectory;

use crate::{
    geom::{AngularMotion, Motion, Pose, Rotation, Vec3},
    num::{Scalar, Toi, round::shr_nearest},
    state::{Body, BodyId, BodyType, Collider, Scenery, Spin, State, velocity_nearest},
    tick::TickReport,
};

use mover::{Conduct, Mover, Partner, Parts};
use spinner::Spinner;

/// The bodies of a tick.
#[derive(Default, Debug)]
pub struct SimBodies {
    /// The bodies, in the order of their ids.
    pub movers: Vec<Mover>,
    /// The rotation of bodies that rotate.
    pub spinners: Vec<Spinner>,
    /// The bodies at the start of the tick, by the index of the mover, if the world has one-way platforms.
    pub entries: Vec<Body>,
    /// True if there may be pairs whose collision is disabled in this tick although the layers make them
    /// solid.
    pub has_passes: bool,
    /// True if a body stops or is removed at its first impact in this tick.
    pub has_hitters: bool,
    /// The movers that were removed in this tick, and when.
    pub gone: Vec<(u32, Toi)>,
    /// The displacement of each body by depenetration in this tick, by slot; empty if there is none.
    pub shifts: Vec<Vec3>,
    /// The length of gravity in this tick, in raw per tick, rounded up.
    pub gravity: i64,
    /// The pairs of child shapes that overlapped at the start of the tick, the smaller id first, in order.
    pub overlapping: Vec<(u32, Partner, Parts)>,
    /// The poses of bodies at the start of a tick of several steps, by slot: one-way platforms use them in
    /// all steps.
    pub origins: Vec<Option<(Vec3, Option<Spin>)>>,
}

impl SimBodies {
    /// Clears the bodies of the last tick.
    fn clear(&mut self) {
        self.movers.clear();
        self.spinners.clear();
        self.gone.clear();
        self.has_hitters = false;
    }
}

/// A read-only view of the bodies of a tick and everything that their motion depends on.
#[derive(Clone, Copy)]
pub struct Bodies<'a> {
    /// The state at the start of the tick, with the changes of commands.
    pub state: &'a State,
    pub scenery: &'a Scenery,
    pub sim: &'a SimBodies,
}

/// The bodies of a tick and everything that their motion depends on, to change them.
///
/// What changes a momentum is entered in the ledgers of the report.
pub struct BodiesMut<'a> {
    /// The state at the start of the tick, with the changes of commands.
    pub state: &'a State,
    pub scenery: &'a Scenery,
    pub sim: &'a mut SimBodies,
    pub report: &'a mut TickReport,
}

impl BodiesMut<'_> {
    /// The bodies as they are.
    #[inline(always)]
    pub fn bodies(&self) -> Bodies<'_> {
        Bodies { state: self.state, scenery: self.scenery, sim: self.sim }
    }
}

impl<'a> Bodies<'a> {
    #[inline(always)]
    pub fn mover(&self, index: u32) -> &'a Mover {
        &self.sim.movers[index as usize]
    }

    /// The motion of a body from the start of its path: where it is at an instant, position and orientation.
    #[inline]
    pub fn motion_of(&self, mover: &Mover) -> Motion {
        let turning = match self.sim.spinners.get(mover.spinner as usize) {
            Some(spinner) => spinner.turning,
            None => AngularMotion::still(Rotation::IDENTITY),
        };
        Motion { path: mover.path, turning }
    }

    /// The motion of one side of a pair in the whole tick, or from the start of its path.
    pub fn motion(&self, which: Partner) -> Motion {
        match which {
            Partner::Mover(index) => self.motion_of(self.mover(index)),
            Partner::Static(id) => {
                let position = self.scenery.fixed(id).position;
                Motion::still(Pose { position, orientation: Rotation::IDENTITY })
            }
        }
    }

    /// The pose of a body at the start of the tick, which the state keeps until the tick ends.
    pub fn entry_pose(&self, mover: &Mover) -> Pose {
        let body = self.state.slots[mover.slot as usize].body;
        body.map_or_else(|| self.motion_of(mover).at(mover.path.start), |body| body.pose())
    }

    /// The position of a body at the start of the tick, which the state keeps until the tick ends.
    pub fn entry(&self, mover: &Mover) -> Vec3 {
        self.state.slots[mover.slot as usize].body.map_or(Vec3::ZERO, |body| body.position)
    }

    /// The velocity of a body at an instant, without the displacement by depenetration; of a kinematic body
    /// its motion.
    #[inline]
    pub fn velocity_at(&self, mover: &Mover, toi: Toi) -> Vec3 {
        if !mover.is_free() {
            return mover.path.displacement;
        }
        let end = velocity_nearest(mover.momentum, mover.mass);
        let gravity = self.state.gravity;
        if toi == Toi::END || gravity == Vec3::ZERO {
            return end;
        }
        let pull = match toi {
            Toi::START => gravity, // all of it, without a product
            _ => gravity.map_raw(|g| toi.remaining().of_nearest(g)),
        };
        end - mover.locks.free_part(pull)
    }

    /// True if a velocity is beyond the speed limit.
    #[inline(always)]
    pub fn is_too_fast(&self, velocity: Vec3) -> bool {
        let most = self.state.limits.speed_max;
        // Components within half of the limit give a length of at most half the square root of three times
        // the limit.
        !velocity.within(Scalar::from_bits(most.to_bits() / 2))
            && velocity.length_squared_wide() > u128::from(most.to_bits().unsigned_abs()).pow(2)
    }

    pub fn ids_of(&self, (a, b): (u32, Partner)) -> (BodyId, Collider) {
        let id = |index: u32| self.state.id_of(self.sim.movers[index as usize].slot);
        let b = match b {
            Partner::Mover(index) => Collider::Body(id(index)),
            Partner::Static(fixed) => Collider::Static(fixed),
        };
        (id(a), b)
    }

    pub fn collider(&self, which: Partner) -> Collider {
        match which {
            Partner::Mover(index) => Collider::Body(self.state.id_of(self.mover(index).slot)),
            Partner::Static(id) => Collider::Static(id),
        }
    }

    /// True if angular momentum is accounted for.
    #[inline(always)]
    pub fn is_accounted(&self) -> bool {
        !self.sim.spinners.is_empty()
    }

    /// True if both sleep: sleeping bodies never interact.
    #[inline]
    pub fn both_sleep(&self, a: u32, b: Partner) -> bool {
        let sleeps = |index: u32| self.state.is_asleep(self.sim.movers[index as usize].slot);
        !self.state.sleep.is_empty() && sleeps(a) && matches!(b, Partner::Mover(b) if sleeps(b))
    }

    /// The displacement of a body by depenetration in this tick.
    #[inline]
    pub fn shift_of(&self, mover: &Mover) -> Vec3 {
        self.sim.shifts.get(mover.slot as usize).copied().unwrap_or(Vec3::ZERO)
    }

    /// True if depenetration displaces a body in this tick.
    #[inline]
    pub fn is_shifted(&self, index: u32) -> bool {
        self.shift_of(self.mover(index)) != Vec3::ZERO
    }

    /// The motion, over a whole tick, of a body in free flight from an instant on, with its displacement by
    /// depenetration; of a kinematic or static body its velocity.
    ///
    /// A dynamic body's momentum is the one at the end of the tick. Between the instant u and the end gravity
    /// adds `g (1 - u)` to the velocity, so the mean velocity is the last one less half of that: the chord of
    /// the parabola. At u = 0 the chord is exact, because gravity is even in raw.
    ///
    /// **Rounding**: to nearest, halves away from zero.
    pub fn free_motion(&self, mover: &Mover, toi: Toi) -> Vec3 {
        let velocity = velocity_nearest(mover.momentum, mover.mass);
        let velocity = velocity + self.shift_of(mover);
        if mover.filter.body_type != BodyType::Dynamic || self.state.gravity == Vec3::ZERO {
            return velocity;
        }
        let left = i128::from(toi.remaining().raw());
        let half = self.state.gravity.map_raw(|g| shr_nearest(i128::from(g) * left, Toi::BITS + 1) as i64);
        velocity - mover.locks.free_part(half)
    }

    /// The center of one side at an instant.
    #[inline(always)]
    pub fn place_of(&self, which: Partner, toi: Toi) -> Vec3 {
        match which {
            Partner::Mover(index) => self.sim.movers[index as usize].path.at(toi),
            Partner::Static(id) => self.scenery.fixed(id).position,
        }
    }

    /// True if bodies can have resting contacts: gravity presses them together, or a material has restitution
    /// 0.
    pub fn has_rest(&self) -> bool {
        self.state.gravity != Vec3::ZERO || self.scenery.has_dead_material()
    }

    /// True if one of the pair has no resting contacts.
    #[inline]
    pub fn only_hits(&self, a: u32, b: Partner) -> bool {
        let hits = |index: u32| self.mover(index).conduct.ends_at_hit();
        self.sim.has_hitters && (hits(a) || matches!(b, Partner::Mover(b) if hits(b)))
    }

    /// True if one of the pair was removed.
    #[inline]
    pub fn is_over(&self, a: u32, b: Partner) -> bool {
        let is_gone = |index: u32| self.mover(index).conduct == Conduct::Gone;
        !self.sim.gone.is_empty() && (is_gone(a) || matches!(b, Partner::Mover(b) if is_gone(b)))
    }

    /// True if child shapes of a pair overlapped at the start of the tick.
    #[inline]
    pub fn overlapped(&self, index: u32, partner: Partner, parts: Parts) -> bool {
        if self.sim.overlapping.is_empty() {
            return false;
        }
        let pair = match partner {
            Partner::Mover(other) if other < index => (other, Partner::Mover(index), [parts[1], parts[0]]),
            _ => (index, partner, parts),
        };
        self.sim.overlapping.binary_search(&pair).is_ok()
    }

    /// Sorts a list of bodies, and adds all that they overlapped at the start of the tick: they are reverted
    /// together, because otherwise they might pass each other.
    pub fn add_overlapped(&self, bodies: &mut Vec<u32>) {
        loop {
            bodies.sort_unstable();
            bodies.dedup();
            let before = bodies.len();
            for &(a, partner, _) in &self.sim.overlapping {
                if let Partner::Mover(b) = partner {
                    match [a, b].map(|index| bodies[..before].binary_search(&index).is_ok()) {
                        [true, false] => bodies.push(b),
                        [false, true] => bodies.push(a),
                        _ => {}
                    }
                }
            }
            if bodies.len() == before {
                return;
            }
        }
    }

    /// The length that a point at the radius of gyration has moved by the rotation of a body in this tick, at
    /// most, in raw.
    pub fn turned_by(&self, mover: &Mover) -> i64 {
        let Some(spinner) = self.sim.spinners.get(mover.spinner as usize) else { return 0 };
        spinner.turned_since(self.entry_pose(mover).orientation)
    }
}
