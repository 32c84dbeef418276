//! Signs of integers of up to 256 bits, most of them found in 128.

use std::cmp::Ordering;

use crate::num::{Wide, round::shr_nearest};

/// The bits that a component keeps in the first attempt: the sum of three products then has at most 127.
const SHORT_BITS: u32 = 62;
/// No error of the first attempt is larger: each of six short components is off by a half, times at most 2^62, and by less together.
const ERROR: u128 = 1 << 64;

/// Compares the dot product of two vectors with zero; exact.
///
/// The vectors are cut to [`SHORT_BITS`] first, and only a sum that this might have turned is done again in full.
/// **Range**: bits of both together up to 253.
pub(crate) fn sign_of_dot(a: [i128; 3], b: [i128; 3]) -> Ordering {
    let (cut_a, cut_b) = (excess(a), excess(b));
    let ([ax, ay, az], [bx, by, bz]) = (cut(a, cut_a), cut(b, cut_b));
    let product = |p: i64, q: i64| i128::from(p) * i128::from(q);
    let short = product(ax, bx) + product(ay, by) + product(az, bz);
    if cut_a | cut_b == 0 || short.unsigned_abs() > ERROR {
        return short.cmp(&0);
    }
    let [x, y, z] = [0, 1, 2].map(|i: usize| Wide::<4>::from(a[i]) * Wide::from(b[i]));
    (x + y + z).cmp(&Wide::ZERO)
}

/// A vector in the same direction with [`SHORT_BITS`]; components to nearest, halves away from zero.
pub(super) fn shortened(vector: [i128; 3]) -> [i64; 3] {
    cut(vector, excess(vector))
}

/// A vector in the same direction of which the largest component has so many bits; components to nearest, halves away from zero.
///
/// **Range**: components below 2^125, bits below 64.
pub(super) fn lengthened(vector: [i128; 3], bits: u32) -> [i64; 3] {
    let own = magnitude_bits(vector);
    cut(vector.map(|part| part << bits.saturating_sub(own)), own.saturating_sub(bits))
}

/// A vector without its lowest bits; components to nearest, halves away from zero.
fn cut([x, y, z]: [i128; 3], bits: u32) -> [i64; 3] {
    [shr_nearest(x, bits) as i64, shr_nearest(y, bits) as i64, shr_nearest(z, bits) as i64]
}

/// The bits of the largest component beyond [`SHORT_BITS`].
fn excess(vector: [i128; 3]) -> u32 {
    magnitude_bits(vector).saturating_sub(SHORT_BITS)
}

/// The bits of the largest component.
fn magnitude_bits(vector: [i128; 3]) -> u32 {
    u128::BITS - vector.iter().fold(0, |most, part| most | part.unsigned_abs()).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rng;
    use num_bigint::BigInt;

    #[test]
    fn signs_are_those_of_big_integers() {
        let mut draws = Rng::new(3).at(0, 0, 0);
        let (mut close, mut zero) = (0, 0);
        for case in 0..40_000 {
            let bits = [draws.between(1, 126) as u32, draws.between(1, 126) as u32];
            let mut wide = |bits: u32| {
                let any = (i128::from(draws.bits() as i64) << 64) | i128::from(draws.bits());
                any >> (128 - bits)
            };
            let (mut a, b) = ([0; 3].map(|_: i32| wide(bits[0])), [0; 3].map(|_: i32| wide(bits[1])));
            if case % 2 == 0 {
                // Nearly across, or exactly: b turned by a quarter, and a few units off.
                a = [-b[1], b[0], i128::from(draws.between(-1, 1))];
            }
            let exact: BigInt = (0..3).map(|i| BigInt::from(a[i]) * b[i]).sum();
            let sign = exact.cmp(&BigInt::from(0));
            assert_eq!(sign_of_dot(a, b), sign, "case {case}: {a:?} {b:?}");
            close += u32::from(exact.bits() < 128 && excess(b) > 0);
            zero += u32::from(sign.is_eq());
        }
        assert!(close > 5_000 && zero > 5_000, "{close} {zero}");
    }
}
