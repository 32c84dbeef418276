//! Boxes in 32 bits: coarser, never smaller.

use super::{Piece, Slots};
use crate::geom::Aabb;

/// A box on the grid's own scale, with what it stands for.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Record {
    pub lo: [i32; 3],
    pub hi: [i32; 3],
    pub number: u32,
    pub slots: Slots,
}

impl Record {
    /// Whether the boxes share a point at the same time, touching included.
    pub fn touches(&self, other: &Self) -> bool {
        // Coordinates have 30 bits, so a difference does not overflow, and its sign bit says "apart".
        let gaps = |axis: usize| {
            self.hi[axis].wrapping_sub(other.lo[axis]) | other.hi[axis].wrapping_sub(self.lo[axis])
        };
        (gaps(0) | gaps(1) | gaps(2)) >= 0 && self.slots.meet(other.slots)
    }

    /// The largest extent over the axes.
    pub fn extent(&self) -> i32 {
        (0..3).map(|axis| self.hi[axis] - self.lo[axis]).fold(0, i32::max)
    }
}

/// The scale of a grid: where it begins, and how many raw make one step.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Quantum {
    origin: [i64; 3],
    shift: u32,
}

/// The finest step is 2^-16 unit: far below the size of bodies, and cheap.
const SHIFT_MIN: u32 = 16;
/// Coordinates are held within `±2^30`; what lies beyond counts as lying there.
const MOST: i64 = (1 << 30) - 1;

impl Quantum {
    /// A scale on which a region has coordinates from 0 to 2^29.
    pub fn of(hull: &Aabb) -> Self {
        let (min, max) = (hull.min.raw(), hull.max.raw());
        let span = (0..3).map(|axis| (max[axis] - min[axis]).unsigned_abs()).fold(0, u64::max);
        let bits = u64::BITS - span.leading_zeros();
        Self { origin: min, shift: bits.saturating_sub(29).max(SHIFT_MIN) }
    }

    /// The coordinates of a point, rounded down.
    pub fn floor(&self, point: [i64; 3]) -> [i32; 3] {
        [0, 1, 2].map(|axis| clamp((point[axis] - self.origin[axis]) >> self.shift))
    }

    /// How many steps a box of a size has at most, once it is rounded outward.
    pub fn steps_ceil(&self, size: i64) -> i32 {
        clamp((size >> self.shift) + 2)
    }

    /// A box, rounded outward.
    pub fn record(&self, piece: &Piece) -> Record {
        let Piece { bounds, number, slots } = *piece;
        let margin = (1 << self.shift) - 1;
        let max = bounds.max.raw().map(|raw| raw + margin);
        Record { lo: self.floor(bounds.min.raw()), hi: self.floor(max), number, slots }
    }
}

const fn clamp(steps: i64) -> i32 {
    if steps > MOST {
        MOST as i32
    } else if steps < -MOST {
        -MOST as i32
    } else {
        steps as i32
    }
}

/// Division of a coordinate by the size of a cell.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Cell {
    reciprocal_q32: u64,
}

impl Cell {
    /// Cells of at least `size` steps.
    pub fn of(size: i32) -> Self {
        Self { reciprocal_q32: (1 << 32) / u64::from(size.max(1).unsigned_abs()) }
    }

    /// The cell of a coordinate from 0 on: it grows with the coordinate, by at most 1 over `size`.
    pub const fn index(self, steps: u32) -> u32 {
        ((steps as u64 * self.reciprocal_q32) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{geom::Vec3, num::Rng};

    #[test]
    fn boxes_that_touch_do_so_on_any_scale() {
        let mut touching = [0; 2];
        for case in 0..40_000 {
            let mut draws = Rng::new(3).at(0, case, 0);
            let reach = 1 << draws.between(10, 58);
            let mut place = |size: i64| {
                let min = [0; 3].map(|_: i32| draws.between(-reach, reach));
                let max = min.map(|raw| raw + draws.between(0, size));
                Aabb { min: Vec3::from_raw(min), max: Vec3::from_raw(max) }
            };
            let (a, b, hull) = (place(reach / 2), place(reach * 2), place(reach));
            let quantum = Quantum::of(&hull);
            let [small_a, small_b] =
                [a, b].map(|bounds| quantum.record(&Piece { bounds, number: 0, slots: Slots::ALL }));
            assert!(small_a.touches(&small_b) || !a.touches(&b), "{a:?} {b:?} {hull:?}");
            touching[usize::from(small_a.touches(&small_b))] += 1;
        }
        assert!(touching.iter().all(|&count| count > 4_000), "{touching:?}");
    }

    #[test]
    fn a_step_of_a_cell_never_crosses_two() {
        for size in [1, 2, 3, 7, 1_000, 65_537, 1 << 30] {
            let cell = Cell::of(size);
            for start in [0, 1, 2, size - 1, size, 12_345, MOST as i32 - size].map(|s| s.unsigned_abs()) {
                let (low, high) = (cell.index(start), cell.index(start + size.unsigned_abs()));
                assert!(low <= high && high <= low + 1, "{size} {start}: {low} {high}");
            }
        }
    }
}
