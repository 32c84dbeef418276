//! Boxes in 16 bytes, for comparison with others in cells nearby.

use super::{
    Slots,
    meeting::Meeting,
    quantum::{NUMBER_MASK, Record},
};

/// A box with its number and slots, in coordinates relative to its neighbours and not to the world: steps of
/// about a thousandth of a cell, modulo 2^15.
///
/// A word holds a coordinate of each axis in 15 bits under a guard bit. In the word of the greatest corner
/// the guards are set, so that no difference of coordinates borrows from the next one. Of two boxes whose
/// corners are less than 2^14 steps apart the difference of two coordinates is below zero where its bit 14 is
/// set. The number and the slots are in the remaining bits of both words, above all coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Local {
    lo: u64,
    hi: u64,
}

/// The conversion from coordinates of records to local ones, for cells of a size.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Nearby {
    shift: u32,
}

/// A region that is compared with boxes near it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    local: Local,
    /// The signs that count: on an axis on which the region is wide, its cells alone decide.
    signs: u64,
    /// True if it is narrow on all axes.
    is_narrow: bool,
}

/// A 1 in each coordinate.
const ONES: u64 = 1 << 32 | 1 << 16 | 1;
const GUARDS: u64 = ONES << 15;
const SIGNS: u64 = ONES << 14;
const COORDINATE: u64 = (1 << 15) - 1;
/// Bit at which the coordinates end and the other half of the word's upper part begins.
const TAG_SHIFT: u32 = 48;
/// A cell has fewer steps than 2 to this power, so that boxes in cells nearby are less than 2^14 apart.
const CELL_BITS: u32 = 10;
/// A region of more steps is wide. With two cells and the extent of a box on either side, and a cell
/// is up to a third larger than its size, it is below 2^14.
const WIDE: i32 = (1 << 14) - (1 << 12);

impl Local {
    /// Padding at the end of a list. Whether it touches something is never read.
    pub const NOTHING: Self = Self { lo: 0, hi: 0 };

    /// True if the boxes share a point, touching included, given that they are near each other.
    #[inline]
    pub const fn touches(&self, other: &Self) -> bool {
        self.differences(other) & SIGNS == 0
    }

    /// True if boxes near each other overlap by two steps on every axis: then the exact boxes, which were
    /// rounded outward, touch, too.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        const DEEP: u64 = 2 * ONES;
        let deep = |difference: u64| (difference | GUARDS).wrapping_sub(DEEP);
        let [there, back] = [self.hi.wrapping_sub(other.lo), other.hi.wrapping_sub(self.lo)];
        (deep(there) | deep(back)) & SIGNS == 0
    }

    /// Greatest corners less the other's least ones, in both senses: a value below zero in either shows in
    /// the sign.
    #[inline]
    const fn differences(&self, other: &Self) -> u64 {
        self.hi.wrapping_sub(other.lo) | other.hi.wrapping_sub(self.lo)
    }

    /// Number of the body that the box belongs to.
    #[inline]
    pub const fn number(&self) -> u32 {
        self.tag() & NUMBER_MASK
    }

    /// The slots in which it holds.
    #[inline]
    pub const fn slots(&self) -> Slots {
        Slots::unpack(self.tag() >> NUMBER_MASK.trailing_ones())
    }

    /// The overlap in time of this box and another near it.
    #[inline]
    pub fn meeting(&self, other: &Self) -> Meeting {
        Meeting::of(self.slots(), other.slots(), self.overlaps(other))
    }

    const fn tag(&self) -> u32 {
        (self.hi >> TAG_SHIFT << 16 | self.lo >> TAG_SHIFT) as u32
    }
}

impl Nearby {
    /// The conversion for cells of `size` steps.
    pub const fn of(size: i32) -> Self {
        let bits = i32::BITS - size.leading_zeros();
        Self { shift: bits.saturating_sub(CELL_BITS) }
    }

    /// A box, rounded outward.
    #[inline]
    pub fn local(self, corners: [[i32; 3]; 2], number: u32, slots: Slots) -> Local {
        Self::packed(self.steps(corners), number, slots)
    }

