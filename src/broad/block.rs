//! A block of cells, and the place of boxes in it.

use std::ops::Range;

use super::quantum::{Cell, Record};

/// Equal cells over a window of space, one layer after the other, for one or several parts of the
/// tick.
///
/// A row and a layer end with an empty cell and row, so that the neighbours of every cell have
/// numbers, and a run of cells that begins before a row is empty there.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Block {
    cell: Cell,
    /// The least coordinates, and the greatest of a least corner.
    window: [[i32; 3]; 2],
    /// Number of cells on each axis.
    counts: [u32; 3],
    /// Distance from a cell to the one in the next row, in the next layer, and in the next part of the tick.
    strides: [usize; 3],
    /// Largest extent of a box: no larger than a cell.
    size: i32,
    /// Number of parts of the tick that have cells of their own.
    slots: u32,
}

impl Block {
    /// A block for boxes whose least corners are in a window.
    ///
    /// Cells have at least `size` steps; more where there would be more cells than `cells_max`.
    pub fn of(window: [[i32; 3]; 2], mut size: i32, slots: u32, cells_max: u64) -> Self {
        while cells_in(window, size).saturating_mul(slots.into()) > cells_max && size < i32::MAX / 2 {
            size += size / 4 + 1;
        }
        let counts = counts(window, size);
        let row = counts[0] as usize + 1;
        let layer = (counts[1] as usize + 1) * row;
        let strides = [row, layer, (counts[2] as usize + 1) * layer + row];
        Self { cell: Cell::of(size), window, counts, strides, size, slots }
    }

    /// The largest extent of a box.
    pub const fn size(&self) -> i32 {
        self.size
    }

    /// True if a box of this block, no larger than `extent_max`, could touch a region.
    pub fn reaches(&self, region: &Record, extent_max: i32) -> bool {
        let ([least, most], min, max) = (self.window, region.min(), region.max());
        (0..3).all(|axis| least[axis] <= max[axis] && min[axis].saturating_sub(extent_max) <= most[axis])
    }

    /// Number of parts of the tick that have cells of their own.
    pub const fn slots(&self) -> u32 {
        self.slots
    }

    /// Number of cell numbers, those of the empty cells included.
    pub const fn len(&self) -> usize {
        self.strides()[2] * self.slots as usize + 3
    }

    /// The cell of a box's least corner, for the first part of the tick; `None` for a box that does not fit
    /// this block.
    #[inline]
    pub fn place(&self, min: [i32; 3], extent: i32) -> Option<usize> {
        let [base, most] = self.window;
        let inside = [0, 1, 2].map(|axis| (min[axis] - base[axis]) as u32);
        let is_inside = (0..3).all(|axis| inside[axis] <= (most[axis] - base[axis]) as u32);
        (is_inside & (extent <= self.size)).then(|| self.key(inside.map(|steps| self.cell.index(steps)), 0))
    }

    /// The number of a cell; the first is behind an empty row and an empty cell.
    pub const fn key(&self, [x, y, z]: [u32; 3], slot: u32) -> usize {
        let [row, layer, part] = self.strides();
        slot as usize * part + z as usize * layer + (y as usize + 1) * row + x as usize + 1
    }

    /// Distance from a cell to the one in the next row, in the next layer, and in the next part of the tick.
    pub const fn strides(&self) -> [usize; 3] {
        self.strides
    }

    /// The cells where a box could begin whose coordinates on an axis are between two values; the outermost
    /// cells for what lies outside.
    pub fn range(&self, axis: usize, least: i32, most: i32) -> Range<u32> {
        self.index(axis, least)..self.index(axis, most) + 1
    }

    fn index(&self, axis: usize, steps: i32) -> u32 {
        let inside = (steps - self.window[0][axis]).max(0).unsigned_abs();
        self.cell.index(inside).min(self.counts[axis] - 1)
    }
}

/// Number of cells of a size between two corners.
pub(super) fn cells_in(corners: [[i32; 3]; 2], size: i32) -> u64 {
    counts(corners, size).into_iter().map(u64::from).fold(1, u64::saturating_mul)
}

fn counts([base, top]: [[i32; 3]; 2], size: i32) -> [u32; 3] {
    let cell = Cell::of(size);
    [0, 1, 2].map(|axis| cell.index((top[axis] - base[axis]).unsigned_abs()) + 1)
}
