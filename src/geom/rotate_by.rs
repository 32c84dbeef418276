//! Rotation about a fixed axis.

use super::{ANGULAR_SPEED_MAX, FreeStep, Rotation, Vec3};
use crate::num::{
    bound::{Bound, Width},
    root::sqrt_ceil,
    round::{div_zero, shr_nearest, shr_nearest_64},
};

/// The turn is as much longer than 1 as its rounding makes it, and the orientation by 2^-27.
pub(super) const WIDTH: Width = {
    let (turn, orientation) =
        (Bound::power(32).plus(Bound::power(6)), Bound::power(Rotation::BITS).plus(Bound::power(3)));
    Width {
        number: "`q' q`, a component of an orientation turned about an axis",
        bound: turn.times(orientation),
        held_in: 64,
    }
};
const _: () = WIDTH.check();

/// The orientation after a turn about an axis that is fixed in the world: by the length of `angle`, in
/// radians, about its direction, counterclockwise seen from its tip.
///
/// An angle of zero leaves the orientation as it is, to the bit. More than [`ANGULAR_SPEED_MAX`] is `held`:
/// it rotates by that much, so [`AngularMotion::new`](super::AngularMotion::new) takes every result.
///
/// **Rounding**: each component to nearest of one that is within a quarter of a least bit (2^-30) of the
/// exact one: within .8 least bits in all, whatever the angle. What is held is shortened toward zero first,
/// by up to 2^-30 more than it must be. Angles up to 2^-31 do not turn it. The length of the orientation that
/// comes in is divided out, so it does not drift. The opposite angle rotates the mirrored way; mirrored or
/// permuted arguments give the image. **Range**: all arguments.
///
/// ```
/// use bitstep::{geom::{Rotation, Vec3, rotate_by}, num::lit};
/// let third = Vec3::new(lit("0"), lit("0"), lit("1.0471975512"));
/// let turned = rotate_by(Rotation::IDENTITY, third).orientation;
/// assert_eq!(turned.components(), [929_887_697, 0, 0, 536_870_912]); // cos and sin of 30°
/// ```
#[must_use]
pub fn rotate_by(orientation: Rotation, angle: Vec3) -> FreeStep {
    if angle == Vec3::ZERO {
        return FreeStep { orientation, held: false };
    }
    let (angle, square, held) = within_limit(angle);
    let [a, b, c, d] = about(angle, square, orientation.length_squared());
    let [w, x, y, z] = orientation.components().map(i64::from);
    // The products have 62 fraction bits; as both are unit quaternions, no part of a sum is above 1.
    let turned = [
        a * w - (b * x + c * y + d * z),
        a * x + b * w + (c * z - d * y),
        a * y + c * w + (d * x - b * z),
        a * z + d * w + (b * y - c * x),
    ];
    let turned = Rotation::rounded(turned.map(|part| shr_nearest_64(part, 32) as i32));
    debug_assert!(turned.is_within_a_quarter(orientation));
    FreeStep { orientation: turned, held }
}

/// The angle, shortened where it is too much, its square with 64 fraction bits, and whether it was.
fn within_limit(angle: Vec3) -> (Vec3, u128, bool) {
    const LIMIT: u128 = ANGULAR_SPEED_MAX.to_bits().unsigned_abs() as u128;
    let square = angle.raw().iter().map(|part| u128::from(part.unsigned_abs()).pow(2)).sum();
    if square <= LIMIT * LIMIT {
        return (angle, square, false);
    }
    // The square is at most 3 * 2^126.
    let length = sqrt_ceil(square) as i128;
    let shorter = angle.map_raw(|part| div_zero(i128::from(part) * LIMIT as i128, length) as i64);
    (shorter, shorter.length_squared_wide(), true)
}

/// The quaternion of a turn by a vector of at most a quarter, with 32 fraction bits, divided by the length of
/// a quaternion near 1 whose square is given with 60.
///
/// **Rounding**: each component to nearest of what is off by at most 2^-36.
fn about(angle: Vec3, square: u128, length_squared: i64) -> [i64; 4] {
    // Of half the angle: the square has 62 fraction bits and is below .617.
    let square = (square >> 4) as i64;
    let sum = |terms: &[i64]| {
        terms.iter().rev().fold(0, |sum, term| term - ((i128::from(sum) * i128::from(square)) >> 62) as i64)
    };
    // 1 / sqrt(1 + e) is 1 - e / 2, as e is below 2^-26.
    let excess = i128::from(length_squared - (1 << 60));
    let shorter = |part: i64| part - ((i128::from(part) * excess) >> 61) as i64;
    let [cosine, slope] = [shorter(sum(&COSINE_Q62)), shorter(sum(&SLOPE_Q62))];
    let [b, c, d] = angle.raw().map(|part| shr_nearest(i128::from(part) * i128::from(slope), 63) as i64);
    [shr_nearest(cosine.into(), 30) as i64, b, c, d]
}

const ONE: i64 = 1 << 62;
/// cos x from x squared, signs apart: what is left out is below 2^-41.
const COSINE_Q62: [i64; 7] =
    [ONE, ONE / 2, ONE / 24, ONE / 720, ONE / 40_320, ONE / 3_628_800, ONE / 479_001_600];
/// sin x / x the same way: below 2^-36.
const SLOPE_Q62: [i64; 6] = [ONE, ONE / 6, ONE / 120, ONE / 5_040, ONE / 362_880, ONE / 39_916_800];
