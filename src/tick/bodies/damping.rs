//! Damping of momenta.

use crate::{geom::Vec3, num::round::div_away};

/// A momentum after damping, linear or angular.
///
/// **Rounding**: the loss rounds away from zero on each axis, so a damped momentum reaches zero.
pub(super) fn damped(momentum: Vec3, damping_q16: u16) -> Vec3 {
    let part_q16 = i128::from(damping_q16);
    momentum.map_raw(|raw| raw - div_away(i128::from(raw) * part_q16, 1 << 16) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damping_takes_its_part_rounded_away_from_zero() {
        let with = |raw, damping_q16| damped(Vec3::from_raw(raw), damping_q16).raw();
        let far = 1 << 59;
        assert_eq!(with([far, -far, 7], 0), [far, -far, 7]);
        assert_eq!(with([1 << 16, -1 << 16, 1 << 17], 3), [65_533, -65_533, 131_066]);
        assert_eq!(with([5, -5, 1], 1), [4, -4, 0]);
        assert_eq!(with([far, -far, 1], u16::MAX), [far >> 16, -far >> 16, 0]);
    }

    #[test]
    fn damped_momentum_reaches_zero_on_both_sides() {
        let mut momentum = Vec3::from_raw([1 << 40, -1 << 40, 1]);
        let mut ticks = 0;
        while momentum != Vec3::ZERO {
            momentum = damped(momentum, 655);
            let [x, y, _] = momentum.raw();
            assert_eq!(x, -y);
            ticks += 1;
            assert!(ticks < 3_000, "still at {x}");
        }
        // Until a hundredth is below one raw by the exponential, then a raw in each tick.
        assert!((2_000..2_500).contains(&ticks), "{ticks}");
    }
}
