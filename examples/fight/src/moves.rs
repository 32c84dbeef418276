//! Frame data: how long each move takes, when it is dangerous, and what it does.

use bitstep::{
    geom::{Vec3, vec2},
    num::{Scalar, lit},
};

use crate::{Doing, stage::Pose};

/// A move that can do something to the other fighter. Times are in ticks.
#[derive(Clone, Copy, Debug)]
pub struct Attack {
    /// From the tick in which the key is pressed to the first one that is dangerous.
    pub startup: u8,
    /// How many ticks are dangerous.
    pub active: u8,
    /// From then on until the fighter is free again.
    pub recovery: u8,
    /// What it takes from the other's health.
    pub damage: u8,
    /// For how long both stand still when it lands.
    pub stop: u8,
    /// For how long the other is helpless behind that, if he is hit.
    pub stun: u8,
    /// The same if he blocks.
    pub guard: u8,
    /// The velocity that the other gets, in units per tick, away from a fighter that faces right.
    pub push: Vec3,
    /// The pose in the dangerous ticks.
    pub pose: Pose,
}

impl Attack {
    /// How many ticks it takes.
    #[must_use]
    pub const fn length(&self) -> u8 {
        self.startup + self.active + self.recovery
    }

    /// True if it is dangerous so many ticks after it began.
    #[must_use]
    pub const fn is_active(&self, frame: u8) -> bool {
        self.startup <= frame && frame < self.startup + self.active
    }
}

const PUNCH: Attack = Attack {
    startup: 4,
    active: 3,
    recovery: 8,
    damage: 7,
    stop: 6,
    stun: 15,
    guard: 9,
    push: vec2(lit("0.09"), Scalar::ZERO),
    pose: Pose::Punch,
};

const KICK: Attack = Attack {
    startup: 9,
    active: 4,
    recovery: 13,
    damage: 12,
    stop: 9,
    stun: 24,
    guard: 13,
    push: vec2(lit("0.11"), lit("0.12")),
    pose: Pose::Kick,
};

const THROW: Attack = Attack {
    startup: 3,
    active: 2,
    recovery: 22,
    damage: 15,
    stop: 10,
    stun: 34,
    guard: 0, // nobody blocks a throw
    push: vec2(lit("0.13"), lit("0.16")),
    pose: Pose::Throw,
};

/// The shot leaves in the one dangerous tick; what it does there is [`SHOT`]'s.
const FIRE: Attack = Attack { startup: 12, active: 1, recovery: 18, pose: Pose::Reach, ..SHOT };

/// What a shot does when it arrives. Only who is hit stands still.
pub const SHOT: Attack = Attack {
    startup: 0,
    active: 0,
    recovery: 0,
    damage: 8,
    stop: 5,
    stun: 18,
    guard: 11,
    push: vec2(lit("0.08"), Scalar::ZERO),
    pose: Pose::Reach,
};

/// What two who throw each other get: apart, and no harm.
pub const BREAK: Attack =
    Attack { damage: 0, stop: 8, stun: 12, push: vec2(lit("0.1"), Scalar::ZERO), ..THROW };

/// How fast a fighter walks, in units per tick.
pub const WALK: Scalar = lit("0.07");
/// How fast a jump goes up.
pub const JUMP_UP: Scalar = lit("0.21");
/// How fast a jump goes along.
pub const JUMP_ALONG: Scalar = lit("0.08");
/// For how many ticks the platform is nothing to who drops through it: longer than his feet take to be below its top.
pub const DROP_TICKS: u32 = 8;
/// How fast a shot flies.
pub const SHOT_SPEED: Scalar = lit("0.14");
/// Where a shot begins: before a fighter that faces right.
pub const SHOT_FROM: Vec3 = vec2(lit("0.8"), lit("0.4"));
/// How many ticks a shot flies at most.
pub const SHOT_TICKS: u8 = 110;
/// For how many ticks a key that was pressed too early is remembered.
pub const BUFFER: u8 = 6;

/// The frame data of what a fighter does; `None` of what is no attack.
#[must_use]
pub const fn attack_of(doing: Doing) -> Option<&'static Attack> {
    match doing {
        Doing::Punch => Some(&PUNCH),
        Doing::Kick => Some(&KICK),
        Doing::Throw => Some(&THROW),
        Doing::Fire => Some(&FIRE),
        Doing::Free | Doing::Block | Doing::Hurt | Doing::Guard => None,
    }
}
