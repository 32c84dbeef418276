//! The direction of two closest points, as a normal along which the shapes surely approach.

use crate::{
    geom::{Normal, Vec3},
    num::round::{div_away, div_zero},
};

/// The normal of a wide vector from A to B, or `None` where the shapes do not approach along it.
///
/// Whether they approach is decided on the exact vector; for the answer `normal . motion < 0` always.
///
/// **Rounding**: as [`Normal::from_wide`]. Where that would lose the approach of a graze, the
/// components that approach go away from zero and the others toward zero, so that no sign changes
/// and the sum stays below zero. **Range**: components below 2^79, and the products with `motion`
/// below 2^125.
pub(super) fn approaching_normal(to_b: [i128; 3], motion: Vec3) -> Option<Normal> {
    let speeds = [0, 1, 2].map(|axis| to_b[axis] * i128::from(motion.raw()[axis]));
    if speeds.iter().sum::<i128>() >= 0 {
        return None;
    }
    let normal = Normal::from_wide(to_b)?;
    if normal.dot_wide(motion) < 0 {
        return Some(normal);
    }
    let most = to_b.iter().fold(0, |most, part| most | part.unsigned_abs());
    let unit = 1_i128 << (128 - most.leading_zeros()).saturating_sub(Normal::BITS);
    let [x, y, z] = [0, 1, 2].map(|axis| match speeds[axis] {
        ..0 => div_away(to_b[axis], unit) as i32,
        _ => div_zero(to_b[axis], unit) as i32,
    });
    Some(Normal::new(x, y, z))
}