    /// The coordinates of a box on the coarser scale, rounded outward.
    #[inline]
    fn steps(self, [min, max]: [[i32; 3]; 2]) -> [[i32; 3]; 2] {
        let margin = (1 << self.shift) - 1;
        [min.map(|steps| steps >> self.shift), max.map(|steps| (steps + margin) >> self.shift)]
    }

    #[inline]
    fn packed([min, max]: [[i32; 3]; 2], number: u32, slots: Slots) -> Local {
        let word = |[x, y, z]: [i32; 3], tag: u64| {
            let [x, y, z] = [x, y, z].map(|steps| steps as u64 & COORDINATE);
            tag << TAG_SHIFT | z << 32 | y << 16 | x
        };
        let tag = u64::from(slots.pack() << NUMBER_MASK.trailing_ones() | number);
        Local { lo: word(min, tag), hi: word(max, tag >> 16) | GUARDS }
    }

    /// A region to be compared with boxes in cells that it may reach.
    pub fn probe(self, region: &Record) -> Probe {
        let corners @ [min, max] = self.steps(region.corners());
        let mut signs = SIGNS;
        for axis in 0..3 {
            if max[axis] - min[axis] >= WIDE {
                signs &= !(1 << (16 * axis + 14));
            }
        }
        let local = Self::packed(corners, region.number(), region.slots());
        Probe { local, signs, is_narrow: signs == SIGNS }
    }
}

impl Probe {
    /// True if a box touches the region, or nearly does on an axis on which it is wide.
    #[inline]
    pub const fn touches(&self, other: &Local) -> bool {
        self.local.differences(other) & self.signs == 0
    }

