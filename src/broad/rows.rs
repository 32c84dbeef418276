//! Boxes of about one size, sorted into rows of cells.

use std::ops::{ControlFlow, Range};

use super::{block::Block, chains::Chains, quantum::Record};

/// Boxes in the order of the cells of their least corners: along x, then y, then z, then by parts of
/// the tick.
///
/// No box is larger than a cell. So whatever touches a box begins in its cell or in a neighbour, and
/// the neighbours are five contiguous runs: the rest of the own row up to the next cell, and three
/// cells each of the next row and of three rows of the next layer. A box that holds in several parts
/// of the tick is in the cells of each of them. Boxes that come later are in chains under the same
/// cells.
#[derive(Default, Debug)]
pub(super) struct Rows {
    block: Block,
    /// The first of the chains of the cells.
    chains_from: usize,
    /// The largest extent of any box.
    extent_max: i32,
    crowding: u64,
    /// Whether any box came later.
    has_late: bool,
    /// Where the boxes of each cell end, and [`LATE`] where there may be some in its chain.
    ends: Vec<u32>,
    /// The cells of the boxes that come, those of their first part of the tick.
    keys: Vec<u32>,
    incoming: Vec<Record>,
    /// With [`LANES`] empty ones at the end.
    sorted: Vec<Record>,
    /// The cell of each of them.
    cells: Vec<u32>,
}

/// What [`Chains`] call the boxes of rows.
const LEVEL: u32 = u32::MAX;
/// How many boxes are compared at once, without a branch: runs have different lengths, most of them no
/// more than that, and to guess a length wrong takes longer than to compare.
const LANES: usize = 4;
/// There are fewer boxes than that: numbers have 26 bits, and a box is in up to eight cells.
const LATE: u32 = 1 << 31;

impl Rows {
    /// Empties the rows for other cells.
    pub fn clear(&mut self, block: Block) {
        self.block = block;
        (self.extent_max, self.crowding, self.has_late) = (0, 0, false);
        self.keys.clear();
        self.incoming.clear();
        self.sorted.clear();
        self.ends.clear();
        self.ends.resize(block.len(), 0);
    }

    /// Sets the first of the chains under the cells, and returns the one behind their last.
    pub fn place_chains(&mut self, from: usize) -> usize {
        self.chains_from = from;
        from + self.block.len()
    }

    /// Adds a box if it belongs here, given its least corner and largest extent; whether it does.
    pub fn push(&mut self, record: Record, min: [i32; 3], extent: i32) -> bool {
        if !self.block.holds(min, extent) {
            return false;
        }
        let slots = self.slots_of(&record);
        let key = self.block.key_of(min, slots.start);
        self.extent_max = self.extent_max.max(extent);
        for slot in 0..slots.end - slots.start {
            let count = &mut self.ends[key + slot as usize * self.block.strides()[2]];
            self.crowding += u64::from(*count);
            *count += 1;
        }
        self.keys.push(key as u32);
        self.incoming.push(record);
        true
    }

    /// How many pairs of boxes lie in the same cell.
    pub const fn crowding(&self) -> u64 {
        self.crowding
    }

    /// How many entries the table of cells has.
    #[cfg(test)]
    pub const fn table_len(&self) -> usize {
        self.ends.len()
    }

    /// The boxes that were pushed.
    pub fn incoming(&self) -> &[Record] {
        &self.incoming
    }

    /// Sorts the boxes into their cells, in the order in which they came.
    pub fn sort(&mut self) {
        let mut begin = 0;
        for end in &mut self.ends {
            begin += std::mem::replace(end, begin);
        }
        self.sorted.clear();
        self.sorted.resize(begin as usize + LANES, Record::NOTHING);
        self.cells.clear();
        self.cells.resize(begin as usize, 0);
        let part = self.block.strides()[2];
        for (key, record) in self.keys.iter().zip(&self.incoming) {
            let mut key = *key as usize;
            for _ in self.slots_of(record) {
                let place = &mut self.ends[key];
                self.sorted[*place as usize] = *record;
                self.cells[*place as usize] = key as u32;
                *place += 1; // at last, each cell's entry is where it ends
                key += part;
            }
        }
    }

