//! Instants at which two moving points come within a distance and leave it: bracketed roots.

use crate::{
    geom::Vec3,
    num::{
        Toi,
        bound::{Bound, Width},
        root::sqrt_ceil,
        round::div_ceil,
    },
};

pub(crate) const WIDTH: Width = {
    let (offset, motion, reach) = (Bound::power(59), Bound::power(58), Bound::power(59));
    let (a, b) = (motion.dot(motion), offset.dot(motion));
    let c = offset.dot(offset).plus(reach.times(reach));
    Width {
        number: "`a + 2 b + c`, the end of two points on their way",
        bound: a.plus(b).plus(b).plus(c),
        held_in: 128,
    }
};
const _: () = WIDTH.check();

/// Squared distance minus squared reach as `a t^2 + 2 b t + c` over the tick; exact, in raw squared.
///
/// **Range**: components of the offset below 2^59 raw, of the motion below 2^58, reach below 2^59:
/// every coefficient is below 2^121.
pub(super) struct Approach {
    a: i128,
    b: i128,
    c: i128,
    /// The larger of the squared starting distance and the squared reach: the scale of `c`.
    scale: u128,
}

/// `a t^2 - 2 b t + c`: the same polynomial in another unit of time, or one that is nowhere above it,
/// with coefficients of about 62 bits. An instant `t` is `t * 2^shift` in steps of 2^-32 tick.
struct Scaled {
    a: i128,
    b: i128,
    c: i128,
    discriminant: u128,
    shift: i32,
}

/// True if some axis keeps the points further apart than the reach for the whole tick.
pub(super) fn stays_apart(offset: Vec3, motion: Vec3, reach: i64) -> bool {
    let ([x, y, z], [dx, dy, dz]) = (offset.raw(), motion.raw());
    let apart = |w: i64, v: i64| w.unsigned_abs() > reach.unsigned_abs() + v.unsigned_abs();
    apart(x, dx) || apart(y, dy) || apart(z, dz)
}

impl Approach {
    /// The polynomial of an offset, its change over the tick, and a reach in raw.
    pub(super) fn new(offset: Vec3, motion: Vec3, reach: i64) -> Self {
        let (distance, reach) = (offset.length_squared_wide(), i128::from(reach) * i128::from(reach));
        Self {
            a: motion.dot_wide(motion),
            b: offset.dot_wide(motion),
            c: distance as i128 - reach,
            scale: distance.max(reach.unsigned_abs()),
        }
    }

    /// True if the points are within the reach at the start; touching counts.
    pub(super) const fn starts_within(&self) -> bool {
        self.c <= 0
    }

    /// True if the points are within the reach at the end of the tick; touching counts.
    const fn ends_within(&self) -> bool {
        self.a + 2 * self.b + self.c <= 0
    }

    /// The first instant within the reach, for points that start outside it; `None` if it is not in
    /// the tick.
    ///
    /// **Rounding**: down. Points that pass just outside the reach may get an instant, too.
    pub(super) fn first_floor(&self) -> Option<Toi> {
        debug_assert!(!self.starts_within());
        let nearest_after_end = self.a + self.b <= 0;
        if self.b >= 0 || (nearest_after_end && !self.ends_within()) {
            return None;
        }
        let scaled = self.scaled()?;
        // c / (b + sqrt) has no cancellation; the quotient is at most about 1, so no bit is lost.
        let divisor = scaled.b + sqrt_ceil(scaled.discriminant) as i128;
        let raw = floor_shift(scaled.c, -scaled.shift) / divisor;
        Toi::from_raw(u64::try_from(raw).ok()?)
    }

    /// The last instant within the reach, for points that are within it at some time in the tick.
    ///
    /// **Rounding**: up.
    pub(super) fn last_ceil(&self) -> Toi {
        if self.ends_within() {
            return Toi::END;
        }
        let Some(scaled) = self.scaled() else { return Toi::START };
        // Where b < 0 this cancels, but by no more than one unit of 2^-60 of the way.
        let dividend = scaled.b + sqrt_ceil(scaled.discriminant) as i128;
        let raw = div_ceil(ceil_shift(dividend, -scaled.shift), scaled.a);
        u64::try_from(raw).ok().and_then(Toi::from_raw).unwrap_or(Toi::END)
    }

    /// Brings motion and distance to 31 bits each; `None` if the points never come within the reach.
    ///
    /// Every coefficient is rounded so that the polynomial falls, for no `t >= 0` does it rise: its
    /// first root is not later, its last root not earlier. Scaled coefficients are below 2^62 (b by
    /// Cauchy and Schwarz), so the discriminant is below 2^125 and exact.
    fn scaled(&self) -> Option<Scaled> {
        let time = half_shift(self.a.unsigned_abs());
        let length = half_shift(self.scale);
        let a = floor_shift(self.a, 2 * time);
        let b = ceil_shift(-self.b, time + length);
        let c = floor_shift(self.c, 2 * length);
        let discriminant = u128::try_from(b * b - a * c).ok()?;
        Some(Scaled { a, b, c, discriminant, shift: 32 + length - time })
    }
}

/// Half the shift that brings a square to 61 or 62 bits.
const fn half_shift(square: u128) -> i32 {
    (128 - square.leading_zeros() as i32 - 61) >> 1
}

/// `n / 2^bits` rounded down; a negative count shifts left, exactly.
const fn floor_shift(n: i128, bits: i32) -> i128 {
    if bits < 0 { n << -bits } else { n >> bits }
}

/// `n / 2^bits` rounded up; a negative count shifts left, exactly.
const fn ceil_shift(n: i128, bits: i32) -> i128 {
    -floor_shift(-n, bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(offset: [i64; 3], motion: [i64; 3], reach: i64) -> Option<Toi> {
        Approach::new(Vec3::from_raw(offset), Vec3::from_raw(motion), reach).first_floor()
    }

    /// Rounded, such ways are as those that touch: the squares of what is far have 90 bits.
    #[test]
    fn ways_that_end_where_they_are_nearest_come_as_near_as_their_end() {
        let far = 1 << 45;
        assert_eq!(first([far, 1_024, 0], [-far, 0, 0], 1_024), Some(Toi::END));
        assert_eq!(first([far, 1_025, 0], [-far, 0, 0], 1_024), None);
        assert_eq!(first([far, 1_025, 0], [1 - far, 0, 0], 1_024), None);
    }

    #[test]
    fn ways_square_to_the_offset_never_come_nearer() {
        let far = 1 << 45;
        for motion in [[0, 0, 1], [0, 0, far], [0, 0, -far], [0; 3], [1, -far, 0]] {
            assert_eq!(first([far, 1, 0], motion, far), None, "{motion:?}");
        }
    }
}
