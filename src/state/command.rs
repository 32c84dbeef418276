//! Commands: the only changes between ticks.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    Body, BodyId, BodyType, Collider, CompoundId, HeightPatch, Locks, MaterialId, OnHit, Refused, Rule,
    ShapeId, Spin, StateError, StaticId,
};
use crate::{
    geom::{Rotation, Vec3},
    num::Scalar,
};

/// A change that takes effect at once, between two ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Adds a body, in the lowest free slot.
    Spawn(Spawn),
    /// Removes a body; its id goes stale.
    Remove {
        /// The body.
        body: BodyId,
    },
    /// Moves a body to a position, and one that rotates to an orientation as well, without a sweep; its
    /// momentum and its angular momentum stay.
    Teleport {
        /// The body.
        body: BodyId,
        /// Its new center, in world units.
        position: Vec3,
        /// Its new orientation; `None` to keep the one that it has. Refused if the body does not rotate.
        orientation: Option<Rotation>,
        /// True to accept an overlap of solids; such a pair may separate, and gets no deeper.
        allow_overlap: bool,
    },
    /// Moves a kinematic body to a position in the next tick, where it then stops.
    ///
    /// It gets the velocity that takes it there, which must be within the limits. The last of these commands
    /// and of `SetVelocity` before a tick counts.
    MoveKinematic {
        /// The body.
        body: BodyId,
        /// The center at the end of the tick, in world units, unless the body is blocked.
        position: Vec3,
    },
    /// Replaces a body's velocity; a kinematic body keeps it until the next command.
    SetVelocity {
        /// The body.
        body: BodyId,
        /// The velocity, in units per tick.
        velocity: Vec3,
    },
    /// Adds an impulse to a dynamic body's momentum.
    ApplyImpulse {
        /// The body.
        body: BodyId,
        /// The impulse, in mass units times units per tick.
        impulse: Vec3,
    },
    /// Adds an impulse at a point to a dynamic body's momentum. If the body rotates, its angular momentum
    /// changes by `(point - center) x impulse`, to nearest, halves away from zero.
    ApplyImpulseAt {
        /// The body.
        body: BodyId,
        /// The impulse, in mass units times units per tick.
        impulse: Vec3,
        /// The point, in world units; inside the world, on the body or off it.
        point: Vec3,
    },
    /// Adds an angular impulse to a dynamic body that rotates.
    ApplyAngularImpulse {
        /// The body.
        body: BodyId,
        /// The angular impulse, in mass units times units squared per tick, in the world's frame.
        angular_impulse: Vec3,
    },
    /// Replaces the angular velocity of a body that rotates; a kinematic body keeps it until the next
    /// command.
    SetAngularVelocity {
        /// The body.
        body: BodyId,
        /// The angular velocity, in radians per tick, in the world's frame; at most
        /// [`ANGULAR_SPEED_MAX`](crate::geom::ANGULAR_SPEED_MAX).
        angular_velocity: Vec3,
    },
    /// Replaces the world's gravity.
    SetGravity {
        /// The change of velocity per tick, in units per tick; even in raw, as
        /// [`Limits::gravity_nearest_even`](super::Limits::gravity_nearest_even) returns it.
        gravity: Vec3,
    },
    /// Gives a body another shape or compound, around the same center; its momentum and its angular momentum
    /// stay.
    SetShape {
        /// The body.
        body: BodyId,
        /// A shape of the scenery, but no plane; if the body rotates, as [`Spawn::rotates`] says.
        shape: ShapeId,
        /// True to accept an overlap of solids; such a pair may separate, and gets no deeper.
        allow_overlap: bool,
    },
    /// Gives a body a compound, around the same center; its momentum stays. The same as `SetShape` with
    /// [`ShapeId::of_compound`].
    SetCompound {
        /// The body; if it rotates, the compound is as [`Spawn::rotates`] says.
        body: BodyId,
        /// A compound of the scenery.
        compound: CompoundId,
        /// True for the compound's mirror image: x is negated.
        mirrored: bool,
        /// True to accept an overlap of solids; such a pair may separate, and gets no deeper.
        allow_overlap: bool,
    },
    /// Sets the layer and the group of a body.
    SetFilter {
        /// The body.
        body: BodyId,
        /// Its new layer, `0..=15`.
        layer: u8,
        /// Its new group; 0 for none.
        group: u16,
        /// True to accept an overlap of solids; such a pair may separate, and gets no deeper.
        allow_overlap: bool,
    },
    /// Changes the rule of a pair of layers, in either order.
    SetLayers {
        /// One layer, `0..=15`.
        a: u8,
        /// The other layer, or the same one.
        b: u8,
        /// The new rule.
        rule: Rule,
        /// True to accept an overlap of solids; such a pair may separate, and gets no deeper.
        allow_overlap: bool,
    },
    /// Replaces the axes along which a body does not move, and its own axes about which it does not rotate.
    /// Its momentum along them and its angular momentum about them are lost. In a flat world a body that
    /// rotates is locked about x and y as well.
    SetLocks {
        /// The body.
        body: BodyId,
        /// The axes.
        locks: Locks,
    },
    /// Replaces a body's damping.
    SetDamping {
        /// The body.
        body: BodyId,
        /// The fraction of its momentum that it loses in each tick, times 2^16.
        damping_q16: u16,
    },
    /// Freezes a dynamic or kinematic body for a number of ticks (hit stop). A second command replaces the
    /// count; 0 thaws the body.
    ///
    /// A frozen body does not move or rotate, gravity and damping do not act on it, and it does not yield in
    /// a collision, like a static. It keeps its momentum and its angular momentum, which commands may change,
    /// and the target of `MoveKinematic`. When it thaws, it continues as if the ticks in between had not happened.
    /// It wakes if it sleeps. It does not fall asleep, and bodies that touch it do not either.
    Freeze {
        /// The body.
        body: BodyId,
        /// Number of ticks, from the next one on.
        ticks: u16,
    },
    /// Drives a dynamic body. From the next tick on, at the beginning of each, its velocity approaches a
    /// target velocity in a straight line by a limited change, until `EndDrive` or another `Drive`.
    ///
    /// If gravity acts on the body, the component of the change along gravity is left out, so a walking body
    /// falls like any other. So are locked axes. A frozen body is not driven. A sleeping body wakes by the
    /// command. A body that is driven to a velocity other than zero does not fall asleep.
    ///
    /// **Rounding**: a limited change of momentum rounds toward zero on each axis, so mirror images agree and
    /// the change is never longer than the limit. An unlimited change reaches the velocity to the bit. The
    /// component along a gravity that is not along an axis is removed to nearest.
    Drive {
        /// The body.
        body: BodyId,
        /// The target velocity, in units per tick; within the limit on speed.
        velocity: Vec3,
        /// The largest change of velocity in a tick, in units per tick per tick: above 0, and at most twice
        /// the limit on speed.
        accel_max: Scalar,
    },
    /// Ends the drive of a body.
    EndDrive {
        /// The body.
        body: BodyId,
    },
    /// Sets the effect of a dynamic body's first impact in a tick, from the next tick on.
    SetOnHit {
        /// The body.
        body: BodyId,
        /// The effect.
        on_hit: OnHit,
    },
    /// Sets the dominance of a dynamic body in soft overlaps, from the next tick on.
    SetDominance {
        /// The body.
        body: BodyId,
        /// Its new [dominance](Body::dominance).
        dominance: u8,
    },
    /// Disables collision between a pair as solids for a number of ticks: a fighter and the platform that it
    /// drops through, a grenade and its thrower. A second command replaces the count; 0 ends it, and so
    /// does the removal of a body. A world has at most
    /// [`State::IGNORED_PAIRS_MAX`](super::State::IGNORED_PAIRS_MAX) ignored pairs at once.
    ///
    /// A pair whose rule is `Sensor` is still reported. A contact that ends by this command has no event. The
    /// command is never refused for an overlap, and while it holds neither is any other command for an
    /// overlap of this pair. A pair that overlaps when it ends is like a pair whose overlap a command
    /// accepted: it may separate, and gets no deeper. Both bodies wake when it begins and when it ends.
    IgnorePair {
        /// One of the pair.
        a: BodyId,
        /// The other one; the order of two bodies does not matter.
        b: Collider,
        /// Number of ticks, from the next one on; ticks in which one of the pair is frozen count.
        ticks: u32,
    },
    /// Sets whether a dynamic body may fall asleep, in a world with sleep
    /// ([`Limits::sleep_after`](super::Limits::sleep_after)); new bodies may. The body wakes together with
    /// its sleeping island.
    ///
    /// A body that touches one that may not sleep stays awake.
    SetSleep {
        /// The body.
        body: BodyId,
        /// True if it may fall asleep.
        sleeps: bool,
    },
    /// Replaces heights of ground: digs, fills, levels, in a rectangle of up to 8 times 8 points;
    /// [`HeightPatch::cover`] cuts a larger one into patches.
    ///
    /// Only the world's ground changes, and with it the state: the [tiles](super::Terrain) whose heights are not
    /// the scenery's. [`World::scenery`](crate::World::scenery) has the ground as it is. Sleeping bodies that
    /// the ground touches or leaves wake.
    ///
    /// It is refused if the ground would pass a part of a dynamic body that is solid to it: what lies between the
    /// ground before and after, taken as the convex hull of each triangle before and after. With `lift` it is
    /// refused only if it would pass a body's center; a body that the ground then overlaps is like one whose overlap a
    /// command accepted, and is moved out at the [separation speed](super::Limits::separation_speed).
    SetHeights {
        /// The static that is the ground.
        ground: StaticId,
        /// The column and the row of the first point.
        at: [u32; 2],
        /// The new heights, in the ground's unit.
        heights: HeightPatch,
        /// True to lift bodies.
        lift: bool,
    },
    /// Replaces a body's user data.
    SetUser {
        /// The body.
        body: BodyId,
        /// The data; any value.
        user: u64,
    },
}

