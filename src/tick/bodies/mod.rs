//! The bodies of a tick, at a moment of it.
//!
//! A body in a tick is a [`SimBody`]; [`SimBodies`] has all of them, and the rotations of those that rotate.
//! [`Bodies`] reads them, with the state at the start of the tick and the scenery: the motion of a body, the rule
//! of a pair of child shapes, the material of a pair. [`BodiesMut`] is the one writer: it begins the tick, sets
//! and clamps motions, advances and holds bodies, applies impulses, and enters in the ledgers what it changes.
//! All stages of the tick depend on these, and they depend on none of the stages.
//!
//! Where a body is at an instant, position and orientation, is what its [`motion`](Bodies::motion) says. The
//! position alone is that of its path, which is a part of the motion.

mod account;
mod alter;
mod arrays;
pub(super) mod before;
pub(super) mod body;
pub(super) mod children;
mod damping;
mod end;
mod forms;
pub(super) mod gap;
mod impulse;
mod integrate;
pub(super) mod levers;
pub(super) mod limits;
mod material;
mod pair_filter;
mod rotate;
pub(super) mod rotation;
mod trajectory;

pub use arrays::SimBodies;

use crate::{
    geom::{Motion, Pose, Rotation, Vec3},
    num::{Scalar, Toi, round::shr_nearest},
    state::{BodyId, BodyType, Collider, Scenery, State, velocity_nearest},
    tick::TickReport,
};

