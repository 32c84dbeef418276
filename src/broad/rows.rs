//! Boxes of about one size, sorted into rows of cells.

use std::ops::{ControlFlow, Range};

use super::quantum::{Cell, Record};

/// Boxes in the order of the cells of their least corners: along x, then y, then z.
///
/// No box is larger than a cell. So whatever touches a box begins in its cell or in a neighbour, and
/// the neighbours are five contiguous runs: the rest of the own row up to the next cell, and three
/// cells each of the next row and of three rows of the next layer.
#[derive(Default, Debug)]
pub(super) struct Rows {
    cell: Cell,
    /// The least coordinates.
    base: [i32; 3],
    /// How many cells there are on each axis.
    counts: [u32; 3],
    /// The largest extent of any box.
    extent_max: i32,
    crowding: u64,
    /// Where the boxes of each cell begin. A row and a layer end with an empty cell and row, so that
    /// the run before the first cell is empty.
    starts: Vec<u32>,
    /// The cells of the boxes that come.
    keys: Vec<u32>,
    incoming: Vec<Record>,
    sorted: Vec<Record>,
}

impl Rows {
    /// Empties the rows for boxes whose least corners are from `base` to `top`.
    ///
    /// Cells have at least `size` steps; more where there would be more cells than `cells_max`.
    /// Returns how large a box may be.
    pub fn clear(&mut self, corners: [[i32; 3]; 2], mut size: i32, cells_max: u64) -> i32 {
        while cells_in(corners, size) > cells_max && size < i32::MAX / 2 {
            size += size / 4 + 1;
        }
        *self = Self {
            cell: Cell::of(size),
            base: corners[0],
            counts: counts(corners, size),
            extent_max: 0,
            crowding: 0,
            starts: std::mem::take(&mut self.starts),
            keys: std::mem::take(&mut self.keys),
            incoming: std::mem::take(&mut self.incoming),
            sorted: std::mem::take(&mut self.sorted),
        };
        self.keys.clear();
        self.incoming.clear();
        self.sorted.clear();
        let [nx, ny, nz] = self.counts.map(|n| n as usize);
        self.starts.clear();
        self.starts.resize(((nz + 1) * (ny + 1) + 1) * (nx + 1) + 3, 0);
        size
    }

    /// Adds a box whose least corner is in range and which is not larger than a cell.
    pub fn push(&mut self, record: Record) {
        let corner = record.min();
        let key = self.key(self.index(0, corner[0]), self.index(1, corner[1]), self.index(2, corner[2]));
        self.extent_max = self.extent_max.max(record.extent());
        self.crowding += u64::from(self.starts[key]);
        self.starts[key] += 1;
        self.keys.push(key as u32);
        self.incoming.push(record);
    }

    /// How many pairs of boxes lie in the same cell.
    pub const fn crowding(&self) -> u64 {
        self.crowding
    }

    /// How many entries the table of cells has.
    #[cfg(test)]
    pub const fn cells(&self) -> usize {
        self.starts.len()
    }

    /// The boxes that were pushed.
    pub fn incoming(&self) -> &[Record] {
        &self.incoming
    }

    /// Sorts the boxes into their cells, in the order in which they came.
    pub fn sort(&mut self) {
        let mut begin = 0;
        for start in &mut self.starts {
            begin += std::mem::replace(start, begin);
        }
        self.sorted.resize(self.incoming.len(), Record::default());
        for (key, record) in self.keys.iter().zip(&self.incoming) {
            let place = &mut self.starts[*key as usize];
            self.sorted[*place as usize] = *record;
            *place += 1; // at last, each cell's entry is where it ends
        }
    }

    /// Calls `found` for every two boxes that touch, each pair once.
    pub fn pairs(&self, mut found: impl FnMut(&Record, &Record) -> ControlFlow<()>) -> ControlFlow<()> {
        let [nx, ny, nz] = self.counts;
        for z in 0..nz {
            for y in 0..ny {
                let row = self.key(0, y, z);
                for key in row..row + nx as usize {
                    let own = self.run(key, key);
                    if !own.is_empty() {
                        self.pairs_of_cell(key, own, &mut found)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn pairs_of_cell(
        &self,
        key: usize,
        own: Range<usize>,
        found: &mut impl FnMut(&Record, &Record) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (row, layer) = self.strides();
        let around = |key: usize| &self.sorted[self.run(key - 1, key + 1)];
        let runs =
            [around(key + row), around(key + layer - row), around(key + layer), around(key + layer + row)];
        let ahead = &self.sorted[own.start..self.run(key + 1, key + 1).end];
        for (index, record) in self.sorted[own].iter().enumerate() {
            for other in &ahead[index + 1..] {
                if record.touches(other) {
                    found(record, other)?;
                }
            }
            for run in runs {
                for other in run {
                    if record.touches(other) {
                        found(record, other)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `found` with every box that touches a region, each once.
    pub fn query(&self, region: &Record, mut found: impl FnMut(&Record)) {
        let (min, max) = (region.min(), region.max());
        let range = |axis: usize| {
            (self.index(axis, min[axis].saturating_sub(self.extent_max)), self.index(axis, max[axis]) + 1)
        };
        let [x, y, z] = [range(0), range(1), range(2)];
        let mut look = |records: &[Record]| {
            for record in records {
                if record.touches(region) {
                    found(record);
                }
            }
        };
        let rows = u64::from(y.1 - y.0) * u64::from(z.1 - z.0);
        if rows > self.sorted.len() as u64 {
            return look(&self.sorted);
        }
        let (row, layer) = self.strides();
        let width = (x.1 - x.0) as usize;
        let mut first = self.key(x.0, y.0, z.0);
        for _ in z.0..z.1 {
            let mut key = first;
            for _ in y.0..y.1 {
                look(&self.sorted[self.run(key, key + width - 1)]);
                key += row;
            }
            first += layer;
        }
    }

    /// The boxes of the cells from one to another.
    fn run(&self, first: usize, last: usize) -> Range<usize> {
        self.starts[first - 1] as usize..self.starts[last] as usize
    }

    /// The number of a cell; the first is behind an empty row and an empty cell.
    const fn key(&self, x: u32, y: u32, z: u32) -> usize {
        let (row, layer) = self.strides();
        z as usize * layer + (y as usize + 1) * row + x as usize + 1
    }

    /// From a cell to the one in the next row, and in the next layer.
    const fn strides(&self) -> (usize, usize) {
        let row = self.counts[0] as usize + 1;
        (row, (self.counts[1] as usize + 1) * row)
    }

    /// The cell of a coordinate on an axis; the first or the last for what lies outside.
    fn index(&self, axis: usize, steps: i32) -> u32 {
        let inside = (steps - self.base[axis]).max(0).unsigned_abs();
        self.cell.index(inside).min(self.counts[axis] - 1)
    }
}

/// How many cells of a size there are between two corners.
pub(super) fn cells_in(corners: [[i32; 3]; 2], size: i32) -> u64 {
    counts(corners, size).into_iter().map(u64::from).fold(1, u64::saturating_mul)
}

fn counts([base, top]: [[i32; 3]; 2], size: i32) -> [u32; 3] {
    let cell = Cell::of(size);
    [0, 1, 2].map(|axis| cell.index((top[axis] - base[axis]).unsigned_abs()) + 1)
}
