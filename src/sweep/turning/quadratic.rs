//! The first root of a quadratic over a step.

use crate::num::root::{sqrt_ceil, sqrt_floor};

/// `f0 (1 - s)^2 + 2 f1 s (1 - s) + f2 s^2`, for `s` from 0 to 1: the quadratic in the form of Bernstein,
/// which is nowhere above another whose three numbers are not below its own.
#[derive(Clone, Copy)]
pub(super) struct Quadratic(pub(super) [i128; 3]);

impl Quadratic {
    /// The first part of the step after which the quadratic falls below zero, with 32 fraction bits and below
    /// 1; `None` where it does not. Only for one that does not start below zero.
    ///
    /// **Rounding**: down. **Range**: numbers below 2^125.
    pub(super) fn first_root_floor(self) -> Option<u64> {
        let Self([_, f1, f2]) = self;
        if f1 >= 0 && f2 >= 0 {
            return None;
        }
        let [f0, f1, f2] = self.with_60_bits();
        debug_assert!(f0 >= 0);
        let discriminant = u128::try_from(f1 * f1 - f0 * f2).ok()?;
        let root = if f0 >= f1 {
            // It falls from the start: c / (b + sqrt) has no cancellation.
            let divisor = f0 - f1 + sqrt_ceil(discriminant) as i128;
            if divisor == 0 { 0 } else { (f0 << 32) / divisor }
        } else {
            // It rises, then falls below zero: so f2 is below zero.
            ((f1 - f0 + sqrt_floor(discriminant) as i128) << 32) / (f1 - f0 + f1 - f2)
        };
        Some((root as u64).min(u32::MAX.into()))
    }

    /// A quadratic nowhere above, with numbers of at most 60 bits.
    fn with_60_bits(self) -> [i128; 3] {
        let most = self.0.iter().fold(0, |most, part| most | part.unsigned_abs());
        let bits = 128 - most.leading_zeros();
        // Short numbers are lengthened: the root of their discriminant is rounded to an integer, too.
        self.0.map(|part| if bits > 60 { part >> (bits - 60) } else { part << (60 - bits) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    const ONE: u64 = 1 << 32;

    #[test]
    fn roots_as_worked_by_hand() {
        let root = |f0, f1, f2| Quadratic([f0, f1, f2]).first_root_floor();
        assert_eq!(root(1, 1, 1), None);
        assert_eq!(root(0, 0, 0), None);
        assert_eq!(root(4, 0, 4), None, "(1 - 2 s)^2 + 1 + ..");
        assert_eq!(root(1, -1, 1), Some(ONE / 2), "(1 - 2 s)^2 touches zero");
        assert_eq!(root(1, 0, -1), Some(ONE / 2), "1 - 2 s");
        assert_eq!(root(3, 0, -1), Some(2_722_900_157), "3 (1 - s)^2 - s^2");
        assert_eq!(root(0, 1, -2), Some(ONE / 2), "rises from zero");
        assert_eq!(root(0, 0, -1), Some(0));
        assert_eq!(root(0, -1, 5), Some(0));
        assert_eq!(root(1 << 100, 1 << 100, -(1 << 100)), Some(3_037_000_499), "1 - 2 s^2");
    }

    /// The sign of the quadratic at a part of the step.
    fn at([f0, f1, f2]: [i128; 3], part: u64) -> BigInt {
        let (s, rest) = (BigInt::from(part), BigInt::from(ONE - part));
        BigInt::from(f0) * &rest * &rest + BigInt::from(f1) * 2 * &s * &rest + BigInt::from(f2) * &s * &s
    }

    #[test]
    fn nothing_is_below_zero_up_to_the_root_and_little_is_left_to_it() {
        let (mut roots, mut whole) = (0, 0);
        for case in 0..200_000_u64 {
            let mut draws = crate::num::Rng::new(3).at(0, case, 0);
            let size = 1_i64 << draws.between(1, 61);
            let wide = draws.between(0, 60) as u32;
            let [f0, f1, f2] = [(); 3].map(|()| i128::from(draws.between(-size, size)) << wide);
            let f = [f0.abs() >> draws.between(0, 40), f1, f2];
            let found = Quadratic(f).first_root_floor();
            let end = found.unwrap_or(ONE);
            for part in [end / 7, end / 3, end / 2, end - end / 9, end] {
                assert!(at(f, part) >= BigInt::ZERO, "{f:?} {part} of {end}");
            }
            match found {
                None => whole += 1,
                // Two steps later it is below zero, unless it only touches zero or turns close to it.
                Some(root) if f2 < 0 && root + 4 < ONE => {
                    roots += 1;
                    assert!(at(f, root + 4) < BigInt::ZERO || f[0] < 8 || f1 > f[0], "{f:?} {root}");
                }
                Some(_) => (),
            }
        }
        assert!(roots > 30_000 && whole > 20_000, "{roots} {whole}");
    }
}
