//! Body types and motion locks.

use serde::{Deserialize, Serialize};

use super::StateError;
use crate::geom::Vec3;

/// The type of a body.
///
/// It is encoded as one byte: 0, 1 or 2, in the order of the variants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[serde(try_from = "u8", into = "u8")]
pub enum BodyType {
    /// Moved by its momentum, which impacts and gravity change.
    #[default]
    Dynamic,
    /// Moved by the velocity that commands give it, whatever it collides with.
    Kinematic,
    /// Never moved by a tick, like a static of the scenery, but commands may add, move and remove it.
    Static,
}

impl BodyType {
    /// The type's name in scenes and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dynamic => "dynamic",
            Self::Kinematic => "kinematic",
            Self::Static => "static",
        }
    }
}

impl From<BodyType> for u8 {
    fn from(kind: BodyType) -> Self {
        kind as Self
    }
}

impl TryFrom<u8> for BodyType {
    type Error = StateError;

    fn try_from(number: u8) -> Result<Self, StateError> {
        let kinds = [Self::Dynamic, Self::Kinematic, Self::Static];
        kinds.get(usize::from(number)).copied().ok_or(StateError::Number { name: "body type", number })
    }
}

/// Motion locks: the axes of the world along which a body does not move, and its own axes about which it does
/// not rotate. One bit for each, first the axes of translation, x lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Locks(u8);

impl Locks {
    /// No axis.
    pub const NONE: Self = Self(0);
    /// The first axis.
    pub const X: Self = Self(1);
    /// The second axis.
    pub const Y: Self = Self(2);
    /// The third axis.
    pub const Z: Self = Self(4);
    /// All three axes.
    pub const ALL: Self = Self(7);

    /// Rotation about the body's own first axis.
    pub const TURN_X: Self = Self(8);
    /// Rotation about its own second axis.
    pub const TURN_Y: Self = Self(16);
    /// Rotation about its own third axis.
    pub const TURN_Z: Self = Self(32);
    /// All rotation: only a command changes the orientation.
    pub const TURN_ALL: Self = Self(56);

    /// The axes of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True if an axis, 0 to 2, is locked.
    #[must_use]
    pub const fn has(self, axis: usize) -> bool {
        self.0 >> axis & 1 == 1
    }

    /// True if rotation about the body's own axis, 0 to 2, is locked.
    #[must_use]
    pub const fn has_turn(self, axis: usize) -> bool {
        self.0 >> (axis + 3) & 1 == 1
    }

    /// True if rotation about any axis is locked.
    #[must_use]
    pub const fn locks_turning(self) -> bool {
        self.0 & Self::TURN_ALL.0 != 0
    }

    /// The body's own axes about which it rotates.
    pub(crate) fn free_turns(self) -> [bool; 3] {
        [0, 1, 2].map(|axis| !self.has_turn(axis))
    }

    /// A vector without its components along the locked axes.
    #[must_use]
    pub fn free_part(self, vector: Vec3) -> Vec3 {
        if self == Self::NONE {
            return vector;
        }
        let mut axis = 0..3;
        vector.map_raw(|raw| if axis.next().is_some_and(|axis| self.has(axis)) { 0 } else { raw })
    }

    /// The bits: 1 for x, 2 for y, 4 for z; 8, 16 and 32 for rotation.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }
}

impl From<Locks> for u8 {
    fn from(locks: Locks) -> Self {
        locks.0
    }
}

impl TryFrom<u8> for Locks {
    type Error = StateError;

    fn try_from(bits: u8) -> Result<Self, StateError> {
        let all = Self::ALL.0 | Self::TURN_ALL.0;
        let fits = bits <= all;
        if fits { Ok(Self(bits)) } else { Err(StateError::Number { name: "set of locks", number: bits }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_locks_are_bytes() {
        for kind in [BodyType::Dynamic, BodyType::Kinematic, BodyType::Static] {
            assert_eq!(BodyType::try_from(u8::from(kind)), Ok(kind));
        }
        assert_eq!(BodyType::try_from(3).unwrap_err().to_string(), "no body type has number 3");
        for bits in 0..64 {
            let locks = Locks::try_from(bits).unwrap();
            let [x, y, z] = [0, 1, 2].map(|axis| u8::from(locks.has(axis)));
            let rotations = [0, 1, 2].map(|axis| u8::from(locks.has_turn(axis)));
            let sum = x + 2 * y + 4 * z + 8 * rotations[0] + 16 * rotations[1] + 32 * rotations[2];
            assert_eq!((locks.bits(), sum), (bits, bits));
            assert_eq!(locks.locks_turning(), bits >= 8);
            let free = locks.free_part(Vec3::from_raw([1, 1, 1])).raw();
            assert_eq!(free, [1 - x, 1 - y, 1 - z].map(i64::from));
        }
        assert_eq!(Locks::try_from(64).unwrap_err().to_string(), "no set of locks has number 64");
        assert_eq!(Locks::TURN_X.and(Locks::TURN_Y).and(Locks::TURN_Z), Locks::TURN_ALL);
        assert_eq!(Locks::X.and(Locks::Y).and(Locks::Z), Locks::ALL);
    }
}
