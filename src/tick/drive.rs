//! Drives of bodies.

use crate::{
    geom::Vec3,
    num::{mul_div::mul_div_nearest, root::sqrt_ceil, round::div_zero},
    state::{Body, Drive, State, momentum_wide},
};

impl State {
    /// A body's momentum after its drive.
    ///
    /// **Rounding**: as [`Command::Drive`](crate::state::Command::Drive) says. **Range**: the wanted change
    /// and the largest change are below 2^62 raw, so their product fits.
    pub(super) fn driven(&self, body: &Body, drive: &Drive) -> Vec3 {
        let lacking = body.locks.free_part(momentum_wide(drive.velocity, body.mass) - body.momentum);
        let lacking = across(lacking, body.locks.free_part(self.gravity));
        let most = i128::from(body.mass) * i128::from(drive.accel_max.to_bits());
        let square = lacking.length_squared_wide();
        if square <= most.unsigned_abs().pow(2) {
            return body.momentum + lacking;
        }
        let length = sqrt_ceil(square) as i128;
        body.momentum + lacking.map_raw(|raw| div_zero(i128::from(raw) * most, length) as i64)
    }
}

/// A vector without its component along another one.
///
/// **Rounding**: the component to nearest, halves away from zero; exact along an axis.
pub(super) fn across(vector: Vec3, along: Vec3) -> Vec3 {
    let square = along.dot_wide(along);
    if square == 0 {
        return vector;
    }
    let product = vector.dot_wide(along);
    vector - along.map_raw(|raw| mul_div_nearest(product, raw.into(), square) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        num::{Scalar, lit},
        state::{Limits, Locks, ShapeId},
    };

    /// A body of mass 3.
    fn body(momentum: [i64; 3], locks: Locks) -> Body {
        Body { momentum: Vec3::from_raw(momentum), mass: 3, locks, ..Body::new(ShapeId(0), Vec3::ZERO) }
    }

    fn driven(body: &Body, velocity: [i64; 3], accel_max: i64, gravity: [i64; 3]) -> [i64; 3] {
        let drive = Drive { velocity: Vec3::from_raw(velocity), accel_max: Scalar::from_bits(accel_max) };
        let state = State { gravity: Vec3::from_raw(gravity), ..State::new(Limits::new(60)) };
        state.driven(body, &drive).raw()
    }

    #[test]
    fn missing_velocity_is_given_up_to_a_length() {
        let free =
            |momentum, velocity, accel_max| driven(&body(momentum, Locks::NONE), velocity, accel_max, [0; 3]);
        assert_eq!(free([0; 3], [3, -4, 0], 5), [9, -12, 0], "just within");
        assert_eq!(free([0; 3], [30, -40, 0], 5), [9, -12, 0], "a tenth of it");
        assert_eq!(free([9, -12, 0], [-30, 40, 0], 5), [0, 0, 0]);
        assert_eq!(free([1, 1, -1], [0; 3], 1), [0, 0, 0], "within sqrt 3");
        assert_eq!(free([0; 3], [100, 100, 100], 1), [1, 1, 1], "3 of 300 sqrt 3, down");
        assert_eq!(free([0; 3], [-100, 100, -100], 1), [-1, 1, -1]);
        assert_eq!(free([7, 0, 0], [7, 0, 0], 1), [10, 0, 0]);
    }

    #[test]
    fn velocity_along_gravity_or_locked_axes_is_left_alone() {
        let fall = |momentum, locks| driven(&body(momentum, locks), [5, 0, -5], 1_000, [0, -20, 0]);
        assert_eq!(fall([0, -77, 0], Locks::NONE), [15, -77, -15]);
        assert_eq!(fall([0, -77, 3], Locks::X), [0, -77, -15]);
        assert_eq!(fall([0, 0, 0], Locks::Y), [15, 0, -15]);
        // The part along (3, 4, 0) of the wanted change (15, 30, 0): 165 / 25 of it, (19.8, 26.4, 0).
        let slanted = |locks| driven(&body([0; 3], locks), [5, 10, 2], 1_000, [6, 8, 0]);
        assert_eq!(slanted(Locks::NONE), [15 - 20, 30 - 26, 6]);
        assert_eq!(slanted(Locks::X), [0, 0, 6], "gravity is along y then");
    }

    #[test]
    fn the_largest_numbers_fit() {
        let most = lit("2048").to_bits();
        for accel in [1, 2 * most] {
            let drive =
                Drive { velocity: Vec3::from_raw([-most, 0, 0]), accel_max: Scalar::from_bits(accel) };
            let gravity = Vec3::from_raw([most, most, -most]);
            let state = State { gravity, ..State::new(Limits::new(60)) };
            let moving = Body { mass: 1 << 16, ..body([most << 16, 0, 0], Locks::NONE) };
            let change = state.driven(&moving, &drive) - moving.momentum;
            assert!(change.x < lit("0"), "{change:?}");
            let long = u128::from(accel.unsigned_abs() << 16).pow(2);
            assert!(change.length_squared_wide() <= long, "{change:?}");
        }
    }
}
