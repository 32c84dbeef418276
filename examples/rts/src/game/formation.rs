//! The targets of the units of a formation.

use std::cmp::Reverse;

use bitstep::geom::{Vec3, normalise};

use super::{field::SPACING, rounding::div_nearest};

/// A place for each unit that stands at these points: in rows, twice as wide as deep, that face from the mean
/// position of the units to their target. A unit in front stays in front, and one on the left stays on the
/// left, so paths hardly cross.
///
/// **Rounding**: places to the nearest raw, halves away from zero.
#[must_use]
pub fn places(points: &[Vec3], to: Vec3) -> Vec<Vec3> {
    let forward = normalise(to - middle(points)).unwrap_or_else(|| Vec3::from_raw([1 << 32, 0, 0]));
    let [x, y, _] = forward.raw();
    let left = Vec3::from_raw([-y, x, 0]);
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|&index| (Reverse(points[index].dot_wide(forward)), index));
    let width = (2 * points.len()).isqrt().max(1);
    let rows = points.len().div_ceil(width);
    let mut places = vec![to; points.len()];
    for (row, units) in order.chunks_mut(width).enumerate() {
        units.sort_by_key(|&index| (Reverse(points[index].dot_wide(left)), index));
        let back = 2 * row as i64 - (rows as i64 - 1);
        for (column, &index) in units.iter().enumerate() {
            let right = 2 * column as i64 - (units.len() as i64 - 1);
            places[index] = to + halves(forward, -back) + halves(left, -right);
        }
    }
    places
}

/// So many half spacings along a unit vector.
fn halves(unit: Vec3, count: i64) -> Vec3 {
    let factor = i128::from(count) * i128::from(SPACING.to_bits());
    unit.map_raw(|raw| div_nearest(i128::from(raw) * factor, 1 << 33) as i64)
}

fn middle(points: &[Vec3]) -> Vec3 {
    let mut sum = [0_i128; 3];
    for point in points {
        for (total, raw) in sum.iter_mut().zip(point.raw()) {
            *total += i128::from(raw);
        }
    }
    Vec3::from_raw(sum.map(|total| div_nearest(total, points.len().max(1) as i128) as i64))
}
