//! Square roots of integers and of the scalar, exactly rounded.

use super::scalar::{FRACTION_BITS, Scalar};

/// The greatest integer whose square is not above `n`.
#[must_use]
pub const fn sqrt_floor(n: u128) -> u128 {
    if n >> 64 == 0 { (n as u64).isqrt() as u128 } else { n.isqrt() }
}

/// The least integer whose square is not below `n`.
#[must_use]
pub const fn sqrt_ceil(n: u128) -> u128 {
    let root = sqrt_floor(n);
    if root * root == n { root } else { root + 1 }
}

/// The square root of a scalar, or `None` for a negative one.
///
/// **Rounding**: down; at most one raw below the true root, and exact where it is representable.
///
/// ```
/// use bitstep::num::{lit, root::sqrt};
/// assert_eq!(sqrt(lit("2.25")), Some(lit("1.5")));
/// assert_eq!(sqrt(lit("-1")), None);
/// ```
#[must_use]
pub fn sqrt(value: Scalar) -> Option<Scalar> {
    let raw = u128::try_from(value.to_bits()).ok()?;
    let root = sqrt_floor(raw << FRACTION_BITS);
    i64::try_from(root).ok().map(Scalar::from_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_bracket_their_squares() {
        for n in (0..5_000_u128).chain((0..5_000).map(|k| u128::MAX - (k << 80))) {
            let floor = sqrt_floor(n);
            assert!(floor * floor <= n);
            assert!((floor + 1).checked_mul(floor + 1).is_none_or(|square| square > n));
            let ceil = sqrt_ceil(n);
            assert!(ceil == floor || (ceil == floor + 1 && floor * floor < n));
        }
    }

    #[test]
    fn the_largest_scalar_has_a_root() {
        assert_eq!(sqrt(Scalar::MAX).map(Scalar::to_bits), Some(199_032_864_766_430));
    }
}
