//! The regions that moving bodies fill in a tick, and the pairs of them that touch.

use super::limits::{CELLS_PER_BOX, CELLS_SPARE, COMING, CROWDING_PER_BOX};
use std::ops::ControlFlow;

use super::{
    Meeting, Piece, Slots,
    block::{Block, cells_in},
    chains::Chains,
    levels::Levels,
    quantum::{Quantum, Record},
    rows::Rows,
    sample::{Sample, extent},
};
use crate::geom::{Aabb, Vec3};

/// A set of numbered boxes, most of them known at once, some added later.
///
/// Most boxes of a world are of about one size and in one place: they are sorted into rows of cells; those
/// that hold for a part of the tick, which are of another size, into rows of their own. Boxes that are much
/// larger or far off go into levels. A box added later replaces those that its number had before, and finds
/// all boxes in the set. Boxes are compared in 32 bits, rounded outward: all that touch are found, and some
/// that nearly do.
#[derive(Default, Debug)]
pub struct Regions {
    quantum: Quantum,
    /// The boxes that hold for the whole tick.
    whole: Rows,
    /// Those that hold for a part of it.
    parts: Rows,
    levels: Levels,
    /// Boxes added later, and boxes in levels.
    chains: Chains,
    /// Boxes that did not fit the rows.
    outliers: Vec<Record>,
    /// The boxes that one of them touches.
    others: Vec<(u32, Meeting)>,
    sample: Sample,
    /// If set, all numbers are found, wherever they are.
    #[cfg(test)]
    pub exhaustive: Option<u32>,
    /// The order of answers, and of every other list that a tick visits.
    #[cfg(test)]
    pub disorder: super::Disorder,
}

impl Regions {
    /// Rebuilds the set from boxes numbered from 0, reusing its memory.
    ///
    /// The boxes in `pieces`, by rising numbers, replace those under the same numbers.
    pub fn build(&mut self, boxes: &[Aabb], pieces: &[Piece]) {
        let (hull, largest) = measure(boxes);
        self.quantum = Quantum::of(&hull);
        let size = self.quantum.steps_ceil(self.sample.size_of_boxes(boxes, pieces, largest));
        let size_of_parts = self.quantum.steps_ceil(self.sample.size_of_pieces(pieces));
        let whole = boxes.len() - pieces.chunk_by(|a, b| a.number == b.number).count();
        let block = self.block(boxes, &hull, size, (1, whole));
        self.whole.clear(block);
        let block = self.block(boxes, &hull, size_of_parts, (Slots::COUNT, pieces.len()));
        self.parts.clear(block);
        self.outliers.clear();
        self.push_records(boxes, pieces);
        for (rows, count) in [(&mut self.whole, boxes.len()), (&mut self.parts, pieces.len())] {
            if rows.crowding() > CROWDING_PER_BOX * count as u64 {
                self.outliers.extend_from_slice(rows.incoming());
                rows.clear(Block::of([[0; 3]; 2], 1, 1, 1));
            }
            rows.sort();
        }
        let hashes = self.levels.clear(size.max(size_of_parts), self.outliers.len() + boxes.len() / COMING);
        let chains = self.parts.place_chains(self.whole.place_chains(hashes));
        self.chains.clear(chains, boxes.len());
    }

    /// The cells for a number of boxes of a size: over all of them, or over the region of most of them.
    fn block(&mut self, boxes: &[Aabb], hull: &Aabb, size: i32, (slots, count): (u32, usize)) -> Block {
        if count == 0 {
            return Block::of([[0; 3]; 2], size, slots, CELLS_SPARE);
        }
        let cells_max = CELLS_PER_BOX * (count + boxes.len() / COMING) as u64 + CELLS_SPARE;
        let steps = |bounds: &Aabb| [bounds.min, bounds.max].map(|corner| self.quantum.floor(corner.raw()));
        let mut window = steps(hull);
        if cells_in(window, size).saturating_mul(slots.into()) > cells_max {
            window = steps(&self.sample.window(boxes, hull));
        }
        Block::of(window, size, slots, cells_max)
    }

    /// Puts every box into its rows or among the outliers, those in pieces by their pieces.
    fn push_records(&mut self, boxes: &[Aabb], pieces: &[Piece]) {
        let mut rest = pieces;
        for (number, bounds) in (0..).zip(boxes) {
            if rest.first().is_none_or(|piece| piece.number != number) {
                let record = Record::new(self.quantum.corners_within(bounds), number, Slots::ALL);
                if !self.whole.push(record) {
                    self.outliers.push(record);
                }
            }
            while let Some((piece, behind)) = rest.split_first().filter(|(piece, _)| piece.number == number) {
                let record = self.quantum.record(piece);
                if !self.parts.push(record) {
                    self.outliers.push(record);
                }
                rest = behind;
            }
        }
    }

