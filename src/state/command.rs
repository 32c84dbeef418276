//! The only door for change between ticks.

use std::fmt;

use super::{Body, BodyId, Collider, Kind, Locks, MaterialId, OnHit, Rule, SetId, ShapeId, Spin, StateError};
use crate::{
    geom::{Rotation, Vec3},
    num::Scalar,
};

/// A change that takes effect at once, between two ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Adds a body, in the lowest free slot.
    Spawn(Spawn),
    /// Takes a body away; its id goes stale.
    Remove {
        /// Which body.
        body: BodyId,
    },
    /// Puts a body elsewhere; its momentum stays.
    Teleport {
        /// Which body.
        body: BodyId,
        /// Its new center, in world units.
        position: Vec3,
        /// Whether a solid overlap is accepted; such a pair may part, and get no deeper.
        allow_overlap: bool,
    },
    /// Puts a body that turns elsewhere and turns it; its momentum and its angular momentum stay.
    Place {
        /// Which body.
        body: BodyId,
        /// Its new center, in world units.
        position: Vec3,
        /// Its new orientation.
        orientation: Rotation,
        /// Whether a solid overlap is accepted; such a pair may part, and get no deeper.
        allow_overlap: bool,
    },
    /// Moves a kinematic body to a place in the next tick, where it then stands still.
    ///
    /// It gets the velocity that takes it there, which must be within the limits; the last of these
    /// commands and of `SetVelocity` before a tick counts.
    MoveTo {
        /// Which body.
        body: BodyId,
        /// Where its center is at the end of the tick, in world units, unless it is blocked.
        position: Vec3,
    },
    /// Replaces a body's velocity; a kinematic body keeps it until the next command.
    SetVelocity {
        /// Which body.
        body: BodyId,
        /// In units per tick.
        velocity: Vec3,
    },
    /// Adds to a dynamic body's momentum.
    Push {
        /// Which body.
        body: BodyId,
        /// In mass units times units per tick.
        impulse: Vec3,
    },
    /// Adds to a dynamic body's momentum, and to the angular momentum of one that turns what the push does at
    /// a point: `(point - center) x impulse`, to nearest, halves away from zero.
    PushAt {
        /// Which body.
        body: BodyId,
        /// In mass units times units per tick.
        impulse: Vec3,
        /// Where, in world units; in the world, on the body or off it.
        point: Vec3,
    },
    /// Adds to the angular momentum of a dynamic body that turns.
    Twist {
        /// Which body.
        body: BodyId,
        /// In mass units times units squared per tick, in the world's frame.
        angular_impulse: Vec3,
    },
    /// Replaces the angular velocity of a body that turns; a kinematic body keeps it until the next command.
    SetAngularVelocity {
        /// Which body.
        body: BodyId,
        /// In radians per tick, in the world's frame; at most
        /// [`ANGULAR_SPEED_MAX`](crate::geom::ANGULAR_SPEED_MAX).
        angular_velocity: Vec3,
    },
    /// Replaces the world's gravity.
    SetGravity {
        /// The change of velocity per tick, in units per tick; even in raw, which
        /// [`Limits::gravity_nearest_even`](super::Limits::gravity_nearest_even) sees to.
        gravity: Vec3,
    },
    /// Gives a body another shape or set of shapes, around the same center; its momentum and its angular momentum stay.
    SetShape {
        /// Which body.
        body: BodyId,
        /// Which shape of the scenery, but no plane; of a body that turns as [`Spawn::turns`] says.
        shape: ShapeId,
        /// Whether a solid overlap is accepted; such a pair may part, and get no deeper.
        allow_overlap: bool,
    },
    /// Gives a body a set of shapes, around the same center; its momentum stays. The same as `SetShape` with the
    /// set's name, [`ShapeId::of_set`].
    SetShapes {
        /// Which body; if it turns, the set is as [`Spawn::turns`] says.
        body: BodyId,
        /// Which set of the scenery.
        set: SetId,
        /// Whether it is the set's mirror image: left is right, along x.
        mirrored: bool,
        /// Whether a solid overlap is accepted; such a pair may part, and get no deeper.
        allow_overlap: bool,
    },
    /// Puts a body into a layer and a group.
    SetFilter {
        /// Which body.
        body: BodyId,
        /// Its new layer, `0..=15`.
        layer: u8,
        /// Its new group; 0 for none.
        group: u16,
        /// Whether a solid overlap is accepted; such a pair may part, and get no deeper.
        allow_overlap: bool,
    },
    /// Changes what two layers are to each other; the order of the two does not matter.
    SetLayers {
        /// One layer, `0..=15`.
        a: u8,
        /// The other, or the same.
        b: u8,
        /// What they are from now on.
        rule: Rule,
        /// Whether a solid overlap is accepted; such a pair may part, and get no deeper.
        allow_overlap: bool,
    },
    /// Replaces the axes along which a body does not move, and its own about which it does not turn; its momentum along
    /// them and its angular momentum about them are lost. In a flat world who turns is locked about x and y besides.
    SetLocks {
        /// Which body.
        body: BodyId,
        /// The axes.
        locks: Locks,
    },
    /// Replaces a body's damping.
    SetDamping {
        /// Which body.
        body: BodyId,
        /// The part of its momentum that it loses in each tick, times 2^16.
        damping_q16: u16,
    },
    /// Freezes a dynamic or kinematic body for so many ticks: hit stop. A new one replaces the count, 0 thaws it.
    ///
    /// As long as it is frozen it neither moves nor turns, nothing pulls or damps it, and no push moves it: what strikes it is
    /// struck as by a wall. It keeps its momentum and its angular momentum, which commands may change, and its way to where
    /// `MoveTo` sends it; afterwards it goes on with them as if there had been no tick in between. It wakes if it sleeps, and
    /// neither falls asleep nor lets those do so who touch it.
    Freeze {
        /// Which body.
        body: BodyId,
        /// For how many ticks, from the next one on.
        ticks: u16,
    },
    /// Drives a dynamic body: from the next tick on, at the beginning of each, its velocity goes towards another one in a straight
    /// line by no more than so much, until `EndDrive` or another `Drive`.
    ///
    /// Where gravity pulls a body, what it lacks along gravity is left alone: a walker falls as others do. So are locked axes.
    /// A frozen body is not driven; one that sleeps wakes by the command. Who is driven to any velocity but zero does not
    /// fall asleep.
    ///
    /// **Rounding**: the change of momentum goes toward zero on each axis where it is less than all that is lacking; so does no
    /// mirror image differ, and it is never longer than said. Else the velocity is reached to the bit. What is lacking along a
    /// gravity that is not along an axis is taken out to nearest.
    Drive {
        /// Which body.
        body: BodyId,
        /// The velocity, in units per tick; within the limit on speed.
        velocity: Vec3,
        /// How much faster in a tick at most, in units per tick per tick: above 0, and at most twice the limit on speed.
        accel_max: Scalar,
    },
    /// Drives a body no longer.
    EndDrive {
        /// Which body.
        body: BodyId,
    },
    /// Says what becomes of a dynamic body at its first impact in a tick, from the next one on.
    SetOnHit {
        /// Which body.
        body: BodyId,
        /// What.
        on_hit: OnHit,
    },
    /// Says who yields where a dynamic body overlaps others, from the next tick on.
    SetPriority {
        /// Which body.
        body: BodyId,
        /// Its new [priority](Body::priority).
        priority: u8,
    },
    /// Makes two nothing to each other as solids for so many ticks: a fighter and the platform that it drops through, a
    /// grenade and who throws it. A new one replaces the count, 0 ends it; so does the removal of a body. At most
    /// [`State::EXCEPTIONS_MAX`](super::State::EXCEPTIONS_MAX) at once.
    ///
    /// Two whose rule is `Report` report each other as ever; a contact that ends so has no event. It is
    /// never refused for an overlap, nor is any other command for one of the two with each other while it holds. Two that
    /// overlap when it ends are as a pair that a command let overlap: they may part, and get no deeper.
    /// Either wakes if it sleeps, when it begins and when it ends.
    Except {
        /// One of the two.
        a: BodyId,
        /// The other one; the order of two bodies does not matter.
        b: Collider,
        /// For how many ticks, from the next one on, whether or not one of them is frozen.
        ticks: u32,
    },
    /// Says whether a dynamic body may fall asleep, as new ones may in a world in which bodies do
    /// ([`Limits::sleep_after`](super::Limits::sleep_after)); it wakes, with all whose sleep is one with its own.
    ///
    /// Whoever touches one that may not stays awake with it.
    SetSleep {
        /// Which body.
        body: BodyId,
        /// Whether it may.
        sleeps: bool,
    },
    /// Replaces what the game keeps with a body.
    SetUser {
        /// Which body.
        body: BodyId,
        /// Anything.
        user: u64,
    },
}

