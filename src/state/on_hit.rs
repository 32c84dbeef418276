//! The effect of a body's first impact in a tick.

use serde::{Deserialize, Serialize};

use super::StateError;

/// The effect of a dynamic body's first impact in a tick, for projectiles.
///
/// It is encoded as one byte: 0, 1 or 2, in the order of the variants. A body that does not continue takes
/// part in no contact at rest: every touch is an impact. If it hits several colliders at the same instant,
/// all of them are hit. A frozen body has no such effect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[serde(try_from = "u8", into = "u8")]
pub enum OnHit {
    /// The body continues with the velocity after the impact.
    #[default]
    Continue,
    /// The body stops where it is for the rest of the tick, and its momentum is zero after it. A kinematic
    /// body that collides with it there is blocked by it.
    Stop,
    /// The body is removed: it does not collide later in the tick, and its slot is free at the end of the
    /// tick.
    Remove,
}

impl OnHit {
    /// The name in scenes and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Continue => "continue",
            Self::Stop => "stop",
            Self::Remove => "remove",
        }
    }
}

impl From<OnHit> for u8 {
    fn from(on_hit: OnHit) -> Self {
        on_hit as Self
    }
}

impl TryFrom<u8> for OnHit {
    type Error = StateError;

    fn try_from(number: u8) -> Result<Self, StateError> {
        let all = [Self::Continue, Self::Stop, Self::Remove];
        let found = all.get(usize::from(number)).copied();
        found.ok_or(StateError::Number { name: "effect of an impact", number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_a_byte() {
        for on_hit in [OnHit::Continue, OnHit::Stop, OnHit::Remove] {
            assert_eq!(OnHit::try_from(u8::from(on_hit)), Ok(on_hit));
        }
        assert_eq!(OnHit::try_from(3).unwrap_err().to_string(), "no effect of an impact has number 3");
    }
}
