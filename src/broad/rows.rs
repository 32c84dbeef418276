//! Boxes of about one size, sorted into rows of cells.

use std::ops::{ControlFlow, Range};

use super::{
    Slots,
    block::Block,
    chains::{Chains, Link},
    local::{Local, Nearby, Probe},
    meeting::Meeting,
    quantum::Record,
};

/// Boxes in the order of the cells of their least corners: along x, then y, then z, then by parts of the
/// tick.
///
/// No box is larger than a cell. So every box that touches another begins in its cell or in a neighbour, and
/// the neighbours are five contiguous runs: the rest of the own row up to the next cell, and three cells each
/// of the next row and of three rows of the next layer. A box that holds in several parts of the tick is in
/// the cells of each of them. Boxes added later are in chains under the same cells.
#[derive(Default, Debug)]
pub(super) struct Rows {
    block: Block,
    nearby: Nearby,
    /// The first of the chains of the cells.
    chains_from: usize,
    /// The largest extent of any box.
    extent_max: i32,
    crowding: u64,
    /// True if any box was added later.
    has_late: bool,
    /// The end of the boxes of each cell, with [`LATE`] where there may be some in its chain.
    ends: Vec<u32>,
    /// The cells of the incoming boxes, for their first part of the tick.
    keys: Vec<u32>,
    incoming: Vec<Record>,
    /// The sorted boxes, with [`LANES`] empty ones at the end.
    sorted: Vec<Local>,
    /// The cell of each sorted box.
    cells: Vec<u32>,
}

/// The level under which [`Chains`] keep the boxes of rows.
const LEVEL: u32 = u32::MAX;
/// Number of boxes compared at once, without a branch. Runs have different lengths, most of them no longer
/// than this, and a mispredicted length costs more than the comparison.
const LANES: usize = 4;
/// Flag in an end. There are fewer boxes than this: numbers have 26 bits, and a box is in up to eight cells.
const LATE: u32 = 1 << 31;

/// A region to search, and the same as a probe of the boxes of a cell.
struct Wanted<'a> {
    region: &'a Record,
    probe: &'a Probe,
}

impl Rows {
    /// Empties the rows for other cells.
    pub fn clear(&mut self, block: Block) {
        self.block = block;
        self.nearby = Nearby::of(block.size());
        (self.extent_max, self.crowding, self.has_late) = (0, 0, false);
        self.keys.clear();
        self.incoming.clear();
        self.ends.clear();
        self.ends.resize(block.len(), 0);
    }

    /// Sets the first of the chains under the cells, and returns the one behind their last.
    pub fn place_chains(&mut self, from: usize) -> usize {
        self.chains_from = from;
        from + self.block.len()
    }

    /// Adds a box if it fits these rows, and returns true if it does.
    #[inline(always)]
    pub fn push(&mut self, record: Record) -> bool {
        let extent = record.extent();
        let Some(key) = self.block.place(record.min(), extent) else { return false };
        let (slots, part) = (self.slots_of(record.slots()), self.block.strides()[2]);
        let key = key + slots.start as usize * part;
        self.extent_max = self.extent_max.max(extent);
        for slot in 0..slots.end - slots.start {
            let count = &mut self.ends[key + slot as usize * part];
            self.crowding += u64::from(*count);
            *count += 1;
        }
        self.keys.push(key as u32);
        self.incoming.push(record);
        true
    }

    /// Number of pairs of boxes that lie in the same cell.
    pub const fn crowding(&self) -> u64 {
        self.crowding
    }

    /// Number of entries in the table of cells.
    #[cfg(test)]
    pub fn table_len(&self) -> usize {
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
        // Old content is overwritten, or lies behind the last box, where it is not read.
        self.sorted.resize(begin as usize + LANES, Local::NOTHING);
        self.cells.resize(begin as usize, 0);
        let (part, nearby, is_one) = (self.block.strides()[2], self.nearby, self.block.slots() == 1);
        for (key, record) in self.keys.iter().zip(&self.incoming) {
            let local = nearby.local(record.corners(), record.number(), record.slots());
            let mut put = |key: u32| {
                let place = &mut self.ends[key as usize];
                self.sorted[*place as usize] = local;
                self.cells[*place as usize] = key;
                *place += 1; // at last, each cell's entry is where it ends
            };
            if is_one {
                put(*key);
            } else {
                (0..record.slots().count()).for_each(|slot| put(key + slot * part as u32));
            }
        }
    }

