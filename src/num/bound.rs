//! Bounds of magnitudes, worked out by the compiler: the proof that a number fits.
//!
//! A kernel states the largest number that it computes from the limits of its arguments. `docs/numerics/widths.md` lists them all.

use super::Scalar;

const LIMBS: usize = 6;

/// The largest magnitude that a number can have, below 2^384.
#[derive(Clone, Copy)]
pub(crate) struct Bound([u64; LIMBS]);

impl Bound {
    /// The raw of a limit that is above zero.
    pub const fn of(limit: Scalar) -> Self {
        Self([limit.to_bits().unsigned_abs(), 0, 0, 0, 0, 0])
    }

    /// A number as it is.
    pub const fn number(number: u64) -> Self {
        Self([number, 0, 0, 0, 0, 0])
    }

    /// A power of two.
    pub const fn power(exponent: u32) -> Self {
        let mut limbs = [0; LIMBS];
        limbs[(exponent / u64::BITS) as usize] = 1 << (exponent % u64::BITS);
        Self(limbs)
    }

    /// The bound of a sum or a difference.
    pub const fn plus(self, other: Self) -> Self {
        let (mut sum, mut carry, mut limb) = ([0; LIMBS], 0, 0);
        while limb < LIMBS {
            carry += self.0[limb] as u128 + other.0[limb] as u128;
            sum[limb] = carry as u64;
            carry >>= u64::BITS;
            limb += 1;
        }
        assert!(carry == 0, "more than 384 bits");
        Self(sum)
    }

    /// The bound of a product.
    pub const fn times(self, other: Self) -> Self {
        let (mut product, mut a) = ([0; LIMBS], 0);
        while a < LIMBS {
            let (mut carry, mut b) = (0, 0);
            while b < LIMBS {
                let part = self.0[a] as u128 * other.0[b] as u128 + carry;
                if a + b < LIMBS {
                    let part = part + product[a + b] as u128;
                    product[a + b] = part as u64;
                    carry = part >> u64::BITS;
                } else {
                    assert!(part == 0, "more than 384 bits");
                    carry = 0;
                }
                b += 1;
            }
            assert!(carry == 0, "more than 384 bits");
            a += 1;
        }
        Self(product)
    }

    /// The bound of a number shifted to the left.
    pub const fn shifted(self, bits: u32) -> Self {
        self.times(Self::power(bits))
    }

    /// The bound of a number shifted to the right by fewer than 64 bits, rounded up.
    pub const fn shifted_back(self, bits: u32) -> Self {
        let (mut short, mut limb) = ([0; LIMBS], 0);
        while limb < LIMBS {
            let above = if limb + 1 < LIMBS { self.0[limb + 1] } else { 0 };
            short[limb] = ((self.0[limb] as u128 | (above as u128) << u64::BITS) >> bits) as u64;
            limb += 1;
        }
        Self(short).plus(Self::number(1))
    }

    /// The bound of the length of a vector, given that of its components: 7/4 of it, as the root of 3 is less.
    ///
    /// A dot product, and a component of a cross product, are no more than the product of two lengths; nor is any part of their sums.
    pub const fn length(self) -> Self {
        self.times(Self::number(7)).shifted_back(2)
    }

    /// The bound of a dot product of two vectors, given those of their components.
    pub const fn dot(self, other: Self) -> Self {
        let product = self.times(other);
        product.plus(product).plus(product)
    }

    /// The bound of a component of a cross product of two vectors, given those of their components.
    pub const fn cross(self, other: Self) -> Self {
        let product = self.times(other);
        product.plus(product)
    }

    /// The number of its bits.
    pub const fn bits(self) -> u32 {
        let mut limb = LIMBS;
        while limb > 0 {
            limb -= 1;
            if self.0[limb] != 0 {
                return limb as u32 * u64::BITS + u64::BITS - self.0[limb].leading_zeros();
            }
        }
        0
    }
}

/// The widest number of a kernel.
#[derive(Clone, Copy)]
pub(crate) struct Width {
    /// The number, as the table has it.
    #[cfg_attr(not(test), allow(dead_code, reason = "the test of the table reads it"))]
    pub number: &'static str,
    /// Its bound.
    pub bound: Bound,
    /// The bits of the integer that holds it, with its sign.
    pub held_in: u32,
}

impl Width {
    /// Stops the compiler where the number does not fit.
    pub const fn check(&self) {
        assert!(self.bound.bits() < self.held_in, "the number does not fit");
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;

    #[test]
    fn bounds_are_those_of_big_integers() {
        let big = |bound: Bound| BigUint::from_bytes_le(&bound.0.map(u64::to_le_bytes).concat());
        let [p, q] = [Bound::power(130).plus(Bound::power(3)), Bound::power(190).plus(Bound::power(77))];
        assert_eq!(big(p.plus(q)), big(p) + big(q));
        assert_eq!(big(p.times(q)), big(p) * big(q));
        assert_eq!(big(p.dot(q)), big(p) * big(q) * 3_u32);
        assert_eq!(big(p.cross(q)), big(p) * big(q) * 2_u32);
        assert_eq!(big(p.shifted(65)), big(p) << 65);
        assert_eq!(big(p.shifted_back(2)), (big(p) >> 2) + 1_u32);
        assert_eq!(big(q.times(q).shifted_back(63)), ((big(q) * big(q)) >> 63) + 1_u32);
        assert_eq!(big(q.length()), ((big(q) * 7_u32) >> 2) + 1_u32);
        assert_eq!(big(Bound::number(77)), BigUint::from(77_u32));
        for bound in [p, q, p.times(q), Bound::power(0), Bound::power(383), Bound::of(Scalar::ONE)] {
            assert_eq!(u64::from(bound.bits()), big(bound).bits());
        }
    }

    #[test]
    fn numbers_that_do_not_fit_are_noticed() {
        let width = |bits| Width { number: "n", bound: Bound::power(bits), held_in: 128 };
        width(126).check();
        assert!(std::panic::catch_unwind(|| width(127).check()).is_err());
        assert!(std::panic::catch_unwind(|| Bound::power(200).times(Bound::power(184))).is_err());
        assert!(std::panic::catch_unwind(|| Bound::power(383).plus(Bound::power(383))).is_err());
    }
}
