//! An instant as an exact fraction.

use std::cmp::Ordering;

use crate::num::{
    Toi,
    bound::{Bound, Width},
    round::{div_ceil, div_floor},
};

pub(crate) const WIDTH: Width = {
    let (top, bottom) = (Bound::power(62), Bound::power(47));
    Width { number: "`top * bottom` of two instants", bound: top.times(bottom), held_in: 128 }
};
const _: () = WIDTH.check();

/// `top / bottom`, in ticks; `bottom` is above zero. Equal fractions need not be in lowest terms,
/// and compare equal.
///
/// **Range**: `top` below 2^62, `bottom` below 2^47 (a motion in raw), so that cross products and
/// `top * 2^32` fit an `i128`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ratio {
    pub top: i64,
    pub bottom: i64,
}

impl Ratio {
    pub const START: Self = Self { top: 0, bottom: 1 };
    pub const END: Self = Self { top: 1, bottom: 1 };

    /// True if this is not before an instant.
    pub fn is_at_or_after(self, instant: Toi) -> bool {
        i128::from(instant.raw()) * i128::from(self.bottom) <= i128::from(self.top) << Toi::BITS
    }

    /// The instant, rounded down; `None` outside of the tick's steps.
    pub fn toi_floor(self) -> Option<Toi> {
        let raw = div_floor(i128::from(self.top) << Toi::BITS, i128::from(self.bottom));
        Toi::from_raw(u64::try_from(raw).ok()?)
    }

    /// The instant, rounded up; `None` outside of the tick's steps.
    pub fn toi_ceil(self) -> Option<Toi> {
        let raw = div_ceil(i128::from(self.top) << Toi::BITS, i128::from(self.bottom));
        Toi::from_raw(u64::try_from(raw).ok()?)
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ratio {}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = i128::from(self.top) * i128::from(other.bottom);
        left.cmp(&(i128::from(other.top) * i128::from(self.bottom)))
    }
}
