//! Integers wider than 128 bits, for comparisons that must be exact.

use std::{
    cmp::Ordering,
    ops::{Add, Mul, Neg, Sub},
};

/// An integer of `64 * LIMBS` bits in two's complement, the least limb first.
///
/// It has what exact geometric predicates need and no more: sums, products, comparison.
/// **Range**: the caller proves that every result fits; past that it wraps, in every profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide<const LIMBS: usize>([u64; LIMBS]);

impl<const LIMBS: usize> Wide<LIMBS> {
    /// Zero.
    pub const ZERO: Self = Self([0; LIMBS]);

    /// The magnitude.
    #[must_use]
    pub fn abs(self) -> Self {
        if self.is_negative() { -self } else { self }
    }

    /// True if it is below zero.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        self.0[LIMBS - 1] >> 63 == 1
    }

    /// The same number in `MORE >= LIMBS` limbs.
    #[must_use]
    pub fn widen<const MORE: usize>(self) -> Wide<MORE> {
        const { assert!(LIMBS <= MORE, "widening keeps every limb") };
        let mut limbs = [if self.is_negative() { u64::MAX } else { 0 }; MORE];
        limbs[..LIMBS].copy_from_slice(&self.0);
        Wide(limbs)
    }
}

impl<const LIMBS: usize> From<i128> for Wide<LIMBS> {
    fn from(value: i128) -> Self {
        const { assert!(LIMBS >= 2, "an i128 has two limbs") };
        let mut limbs = [if value < 0 { u64::MAX } else { 0 }; LIMBS];
        limbs[0] = value as u64;
        limbs[1] = (value >> 64) as u64;
        Self(limbs)
    }
}

impl<const LIMBS: usize> Add for Wide<LIMBS> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let mut sum = [0; LIMBS];
        let mut carry = 0_u128;
        for (limb, (&a, &b)) in sum.iter_mut().zip(self.0.iter().zip(&other.0)) {
            carry += u128::from(a) + u128::from(b);
            *limb = carry as u64;
            carry >>= 64;
        }
        Self(sum)
    }
}

impl<const LIMBS: usize> Neg for Wide<LIMBS> {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.map(|limb| !limb)) + Self::from(1)
    }
}

impl<const LIMBS: usize> Sub for Wide<LIMBS> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<const LIMBS: usize> Mul for Wide<LIMBS> {
    type Output = Self;

    /// Modulo `2^(64 * LIMBS)` the product does not depend on the signs.
    fn mul(self, other: Self) -> Self {
        let mut product = [0_u64; LIMBS];
        for (shift, &a) in self.0.iter().enumerate() {
            let mut carry = 0_u128;
            for (limb, &b) in product[shift..].iter_mut().zip(&other.0) {
                carry += u128::from(a) * u128::from(b) + u128::from(*limb); // at most 2^128 - 1
                *limb = carry as u64;
                carry >>= 64;
            }
        }
        Self(product)
    }
}

impl<const LIMBS: usize> Ord for Wide<LIMBS> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_sign = other.is_negative().cmp(&self.is_negative());
        by_sign.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl<const LIMBS: usize> PartialOrd for Wide<LIMBS> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    fn big<const LIMBS: usize>(value: Wide<LIMBS>) -> BigInt {
        let bytes: Vec<u8> = value.0.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        BigInt::from_signed_bytes_le(&bytes)
    }

    #[test]
    fn equals_the_big_integers() {
        let mut row = crate::num::Rng::new(5).at(0, 0, 0);
        let mut draw = move || {
            let bits = (i128::from(row.bits() as i64) << 64) | i128::from(row.bits());
            bits >> row.below(128)
        };
        let edges = [0, 1, -1, i128::from(u64::MAX), -(1 << 64), i128::MAX, i128::MIN + 1];
        let mut negative = 0;
        for case in 0..20_000 {
            let mut next =
                |slot: usize| if (case + slot) % 11 < 7 { edges[(case / 3 + slot) % 7] } else { draw() };
            let (a, b, c, d) = (next(0), next(1), next(2), next(3));
            let wide = |x: i128| Wide::<5>::from(x);
            let left = wide(a) * wide(b) - wide(c);
            let right = wide(c) * wide(d) + wide(a);
            let (big_left, big_right) = (BigInt::from(a) * b - c, BigInt::from(c) * d + a);
            assert_eq!(big(left), big_left);
            assert_eq!(big(right.abs()), BigInt::from(big_right.magnitude().clone()));
            assert_eq!(left.cmp(&right), big_left.cmp(&big_right));
            assert_eq!(big(left.widen::<6>()), big_left);
            negative += u32::from(left.is_negative());
        }
        assert!((3_000..17_000).contains(&negative), "{negative}");
    }
}
