//! Sine, cosine and the angle of a direction, in turns. For set-up and game code: no tick needs them.
//!
//! A turn is 1, so a whole number of turns is no turn at all, a right angle is exactly `0.25`, and the 32
//! fraction bits of a [`Scalar`] are the angle: `Scalar::from_bits(fraction)` is the angle of a fraction in
//! 2^-32 of a turn. Why the results are the nearest ones: `docs/numerics.md`, Angles.

use super::{
    circle::{BITS, EIGHTH, NODE, NODE_BITS, NODES, PI, Point, point},
    scalar::{FRACTION_BITS, Scalar},
};

/// The sine of an angle in turns, any number of them and of either sign.
///
/// **Rounding**: to the nearest raw, for every angle; halves do not occur. Exact at quarters of a turn. So
/// `sin(-a) == -sin(a)`, `sin(a + 1/2) == -sin(a)` and `sin(1/2 - a) == sin(a)`, and from -1/4 to 1/4 of a
/// turn it never falls. **Range**: every scalar. **Source**: as [`sin_cos`].
///
/// ```
/// use bitstep::num::{Scalar, lit, trig::sin};
/// assert_eq!(sin(lit("0.25")), lit("1"));
/// const DIAGONAL: Scalar = sin(lit("-0.125"));
/// assert_eq!(DIAGONAL, lit("-0.70710678118"));
/// ```
#[must_use]
pub const fn sin(turns: Scalar) -> Scalar {
    sin_cos(turns).0
}

/// The cosine of an angle in turns, any number of them and of either sign.
///
/// **Rounding**: to the nearest raw, for every angle; halves do not occur. Exact at quarters of a turn. So
/// `cos(-a) == cos(a)`, `cos(a) == sin(a + 1/4)` and `cos(1/2 - a) == -cos(a)`, and from 0 to 1/2 of a
/// turn it never rises. **Range**: every scalar. **Source**: as [`sin_cos`].
#[must_use]
pub const fn cos(turns: Scalar) -> Scalar {
    sin_cos(turns).1
}

/// The sine and the cosine of an angle in turns: the point at this angle on the unit circle.
///
/// **Rounding**: both as [`sin`] and [`cos`]; the sum of their squares is within 1.42 raw of 1, before it is
/// rounded itself. **Range**: every scalar. **Source**: a table and the addition theorems, after Tang,
/// *Table-lookup algorithms for elementary functions and their error analysis* (1991); correct rounding shown
/// by trying every argument, after Muller, *Elementary Functions* (2016), chapter 12.
#[must_use]
pub const fn sin_cos(turns: Scalar) -> (Scalar, Scalar) {
    const QUARTER: u32 = 1 << (FRACTION_BITS - 2);
    let fraction = turns.to_bits() as u32; // a negative angle's, too, is counted up from the turn below
    let rest = fraction % QUARTER;
    let beyond = 2 * rest > EIGHTH;
    let Point { sine, cosine } = point(if beyond { 2 * (QUARTER - rest) } else { 2 * rest });
    let (sine, cosine) = (nearest(sine), nearest(cosine));
    let quadrant = fraction / QUARTER;
    let (x, y) = if beyond != (quadrant % 2 == 1) { (sine, cosine) } else { (cosine, sine) };
    let x = if quadrant == 1 || quadrant == 2 { -x } else { x };
    let y = if quadrant >= 2 { -y } else { y };
    (Scalar::from_bits(y), Scalar::from_bits(x))
}

/// A fraction of the circle's bits to the nearest raw.
const fn nearest(fraction: u128) -> i64 {
    const DROPPED: u32 = BITS - FRACTION_BITS;
    ((fraction + (1 << (DROPPED - 1))) >> DROPPED) as i64
}

