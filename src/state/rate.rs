//! Conversion of values per second to values per tick, as the world stores them; per step, if a tick has
//! several ([`Limits::substeps`]).
//!
//! Each is an exact division of integers, rounded once, symmetrically in sign, so that a mirrored value gives
//! the mirrored result.

use super::Limits;
use crate::{
    geom::Vec3,
    num::{Scalar, round::div_nearest, scalar::FRACTION_BITS},
};

impl Limits {
    /// A speed in units per tick, from units per second.
    ///
    /// **Rounding**: to the nearest raw, halves away from zero.
    ///
    /// **Panics**: if the tick rate or the number of steps is 0, which [`Limits::check`] refuses.
    #[must_use]
    pub fn speed_nearest(&self, per_second: Scalar) -> Scalar {
        Scalar::from_bits(div_nearest(per_second.to_bits().into(), self.steps_per_second().into()) as i64)
    }

    /// A velocity in units per tick, from units per second; or an impulse, likewise.
    ///
    /// **Rounding**: each component to the nearest raw, halves away from zero.
    ///
    /// **Panics**: if the tick rate or the number of steps is 0, which [`Limits::check`] refuses.
    ///
    /// ```
    /// use bitstep::{geom::Vec3, state::Limits};
    ///
    /// let per_second = Vec3::lit("30", "0", "-60");
    /// let per_tick = Limits::new(60).velocity_nearest(per_second);
    /// assert_eq!(per_tick, Vec3::lit("0.5", "0", "-1"));
    /// ```
    #[must_use]
    pub fn velocity_nearest(&self, per_second: Vec3) -> Vec3 {
        per_second.map_raw(|raw| div_nearest(raw.into(), self.steps_per_second().into()) as i64)
    }

    /// An acceleration in units per tick per tick, from units per second squared.
    ///
    /// **Rounding**: to the nearest raw, halves away from zero.
    ///
    /// **Panics**: if the tick rate or the number of steps is 0, which [`Limits::check`] refuses.
    ///
    /// ```
    /// use bitstep::{num::lit, state::Limits};
    ///
    /// assert_eq!(Limits::new(60).accel_nearest(lit("900")), lit("0.25"));
    /// ```
    #[must_use]
    pub fn accel_nearest(&self, per_second_squared: Scalar) -> Scalar {
        let square = i128::from(self.steps_per_second()).pow(2);
        Scalar::from_bits(div_nearest(per_second_squared.to_bits().into(), square) as i64)
    }

    /// A damping in fractions per tick, times 2^16, from fractions per second; `None` if that is below 0, or
    /// the whole momentum per tick or more.
    ///
    /// **Rounding**: to nearest, halves up. The fraction per tick is the fraction per second over the tick
    /// rate: the time in which a momentum falls to 1/e of its value is the same at every rate, up to a
    /// relative error of the damping per tick.
    ///
    /// **Panics**: if the tick rate or the number of steps is 0, which [`Limits::check`] refuses.
    ///
    /// ```
    /// use bitstep::{num::lit, state::Limits};
    ///
    /// assert_eq!(Limits::new(60).damping_nearest(lit("1.5")), Some(1638)); // 65536 / 40
    /// assert_eq!(Limits::new(60).damping_nearest(lit("60")), None);
    /// ```
    #[must_use]
    pub fn damping_nearest(&self, per_second: Scalar) -> Option<u16> {
        let raw = i128::from(per_second.to_bits());
        let part_q16 = div_nearest(raw << 16, i128::from(self.steps_per_second()) << FRACTION_BITS);
        u16::try_from(part_q16).ok().filter(|_| raw >= 0)
    }

    /// A gravity for [`Command::SetGravity`](super::Command::SetGravity), from units per second
    /// squared.
    ///
    /// **Rounding**: each component to the nearest even raw, because a tick takes half of it; halves
    /// away from zero. At one tick per second, a component next to the ends of [`Scalar`] saturates.
    ///
    /// **Panics**: if the tick rate or the number of steps is 0, which [`Limits::check`] refuses.
    #[must_use]
    pub fn gravity_nearest_even(&self, per_second_squared: Vec3) -> Vec3 {
        /// The largest even raw.
        const MOST: i128 = i64::MAX as i128 - 1;
        let square = i128::from(self.steps_per_second()).pow(2);
        let even = |raw: i64| 2 * div_nearest(raw.into(), 2 * square);
        per_second_squared.map_raw(|raw| even(raw).clamp(-MOST, MOST) as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    #[test]
    fn halves_go_away_from_zero_on_both_sides() {
        let limits = Limits::new(10);
        let of = |raw: [i64; 3]| limits.velocity_nearest(Vec3::from_raw(raw)).raw();
        assert_eq!(of([14, 15, 16]), [1, 2, 2]);
        assert_eq!(of([-14, -15, -16]), [-1, -2, -2]);
        assert_eq!(limits.speed_nearest(Scalar::from_bits(-15)).to_bits(), -2);
        // By 100: 0.99 and 1.00 of a raw, and 2.99 and 3.00; an even raw is 0, 2 or 4.
        let of = |raw: [i64; 3]| limits.gravity_nearest_even(Vec3::from_raw(raw)).raw();
        assert_eq!(of([99, 100, 299]), [0, 2, 2]);
        assert_eq!(of([-100, 300, -300]), [-2, 4, -4]);
    }

    #[test]
    fn values_are_per_step() {
        let (steps, ticks) = (Limits { substeps: 6, ..Limits::new(10) }, Limits::new(60));
        let vector = Vec3::from_raw([7 << 32, -1_234_567, 99]);
        let of = |limits: Limits| (limits.velocity_nearest(vector), limits.gravity_nearest_even(vector));
        assert_eq!(of(steps), of(ticks));
        let of = |limits: Limits| [limits.speed_nearest(lit("0.7")), limits.accel_nearest(lit("9.81"))];
        assert_eq!(of(steps), of(ticks));
        assert_eq!(steps.damping_nearest(lit("1.5")), ticks.damping_nearest(lit("1.5")));
    }

    #[test]
    fn the_ends_of_the_scalar_fit() {
        let ends = Vec3::from_raw([i64::MAX, i64::MIN, -i64::MAX]);
        for tick_rate in [1, 2, 1_000] {
            let limits = Limits::new(tick_rate);
            let gravity = limits.gravity_nearest_even(ends).raw();
            assert!(gravity.iter().all(|raw| raw % 2 == 0), "{gravity:?}");
            assert!(gravity[0] > 0 && gravity[1] < 0 && gravity[2] == -gravity[0], "{gravity:?}");
            let velocity = limits.velocity_nearest(ends).raw();
            assert!(velocity[0] > 0 && velocity[1] < 0 && velocity[2] == -velocity[0], "{velocity:?}");
        }
    }
}
