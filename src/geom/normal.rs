//! An integer direction, the proof that a sweep returns.

use std::ops::Neg;

use serde::{Deserialize, Serialize};

use super::Vec3;
use crate::num::{
    bound::Bound,
    round::{shr_nearest, shr_nearest_64},
};

/// A direction in space as three integers, of any length above zero.
///
/// It is not a unit vector: what needs a length divides by `n . n` or by [`length_up_q32`], so no
/// precision is lost on the way. From a sweep it points from A to B and is a certificate: the
/// shapes' extents along it do not meet before the time of impact, whatever else is rounded.
///
/// Every component is within `±2^30`, so dot products with any vector inside a world are exact.
///
/// [`length_up_q32`]: Normal::length_up_q32
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Normal {
    /// Along the first axis.
    pub x: i32,
    /// Along the second axis.
    pub y: i32,
    /// Along the third axis.
    pub z: i32,
}

impl Normal {
    /// The bits of a component's magnitude.
    pub const BITS: u32 = 30;
    /// The bound of a component.
    pub(crate) const BOUND: Bound = Bound::power(Self::BITS);
    /// The bound of [`length_up_q32`](Self::length_up_q32): the root of three components, which is below 2.
    pub(crate) const LENGTH_BOUND_Q32: Bound = Bound::power(Self::BITS + 1 + 32);
    /// The first axis.
    pub const X: Self = Self::new(1, 0, 0);
    /// The second axis.
    pub const Y: Self = Self::new(0, 1, 0);
    /// The third axis.
    pub const Z: Self = Self::new(0, 0, 1);

    /// A direction from its components, which the caller keeps within `±2^30`.
    #[must_use]
    pub const fn new(x: i32, y: i32, z: i32) -> Self {
        Self { x, y, z }
    }

    /// The direction of a wide integer vector, or `None` where it is zero.
    ///
    /// The largest component keeps at most 30 bits; smaller vectors are taken as they are.
    ///
    /// **Rounding**: to nearest, halves away from zero, so mirrored vectors give mirrored normals.
    /// **Range**: components below 2^125.
    #[must_use]
    pub fn from_wide(vector: [i128; 3]) -> Option<Self> {
        let most = vector.iter().map(|c| c.unsigned_abs()).max()?;
        if most == 0 {
            return None;
        }
        let shift = (128 - most.leading_zeros()).saturating_sub(Self::BITS);
        let [x, y, z] = vector.map(|c| shr_nearest(c, shift) as i32);
        Some(Self::new(x, y, z))
    }

    /// The direction of a vector, or `None` where it is zero. Rounds as [`from_wide`](Self::from_wide).
    #[must_use]
    pub fn from_vector(vector: Vec3) -> Option<Self> {
        let most = vector.raw().into_iter().fold(0, |most, c| most | c.unsigned_abs());
        let shift = (u64::BITS - most.leading_zeros()).saturating_sub(Self::BITS);
        if most >> 62 != 0 || shift == 0 {
            return Self::from_wide(vector.raw().map(i128::from));
        }
        let [x, y, z] = vector.raw().map(|c| shr_nearest_64(c, shift) as i32);
        Some(Self::new(x, y, z))
    }

    /// The same direction, exactly, with its largest component brought to 30 bits.
    ///
    /// What is rounded per normal, as [`length_up_q32`](Self::length_up_q32) is, weighs least then.
    #[must_use]
    pub const fn lengthened(self) -> Self {
        let most = self.x.unsigned_abs() | self.y.unsigned_abs() | self.z.unsigned_abs();
        let shift = (most.leading_zeros() + Self::BITS).saturating_sub(u32::BITS);
        Self::new(self.x << shift, self.y << shift, self.z << shift)
    }

    /// The direction with the length 2^30, within two; `None` for none at all.
    ///
    /// **Rounding**: each component to nearest after the inverse of the length was rounded down to 32 bits.
    #[must_use]
    #[inline]
    pub fn unit_q30(self) -> Option<Self> {
        let long = self.lengthened();
        let square = long.length_squared(); // at least 2^58
        if square == 0 {
            return None;
        }
        let inverse = (1 << 62) / (square << 2).isqrt() as i64; // 2^61 / |n|
        let [x, y, z] = long.components().map(|c| shr_nearest_64(i64::from(c) * inverse, 31) as i32);
        Some(Self::new(x, y, z))
    }

