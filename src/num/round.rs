//! Rounding of wide integers, with the direction in the name.
//!
//! Components of vectors may only be rounded symmetrically in sign (`_nearest`, `_away`, `_zero`):
//! anything else would make a mirrored world another world. `_floor` and `_ceil` are for scalars
//! that a mirror leaves alone: times, squared lengths, dot products.

/// `n / d` toward zero: one machine division where both fit 64 bits, as they mostly do.
const fn quotient(n: i128, d: i128) -> i128 {
    let (short_n, short_d) = (n as i64, d as i64);
    if short_n as i128 == n && short_d as i128 == d { (short_n / short_d) as i128 } else { n / d }
}

/// `n / d` to the nearest integer, halves away from zero. Symmetric in the sign of `n`.
///
/// **Range**: `d > 0` and `|n| + d` below 2^127.
#[must_use]
pub const fn div_nearest(n: i128, d: i128) -> i128 {
    debug_assert!(d > 0);
    let half = d / 2;
    quotient(if n < 0 { n - half } else { n + half }, d)
}

/// `n / d` to the nearest integer, halves to the even one: sums of many are not led away from zero.
/// Symmetric in the sign of `n`.
///
/// **Range**: `d` from 1 to 2^62.
#[must_use]
#[inline]
pub(crate) const fn div_nearest_even_64(n: i64, d: i64) -> i64 {
    debug_assert!(0 < d && d <= 1 << 62);
    let (whole, twice) = (n / d, 2 * (n % d).abs());
    let goes_on = twice > d || (twice == d && whole % 2 != 0);
    whole + if goes_on { n.signum() } else { 0 }
}

/// `n / d` rounded away from zero. Symmetric in the sign of `n`.
///
/// **Range**: `d > 0` and `|n| + d` below 2^127.
#[must_use]
pub const fn div_away(n: i128, d: i128) -> i128 {
    debug_assert!(d > 0);
    quotient(if n < 0 { n - (d - 1) } else { n + (d - 1) }, d)
}

/// `n / d` rounded toward zero. Symmetric in the sign of `n`.
///
/// **Range**: `d > 0`.
#[must_use]
pub const fn div_zero(n: i128, d: i128) -> i128 {
    debug_assert!(d > 0);
    quotient(n, d)
}

/// The greatest integer not above `n / d`. **Range**: `d > 0`.
#[must_use]
pub const fn div_floor(n: i128, d: i128) -> i128 {
    debug_assert!(d > 0);
    let toward_zero = quotient(n, d);
    if toward_zero * d > n { toward_zero - 1 } else { toward_zero }
}

/// The least integer not below `n / d`. **Range**: `d > 0` and `n` above the least `i128`.
#[must_use]
pub const fn div_ceil(n: i128, d: i128) -> i128 {
    debug_assert!(d > 0);
    -div_floor(-n, d)
}

/// `n / 2^bits` to the nearest integer, halves away from zero. Symmetric in the sign of `n`.
///
/// **Range**: `bits` at most 126 and `|n|` below 2^126.
#[must_use]
pub const fn shr_nearest(n: i128, bits: u32) -> i128 {
    if bits == 0 {
        return n;
    }
    let half = 1_i128 << (bits - 1);
    if n < 0 { -((half - n) >> bits) } else { (n + half) >> bits }
}

/// `a * b / 2^bits` to the nearest integer, halves away from zero: one machine product and no branch.
///
/// **Range**: `bits` from 1 to 126; what does not fit is cut.
#[must_use]
pub(crate) const fn mul_shr_nearest(a: i64, b: i64, bits: u32) -> i64 {
    sum_shr_nearest(a as i128 * b as i128, bits) as i64
}

/// [`shr_nearest`] without a branch: for sums of products of 64 bits.
///
/// **Range**: `bits` from 1 to 126 and `|n|` below 2^126.
#[must_use]
pub(crate) const fn sum_shr_nearest(n: i128, bits: u32) -> i128 {
    // One less where it is negative, so that halves go down there.
    (n + (1 << (bits - 1)) + (n >> 127)) >> bits
}

/// [`sum_shr_nearest`] in 64 bits.
///
/// **Range**: `bits` from 1 to 62 and `|n|` below 2^62.
#[must_use]
pub(crate) const fn shr_nearest_64(n: i64, bits: u32) -> i64 {
    // One less where it is negative, so that halves go down there.
    (n + (1 << (bits - 1)) + (n >> 63)) >> bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_small_quotient_rounds_as_named() {
        let mut halves = 0;
        for d in 1..=24_i128 {
            for n in -300..=300_i128 {
                let (floor, ceil) = (n.div_euclid(d), n.div_euclid(d) + i128::from(n.rem_euclid(d) != 0));
                assert_eq!(div_floor(n, d), floor);
                assert_eq!(div_ceil(n, d), ceil);
                assert_eq!(div_zero(n, d), if n < 0 { ceil } else { floor });
                assert_eq!(div_away(n, d), if n < 0 { floor } else { ceil });
                let twice = 2 * n.rem_euclid(d);
                halves += i32::from(twice == d);
                let up = twice > d || (twice == d && n > 0);
                assert_eq!(div_nearest(n, d), if up { ceil } else { floor }, "{n}/{d}");
                let even = if floor % 2 == 0 { floor } else { ceil };
                let nearest = if twice > d { ceil } else { floor };
                let expected = if twice == d { even } else { nearest };
                if let (Ok(short_n), Ok(short_d)) = (i64::try_from(n), i64::try_from(d)) {
                    assert_eq!(i128::from(div_nearest_even_64(short_n, short_d)), expected, "{n}/{d}");
                }
            }
        }
        assert_eq!(halves, 934);
    }

    #[test]
    fn quotients_of_every_width_bracket_the_number() {
        let edges = [0_i128, 1, 3, 1 << 31, 1 << 62, (1 << 63) - 1, 1 << 63, 1 << 64, 1 << 100, 1 << 125];
        let near = |edge: i128| (-2..=2).map(move |step| edge + step);
        for n in edges.into_iter().flat_map(near).flat_map(|n| [n, -n]) {
            for d in edges.into_iter().flat_map(near).filter(|d| *d > 0) {
                let (floor, ceil) = (div_floor(n, d), div_ceil(n, d));
                assert_eq!((floor, div_zero(n, d)), (n.div_euclid(d), n / d), "{n}/{d}");
                assert!(ceil - floor == i128::from(n % d != 0) && floor * d <= n, "{n}/{d}");
                let (nearest, away) = (div_nearest(n, d), div_away(n, d));
                assert_eq!(away, if n < 0 { floor } else { ceil }, "{n}/{d}");
                let rest = n.rem_euclid(d);
                let up = rest > d - rest || (rest == d - rest && n > 0);
                assert_eq!(nearest, if up { ceil } else { floor }, "{n}/{d}");
            }
        }
    }

    #[test]
    fn a_shift_is_a_division_by_a_power_of_two() {
        for n in -600..=600_i128 {
            for bits in 0..8 {
                assert_eq!(shr_nearest(n, bits), div_nearest(n, 1 << bits));
                if bits > 0 {
                    assert_eq!(sum_shr_nearest(n, bits), shr_nearest(n, bits));
                    assert_eq!(i128::from(mul_shr_nearest(n as i64, -3, bits)), shr_nearest(-3 * n, bits));
                    assert_eq!(i128::from(shr_nearest_64(n as i64, bits)), shr_nearest(n, bits));
                }
            }
        }
    }
}
