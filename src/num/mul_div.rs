//! A product divided, with the product as wide as it needs to be.

use super::round::div_nearest;

/// `a * b / d` to the nearest integer, halves away from zero, whatever the width of the product.
///
/// Symmetric in the signs of `a` and `b`. **Rounding**: exact but for the last step.
/// **Range**: `0 < d < 2^126`; the quotient must fit an `i128`, which a caller proves.
///
/// # Panics
///
/// If the quotient does not fit.
#[must_use]
pub fn mul_div_nearest(a: i128, b: i128, d: i128) -> i128 {
    assert!(d > 0 && d < 1 << 126, "divisor out of range");
    let (size_a, size_b) = (a.unsigned_abs(), b.unsigned_abs());
    // As many bits as both have is as many as the product has, or one more.
    if size_a.leading_zeros() + size_b.leading_zeros() >= 130 {
        return div_nearest(a * b, d);
    }
    match a.checked_mul(b) {
        Some(n) if n.unsigned_abs() < 1 << 126 => div_nearest(n, d),
        _ => {
            let size = wide(size_a, size_b, d.unsigned_abs());
            if (a < 0) == (b < 0) { size } else { -size }
        }
    }
}

/// The magnitude by long division of the 256-bit product, one bit at a time: rare and exact.
fn wide(a: u128, b: u128, d: u128) -> i128 {
    let (mut high, mut low) = full_product(a, b);
    assert!(high < d, "quotient out of range");
    let mut quotient = 0_u128;
    for _ in 0..128 {
        high = (high << 1) | (low >> 127); // high < d < 2^126: no bit is lost
        low <<= 1;
        quotient <<= 1;
        if high >= d {
            high -= d;
            quotient |= 1;
        }
    }
    let rounded = quotient.checked_add(u128::from(high >= d - high));
    rounded.and_then(|q| i128::try_from(q).ok()).expect("quotient out of range")
}

/// The 256-bit product as (high, low).
pub(super) const fn full_product(a: u128, b: u128) -> (u128, u128) {
    const MASK: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & MASK, b >> 64, b & MASK);
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 64); // at most 2^128 - 2^64: fits
    let (cross, carry) = middle.overflowing_add(a0 * b1);
    let high = a1 * b1 + (cross >> 64) + ((carry as u128) << 64);
    (high, (cross << 64) | (low & MASK))
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    fn oracle(a: i128, b: i128, d: i128) -> BigInt {
        let twice: BigInt = BigInt::from(a) * b * 2;
        let down = |n: BigInt| -> BigInt { (n + d) / (BigInt::from(d) * 2) };
        if twice < BigInt::from(0) { -down(-twice) } else { down(twice) }
    }

    #[test]
    fn equals_the_big_integers_at_every_width() {
        let mut state = 1_u64;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (i128::from(state as i64) << 64) | i128::from(state.rotate_left(17))
        };
        let (mut narrow, mut wide) = (0, 0);
        for case in 0..200_000_u32 {
            let (sa, sb, sd) = (case % 127, (case / 127) % 127, (case / 7) % 125 + 2);
            let (a, b) = (next() >> sa, next() >> sb);
            let d = (next() >> sd).unsigned_abs() as i128 + 1;
            if d >= 1 << 126 {
                continue;
            }
            let want = oracle(a, b, d);
            if want.bits() > 126 {
                continue;
            }
            if a.checked_mul(b).is_some() {
                narrow += 1
            } else {
                wide += 1
            }
            assert_eq!(BigInt::from(mul_div_nearest(a, b, d)), want, "{a} * {b} / {d}");
        }
        assert!(narrow > 50_000 && wide > 20_000, "{narrow} {wide}");
    }

    #[test]
    fn a_product_of_two_full_words_has_every_bit() {
        // (2^128 - 1)^2 is 2^256 - 2^129 + 1, and the middle of the product carries.
        assert_eq!(full_product(u128::MAX, u128::MAX), (u128::MAX - 1, 1));
        let words = [0, 1, 3 << 63, u128::from(u64::MAX), 5 << 64, u128::MAX << 64, u128::MAX / 3, u128::MAX];
        for (a, b) in words.into_iter().flat_map(|a| words.map(|b| (a, b))) {
            let (high, low) = full_product(a, b);
            assert_eq!((BigInt::from(high) << 128) + low, BigInt::from(a) * b, "{a} * {b}");
        }
    }

    #[test]
    fn halves_of_wide_products_go_away_from_zero() {
        let (a, b): (i128, i128) = ((1 << 100) + 1, (1 << 40) + 1);
        // b / 2, which is 2^39 and a half.
        let (down, up) = (1 << 39, (1 << 39) + 1);
        for (a, b, d, expected) in [(a, b, 2 * a, up), (a, b, 2 * a + 1, down), (a, b, 2 * a - 1, up)] {
            assert_eq!([mul_div_nearest(a, b, d), mul_div_nearest(-a, -b, d)], [expected; 2], "{d}");
            assert_eq!([mul_div_nearest(-a, b, d), mul_div_nearest(a, -b, d)], [-expected; 2], "{d}");
        }
    }

    #[test]
    fn a_product_that_just_fits_is_divided_by_a_large_number() {
        // 2^127 - 2^63, of which half the divisor more does not fit.
        let (a, b) = (1 << 63, i128::from(u64::MAX));
        assert_eq!(mul_div_nearest(a, b, (1 << 126) - 1), 2);
        assert_eq!(mul_div_nearest(-a, b, (1 << 126) - 1), -2);
    }
}