/// What a new body is like.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spawn {
    /// Which shape of the scenery: a sphere, an aabb, an obb or a capsule; or a set, by [`ShapeId::of_set`].
    pub shape: ShapeId,
    /// Which material of the scenery.
    pub material: MaterialId,
    /// A whole number of mass units, at least 1.
    pub mass: u32,
    /// The center, in world units.
    pub position: Vec3,
    /// In units per tick.
    pub velocity: Vec3,
    /// Whether it turns. Its shape is then a sphere, or a capsule or an obb of which the half axis or the half
    /// edges lie along the axes of its own frame; or a set of such shapes, in any direction, whose mass lies about the
    /// body's center and is balanced about its axes, as [`inertia_of_parts`](crate::shape::inertia_of_parts) says. The
    /// others keep their orientation for ever.
    pub turns: bool,
    /// What turns the frame of its shape into the world's; of one that does not turn
    /// [`Rotation::IDENTITY`].
    pub orientation: Rotation,
    /// In radians per tick, in the world's frame, at most
    /// [`ANGULAR_SPEED_MAX`](crate::geom::ANGULAR_SPEED_MAX); zero of one that does not turn.
    pub angular_velocity: Vec3,
    /// What moves it.
    pub kind: Kind,
    /// Its layer, `0..=15`.
    pub layer: u8,
    /// Its group; 0 for none.
    pub group: u16,
    /// The axes of the world along which it does not move, and those of its own about which it does not turn, if it
    /// turns at all. In a flat world who turns is locked about x and y besides.
    pub locks: Locks,
    /// The part of its momentum that it loses in each tick, times 2^16, as
    /// [`Limits::damping_nearest`](super::Limits::damping_nearest) makes it.
    pub damping_q16: u16,
    /// Whatever the game keeps with it.
    pub user: u64,
    /// Whether a solid overlap is accepted; such a pair may part, and get no deeper.
    pub allow_overlap: bool,
    /// What becomes of it at its first impact in a tick; only a dynamic body does anything but continue.
    pub on_hit: OnHit,
    /// Who yields where it overlaps others, as [`Body::priority`]; 0 of one that is not dynamic.
    pub priority: u8,
}

