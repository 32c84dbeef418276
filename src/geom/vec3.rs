//! A vector of three scalars.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Index, Mul, Neg, Sub, SubAssign},
};

use serde::{Deserialize, Serialize};

use super::IVec3;
use crate::num::{
    Scalar, lit,
    root::sqrt_floor,
    round::shr_nearest,
    scalar::{self, FRACTION_BITS},
};

/// A point, an offset, a displacement per tick or a momentum: three [`Scalar`]s.
///
/// Sums and differences are exact; they must stay inside the scalar, which the world's limits
/// ensure. Products are wide and exact (`_wide`), in units of raw squared; [`dot`](Self::dot), [`length`](Self::length)
/// and `*` are rounded to a scalar, for game code.
///
/// ```
/// use bitstep::{geom::Vec3, num::lit};
/// let mut place = Vec3::lit("1", "-2", "0.5");
/// place += Vec3::lit("0", "0", "1") * lit("2.5");
/// assert_eq!(place, Vec3::from([lit("1"), lit("-2"), lit("3")]));
/// assert_eq!((place[2], Vec3::lit("3", "4", "0").length()), (lit("3"), lit("5")));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Vec3 {
    /// Along the first axis.
    #[serde(with = "scalar")]
    pub x: Scalar,
    /// Along the second axis.
    #[serde(with = "scalar")]
    pub y: Scalar,
    /// Along the third axis.
    #[serde(with = "scalar")]
    pub z: Scalar,
}

impl Vec3 {
    /// The origin, or no displacement.
    pub const ZERO: Self = Self::from_raw([0; 3]);

    /// A vector from its components.
    #[must_use]
    pub const fn new(x: Scalar, y: Scalar, z: Scalar) -> Self {
        Self { x, y, z }
    }

    /// A vector from decimal literals, each as [`lit`] reads it.
    ///
    /// **Rounding**: to the nearest raw, ties to even.
    ///
    /// # Panics
    ///
    /// If a text is not a decimal number between -2^31 and 2^31. In a `const` this is a compile error.
    ///
    /// ```
    /// use bitstep::geom::Vec3;
    /// const GRAVITY: Vec3 = Vec3::lit("0", "-9.81", "0");
    /// assert_eq!(GRAVITY.to_string(), "(0, -9.81, 0)");
    /// ```
    #[must_use]
    pub const fn lit(x: &str, y: &str, z: &str) -> Self {
        Self::new(lit(x), lit(y), lit(z))
    }

    /// A vector with the same component on each axis.
    #[must_use]
    pub const fn splat(value: Scalar) -> Self {
        Self::new(value, value, value)
    }

    /// A vector from raw components.
    #[must_use]
    pub const fn from_raw(raw: [i64; 3]) -> Self {
        Self::new(Scalar::from_bits(raw[0]), Scalar::from_bits(raw[1]), Scalar::from_bits(raw[2]))
    }

    /// The raw components.
    #[must_use]
    pub const fn raw(self) -> [i64; 3] {
        [self.x.to_bits(), self.y.to_bits(), self.z.to_bits()]
    }

    /// Each raw component through a function.
    #[must_use]
    pub fn map_raw(self, change: impl FnMut(i64) -> i64) -> Self {
        IVec3::from(self).map(change).into()
    }

    /// The dot product in raw squared, exact.
    ///
    /// **Range**: components below 2^62 raw.
    #[must_use]
    pub const fn dot_wide(self, other: Self) -> i128 {
        let ([ax, ay, az], [bx, by, bz]) = (self.raw(), other.raw());
        ax as i128 * bx as i128 + ay as i128 * by as i128 + az as i128 * bz as i128
    }

    /// The cross product in raw squared, exact.
    ///
    /// **Range**: components below 2^62 raw.
    #[must_use]
    pub const fn cross_wide(self, other: Self) -> [i128; 3] {
        let ([ax, ay, az], [bx, by, bz]) = (self.raw(), other.raw());
        [
            ay as i128 * bz as i128 - az as i128 * by as i128,
            az as i128 * bx as i128 - ax as i128 * bz as i128,
            ax as i128 * by as i128 - ay as i128 * bx as i128,
        ]
    }

    /// The squared length in raw squared, exact.
    #[must_use]
    pub const fn length_squared_wide(self) -> u128 {
        self.dot_wide(self).unsigned_abs()
    }

    /// The dot product.
    ///
    /// **Rounding**: to the nearest raw, halves away from zero, once for the whole sum.
    ///
    /// # Panics
    ///
    /// If it does not fit a scalar, in debug and in release alike.
    #[must_use]
    pub fn dot(self, other: Self) -> Scalar {
        let [x, y, z] = [0, 1, 2].map(|axis| i128::from(self.raw()[axis]) * i128::from(other.raw()[axis]));
        // Where the sum leaves 128 bits, or is within half a raw of that, the product is far beyond a scalar.
        let sum = x.checked_add(y).and_then(|sum| sum.checked_add(z)).unwrap_or(i128::MAX / 2);
        fitted(shr_nearest(sum.clamp(-i128::MAX / 2, i128::MAX / 2), FRACTION_BITS))
    }

