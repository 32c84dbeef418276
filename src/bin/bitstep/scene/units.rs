//! From values per second, as people write them, to values per tick, as the world keeps them.
//!
//! Each is an exact division of integers, rounded once, symmetrically in sign, so that a mirrored
//! scene gives the mirrored world.

use bitstep::{
    geom::Vec3,
    num::{Scalar, round::div_nearest},
};

/// Ticks per second.
#[derive(Clone, Copy, Debug)]
pub struct Rate(pub u32);

impl Rate {
    /// Units per second to units per tick.
    ///
    /// **Rounding**: to the nearest raw, halves away from zero.
    pub fn speed_nearest(self, per_second: Scalar) -> Scalar {
        Scalar::from_bits(div_nearest(per_second.to_bits().into(), self.0.into()) as i64)
    }

    /// A velocity or an impulse, component by component.
    ///
    /// **Rounding**: to the nearest raw, halves away from zero.
    pub fn velocity_nearest(self, per_second: Vec3) -> Vec3 {
        per_second.map_raw(|raw| div_nearest(raw.into(), self.0.into()) as i64)
    }

    /// Units per second squared to units per tick squared.
    ///
    /// **Rounding**: to the nearest even raw, because a tick takes half of it; halves away from
    /// zero.
    pub fn gravity_nearest_even(self, per_second_squared: Vec3) -> Vec3 {
        let square = i128::from(self.0) * i128::from(self.0);
        per_second_squared.map_raw(|raw| 2 * div_nearest(raw.into(), 2 * square) as i64)
    }
}
