//! The first root of a quadratic, never above the true one.

use crate::num::{Toi, root::sqrt_ceil};

/// A lower bound of the first root of `a t^2 - 2 b t + c`, in units of 2^-32, or `None` where there
/// is no root in `0..=1`.
///
/// All three coefficients are above zero. `None` is exact: a root in `0..=1` is never lost. A
/// polynomial without a root may get one where its least value is within the error below.
///
/// The coefficients are scaled to about 61 bits, `a` and `c` rounded down and `b` up, which gives a
/// polynomial that is nowhere above the true one for t >= 0. Its first root, written as
/// `c / (b + sqrt(b^2 - a c))`, has no cancellation and falls with `b` and with the root.
///
/// **Rounding**: down. At the answer the polynomial is at most `2^-54 b^2 / a`, plus what a
/// step of 2^-32 changes. **Range**: coefficients below 2^126.
pub(super) fn first_root_q32_floor(a: i128, b: i128, c: i128) -> Option<u64> {
    debug_assert!(a > 0 && b > 0 && c > 0);
    // a / 4^x has 61 or 62 bits, b / 2^(x + y) has 61: b^2 / a below 2^62 is the most that c may be.
    let x = (bits(a) - 61).div_euclid(2);
    let y = bits(b) - 61 - x;
    if bits(c) - 2 * y > 63 {
        return None;
    }
    let (a, c) = (scale_floor(a, -2 * x), scale_floor(c, -2 * y));
    let b = -scale_floor(-b, -(x + y));
    let discriminant = u128::try_from(b * b - a * c).ok()?;
    let divisor = b.unsigned_abs() + sqrt_ceil(discriminant);
    let up = Toi::BITS as i32 + y - x;
    if bits(c) + up > 96 {
        return None; // the quotient is 2^95 / 2^62 at least
    }
    let root = scale_floor(c, up).unsigned_abs() / divisor;
    u64::try_from(root).ok().filter(|&root| root <= Toi::END.raw())
}

/// How many bits a number above zero has.
const fn bits(n: i128) -> i32 {
    128 - n.leading_zeros() as i32
}

/// `n * 2^up`, rounded down where `up` is negative; the caller proves that it fits.
const fn scale_floor(n: i128, up: i32) -> i128 {
    if up >= 0 {
        n << up
    } else if up > -127 {
        n >> -up
    } else {
        n >> 127
    }
}
