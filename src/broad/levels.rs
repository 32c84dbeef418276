//! Boxes of any size that are added one by one.

use super::{
    chains::{Chains, Link},
    quantum::{Cell, Record},
};

/// Boxes in hashed cells, one level of cells for each class of sizes, and on each level cells of their
/// own for each span of time.
///
/// The cells of a level are four times as large as those below, and at least twice as large as its
/// boxes. A box is in the one cell of its least corner; a search looks into every cell where a box
/// could begin that reaches the region, on every level that has boxes.
#[derive(Default, Debug)]
pub(super) struct Levels {
    cell: Cell,
    /// The largest box of the lowest level.
    size: i32,
    /// Number of boxes on each level.
    counts: [u32; LEVELS],
    /// The spans of time of the boxes on each level, a bit for each [`Slots::span`].
    spans: [u16; LEVELS],
    /// The highest level that has boxes, and one.
    in_use: u32,
    /// Number of hashes, a power of two: the first chains belong to them.
    hashes: usize,
}

/// Enough for a lowest level of boxes of one step and a highest one of 2^30.
const LEVELS: usize = 16;
/// Coordinates from -2^30 on are made positive before they are divided.
const BIAS: i32 = 1 << 30;

impl Levels {
    /// Empties the levels, for boxes of mostly up to `size` steps and about `count` of them; returns the
    /// number of chains needed.
    pub fn clear(&mut self, size: i32, count: usize) -> usize {
        self.size = size.clamp(1, BIAS / 4);
        self.cell = Cell::of(2 * self.size);
        self.counts = [0; LEVELS];
        self.spans = [0; LEVELS];
        self.in_use = 0;
        self.hashes = count.next_power_of_two().max(64);
        self.hashes
    }

    /// Adds a box.
    pub fn add(&mut self, record: Record, chains: &mut Chains) {
        let extent = record.extent();
        let level = (0..LEVELS as u32 - 1).find(|&level| extent <= self.size_of(level));
        let level = level.unwrap_or(LEVELS as u32 - 1);
        let [x, y, z] = record.min();
        let span = record.slots().span();
        let row = row([level, span, self.index(level, y), self.index(level, z)]);
        chains.add(self.place(row, self.index(level, x)), level, record);
        self.counts[level as usize] += 1;
        self.spans[level as usize] |= 1 << span;
        self.in_use = self.in_use.max(level + 1);
    }

    /// Calls `found` with every box that touches a region, some of them more than once.
    pub fn query(&self, region: &Record, chains: &Chains, mut found: impl FnMut(&Record)) {
        for level in 0..self.in_use {
            if self.counts[level as usize] > 0 {
                self.query_level(level, region, chains, &mut found);
            }
        }
    }

    fn query_level(&self, level: u32, region: &Record, chains: &Chains, found: &mut impl FnMut(&Record)) {
        let (min, max, size) = (region.min(), region.max(), self.size_of(level));
        let range = |axis: usize| {
            (self.index(level, min[axis].saturating_sub(size)), self.index(level, max[axis]) + 1)
        };
        let [x, y, z] = [range(0), range(1), range(2)];
        let wide = |(low, end): (u32, u32)| u64::from(end - low);
        let cells = wide(x).saturating_mul(wide(y)).saturating_mul(wide(z));
        let mut look = |link: &Link| {
            if link.level == level && link.record.touches(region) {
                found(&link.record);
            }
        };
        if cells > chains.links().len() as u64 {
            return chains.links().iter().for_each(look);
        }
        let mut spans = self.spans[level as usize] & region.slots().spans_meeting();
        while spans != 0 {
            let span = spans.trailing_zeros();
            spans &= spans - 1;
            for z in z.0..z.1 {
                for y in y.0..y.1 {
                    let row = row([level, span, y, z]);
                    for x in x.0..x.1 {
                        let place = self.place(row, x);
                        chains.each(place..place + 1, &mut look);
                    }
                }
            }
        }
    }

    /// The largest box of a level.
    fn size_of(&self, level: u32) -> i32 {
        let size = i64::from(self.size) << (2 * level);
        size.min(i64::from(i32::MAX)) as i32
    }

    /// The cell of a coordinate on a level.
    fn index(&self, level: u32, steps: i32) -> u32 {
        self.cell.index(steps.saturating_add(BIAS).max(0).unsigned_abs()) >> (2 * level)
    }

    /// The place of a cell's head; the cells of a row have neighbouring ones.
    fn place(&self, row: u64, x: u32) -> usize {
        ((row >> 32) + u64::from(x)) as usize & (self.hashes - 1)
    }
}

/// A number for a row of cells, by its level, its span of time, y and z; the upper half is spread
/// evenly.
fn row([level, span, y, z]: [u32; 4]) -> u64 {
    // Large odd factors without a pattern.
    let terms = [
        u64::from(y).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        u64::from(z).wrapping_mul(0xc2b2_ae3d_27d4_eb4f),
        u64::from(level << 4 | span).wrapping_mul(0x1656_67b1_9e37_79f9),
    ];
    terms[0].wrapping_add(terms[1]).wrapping_add(terms[2])
}