/// The initial values of a new body.
///
/// ```
/// use bitstep::{
///     geom::Vec3,
///     state::{ShapeId, Spawn},
/// };
///
/// let player = Spawn { mass: 80, layer: 2, ..Spawn::new(ShapeId(0), Vec3::ZERO) };
/// assert_eq!((player.velocity, player.group), (Vec3::ZERO, 0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spawn {
    /// A shape of the scenery: a sphere, an aabb, an obb, a capsule or a hull; or a compound, by [`ShapeId::of_compound`].
    pub shape: ShapeId,
    /// A material of the scenery.
    pub material: MaterialId,
    /// The mass: a whole number of mass units, at least 1.
    pub mass: u32,
    /// The center, in world units.
    pub position: Vec3,
    /// The velocity, in units per tick.
    pub velocity: Vec3,
    /// True if it rotates; otherwise its orientation is fixed. Its shape is then a sphere, or a capsule, an
    /// obb or a hull whose half axis, half edges or principal axes lie along the axes of its own frame. A compound has such child
    /// shapes, in any direction, with the center of mass at the body's center and the mass balanced about its
    /// axes, as [`inertia_of_children`](crate::shape::inertia_of_children) says.
    pub rotates: bool,
    /// The orientation: rotates the frame of its shape into the frame of the world. [`Rotation::IDENTITY`]
    /// for a body that does not rotate.
    pub orientation: Rotation,
    /// The angular velocity, in radians per tick, in the world's frame, at most
    /// [`ANGULAR_SPEED_MAX`](crate::geom::ANGULAR_SPEED_MAX); zero for a body that does not rotate.
    pub angular_velocity: Vec3,
    /// The body type.
    pub body_type: BodyType,
    /// The layer, `0..=15`.
    pub layer: u8,
    /// The group; 0 for none.
    pub group: u16,
    /// The axes of the world along which it does not move, and its own axes about which it does not rotate,
    /// if it rotates at all. In a flat world a body that rotates is locked about x and y as well.
    pub locks: Locks,
    /// The fraction of its momentum that it loses in each tick, times 2^16, as
    /// [`Limits::damping_nearest`](super::Limits::damping_nearest) returns it.
    pub damping_q16: u16,
    /// User data.
    pub user: u64,
    /// True to accept an overlap of solids; such a pair may separate, and gets no deeper.
    pub allow_overlap: bool,
    /// The effect of its first impact in a tick; always to continue unless the body is dynamic.
    pub on_hit: OnHit,
    /// The dominance in soft overlaps, as [`Body::dominance`]; 0 unless the body is dynamic.
    pub dominance: u8,
}

