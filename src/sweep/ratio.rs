//! An instant as an exact fraction.

use std::cmp::Ordering;

use crate::num::round::{div_ceil, div_floor};

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

    /// Whether this is not before an instant in units of 2^-32.
    pub fn is_at_or_after_q32(self, instant: u64) -> bool {
        i128::from(instant) * i128::from(self.bottom) <= i128::from(self.top) << 32
    }

    /// In units of 2^-32, rounded down.
    pub fn q32_floor(self) -> i128 {
        div_floor(i128::from(self.top) << 32, i128::from(self.bottom))
    }

    /// In units of 2^-32, rounded up.
    pub fn q32_ceil(self) -> i128 {
        div_ceil(i128::from(self.top) << 32, i128::from(self.bottom))
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