    /// The components.
    #[must_use]
    pub const fn components(self) -> [i32; 3] {
        [self.x, self.y, self.z]
    }

    /// The axis of space along which the direction is, if it is along one.
    pub(crate) const fn axis(self) -> Option<usize> {
        match self.components() {
            [_, 0, 0] => Some(0),
            [0, _, 0] => Some(1),
            [0, 0, _] => Some(2),
            _ => None,
        }
    }

    /// The dot product with a vector, in raw times the length of this normal; exact.
    #[must_use]
    pub const fn dot_wide(self, vector: Vec3) -> i128 {
        let [x, y, z] = vector.raw();
        self.x as i128 * x as i128 + self.y as i128 * y as i128 + self.z as i128 * z as i128
    }

    /// The squared length, exact; at most `3 * 2^60`.
    #[must_use]
    pub const fn length_squared(self) -> u64 {
        let (x, y, z) = (self.x as i64, self.y as i64, self.z as i64);
        (x * x + y * y + z * z) as u64
    }

    /// The length, rounded up.
    #[must_use]
    pub const fn length_up(self) -> u64 {
        crate::num::root::sqrt_ceil(self.length_squared() as u128) as u64
    }

    /// The length times 2^32, rounded up: for comparing with extents without losing raw units.
    #[must_use]
    pub const fn length_up_q32(self) -> u64 {
        crate::num::root::sqrt_ceil((self.length_squared() as u128) << 64) as u64
    }

    /// True if every component is within `±2^30` and one of them is not zero.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        const MOST: u32 = 1 << Normal::BITS;
        let (x, y, z) = (self.x.unsigned_abs(), self.y.unsigned_abs(), self.z.unsigned_abs());
        x <= MOST && y <= MOST && z <= MOST && x | y | z != 0
    }
}

impl Neg for Normal {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_vectors_are_their_own_direction() {
        assert_eq!(Normal::from_wide([3, -4, 0]), Some(Normal::new(3, -4, 0)));
        assert_eq!(Normal::from_wide([0; 3]), None);
    }

    #[test]
    fn wide_vectors_keep_thirty_bits_and_their_mirror_image() {
        let wide = [1_i128 << 100, -(1 << 99) - 1, (1 << 80) + 12_345];
        let normal = Normal::from_wide(wide).unwrap();
        assert_eq!(normal.x, 1 << 29);
        assert!(normal.is_valid());
        assert_eq!(Normal::from_wide(wide.map(|c| -c)), Some(-normal));
        let rounds_up = Normal::from_wide([(1 << 60) - 1, 0, 0]).unwrap();
        assert_eq!(rounds_up, Normal::new(1 << 30, 0, 0));
        assert!(rounds_up.is_valid());
    }

    #[test]
    fn a_lengthened_normal_keeps_its_direction() {
        assert_eq!(Normal::new(3, -6, 0).lengthened(), Normal::new(3 << 27, -6 << 27, 0));
        let long = Normal::new(1, 1 << 30, -(1 << 29));
        assert_eq!(long.lengthened(), long);
        assert_eq!(Normal::new(0, 0, 0).lengthened(), Normal::new(0, 0, 0));
    }

    #[test]
    fn a_direction_of_unit_length_is_within_two_of_it() {
        assert_eq!(Normal::new(0, -7, 0).unit_q30(), Some(Normal::new(0, -(1 << 30), 0)));
        assert_eq!(Normal::new(0, 0, 0).unit_q30(), None);
        for [x, y, z] in [[3, 4, 0], [1, 1, 1], [-5, 12, 1 << 20], [1 << 30, -1, 7]] {
            let unit = Normal::new(x, y, z).unit_q30().unwrap();
            assert!((unit.length_up() as i64 - (1 << 30)).abs() <= 2, "{unit:?}");
            assert_eq!(Normal::new(-x, -y, -z).unit_q30(), Some(-unit));
        }
    }

    #[test]
    fn the_longest_normal_has_a_length() {
        let longest = Normal::new(1 << 30, -(1 << 30), 1 << 30);
        assert_eq!(longest.length_squared(), 3 << 60);
        assert_eq!(longest.length_up(), 1_859_775_394);
        assert_eq!(longest.length_up_q32() >> 32, 1_859_775_393);
    }
}
