//! A vector of integers, whose unit is said where it stands.

use std::ops::{Add, Index, Neg, Sub};

use super::{Normal, Vec3};
use crate::num::round::shr_nearest;

/// A vector of integers. Its place says its unit and how many fraction bits it has; a [`Vec3`] always has 32.
///
/// Products are sums of 128 bits, and exact: as long as the components of both have at most 125 bits together,
/// nothing overflows. Nothing is rounded but where a name says so. A mirrored or permuted vector has the image
/// of the result, to the last bit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct IVec3<T>(pub [T; 3]);

impl<T> IVec3<T> {
    /// A component for each axis by a function.
    #[inline(always)]
    pub fn from_fn(mut component: impl FnMut(usize) -> T) -> Self {
        Self([component(0), component(1), component(2)]) // `map` of an array is a call of its own
    }
}

impl<T: Copy> IVec3<T> {
    /// Each component through a function.
    #[inline(always)]
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> IVec3<U> {
        let Self([x, y, z]) = self;
        IVec3([change(x), change(y), change(z)])
    }

    /// The components of two vectors through a function.
    #[inline(always)]
    pub fn zip<U: Copy, V>(self, other: IVec3<U>, mut join: impl FnMut(T, U) -> V) -> IVec3<V> {
        IVec3::from_fn(|axis| join(self.0[axis], other.0[axis]))
    }
}

impl<T: Copy + Into<i128>> IVec3<T> {
    /// The same vector in 128 bits.
    #[inline(always)]
    pub fn wide(self) -> IVec3<i128> {
        self.map(Into::into)
    }

    /// The dot product, exact.
    #[inline(always)]
    pub fn dot<U: Copy + Into<i128>>(self, other: IVec3<U>) -> i128 {
        let ([ax, ay, az], [bx, by, bz]) = (self.wide().0, other.wide().0);
        ax * bx + ay * by + az * bz
    }

    /// The cross product, exact.
    #[inline(always)]
    pub fn cross<U: Copy + Into<i128>>(self, other: IVec3<U>) -> IVec3<i128> {
        let ([ax, ay, az], [bx, by, bz]) = (self.wide().0, other.wide().0);
        IVec3([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
    }
}

impl IVec3<i64> {
    /// The zero vector.
    pub const ZERO: Self = Self([0; 3]);

    /// The dot product in 64 bits, exact. **Range**: components of both of at most 61 bits together.
    #[inline(always)]
    pub const fn dot_64(self, other: Self) -> i64 {
        let (Self([ax, ay, az]), Self([bx, by, bz])) = (self, other);
        ax * bx + ay * by + az * bz
    }

    /// The squared length, exact for all components.
    #[inline(always)]
    pub fn length_squared(self) -> u128 {
        self.0.iter().map(|part| u128::from(part.unsigned_abs()).pow(2)).sum()
    }

    /// Number of bits of the largest component, without its sign.
    #[inline(always)]
    pub fn bits(self) -> u32 {
        64 - self.0.iter().fold(0, |most, part| most | part.unsigned_abs()).leading_zeros()
    }
}

impl IVec3<i128> {
    /// The vector without its last bits. **Rounding**: each component to nearest, halves away from zero.
    #[inline(always)]
    pub fn shr_nearest(self, bits: u32) -> Self {
        self.map(|part| shr_nearest(part, bits))
    }

    /// The vector in 64 bits each. **Range**: components that fit.
    #[inline(always)]
    pub fn narrow(self) -> IVec3<i64> {
        debug_assert!(self.0.iter().all(|&part| i64::try_from(part).is_ok()), "{self:?}");
        self.map(|part| part as i64)
    }

    /// The cross product modulo 2^128, for sums in which what is beyond cancels.
    pub fn wrapping_cross(self, other: Self) -> Self {
        let (Self([ax, ay, az]), Self([bx, by, bz])) = (self, other);
        let minor = |a: i128, b: i128, c: i128, d: i128| a.wrapping_mul(b).wrapping_sub(c.wrapping_mul(d));
        Self([minor(ay, bz, az, by), minor(az, bx, ax, bz), minor(ax, by, ay, bx)])
    }
}

impl<T> Index<usize> for IVec3<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, axis: usize) -> &T {
        &self.0[axis]
    }
}

