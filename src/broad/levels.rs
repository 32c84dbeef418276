//! Boxes of any size that come one by one.

use super::quantum::{Cell, Record};

/// Boxes in hashed cells, one level of cells for each class of sizes.
///
/// The cells of a level are four times as large as those below, and at least twice as large as its
/// boxes. A box is in the one cell of its least corner; a search looks into every cell where a box
/// could begin that reaches the region, on every level that has boxes.
#[derive(Default, Debug)]
pub(super) struct Levels {
    cell: Cell,
    /// The largest box of the lowest level.
    size: i32,
    /// How many boxes each level has.
    counts: [u32; LEVELS],
    /// The newest box of each hash, or [`NONE`]; their number is a power of two.
    heads: Vec<u32>,
    links: Vec<Link>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    record: Record,
    /// The one before it with the same hash.
    next: u32,
    level: u32,
}

const NONE: u32 = u32::MAX;
/// Enough for a lowest level of boxes of one step and a highest one of 2^30.
const LEVELS: usize = 16;
/// Coordinates from -2^30 on are made positive before they are divided.
const BIAS: i32 = 1 << 30;

impl Levels {
    /// Empties the levels, for boxes of mostly up to `size` steps and about `count` of them.
    pub fn clear(&mut self, size: i32, count: usize) {
        self.size = size.clamp(1, BIAS / 4);
        self.cell = Cell::of(2 * self.size);
        self.counts = [0; LEVELS];
        self.links.clear();
        self.heads.clear();
        self.heads.resize(count.next_power_of_two().max(64), NONE);
    }

    /// Adds a box.
    pub fn add(&mut self, record: Record) {
        let extent = record.extent();
        let level = (0..LEVELS as u32 - 1).find(|&level| extent <= self.size_of(level));
        let level = level.unwrap_or(LEVELS as u32 - 1);
        let head = self.hash(level, record.lo.map(|steps| self.index(level, steps)));
        let next = std::mem::replace(&mut self.heads[head], self.links.len() as u32);
        self.links.push(Link { record, next, level });
        self.counts[level as usize] += 1;
    }

    /// Calls `found` with every box that touches a region, some of them more than once.
    pub fn query(&self, region: &Record, mut found: impl FnMut(&Record)) {
        for level in (0..LEVELS as u32).filter(|&level| self.counts[level as usize] > 0) {
            self.query_level(level, region, &mut found);
        }
    }

    fn query_level(&self, level: u32, region: &Record, found: &mut impl FnMut(&Record)) {
        let low = region.lo.map(|steps| self.index(level, steps.saturating_sub(self.size_of(level))));
        let high = region.hi.map(|steps| self.index(level, steps));
        let cells: u64 = (0..3).map(|axis| u64::from(high[axis] - low[axis] + 1)).product();
        let mut look = |link: &Link| {
            if link.level == level && link.record.touches(region) {
                found(&link.record);
            }
        };
        if cells > self.links.len() as u64 {
            return self.links.iter().for_each(look);
        }
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                for x in low[0]..=high[0] {
                    let mut next = self.heads[self.hash(level, [x, y, z])];
                    while let Some(link) = self.links.get(next as usize) {
                        look(link);
                        next = link.next;
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

    fn hash(&self, level: u32, [x, y, z]: [u32; 3]) -> usize {
        let (x, y, z, level) = (u64::from(x), u64::from(y), u64::from(z), u64::from(level));
        let sum = x
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(y.wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
            .wrapping_add(z.wrapping_mul(0x1656_67b1_9e37_79f9))
            .wrapping_add(level.wrapping_mul(0x27d4_eb2f_1656_67c5));
        (sum >> 32) as usize & (self.heads.len() - 1)
    }
}
