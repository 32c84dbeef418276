//! Boxes in 32 bits: coarser, never smaller.

use super::{Piece, Slots, meeting::Meeting};
use crate::geom::Aabb;

/// A box on the grid's own scale, with its number and slots.
///
/// Coordinates are within `±2^30`, so that differences fit. Behind those of a corner is the time: of the
/// least one the first slot, of the greatest one the last. The slot is above the number, which is in the
/// least corner. In the greatest corner there are ones instead, so that numbers decide no comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Record {
    min: [i32; 4],
    max: [i32; 4],
}

/// Number of bits of a number.
const NUMBER_BITS: u32 = 26;
pub(super) const NUMBER_MASK: u32 = (1 << NUMBER_BITS) - 1;

impl Record {
    /// A box that touches no other: its greatest corner is below every least one.
    pub const NOTHING: Self = Self { min: [0; 4], max: [-MOST as i32 - 1; 4] };

    /// A record of corners within `±2^30`.
    #[inline]
    pub fn new([[lx, ly, lz], [hx, hy, hz]]: [[i32; 3]; 2], number: u32, slots: Slots) -> Self {
        let time = |slot: u8, low: u32| (u32::from(slot) << NUMBER_BITS | low) as i32;
        let [from, to] = [time(slots.first, number & NUMBER_MASK), time(slots.last, NUMBER_MASK)];
        Self { min: [lx, ly, lz, from], max: [hx, hy, hz, to] }
    }

    /// True if the boxes share a point at the same time, touching included.
    #[inline]
    pub fn touches(&self, other: &Self) -> bool {
        self.shares_with(other, [0; 4])
    }

    /// True if boxes that touch overlap by two steps on every axis: then the exact boxes, which were rounded
    /// outward, touch, too.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.shares_with(other, [2, 2, 2, 0])
    }

    /// True if the boxes share at least so much of each axis; compares all axes without a branch.
    #[inline]
    fn shares_with(&self, other: &Self, least: [i32; 4]) -> bool {
        let below = |axis: usize| {
            (self.max[axis] - other.min[axis] - least[axis])
                | (other.max[axis] - self.min[axis] - least[axis])
        };
        (below(0) | below(1)) | (below(2) | below(3)) >= 0
    }

    /// The overlap in time of this box and another that it touches.
    pub fn meeting(&self, other: &Self) -> Meeting {
        Meeting::of(self.slots(), other.slots(), self.overlaps(other))
    }

    /// Number of the body that the box belongs to.
    pub const fn number(&self) -> u32 {
        self.min[3] as u32 & NUMBER_MASK
    }

    /// The slots in which it holds.
    pub const fn slots(&self) -> Slots {
        Slots { first: (self.min[3] >> NUMBER_BITS) as u8, last: (self.max[3] >> NUMBER_BITS) as u8 }
    }

    /// The least and the greatest corner.
    pub const fn corners(&self) -> [[i32; 3]; 2] {
        let ([lx, ly, lz, _], [hx, hy, hz, _]) = (self.min, self.max);
        [[lx, ly, lz], [hx, hy, hz]]
    }

    /// The least corner.
    pub const fn min(&self) -> [i32; 3] {
        self.corners()[0]
    }

    /// The greatest corner.
    pub const fn max(&self) -> [i32; 3] {
        self.corners()[1]
    }

    /// The largest extent over the axes.
    pub fn extent(&self) -> i32 {
        extent_of(self.corners())
    }
}

/// The largest extent over the axes between two corners.
pub(super) fn extent_of([min, max]: [[i32; 3]; 2]) -> i32 {
    (max[0] - min[0]).max(max[1] - min[1]).max(max[2] - min[2])
}

/// The scale of a grid: its origin, and the number of raw in one step.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Quantum {
    origin: [i64; 3],
    shift: u32,
}

/// The finest step is 2^-16 unit: far below the size of bodies, and cheap.
const SHIFT_MIN: u32 = 16;
/// Coordinates are clamped to `±2^30`.
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
        let steps = |axis: usize| clamp((point[axis] - self.origin[axis]) >> self.shift);
        [steps(0), steps(1), steps(2)]
    }

    /// Largest number of steps of a box of a size, once it is rounded outward.
    pub fn steps_ceil(&self, size: i64) -> i32 {
        clamp((size >> self.shift) + 2)
    }

    /// A box, rounded outward.
    pub fn record(&self, piece: &Piece) -> Record {
        let Piece { bounds, number, slots } = *piece;
        debug_assert!(number <= NUMBER_MASK);
        Record::new([self.floor(bounds.min.raw()), self.ceil(bounds.max.raw())], number, slots)
    }

    /// The corners of a box within the hull, rounded outward.
    pub fn corners_within(&self, bounds: &Aabb) -> [[i32; 3]; 2] {
        let ([lx, ly, lz], [hx, hy, hz]) = (bounds.min.raw(), bounds.max.raw());
        let ([ox, oy, oz], margin) = (self.origin, (1 << self.shift) - 1);
        let steps = |offset: i64| (offset >> self.shift) as i32;
        let min = [steps(lx - ox), steps(ly - oy), steps(lz - oz)];
        let max = [steps(hx - ox + margin), steps(hy - oy + margin), steps(hz - oz + margin)];
        [min, max]
    }

    fn ceil(&self, point: [i64; 3]) -> [i32; 3] {
        let margin = (1 << self.shift) - 1;
        self.floor([point[0] + margin, point[1] + margin, point[2] + margin])
    }
}

fn clamp(steps: i64) -> i32 {
    steps.clamp(-MOST, MOST) as i32
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
        let (mut touching, mut overlapping) = ([0; 2], 0);
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
            assert!(!small_a.overlaps(&small_b) || a.touches(&b), "{a:?} {b:?} {hull:?}");
            assert!(!small_a.touches(&Record::NOTHING) && !Record::NOTHING.touches(&small_b));
            overlapping += usize::from(small_a.overlaps(&small_b));
            // The short way, where it applies, gives the same box.
            let quantum = Quantum::of(&a.union(b));
            for bounds in [a, b] {
                let piece = Piece { bounds, number: 7, slots: Slots::ALL };
                let corners = quantum.corners_within(&bounds);
                assert_eq!(Record::new(corners, 7, Slots::ALL), quantum.record(&piece));
            }
            touching[usize::from(small_a.touches(&small_b))] += 1;
        }
        assert!(touching.iter().all(|&count| count > 4_000), "{touching:?}");
        assert!(overlapping > 2_000, "{overlapping}");
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