    /// Calls `found` for every two boxes that touch, each pair once.
    pub fn pairs(&self, mut found: impl FnMut(&Record, &Record) -> ControlFlow<()>) -> ControlFlow<()> {
        let [row, layer, part] = self.block.strides();
        for slot in 0..self.block.slots() {
            let mut found = |a: &Record, b: &Record| {
                if self.is_first(slot, a, b) { found(a, b) } else { ControlFlow::Continue(()) }
            };
            let first = slot as usize * part;
            for index in self.run(first + 1, first + part) {
                let (record, key) = (&self.sorted[index], self.cells[index] as usize);
                let ahead = index + 1..self.run(key + 1, key + 1).end;
                self.each_touching(record, ahead, |other| found(record, other))?;
                for key in [key + row, key + layer - row, key + layer, key + layer + row] {
                    self.each_touching(record, self.run(key - 1, key + 1), |other| found(record, other))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `found` with the boxes of a run that touch another.
    #[inline]
    fn each_touching(
        &self,
        record: &Record,
        run: Range<usize>,
        mut found: impl FnMut(&Record) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut begin = run.start;
        while let Some(lanes) = self.sorted[begin..].first_chunk::<LANES>() {
            let touching = lanes.each_ref().map(|other| u32::from(other.touches(record)));
            let mut bits = touching[0] | touching[1] << 1 | touching[2] << 2 | touching[3] << 3;
            bits &= (1 << run.end.saturating_sub(begin).min(LANES)) - 1;
            while bits != 0 {
                found(&lanes[bits.trailing_zeros() as usize])?;
                bits &= bits - 1;
            }
            begin += LANES;
            if begin >= run.end {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Adds a box that comes later to the chains if it belongs here; whether it does.
    pub fn add_late(&mut self, record: Record, chains: &mut Chains) -> bool {
        let (min, extent) = (record.min(), record.extent());
        if !self.block.holds(min, extent) {
            return false;
        }
        self.has_late = true;
        self.extent_max = self.extent_max.max(extent);
        for slot in self.slots_of(&record) {
            let key = self.block.key_of(min, slot);
            self.ends[key] |= LATE;
            chains.add(self.chains_from + key, LEVEL, record);
        }
        true
    }

    /// Calls `found` with every box that touches a region, each once, but for those that do not count
    /// any more.
    pub fn query(&self, region: &Record, chains: &Chains, mut found: impl FnMut(&Record)) {
        if self.incoming.is_empty() && !self.has_late {
            return;
        }
        let (min, max) = (region.min(), region.max());
        let [xs, ys, zs] = [0, 1, 2]
            .map(|axis| self.block.range(axis, min[axis].saturating_sub(self.extent_max), max[axis]));
        let cells = xs.len() as u64 * ys.len() as u64 * zs.len() as u64;
        for slot in self.slots_of(region) {
            let mut look = |record: &Record, is_late: bool| {
                if (is_late || !chains.has(record.number())) && self.is_first(slot, record, region) {
                    found(record);
                }
                ControlFlow::Continue(())
            };
            if cells > (self.sorted.len() + chains.links().len()) as u64 {
                self.look_at_all(slot, region, chains, look);
                continue;
            }
            let [row, layer, _] = self.block.strides();
            let mut first = self.block.key([xs.start, ys.start, zs.start], slot);
            for _ in 0..zs.len() {
                let mut key = first;
                for _ in 0..ys.len() {
                    let run = self.run(key, key + xs.len() - 1);
                    let _ = self.each_touching(region, run, |record| look(record, false));
                    if self.ends[key..key + xs.len()].iter().any(|end| end & LATE != 0) {
                        let cell = self.chains_from + key;
                        chains.each(cell..cell + xs.len(), |link| {
                            if link.record.touches(region) {
                                let _ = look(&link.record, true);
                            }
                        });
                    }
                    key += row;
                }
                first += layer;
            }
        }
    }

    /// Looks at all boxes of a part of the tick that touch a region.
    fn look_at_all(
        &self,
        slot: u32,
        region: &Record,
        chains: &Chains,
        mut look: impl FnMut(&Record, bool) -> ControlFlow<()>,
    ) {
        let part = self.block.strides()[2];
        let first = part * slot as usize;
        let _ = self.each_touching(region, self.run(first + 1, first + part), |record| look(record, false));
        let cells = self.chains_from + first..self.chains_from + first + part;
        for link in chains.links() {
            if cells.contains(&link.cell()) && link.record.touches(region) {
                let _ = look(&link.record, true);
            }
        }
    }

    /// The parts of the tick in whose cells a box is.
    fn slots_of(&self, record: &Record) -> Range<u32> {
        if self.block.slots() == 1 { 0..1 } else { record.slots().indices() }
    }

    /// Whether a part of the tick is the first in which two boxes hold.
    fn is_first(&self, slot: u32, a: &Record, b: &Record) -> bool {
        self.block.slots() == 1 || a.slots().both(b.slots()).indices().start == slot
    }

    /// The boxes of the cells from one to another.
    fn run(&self, first: usize, last: usize) -> Range<usize> {
        (self.ends[first - 1] & !LATE) as usize..(self.ends[last] & !LATE) as usize
    }
}