impl Spawn {
    /// A dynamic body of mass 1 at rest that does not rotate, in material 0, layer 0 and no group, with
    /// everything else zero; the position is in world units.
    #[must_use]
    pub const fn new(shape: ShapeId, position: Vec3) -> Self {
        Self {
            shape,
            material: MaterialId(0),
            mass: 1,
            position,
            velocity: Vec3::ZERO,
            rotates: false,
            orientation: Rotation::IDENTITY,
            angular_velocity: Vec3::ZERO,
            body_type: BodyType::Dynamic,
            layer: 0,
            group: 0,
            locks: Locks::NONE,
            damping_q16: 0,
            user: 0,
            allow_overlap: false,
            on_hit: OnHit::Continue,
            dominance: 0,
        }
    }

    /// The body with these values, at rest.
    pub(crate) const fn body_at_rest(&self) -> Body {
        let still = Spin { orientation: self.orientation, angular_momentum: Vec3::ZERO };
        Body {
            spin: if self.rotates { Some(still) } else { None },
            mass: self.mass,
            material: self.material,
            body_type: self.body_type,
            layer: self.layer,
            group: self.group,
            locks: self.locks,
            damping_q16: self.damping_q16,
            user: self.user,
            on_hit: self.on_hit,
            dominance: self.dominance,
            ..Body::new(self.shape, self.position)
        }
    }
}