impl Spawn {
    /// A dynamic body of mass 1 at rest that does not turn, in material 0, layer 0 and no group, with
    /// everything else zero; the position is in world units.
    #[must_use]
    pub const fn new(shape: ShapeId, position: Vec3) -> Self {
        Self {
            shape,
            material: MaterialId(0),
            mass: 1,
            position,
            velocity: Vec3::ZERO,
            turns: false,
            orientation: Rotation::IDENTITY,
            angular_velocity: Vec3::ZERO,
            kind: Kind::Dynamic,
            layer: 0,
            group: 0,
            locks: Locks::NONE,
            damping_q16: 0,
            user: 0,
            allow_overlap: false,
            on_hit: OnHit::Continue,
            priority: 0,
        }
    }

    /// The body that this makes, as it is at rest.
    pub(crate) const fn body_at_rest(&self) -> Body {
        let still = Spin { orientation: self.orientation, angular_momentum: Vec3::ZERO };
        Body {
            spin: if self.turns { Some(still) } else { None },
            mass: self.mass,
            material: self.material,
            kind: self.kind,
            layer: self.layer,
            group: self.group,
            locks: self.locks,
            damping_q16: self.damping_q16,
            user: self.user,
            on_hit: self.on_hit,
            priority: self.priority,
            ..Body::new(self.shape, self.position)
        }
    }
}

/// What became of a command.
pub type Outcome = Result<Done, Refusal>;

/// A command that took effect.
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

/// Why a command was refused; it changed nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The body was removed, or never was.
    #[error("no body {body}")]
    NoBody {
        /// The stale id.
        body: BodyId,
    },
    /// The command is not for bodies of this kind.
    #[error("body {body} is {}", kind.name())]
    Kind {
        /// Which body.
        body: BodyId,
        /// What it is.
        kind: Kind,
    },
    /// A value is beyond a limit.
    #[error(transparent)]
    Beyond(#[from] StateError),
    /// The body would overlap something solid.
    #[error("would overlap {with}")]
    Overlaps {
        /// The one with the smallest id.
        with: Collider,
    },
    /// Two layers would become solid to each other while bodies of theirs overlap.
    #[error("{body} would overlap {with}")]
    OverlapsNow {
        /// The body with the smallest id of all that would overlap something.
        body: BodyId,
        /// What it overlaps: the one with the smallest id.
        with: Collider,
    },
    /// There is no room for another body.
    #[error("the world holds {limit} bodies already")]
    Full {
        /// The limit.
        limit: u32,
    },
}
