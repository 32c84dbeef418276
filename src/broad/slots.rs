//! Parts of a tick, to tell positions at different times apart.

use std::ops::Range;

use crate::{geom::Aabb, num::Toi};

/// Some of the eighths of a tick, in a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Slots {
    pub(super) first: u8,
    pub(super) last: u8,
}

/// A box under a number, and the slots in which it holds. A number may have several, for several times.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The region.
    pub bounds: Aabb,
    /// Number of the body that the box belongs to.
    pub number: u32,
    /// The slots in which it holds.
    pub slots: Slots,
}

impl Slots {
    /// Number of slots in a tick.
    pub const COUNT: u32 = 1 << Self::BITS;
    const BITS: u32 = 3;
    /// The whole tick.
    pub const ALL: Self = Self::range(0, Self::COUNT);

    /// The slots from `first` up to, but without, `end`.
    #[must_use]
    pub const fn range(first: u32, end: u32) -> Self {
        Self { first: first as u8, last: end as u8 - 1 }
    }

    /// The slot of an instant; the end of the tick lies in the last.
    #[must_use]
    pub const fn slot_of(toi: Toi) -> u32 {
        let slot = (toi.raw() >> (Toi::BITS - Self::BITS)) as u32;
        if slot < Self::COUNT { slot } else { Self::COUNT - 1 }
    }

    /// The beginning of a slot; for the number behind the last slot, the end of the tick.
    #[must_use]
    pub fn begin(slot: u32) -> Toi {
        Toi::from_raw(u64::from(slot) << (Toi::BITS - Self::BITS)).unwrap_or(Toi::END)
    }

    /// The slots that two ranges of them have in common; they must have some.
    #[must_use]
    pub fn both(self, other: Self) -> Self {
        Self { first: self.first.max(other.first), last: self.last.min(other.last) }
    }

    /// A number below 16 for the halves, quarters and eighths of a tick and for the whole of it; that of the
    /// whole for any other range of slots.
    pub(super) fn span(self) -> u32 {
        let (first, width) = (u32::from(self.first), u32::from(self.last - self.first) + 1);
        let is_part = width.is_power_of_two() && first % width == 0;
        if is_part { (Self::COUNT + first) / width } else { 1 }
    }

    /// The spans that have a slot in common with this range, a bit for each.
    pub(super) fn spans_meeting(self) -> u16 {
        if self == Self::ALL {
            return u16::MAX;
        }
        let mut spans = 0;
        for slot in self.indices() {
            // A slot's own number, and those of the spans around it.
            let own = Self::COUNT + slot;
            spans |= 1 << own | 1 << (own / 2) | 1 << (own / 4) | 1 << (own / 8);
        }
        spans
    }

    /// The first and the last slot in six bits.
    pub(super) const fn pack(self) -> u32 {
        (self.last as u32) << Self::BITS | self.first as u32
    }

    /// The inverse of [`pack`](Self::pack).
    pub(super) const fn unpack(bits: u32) -> Self {
        Self { first: (bits & (Self::COUNT - 1)) as u8, last: (bits >> Self::BITS & (Self::COUNT - 1)) as u8 }
    }

    /// Number of slots.
    pub(super) const fn count(self) -> u32 {
        self.last as u32 - self.first as u32 + 1
    }

    /// The slots by their numbers.
    pub(super) const fn indices(self) -> Range<u32> {
        self.first as u32..self.last as u32 + 1
    }

    /// True if a slot is one of them.
    #[must_use]
    pub const fn has(self, slot: u32) -> bool {
        self.first as u32 <= slot && slot <= self.last as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_meet_where_their_slots_do() {
        let all = [1, 2, 4, 8].into_iter().flat_map(|width| {
            (0..Slots::COUNT / width).map(move |index| Slots::range(index * width, (index + 1) * width))
        });
        let all: Vec<Slots> = all.collect();
        let mut meeting = 0;
        for a in &all {
            for b in &all {
                let shared = (0..Slots::COUNT).any(|slot| a.has(slot) && b.has(slot));
                assert_eq!(a.spans_meeting() >> b.span() & 1 == 1, shared, "{a:?} {b:?}");
                meeting += u32::from(shared);
                assert_eq!(a.span() == b.span(), a == b);
            }
        }
        assert_eq!((all.len(), meeting), (15, 83));
        assert_eq!(Slots::range(1, 4).span(), Slots::ALL.span());
    }
}
