//! The keys of a player in a tick.

use serde::{Deserialize, Serialize};

/// The keys that a player holds, a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Input(pub u8);

impl Input {
    /// No key is held.
    pub const NONE: Self = Self(0);
    /// Walk towards smaller x.
    pub const LEFT: Self = Self(1);
    /// Walk towards larger x.
    pub const RIGHT: Self = Self(2);
    /// Jump, when it is pressed.
    pub const JUMP: Self = Self(4);
    /// Block, while it is held.
    pub const BLOCK: Self = Self(8);
    /// A fast attack with a short reach.
    pub const PUNCH: Self = Self(16);
    /// A slow attack with a long reach.
    pub const KICK: Self = Self(32);
    /// Fires a shot.
    pub const FIRE: Self = Self(64);
    /// Grabs a fighter that stands near, also one that blocks.
    pub const THROW: Self = Self(128);

    /// True if all keys of another are held.
    #[must_use]
    pub const fn has(self, keys: Self) -> bool {
        self.0 & keys.0 == keys.0
    }

    /// The union of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The keys that are not held in another.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// -1 to the left, 1 to the right, 0 for neither and for both.
    #[must_use]
    pub const fn direction(self) -> i64 {
        self.has(Self::RIGHT) as i64 - self.has(Self::LEFT) as i64
    }

    /// The keys in a mirror: left is right.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        let sides = (self.0 & 1) << 1 | (self.0 & 2) >> 1;
        Self(self.0 & !3 | sides)
    }
}
