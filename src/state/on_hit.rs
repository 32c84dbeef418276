//! What becomes of a body at its first impact in a tick.

use serde::{Deserialize, Serialize};

/// What a dynamic body does at its first impact in a tick: projectiles.
///
/// On the wire it is one byte: 0, 1 or 2, in the order of the variants. A body that does not continue takes part in no contact at
/// rest: whatever it meets, it hits. If it hits several at the same instant, all of them are hit. A frozen body does nothing of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[serde(try_from = "u8", into = "u8")]
pub enum OnHit {
    /// It goes on as the impact makes it.
    #[default]
    Continue,
    /// It stands still where it is for the rest of the tick and has no momentum after it. A kinematic body that meets it there is
    /// blocked by it.
    Stop,
    /// It is gone: nobody meets it later in the tick, and when the tick ends its slot is free.
    Remove,
}

impl OnHit {
    /// The name, as scenes and reports spell it.
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
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        let all = [Self::Continue, Self::Stop, Self::Remove];
        let found = all.get(usize::from(number)).copied();
        found.ok_or_else(|| format!("nothing that becomes of a body at its impact has number {number}"))
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
        assert!(OnHit::try_from(3).unwrap_err().ends_with("has number 3"));
    }
}