use body::{BodyIndex, ChildPair, Conduct, Partner, SimBody};
use rotation::SimRotation;

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
    /// A body by its index.
    #[inline(always)]
    pub fn body(&self, index: BodyIndex) -> &'a SimBody {
        &self.sim.all()[index.place()]
    }

    /// The rotation of a body, if it rotates.
    #[inline(always)]
    pub fn rotation_of(&self, index: BodyIndex) -> Option<&'a SimRotation> {
        self.sim.rotation(self.body(index))
    }

    /// The motion of one side of a pair from the start of its path; of a static it is that of the whole tick.
    pub fn motion(&self, which: Partner) -> Motion {
        match which {
            Partner::Body(index) => self.sim.motion(self.body(index)),
            Partner::Static(id) => {
                let position = self.scenery.fixed(id).position;
                Motion::still(Pose { position, orientation: Rotation::IDENTITY })
            }
        }
    }

    /// The pose of a body at the start of the tick, which the state keeps until the tick ends.
    pub fn entry_pose(&self, body: &SimBody) -> Pose {
        let stored = &self.state.slots[body.slot.place()].body;
        stored.map_or_else(|| self.sim.motion(body).at(body.path.start), |stored| stored.pose())
    }

    /// The position of a body at the start of the tick, which the state keeps until the tick ends.
    pub fn entry(&self, body: &SimBody) -> Vec3 {
        self.state.slots[body.slot.place()].body.map_or(Vec3::ZERO, |stored| stored.position)
    }

    /// The velocity of a body at an instant, without the displacement by depenetration; of a kinematic body
    /// its motion.
    #[inline]
    pub fn velocity_at(&self, body: &SimBody, toi: Toi) -> Vec3 {
        if !body.is_free() {
            return body.path.displacement;
        }
        let end = velocity_nearest(body.momentum, body.mass);
        let gravity = self.state.gravity;
        if toi == Toi::END || gravity == Vec3::ZERO {
            return end;
        }
        let pull = match toi {
            Toi::START => gravity, // all of it, without a product
            _ => gravity.map_raw(|g| toi.remaining().of_nearest(g)),
        };
        end - body.locks.free_part(pull)
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

    /// The id of a body.
    pub fn id_of(&self, index: BodyIndex) -> BodyId {
        self.state.id_of(self.body(index).slot)
    }

    /// The ids of a pair.
    pub fn ids_of(&self, (a, b): (BodyIndex, Partner)) -> (BodyId, Collider) {
        (self.id_of(a), self.collider(b))
    }

    /// The id of one side of a pair.
    pub fn collider(&self, which: Partner) -> Collider {
        match which {
            Partner::Body(index) => Collider::Body(self.id_of(index)),
            Partner::Static(id) => Collider::Static(id),
        }
    }

    /// True if angular momentum is accounted for.
    #[inline(always)]
    pub fn is_accounted(&self) -> bool {
        self.sim.any_rotates()
    }

    /// True if a body sleeps.
    #[inline]
    pub fn is_asleep(&self, index: BodyIndex) -> bool {
        self.state.is_asleep(self.body(index).slot)
    }

    /// True if both sleep: sleeping bodies never interact.
    #[inline]
    pub fn both_sleep(&self, a: BodyIndex, b: Partner) -> bool {
        let sleeps = |index: BodyIndex| self.is_asleep(index);
        !self.state.sleep.is_empty() && sleeps(a) && matches!(b, Partner::Body(b) if sleeps(b))
    }

    /// The displacement of a body by depenetration in this tick.
    #[inline]
    pub fn displacement_of(&self, body: &SimBody) -> Vec3 {
        self.sim.displacements.get(body.slot.place()).copied().unwrap_or(Vec3::ZERO)
    }

    /// True if depenetration displaces a body in this tick.
    #[inline]
    pub fn is_displaced(&self, index: BodyIndex) -> bool {
        self.displacement_of(self.body(index)) != Vec3::ZERO
    }

    /// The motion, over a whole tick, of a body in free flight from an instant on, with its displacement by
    /// depenetration; of a kinematic or static body its velocity.
    ///
    /// A dynamic body's momentum is the one at the end of the tick. Between the instant u and the end gravity
    /// adds `g (1 - u)` to the velocity, so the mean velocity is the last one less half of that: the chord of
    /// the parabola. At u = 0 the chord is exact, because gravity is even in raw.
    ///
    /// **Rounding**: to nearest, halves away from zero.
    pub fn free_motion(&self, body: &SimBody, toi: Toi) -> Vec3 {
        let velocity = velocity_nearest(body.momentum, body.mass);
        let velocity = velocity + self.displacement_of(body);
        if body.filter.body_type != BodyType::Dynamic || self.state.gravity == Vec3::ZERO {
            return velocity;
        }
        let left = i128::from(toi.remaining().raw());
        let half = self.state.gravity.map_raw(|g| shr_nearest(i128::from(g) * left, Toi::BITS + 1) as i64);
        velocity - body.locks.free_part(half)
    }

    /// The center of one side at an instant.
    #[inline(always)]
    pub fn place_of(&self, which: Partner, toi: Toi) -> Vec3 {
        match which {
            Partner::Body(index) => self.body(index).path.at(toi),
            Partner::Static(id) => self.scenery.fixed(id).position,
        }
    }

    /// True if bodies can have resting contacts: gravity presses them together, or a material has restitution
    /// 0.
    pub fn has_rest(&self) -> bool {
        self.state.gravity != Vec3::ZERO || self.scenery.has_inelastic_material()
    }

    /// True if one of the pair has no resting contacts.
    #[inline]
    pub fn only_hits(&self, a: BodyIndex, b: Partner) -> bool {
        let hits = |index: BodyIndex| self.body(index).conduct.ends_at_hit();
        self.sim.has_hitters && (hits(a) || matches!(b, Partner::Body(b) if hits(b)))
    }

    /// True if one of the pair was removed.
    #[inline]
    pub fn is_over(&self, a: BodyIndex, b: Partner) -> bool {
        let is_gone = |index: BodyIndex| self.body(index).conduct == Conduct::Gone;
        !self.sim.gone.is_empty() && (is_gone(a) || matches!(b, Partner::Body(b) if is_gone(b)))
    }

    /// True if child shapes of a pair overlapped at the start of the tick.
    #[inline]
    pub fn overlapped(&self, index: BodyIndex, partner: Partner, children: ChildPair) -> bool {
        if self.sim.overlapping.is_empty() {
            return false;
        }
        let pair = match partner {
            Partner::Body(other) if other < index => {
                (other, Partner::Body(index), [children[1], children[0]])
            }
            _ => (index, partner, children),
        };
        self.sim.overlapping.binary_search(&pair).is_ok()
    }

    /// Sorts a list of bodies, and adds all that they overlapped at the start of the tick: they are reverted
    /// together, because otherwise they might pass each other.
    pub fn add_overlapped(&self, bodies: &mut Vec<BodyIndex>) {
        loop {
            bodies.sort_unstable();
            bodies.dedup();
            let before = bodies.len();
            for &(a, partner, _) in &self.sim.overlapping {
                if let Partner::Body(b) = partner {
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
    pub fn turned_by(&self, body: &SimBody) -> i64 {
        let Some(rotation) = self.sim.rotation(body) else { return 0 };
        rotation.turned_since(self.entry_pose(body).orientation)
    }
}