/// The angle in turns from the positive x axis to the direction `(x, y)`, counted toward the positive y axis;
/// of any length, in any unit that both share.
///
/// From -1/2 to 1/2: positive for positive `y`, and 1/2 along the negative x axis. `-1/2` is what a
/// direction just below that axis rounds to. No direction, `atan2(0, 0)`, has the angle 0.
///
/// **Rounding**: to the nearest raw but for angles within 2^-34 raw of a half; so off by at most 1/2 + 2^-34
/// raw, whatever the lengths. Exact on axes and diagonals. A direction further round never has the
/// smaller angle. Bit for bit, `atan2(-y, x) == -atan2(y, x)` where `y` is not 0,
/// `atan2(y, -x) == 1/2 - atan2(y, x)` for `y` of 0 and above, and `atan2(x, y) == 1/4 - atan2(y, x)`
/// for `x` and `y` of 0 and above, not both 0. **Range**: every pair of scalars.
/// **Source**: a table and the addition theorem to find two neighbours, and a cross product with the angle
/// halfway to choose.
///
/// ```
/// use bitstep::num::{lit, trig::atan2};
/// assert_eq!(atan2(lit("1"), lit("-1")), lit("0.375"));
/// assert_eq!(atan2(lit("-3"), lit("0")), lit("-0.25"));
/// ```
#[must_use]
pub const fn atan2(y: Scalar, x: Scalar) -> Scalar {
    const QUARTER: i64 = 1 << (FRACTION_BITS - 2);
    let (y, x) = (y.to_bits(), x.to_bits());
    let (height, width) = (y.unsigned_abs(), x.unsigned_abs());
    let steep = height > width;
    let (minor, major) = if steep { (width, height) } else { (height, width) };
    let angle = if major == 0 { 0 } else { within_eighth(minor, major) as i64 };
    let angle = if steep { QUARTER - angle } else { angle };
    let angle = if x < 0 { 2 * QUARTER - angle } else { angle };
    Scalar::from_bits(if y < 0 { -angle } else { angle })
}

/// The angle in raw of the direction `(major, minor)`, for `minor <= major` and `major > 0`.
///
/// A guess within half a raw leaves two angles, that below it and that above, and the one halfway between
/// them decides. So the result is how many such halfway angles the direction has reached, however the guess
/// was made.
const fn within_eighth(minor: u64, major: u64) -> u32 {
    let shift = major.leading_zeros();
    let (minor, major) = (minor << shift, major << shift);
    let guess = guess(minor, major);
    let (sine, cosine) = point(2 * guess + 1).short(64);
    guess + reaches(minor, major, sine, cosine) as u32
}

/// True if the direction `(major, minor)` is at the angle of this sine and cosine or beyond.
const fn reaches(minor: u64, major: u64, sine: u64, cosine: u64) -> bool {
    minor as u128 * cosine as u128 >= major as u128 * sine as u128
}

/// An angle within half a raw of the true one, in raw, rounded down.
///
/// **Range**: `minor <= major`, and the highest bit of `major` is set.
const fn guess(minor: u64, major: u64) -> u32 {
    let (mut node, mut step) = (0, NODES / 2);
    while step > 0 {
        let (sine, cosine) = NODE[(node + step) as usize].short(63);
        node += step * reaches(minor, major, sine, cosine) as u32; // no branch: it would be unpredictable
        step /= 2;
    }
    let (sine, cosine) = NODE[node as usize].short(63);
    let [across, up] = [major as u128, minor as u128];
    let along = across * cosine as u128 + up * sine as u128; // from 2^125.9 to 2^127.5
    let beside = up * cosine as u128 - across * sine as u128; // below 2^121.3: less than a node
    let tangent = (beside >> 58) as u64 / (along >> 96) as u64; // 38 fraction bits
    let square = (tangent * tangent) >> 38;
    let radians = tangent - ((square * tangent) >> 38) / 3; // the next term is a twelfth of a half raw
    let half_raws = (radians * HALF_RAWS_PER_RADIAN) >> 39;
    ((node << NODE_BITS) + half_raws as u32) / 2
}

/// 2^33 / (2 pi), with one fraction bit.
const HALF_RAWS_PER_RADIAN: u64 = ((1_u128 << 65) / (PI >> 94)) as u64;