/// The result of a command.
pub type Outcome = Result<Done, Refused>;

/// The effect of an accepted command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Done {
    /// A body was added under this id.
    Spawned(BodyId),
    /// The change was made.
    Applied,
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spawned(id) => write!(f, "spawned {id}"),
            Self::Applied => f.write_str("applied"),
        }
    }
}

/// The reason for which a command is refused; a refused command changes nothing.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The body was removed, or never existed.
    #[error("no body {body}")]
    NoBody {
        /// The stale id.
        body: BodyId,
    },
    /// The command is not for bodies of this type.
    #[error("body {body} is {}", body_type.name())]
    BodyType {
        /// The body.
        body: BodyId,
        /// Its type.
        body_type: BodyType,
    },
    /// A value is out of range.
    #[error(transparent)]
    Beyond(#[from] StateError),
    /// The body would overlap a solid.
    #[error("would overlap {with}")]
    Overlaps {
        /// The overlapped collider with the smallest id.
        with: Collider,
    },
    /// Two layers would become solid to each other while bodies in them overlap.
    #[error("{body} would overlap {with}")]
    OverlapsNow {
        /// The body with the smallest id of all that would overlap a collider.
        body: BodyId,
        /// The overlapped collider with the smallest id.
        with: Collider,
    },
    /// The world has as many bodies as it may.
    #[error("the world holds {limit} bodies already")]
    Full {
        /// The limit.
        limit: u32,
    },
}