    /// Calls `found` for all boxes that touch, as pairs of different numbers, until it breaks.
    ///
    /// Two numbers of several boxes each are found for every two boxes that touch at the same time, once,
    /// with the time. Call it once after [`build`](Self::build), before anything is searched or added.
    pub fn pairs(&mut self, mut found: impl FnMut([u32; 2], Meeting) -> ControlFlow<()>) {
        #[cfg(test)]
        if self.disorder.is_on() {
            return self.pairs_in_disorder(found);
        }
        #[cfg(test)]
        if let Some(count) = self.exhaustive {
            let mut all = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
            let meeting = Meeting { slots: Slots::ALL, is_certain: false };
            let _ = all.try_for_each(|pair| found(pair, meeting));
            return;
        }
        let mut meet = |a: u32, b: u32, meeting: Meeting| {
            if a == b { ControlFlow::Continue(()) } else { found([a, b], meeting) }
        };
        let mut flow = self.pairs_of_rows(&mut meet);
        let Self { whole, parts, levels, chains, outliers, others, .. } = self;
        for outlier in outliers.iter() {
            if flow.is_continue() {
                others.clear();
                let mut note = |other: u32, meeting: Meeting| others.push((other, meeting));
                whole.query(outlier, chains, &mut note);
                parts.query(outlier, chains, &mut note);
                levels.query(outlier, chains, |other| note(other.number(), other.meeting(outlier)));
                others.sort_unstable();
                others.dedup();
                flow = others.iter().try_for_each(|&(other, meeting)| meet(outlier.number(), other, meeting));
            }
            levels.add(*outlier, chains);
        }
    }

    #[cfg(test)]
    fn pairs_in_disorder(&mut self, mut found: impl FnMut([u32; 2], Meeting) -> ControlFlow<()>) {
        let disorder = std::mem::take(&mut self.disorder);
        let mut all = Vec::new();
        let mut keep: Box<dyn FnMut([u32; 2], Meeting) -> ControlFlow<()> + '_> =
            Box::new(|pair, meeting| {
                all.push((pair, meeting));
                ControlFlow::Continue(())
            });
        self.pairs(&mut keep);
        drop(keep);
        disorder.shuffle(&mut all);
        self.disorder = disorder;
        let _ = all.into_iter().try_for_each(|(pair, meeting)| found(pair, meeting));
    }

    fn pairs_of_rows(
        &mut self,
        mut meet: impl FnMut(u32, u32, Meeting) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Self { whole, parts, chains, others, .. } = self;
        whole.pairs(|a, b| {
            let meeting = Meeting { slots: Slots::ALL, is_certain: a.overlaps(b) };
            meet(a.number(), b.number(), meeting)
        })?;
        parts.pairs(|a, b| meet(a.number(), b.number(), a.meeting(b)))?;
        // The smaller set searches the larger one.
        let many = whole.incoming().len() * Slots::COUNT as usize > parts.incoming().len();
        let (few, many) = if many { (&*parts, &*whole) } else { (&*whole, &*parts) };
        for one in few.incoming() {
            others.clear();
            many.query(one, chains, |other, meeting| others.push((other, meeting)));
            others.iter().try_for_each(|&(other, meeting)| meet(one.number(), other, meeting))?;
        }
        ControlFlow::Continue(())
    }

    /// Replaces the boxes of a number, and appends the numbers of all boxes that the new ones touch, some
    /// more than once.
    pub fn renew(
        &mut self,
        number: u32,
        pieces: impl Iterator<Item = Piece>,
        found: &mut Vec<(u32, Meeting)>,
    ) {
        self.chains.renew(number);
        for piece in pieces {
            let record = self.quantum.record(&piece);
            self.each_touching(&record, |other, meeting| found.push((other, meeting)));
            let rows = if piece.slots == Slots::ALL { &mut self.whole } else { &mut self.parts };
            if !rows.add_late(record, &mut self.chains) {
                self.levels.add(record, &mut self.chains);
            }
        }
        #[cfg(test)]
        if let Some(count) = self.exhaustive {
            found.clear();
            found.extend((0..count).map(|other| (other, Meeting { slots: Slots::ALL, is_certain: false })));
        }
    }

    /// Appends the number of every box that touches another at the same time, some more than once.
    pub fn query(&self, bounds: Aabb, slots: Slots, found: &mut Vec<u32>) {
        #[cfg(test)]
        if let Some(count) = self.exhaustive {
            return found.extend(0..count);
        }
        let region = self.quantum.record(&Piece { bounds, number: 0, slots });
        self.each_touching(&region, |other, _| found.push(other));
        #[cfg(test)]
        self.disorder.shuffle(found);
    }

    fn each_touching(&self, region: &Record, mut found: impl FnMut(u32, Meeting)) {
        self.whole.query(region, &self.chains, &mut found);
        self.parts.query(region, &self.chains, &mut found);
        self.levels.query(region, &self.chains, |other| found(other.number(), other.meeting(region)));
    }
}

/// The least box around all, and the largest extent of one.
fn measure(boxes: &[Aabb]) -> (Aabb, i64) {
    let first = boxes.first().copied().unwrap_or(Aabb { min: Vec3::ZERO, max: Vec3::ZERO });
    boxes
        .iter()
        .fold((first, 0), |(hull, largest), bounds| (hull.union(*bounds), largest.max(extent(bounds))))
}

#[cfg(test)]
mod tests;
