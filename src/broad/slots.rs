//! Parts of a tick, to tell apart who is where at different times.

use crate::{geom::Aabb, num::Toi};

/// A set of the sixteenths of a tick.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Slots(u16);

/// A box under a number, and when it holds. A number may have several, for several times.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The region.
    pub bounds: Aabb,
    /// Whose it is.
    pub number: u32,
    /// When.
    pub slots: Slots,
}

impl Slots {
    /// How many slots a tick has.
    pub const COUNT: u32 = 16;
    /// The whole tick.
    pub const ALL: Self = Self(u16::MAX);

    /// The slots from one up to, but without, another.
    #[must_use]
    pub const fn range(first: u32, end: u32) -> Self {
        Self((((1_u32 << end) - 1) & !((1_u32 << first) - 1)) as u16)
    }

    /// The slot that an instant lies in; the end of the tick lies in the last.
    #[must_use]
    pub const fn slot_of(toi: Toi) -> u32 {
        let slot = (toi.raw() >> (Toi::BITS - 4)) as u32;
        if slot < Self::COUNT { slot } else { Self::COUNT - 1 }
    }

    /// When a slot begins; that of the first one that is no slot any more is the end of the tick.
    #[must_use]
    pub fn begin(slot: u32) -> Toi {
        Toi::from_raw(u64::from(slot) << (Toi::BITS - 4)).unwrap_or(Toi::END)
    }

    /// The slots that two sets have in common.
    #[must_use]
    pub const fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether a slot is one of them.
    #[must_use]
    pub const fn has(self, slot: u32) -> bool {
        self.0 >> slot & 1 == 1
    }

    /// Whether two sets have a slot in common.
    #[must_use]
    pub const fn meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}