    /// The overlap in time of the region and a box that touches it.
    pub fn meeting(&self, other: &Local) -> Meeting {
        let Meeting { slots, is_certain } = self.local.meeting(other);
        Meeting { slots, is_certain: is_certain && self.is_narrow }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{broad::quantum::Cell, num::Rng};

    /// A box with a corner in one of some cells, no larger than `most` steps.
    fn place(
        draws: &mut crate::num::rng::Draws,
        least: i32,
        cells: i64,
        size: i64,
        most: i64,
    ) -> [[i32; 3]; 2] {
        let min = [0; 3].map(|_: i32| least + draws.below((cells * size) as u64) as i32);
        let max = min.map(|steps| steps + draws.below(most as u64 + 1) as i32);
        [min, max]
    }

    #[test]
    fn boxes_near_each_other_touch_as_they_do_in_the_world() {
        let (mut counts, mut certain, mut wide) = ([[0; 2]; 2], 0, 0);
        for case in 0..60_000 {
            let mut draws = Rng::new(7).at(0, case, 0);
            let bits = draws.below(30);
            let size = 1 + draws.below(1 << bits) as i64;
            let nearby = Nearby::of(size as i32);
            let step = 1 << nearby.shift;
            // Anywhere, including across the multiples of 2^15 steps and of zero.
            let around = [0, step << 15, -(step << 15), draws.between(-1 << 29, 1 << 29)][case as usize % 4];
            let cells = draws.between(1, 3);
            let least = (around.clamp(-1 << 29, 1 << 29) - cells * size / 2).max(-1 << 30) as i32;
            if i64::from(least) + (cells + 1) * size > 1 << 30 {
                continue;
            }
            let slots = [Slots::ALL, Slots::range(3, 5)];
            let mut record = |most: i64, number: u32| {
                let slots = slots[draws.below(2) as usize];
                Record::new(place(&mut draws, least, cells, size, most), number, slots)
            };
            let (a, b) = (record(size, 0x2ff_fffe), record(size, 0x155_5555));
            let local = |record: &Record| nearby.local(record.corners(), record.number(), record.slots());
            let (small_a, small_b) = (local(&a), local(&b));
            assert_eq!((small_a.number(), small_a.slots()), (a.number(), a.slots()));
            // The reference: the corners, rounded outward to whole steps.
            let gap = |least: i64| {
                let ([lo, hi], [lo_b, hi_b]) = (a.corners(), b.corners());
                let (down, up) = (
                    |raw: i32| i64::from(raw).div_euclid(step),
                    |raw: i32| -(-i64::from(raw)).div_euclid(step),
                );
                (0..3).all(|i| up(hi[i]) - down(lo_b[i]) >= least && up(hi_b[i]) - down(lo[i]) >= least)
            };
            assert_eq!([small_a.touches(&small_b), small_b.touches(&small_a)], [gap(0); 2], "{a:?} {b:?}");
            assert_eq!([small_a.overlaps(&small_b), small_b.overlaps(&small_a)], [gap(2); 2], "{a:?} {b:?}");
            counts[usize::from(size > 1 << 10)][usize::from(gap(0))] += 1;
            certain += u32::from(small_a.meeting(&small_b).is_certain);
            let both = a.slots() == Slots::ALL && b.slots() == Slots::ALL;
            assert_eq!(small_a.meeting(&small_b).is_certain, both && gap(2));
            let probe = nearby.probe(&a);
            assert!(probe.is_narrow && probe.touches(&small_b) == gap(0));
            assert_eq!(probe.meeting(&small_b), small_a.meeting(&small_b));
            wide += 1;
        }
        assert!(counts.iter().flatten().all(|&count| count > 3_000), "{counts:?}");
        assert!(certain > 1_000 && wide > 40_000, "{certain} {wide}");
    }

    #[test]
    fn a_region_finds_what_it_touches_in_all_cells_where_that_could_begin() {
        let (mut touching, mut wide, mut apart) = (0, 0, 0);
        for case in 0..60_000 {
            let mut draws = Rng::new(8).at(0, case, 0);
            let size = [1_000, 1_023, 1_024, 1_048_575, 1_048_576, (1 << 24) - 1][draws.below(6) as usize];
            // The largest cell for a size is a third larger.
            let (nearby, cell) = (Nearby::of(size), Cell::of(size));
            let width = i64::from(size) * 4 / 3;
            assert!(cell.index(width as u32 + 2) >= 1);
            let extent = [0; 3].map(|_: i32| draws.between(0, 18 * i64::from(size)) as i32);
            let min = [0; 3].map(|_: i32| draws.between(-1 << 28, 1 << 28) as i32);
            let max = [0, 1, 2].map(|axis| min[axis] + extent[axis]);
            let region = Record::new([min, max], 1, Slots::ALL);
            let probe = nearby.probe(&region);
            // Everything from a cell and a size before the region to a cell behind it.
            let edge = |draws: &mut crate::num::rng::Draws, axis: usize| {
                let (low, high) = (i64::from(min[axis]) - i64::from(size), i64::from(max[axis]));
                match draws.below(4) {
                    0 => low - draws.between(-2, width),
                    1 => high + draws.between(-2, width),
                    _ => draws.between(low - width, high + width),
                }
            };
            let begin = [0, 1, 2].map(|axis| edge(&mut draws, axis) as i32);
            let end = begin.map(|steps| steps + draws.between(0, i64::from(size)) as i32);
            let record = Record::new([begin, end], 2, Slots::ALL);
            let local = nearby.local([begin, end], 2, Slots::ALL);
            let is_wide = extent.map(|steps| steps >> nearby.shift >= WIDE);
            wide += u32::from(is_wide.contains(&true));
            touching += u32::from(record.touches(&region));
            assert!(probe.touches(&local) || !record.touches(&region), "{region:?} {record:?}");
            // On the axes on which the region is narrow, boxes two steps apart are excluded.
            let step = 1 << nearby.shift;
            let is_apart =
                |axis: usize| begin[axis] - max[axis] > 2 * step || min[axis] - end[axis] > 2 * step;
            if (0..3).any(|axis| extent[axis] >> nearby.shift < WIDE - 2 && is_apart(axis)) {
                assert!(!probe.touches(&local), "{region:?} {record:?}");
                apart += 1;
            }
            let certain = probe.meeting(&local).is_certain;
            assert!(!certain || record.overlaps(&region));
        }
        assert!(touching > 2_000 && wide > 10_000 && apart > 15_000, "{touching} {wide} {apart}");
    }
}