    /// The length.
    ///
    /// **Rounding**: down; less than one raw below the true length, and exact where it is representable.
    ///
    /// # Panics
    ///
    /// If it does not fit a scalar, in debug and in release alike.
    #[must_use]
    pub fn length(self) -> Scalar {
        let square = self.raw().iter().map(|c| u128::from(c.unsigned_abs()).pow(2)).sum(); // up to 3 * 2^126
        fitted(sqrt_floor(square) as i128)
    }

    /// True if each component is at most `limit` in magnitude.
    #[must_use]
    pub const fn within(self, limit: Scalar) -> bool {
        let [x, y, z] = self.raw();
        let most = limit.to_bits().unsigned_abs();
        // Moved up by the limit, what is within is from 0 to twice the limit, and all else is beyond as an
        // unsigned number: one comparison each. The least scalar, whose magnitude is none, is not meant.
        let (low, twice) = (most as i64, most.wrapping_mul(2));
        x.wrapping_add(low) as u64 <= twice
            && y.wrapping_add(low) as u64 <= twice
            && z.wrapping_add(low) as u64 <= twice
    }

    /// The smaller component on each axis.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self::new(self.x.min(other.x), self.y.min(other.y), self.z.min(other.z))
    }

    /// The larger component on each axis.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self::new(self.x.max(other.x), self.y.max(other.y), self.z.max(other.z))
    }
}

/// A vector of a flat world: its third component is 0.
#[must_use]
pub const fn vec2(x: Scalar, y: Scalar) -> Vec3 {
    Vec3::new(x, y, Scalar::ZERO)
}

/// A raw number as a scalar, or a panic.
fn fitted(raw: i128) -> Scalar {
    Scalar::from_bits(i64::try_from(raw).expect("out of the range of a scalar"))
}

impl From<[Scalar; 3]> for Vec3 {
    fn from([x, y, z]: [Scalar; 3]) -> Self {
        Self::new(x, y, z)
    }
}

impl From<Vec3> for [Scalar; 3] {
    fn from(vector: Vec3) -> Self {
        [vector.x, vector.y, vector.z]
    }
}

impl Index<usize> for Vec3 {
    type Output = Scalar;

    /// The component along an axis: 0 is x, 1 is y, 2 is z.
    ///
    /// # Panics
    ///
    /// If there is no such axis.
    fn index(&self, axis: usize) -> &Scalar {
        [&self.x, &self.y, &self.z][axis]
    }
}

impl fmt::Display for Vec3 {
    /// The decimals of the components, as a scene spells a vector: `(0, -9.81, 0)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, {})", self.x, self.y, self.z)
    }
}

impl Add for Vec3 {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl Sub for Vec3 {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl AddAssign for Vec3 {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Vec3 {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Vec3 {
    fn sum<I: Iterator<Item = Self>>(vectors: I) -> Self {
        vectors.fold(Self::ZERO, Add::add)
    }
}

impl<'a> Sum<&'a Self> for Vec3 {
    fn sum<I: Iterator<Item = &'a Self>>(vectors: I) -> Self {
        vectors.copied().sum()
    }
}

impl Mul<Scalar> for Vec3 {
    type Output = Self;

    /// The vector, so many times as long.
    ///
    /// **Rounding**: each component to the nearest raw, halves away from zero, so that mirrored vectors give mirrored results.
    ///
    /// # Panics
    ///
    /// If a component does not fit a scalar, in debug and in release alike.
    fn mul(self, factor: Scalar) -> Self {
        let times = |c: i64| shr_nearest(i128::from(c) * i128::from(factor.to_bits()), FRACTION_BITS);
        self.map_raw(|c| fitted(times(c)).to_bits()) // the product is at most 2^126
    }
}

impl Neg for Vec3 {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn within_a_limit_is_each_magnitude_up_to_it() {
        let edges = [0, 1, 2, 7, 1 << 32, i64::MAX / 2, i64::MAX / 2 + 1, i64::MAX - 1, i64::MAX, i64::MIN];
        let values: Vec<i64> = edges
            .into_iter()
            .flat_map(|edge: i64| {
                (-2..=2)
                    .flat_map(move |step| [edge.wrapping_add(step), edge.wrapping_add(step).wrapping_neg()])
            })
            .collect();
        let mut within = 0;
        for limit in values.iter().copied().filter(|&limit| limit >= 0) {
            for &value in &values {
                let expected = value.unsigned_abs() <= limit.unsigned_abs();
                for axis in 0..3 {
                    let mut raw = [0; 3];
                    raw[axis] = value;
                    let limit = Scalar::from_bits(limit);
                    assert_eq!(Vec3::from_raw(raw).within(limit), expected, "{value} {limit}");
                }
                within += u32::from(expected);
            }
        }
        assert!(within > 500, "{within}");
    }

    #[test]
    fn a_vector_is_shown_as_a_scene_spells_it() {
        assert_eq!(Vec3::new(lit("0.5"), lit("0"), lit("-9")).to_string(), "(0.5, 0, -9)");
    }
}