impl<T: Copy + Add<Output = T>> Add for IVec3<T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, Add::add)
    }
}

impl<T: Copy + Sub<Output = T>> Sub for IVec3<T> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, Sub::sub)
    }
}

impl<T: Copy + Neg<Output = T>> Neg for IVec3<T> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.map(Neg::neg)
    }
}

impl From<Vec3> for IVec3<i64> {
    /// The vector in raw.
    #[inline(always)]
    fn from(vector: Vec3) -> Self {
        Self(vector.raw())
    }
}

impl From<IVec3<i64>> for Vec3 {
    /// The vector whose raw parts these are.
    #[inline(always)]
    fn from(raw: IVec3<i64>) -> Self {
        Self::from_raw(raw.0)
    }
}

impl From<Normal> for IVec3<i64> {
    /// The components, with as many fraction bits as the normal has.
    #[inline(always)]
    fn from(normal: Normal) -> Self {
        Self(normal.components().map(i64::from))
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;
    use crate::num::Rng;

    #[test]
    fn hand_table() {
        let (a, b) = (IVec3([2_i64, -3, 5]), IVec3([7_i64, 11, -13]));
        assert_eq!((a.dot(b), a.dot_64(b)), (14 - 33 - 65, -84));
        assert_eq!(a.cross(b), IVec3([39 - 55, 35 + 26, 22 + 21]));
        assert_eq!(b.cross(a), -a.cross(b));
        assert_eq!((a + b, a - b), (IVec3([9, 8, -8]), IVec3([-5, -14, 18])));
        assert_eq!((a.length_squared(), a.bits(), IVec3::ZERO.bits()), (38, 3, 0));
        assert_eq!(IVec3([i64::MIN; 3]).length_squared(), 3 << 126, "the longest there is");
        assert_eq!(IVec3([3_i128, -3, 5]).shr_nearest(1), IVec3([2, -2, 3]), "halves away from zero");
        assert_eq!(IVec3([1_i128, -1, 2]).shr_nearest(2), IVec3([0, 0, 1]));
        assert_eq!(a.wide().narrow(), a);
        assert_eq!(IVec3::from_fn(|axis| axis * axis), IVec3([0, 1, 4]));
        assert_eq!(a.zip(b, |a, b| 10 * a + b), IVec3([27, -19, 37]));
        let half = i128::MAX / 2 + 1;
        let wide = IVec3([half, 0, 0]).wrapping_cross(IVec3([0, 6, 1]));
        assert_eq!(wide, IVec3([0, half.wrapping_neg(), half.wrapping_mul(6)]), "modulo 2^128");
        assert_eq!(a.wide().wrapping_cross(b.wide()), a.cross(b));
    }

    #[test]
    fn products_equal_those_of_big_integers_and_mirror_images_carry_over() {
        for case in 0..2_000 {
            let mut draws = Rng::new(31).at(0, case, 0);
            let bits = draws.between(1, 62);
            let [a, b] = [(); 2].map(|()| [(); 3].map(|()| draws.between(-(1 << bits), 1 << bits)));
            let big = |i: usize, j: usize| BigInt::from(a[i]) * b[j];
            assert_eq!(BigInt::from(IVec3(a).dot(IVec3(b))), big(0, 0) + big(1, 1) + big(2, 2));
            let IVec3(cross) = IVec3(a).cross(IVec3(b));
            for (axis, part) in cross.into_iter().enumerate() {
                let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
                assert_eq!(BigInt::from(part), big(j, k) - big(k, j));
            }
            // The cross product is an axis: in a mirror it turns round but along the mirror's normal.
            let mirror = |[x, y, z]: [i64; 3]| IVec3([-x, y, z]);
            assert_eq!(mirror(a).cross(mirror(b)), IVec3([cross[0], -cross[1], -cross[2]]));
            let turn = |[x, y, z]: [i64; 3]| IVec3([y, z, x]);
            assert_eq!(turn(a).cross(turn(b)), IVec3([cross[1], cross[2], cross[0]]));
        }
    }
}
