//! Frame data: the duration, the active ticks and the effect of each move.

use bitstep::{
    geom::{Vec3, vec2},
    num::{Scalar, lit},
};

use crate::{Doing, stage::Pose};

/// A move that can affect the other fighter. Times are in ticks.
#[derive(Clone, Copy, Debug)]
pub struct Attack {
    /// Number of ticks from the key press to the first active tick.
    pub startup: u8,
    /// Number of active ticks.
    pub active: u8,
    /// Number of ticks behind those until the fighter is free again.
    pub recovery: u8,
    /// Damage to the other's health.
    pub damage: u8,
    /// Number of ticks for which both stand still when it hits.
    pub stop: u8,
    /// Number of ticks behind that for which the other is stunned, if it is hit.
    pub stun: u8,
    /// The same if the other blocks.
    pub guard: u8,
    /// The velocity that the other gets, in units per tick, away from a fighter that faces right.
    pub push: Vec3,
    /// The pose in the active ticks.
    pub pose: Pose,
}

impl Attack {
    /// Number of ticks of the whole move.
    #[must_use]
    pub const fn length(&self) -> u8 {
        self.startup + self.active + self.recovery
    }

    /// True if it is active so many ticks after it began.
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
    guard: 0, // a throw cannot be blocked
    push: vec2(lit("0.13"), lit("0.16")),
    pose: Pose::Throw,
};

/// The shot leaves in the one active tick; its effect is [`SHOT`]'s.
const FIRE: Attack = Attack { startup: 12, active: 1, recovery: 18, pose: Pose::Reach, ..SHOT };

/// The effect of a shot that hits. Only the fighter that is hit stands still.
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

/// The effect on two that throw each other: they are pushed apart, without damage.
pub const BREAK: Attack =
    Attack { damage: 0, stop: 8, stun: 12, push: vec2(lit("0.1"), Scalar::ZERO), ..THROW };

/// Speed of a walk, in units per tick.
pub const WALK: Scalar = lit("0.07");
/// Upward speed of a jump.
pub const JUMP_UP: Scalar = lit("0.21");
/// Horizontal speed of a jump.
pub const JUMP_ALONG: Scalar = lit("0.08");
/// Number of ticks for which a fighter that drops through the platform ignores it: longer than its
/// feet take to be below its top.
pub const DROP_TICKS: u32 = 8;
/// Speed of a shot.
pub const SHOT_SPEED: Scalar = lit("0.14");
/// Start of a shot: before a fighter that faces right.
pub const SHOT_FROM: Vec3 = vec2(lit("0.8"), lit("0.4"));
/// Largest number of ticks that a shot flies.
pub const SHOT_TICKS: u8 = 110;
/// Number of ticks for which an early key press is stored.
pub const BUFFER: u8 = 6;

/// The frame data of an action; `None` if it is no attack.
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