    /// Calls `found` for every two boxes that touch, each pair once.
    ///
    /// Call it before any box is added later.
    pub fn pairs(&self, mut found: impl FnMut(&Local, &Local) -> ControlFlow<()>) -> ControlFlow<()> {
        let [row, layer, part] = self.block.strides();
        for slot in 0..self.block.slots() {
            let mut found = |a: &Local, b: &Local| {
                if self.is_first(slot, a.slots(), b.slots()) {
                    found(a, b)
                } else {
                    ControlFlow::Continue(())
                }
            };
            let first = slot as usize * part;
            for index in self.run(first + 1, first + part) {
                let (local, key) = (self.sorted[index], self.cells[index] as usize);
                let runs = [
                    (index + 1, self.ends[key + 1] as usize),
                    self.around(key + row),
                    self.around(key + layer - row),
                    self.around(key + layer),
                    self.around(key + layer + row),
                ];
                let (mut bits, mut longest) = (0, 0);
                for (place, &(begin, end)) in runs.iter().enumerate() {
                    bits |= self.touching(begin, end, |other| other.touches(&local)) << (place * LANES);
                    longest = longest.max(end - begin);
                }
                while bits != 0 {
                    let lane = bits.trailing_zeros() as usize;
                    found(&local, &self.sorted[runs[lane / LANES].0 + lane % LANES])?;
                    bits &= bits - 1;
                }
                if longest > LANES {
                    for (begin, end) in runs.into_iter().filter(|(begin, end)| end - begin > LANES) {
                        let rest = begin + LANES..end;
                        self.each_of(rest, |other| other.touches(&local), |other| found(&local, other))?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The range of the boxes of a cell and of those beside it in its row, before any is added later.
    #[inline]
    fn around(&self, key: usize) -> (usize, usize) {
        match self.ends.get(key - 2..key + 2) {
            Some(ends) => (ends[0] as usize, ends[3] as usize),
            None => (0, 0), // the table extends behind every cell that has a box
        }
    }

    /// The boxes among the first of a run that touch, a bit for each.
    #[inline]
    fn touching(&self, begin: usize, end: usize, touches: impl Fn(&Local) -> bool) -> u32 {
        let Some(lanes) = self.sorted[begin..].first_chunk::<LANES>() else { return 0 };
        let [a, b, c, d] = lanes;
        let bit = |other: &Local| u32::from(touches(other));
        let bits = bit(a) | bit(b) << 1 | bit(c) << 2 | bit(d) << 3;
        bits & ((1 << (end - begin).min(LANES)) - 1)
    }

    /// Calls `found` with the boxes of a run that touch.
    #[inline]
    fn each_of(
        &self,
        run: Range<usize>,
        touches: impl Fn(&Local) -> bool,
        mut found: impl FnMut(&Local) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (mut begin, end) = (run.start, run.end);
        loop {
            let mut bits = self.touching(begin, end, &touches);
            while bits != 0 {
                found(&self.sorted[begin + bits.trailing_zeros() as usize])?;
                bits &= bits - 1;
            }
            begin += LANES;
            if begin >= end {
                return ControlFlow::Continue(());
            }
        }
    }

    /// Adds a late box to the chains if it fits these rows, and returns true if it does.
    pub fn add_late(&mut self, record: Record, chains: &mut Chains) -> bool {
        let extent = record.extent();
        let Some(key) = self.block.place(record.min(), extent) else { return false };
        let part = self.block.strides()[2];
        self.has_late = true;
        self.extent_max = self.extent_max.max(extent);
        for slot in self.slots_of(record.slots()) {
            let key = key + slot as usize * part;
            self.ends[key] |= LATE;
            chains.add(self.chains_from + key, LEVEL, record);
        }
        true
    }

    /// Calls `found` with the number of every box that touches a region, each once, and with the overlap in
    /// time; boxes that were replaced are skipped.
    pub fn query(&self, region: &Record, chains: &Chains, mut found: impl FnMut(u32, Meeting)) {
        if (self.incoming.is_empty() && !self.has_late) || !self.block.reaches(region, self.extent_max) {
            return;
        }
        let (min, max) = (region.min(), region.max());
        let cells = [0, 1, 2]
            .map(|axis| self.block.range(axis, min[axis].saturating_sub(self.extent_max), max[axis]));
        let count = cells.iter().map(|range| range.len() as u64).product::<u64>();
        if count > (self.sorted.len() + chains.links().len()) as u64 {
            self.look_at_all(region, chains, found);
            return;
        }
        let probe = self.nearby.probe(region);
        for slot in self.slots_of(region.slots()) {
            self.query_slot(slot, &Wanted { region, probe: &probe }, &cells, chains, &mut found);
        }
    }

    fn query_slot(
        &self,
        slot: u32,
        Wanted { region, probe }: &Wanted<'_>,
        [xs, ys, zs]: &[Range<u32>; 3],
        chains: &Chains,
        found: &mut impl FnMut(u32, Meeting),
    ) {
        let [row, layer, _] = self.block.strides();
        let (first, width) = (self.block.key([xs.start, ys.start, zs.start], slot), xs.len());
        for z in 0..zs.len() {
            for y in 0..ys.len() {
                let key = first + z * layer + y * row;
                let ends = &self.ends[key - 1..key + width];
                let run = (ends[0] & !LATE) as usize..(ends[width] & !LATE) as usize;
                let late = ends[1..].iter().fold(0, |late, end| late | end) & LATE;
                let touches = |other: &Local| probe.touches(other);
                let _ = self.each_of(run, touches, |other| {
                    let is_first = self.is_first(slot, other.slots(), region.slots());
                    if is_first && !chains.has(other.number()) {
                        found(other.number(), probe.meeting(other));
                    }
                    ControlFlow::Continue(())
                });
                if late != 0 {
                    let cell = self.chains_from + key;
                    chains.each(cell..cell + width, |link| self.look(slot, link, region, found));
                }
            }
        }
    }

    fn look(&self, slot: u32, link: &Link, region: &Record, found: &mut impl FnMut(u32, Meeting)) {
        let record = &link.record;
        if record.touches(region) && self.is_first(slot, record.slots(), region.slots()) {
            found(record.number(), record.meeting(region));
        }
    }

    /// Searches all boxes, whatever their cells.
    fn look_at_all(&self, region: &Record, chains: &Chains, mut found: impl FnMut(u32, Meeting)) {
        for record in &self.incoming {
            if record.touches(region) && !chains.has(record.number()) {
                found(record.number(), record.meeting(region));
            }
        }
        let part = self.block.strides()[2];
        for slot in self.slots_of(region.slots()) {
            let first = self.chains_from + part * slot as usize;
            for link in chains.links().iter().filter(|link| (first..first + part).contains(&link.cell())) {
                self.look(slot, link, region, &mut found);
            }
        }
    }

    /// The parts of the tick whose cells hold a box.
    fn slots_of(&self, slots: Slots) -> Range<u32> {
        if self.block.slots() == 1 { 0..1 } else { slots.indices() }
    }

    /// True if a part of the tick is the first in which two boxes hold.
    fn is_first(&self, slot: u32, a: Slots, b: Slots) -> bool {
        self.block.slots() == 1 || a.both(b).indices().start == slot
    }

    /// The boxes of the cells from one to another.
    fn run(&self, first: usize, last: usize) -> Range<usize> {
        (self.ends[first - 1] & !LATE) as usize..(self.ends[last] & !LATE) as usize
    }
}
