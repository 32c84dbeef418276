//! The direction of two closest points, as a normal along which the shapes surely approach.

use crate::{
    geom::{Normal, Vec3},
    num::{
        bound::{Bound, Width},
        round::{div_away, div_zero},
    },
};

pub(crate) const WIDTH: Width = Width {
    number: "`way . motion` between closest points",
    bound: Bound::power(79).dot(Bound::power(46)),
    held_in: 128,
};
const _: () = WIDTH.check();

/// Half the rate of change of the squared distance, with `to_b` the vector between the closest points.
/// **Range**: components of `to_b` below 2^79, of `motion` below 2^46.
pub(super) fn speed_along(to_b: [i128; 3], motion: Vec3) -> i128 {
    let [x, y, z] = motion.raw().map(i128::from);
    to_b[0] * x + to_b[1] * y + to_b[2] * z
}

/// The normal of a wide vector from A to B, or `None` where the shapes do not approach along it.
///
/// The approach is decided on the exact vector; the answer always has `normal . motion < 0`.
///
/// **Rounding**: as [`Normal::from_wide`]. Where that would lose the approach of a graze, the components that
/// approach go away from zero and the others toward zero, so that no sign changes and the sum stays below
/// zero: a corner stays the closest one along the normal. **Range**: that of [`speed_along`].
pub(super) fn approaching_normal(to_b: [i128; 3], motion: Vec3) -> Option<Normal> {
    if speed_along(to_b, motion) >= 0 { None } else { normal_against(to_b, motion) }
}

/// [`approaching_normal`] for shapes that are known to approach along the exact vector.
///
/// **Rounding**: as [`approaching_normal`]. **Range**: components of `to_b` below 2^125; `None` for zero.
pub(super) fn normal_against(to_b: [i128; 3], motion: Vec3) -> Option<Normal> {
    let normal = Normal::from_wide(to_b)?;
    if normal.dot_wide(motion) < 0 {
        return Some(normal);
    }
    let most = to_b.iter().fold(0, |most, part| most | part.unsigned_abs());
    let unit = 1_i128 << (128 - most.leading_zeros()).saturating_sub(Normal::BITS);
    let [x, y, z] = [0, 1, 2].map(|axis| match to_b[axis].signum() as i64 * motion.raw()[axis] {
        ..0 => div_away(to_b[axis], unit) as i32,
        _ => div_zero(to_b[axis], unit) as i32,
    });
    Some(Normal::new(x, y, z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graze_leans_against_the_motion_and_keeps_its_length() {
        let (far, long) = (1_i128 << 100, 1 << (Normal::BITS - 1));
        let motion = |x, z| Vec3::from_raw([x, 0, z]);
        // In 30 bits nothing is left of what approaches: it becomes the least there is. What does not approach is left out.
        assert_eq!(normal_against([-1, far, 0], motion(1, 0)), Some(Normal::new(-1, long, 0)));
        assert_eq!(normal_against([1, -far, 0], motion(-1, 0)), Some(Normal::new(1, -long, 0)));
        assert_eq!(normal_against([-2, far, 1], motion(1, 1)), Some(Normal::new(-1, long, 0)));
        // The same as for a vector of which the part that approaches is seen.
        assert_eq!(normal_against([-far >> 29, far, 0], motion(1, 0)), Some(Normal::new(-1, long, 0)));
    }

    #[test]
    fn a_vector_that_is_seen_to_approach_is_rounded_to_nearest() {
        // A unit of the normal is 4: away from zero the first would be one more, toward zero the second one less.
        let to_b = [-(1 << 31) - 1, 7, 0];
        let normal = Normal::new(-(1 << 29), 2, 0);
        assert_eq!(normal_against(to_b, Vec3::from_raw([1, 0, 0])), Some(normal));
        assert_eq!(normal_against(to_b, Vec3::from_raw([1, 1, 0])), Some(normal));
    }

    #[test]
    fn a_vector_square_to_the_motion_has_no_normal() {
        let motion = Vec3::from_raw([1 << 32, 0, 0]);
        for to_b in [[0, 1 << 40, 0], [0, 1 << 70, -3], [1, 0, 0]] {
            assert_eq!(approaching_normal(to_b, motion), None, "{to_b:?}");
        }
    }
}
