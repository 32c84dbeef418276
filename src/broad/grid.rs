//! Static boxes, by the cells that they touch.

use super::limits::{CELLS_MAX, ENTRIES_PER_BOX, ENTRIES_SPARE, FEW};
use std::ops::Range;

use crate::geom::{Aabb, Vec3};

/// A uniform grid over numbered boxes that never change: small regions are searched in a few steps,
/// and most of them touch no box at all.
///
/// Each cell lists the boxes that touch it, and in which of their own cells along each axis it is:
/// a search of several cells takes a box from the first of its cells only.
#[derive(Clone, Default, Debug)]
pub struct Grid {
    bounds: Vec<Aabb>,
    hull: Option<Aabb>,
    /// A cell has `2^shift` raw on each axis.
    shift: u32,
    counts: [usize; 3],
    /// Start of the entries of each cell, along x, then y, then z; and the end of the last.
    starts: Vec<u32>,
    /// Numbers of boxes, each over three bits: on which axes the cell is the first of the box.
    entries: Vec<u32>,
    /// A large region that touches no box.
    clear: Option<Aabb>,
    /// Edge length in cells of the largest empty cube that begins at each cell and touches no box.
    empty: Vec<u8>,
}

impl Grid {
    /// A grid over boxes numbered from 0.
    #[must_use]
    pub fn of(bounds: Vec<Aabb>) -> Self {
        let Some(hull) = bounds.iter().copied().reduce(Aabb::union) else { return Self::default() };
        let mut grid = Self { bounds, hull: Some(hull), ..Self::default() };
        let most = ENTRIES_PER_BOX * grid.bounds.len() as u64 + ENTRIES_SPARE;
        while grid.cells() > most || grid.entry_count() > most {
            grid.shift += 1;
        }
        grid.counts = grid.ranges(&hull).map(|range| range.len());
        grid.fill();
        grid.measure_empty();
        grid.clear = grid.find_clear();
        grid
    }

    /// A large region that touches no box, if there is one between them; without boxes there is none.
    #[must_use]
    pub const fn clear(&self) -> Option<Aabb> {
        self.clear
    }

    /// Calls `found` with the number of every box that touches a region, each once; or returns false
    /// if the region is large.
    #[must_use]
    pub fn query(&self, region: &Aabb, found: impl FnMut(u32)) -> bool {
        if self.is_empty_around(region) {
            return true;
        }
        if self.bounds.len() <= FEW {
            self.query_all(region, found);
            return true;
        }
        let [xs, ys, zs] = self.ranges(region);
        let is_small = xs.len() * ys.len() * zs.len() <= CELLS_MAX;
        if is_small {
            self.query_cells(region, [xs, ys, zs], found);
        }
        is_small
    }

    /// True if a region is in the empty cube that begins at the cell of its least corner, or outside of
    /// all boxes.
    fn is_empty_around(&self, region: &Aabb) -> bool {
        let Some(hull) = self.hull.filter(|hull| hull.touches(region)) else { return true };
        let (base, min, max) = (hull.min.raw(), region.min.raw(), region.max.raw());
        let first = [0, 1, 2].map(|axis| self.index(min[axis] - base[axis]));
        let cells = i64::from(self.empty[self.cell(first[0], first[1], first[2])]);
        (0..3).all(|axis| max[axis] - base[axis] - 1 < (first[axis] as i64 + cells) << self.shift)
    }

    /// The cell of a distance from the least corner. A raw less counts, so that a box whose edge has a
    /// whole number of cells touches no more cells.
    const fn index(&self, distance: i64) -> usize {
        (if distance > 1 { distance - 1 } else { 0 } >> self.shift) as usize
    }

    fn query_all(&self, region: &Aabb, mut found: impl FnMut(u32)) {
        for (number, bounds) in (0..).zip(&self.bounds) {
            if bounds.touches(region) {
                found(number);
            }
        }
    }

    fn query_cells(&self, region: &Aabb, [xs, ys, zs]: [Range<usize>; 3], mut found: impl FnMut(u32)) {
        let mut look = |cells: Range<usize>, needed: u32| {
            let entries = self.starts[cells.start] as usize..self.starts[cells.end] as usize;
            for &entry in &self.entries[entries] {
                let number = entry >> 3;
                if entry & needed == needed && self.bounds[number as usize].touches(region) {
                    found(number);
                }
            }
        };
        for z in zs.clone() {
            for y in ys.clone() {
                let row = self.cell(0, y, z);
                let needed = u32::from(y > ys.start) << 1 | u32::from(z > zs.start) << 2;
                look(row + xs.start..row + xs.start + 1, needed);
                look(row + xs.start + 1..row + xs.end, needed | 1);
            }
        }
    }

    const fn cell(&self, x: usize, y: usize, z: usize) -> usize {
        (z * self.counts[1] + y) * self.counts[0] + x
    }

    /// The cells from one corner of a box to the other, the outermost ones for what lies outside.
    fn ranges(&self, bounds: &Aabb) -> [Range<usize>; 3] {
        let Some(hull) = &self.hull else { return [0..0, 0..0, 0..0] };
        let (base, top) = (hull.min.raw(), hull.max.raw());
        let (min, max) = (bounds.min.raw(), bounds.max.raw());
        // A raw less, so that a box whose edge has a whole number of cells touches no more cells.
        let cell = |axis: usize, raw: i64| {
            let cell = (raw.min(top[axis]) - base[axis] - 1).max(0) >> self.shift;
            // A count beyond 32 bits is too many wherever it does not fit.
            usize::try_from(cell).unwrap_or(usize::MAX - 1)
        };
        [0, 1, 2].map(|axis| cell(axis, min[axis])..cell(axis, max[axis]) + 1)
    }

    fn cells(&self) -> u64 {
        self.hull.map_or(0, |hull| product(self.ranges(&hull)))
    }

    fn entry_count(&self) -> u64 {
        self.bounds.iter().map(|bounds| product(self.ranges(bounds))).fold(0, u64::saturating_add)
    }

    /// Lists the boxes of each cell: counts them, then puts each where its cell's entries end.
    fn fill(&mut self) {
        let cells = self.counts.iter().product::<usize>();
        let mut ends = vec![0; cells + 1];
        self.each_entry(|cell, _| ends[cell + 1] += 1);
        for cell in 0..cells {
            ends[cell + 1] += ends[cell];
        }
        self.starts = ends.clone();
        let mut entries = vec![0; self.starts[cells] as usize];
        self.each_entry(|cell, entry| {
            entries[ends[cell] as usize] = entry;
            ends[cell] += 1;
        });
        self.entries = entries;
    }

    /// Measures the cubes of empty cells, from the last cell to the first: a cube is one larger than the least of
    /// those behind it.
    fn measure_empty(&mut self) {
        let [nx, ny, nz] = self.counts;
        self.empty = vec![0; nx * ny * nz];
        for cell in (0..self.empty.len()).rev() {
            let (x, y, z) = (cell % nx, cell / nx % ny, cell / nx / ny);
            let next = |step: usize| {
                let [x, y, z] = [x + (step & 1), y + (step >> 1 & 1), z + (step >> 2)];
                let is_inside = x < nx && y < ny && z < nz;
                if is_inside { self.empty[self.cell(x, y, z)] } else { u8::MAX }
            };
            if self.starts[cell] == self.starts[cell + 1] {
                self.empty[cell] = (1..8).map(next).fold(u8::MAX, u8::min).saturating_add(1);
            }
        }
    }

    /// The largest empty cube between the boxes, widened as far as possible on one side after the other: in a
    /// closed room all of it.
    fn find_clear(&self) -> Option<Aabb> {
        let hull = self.hull?;
        let place = |cell: usize| {
            let [nx, ny, _] = self.counts;
            [cell % nx, cell / nx % ny, cell / nx / ny]
        };
        let is_inside = |cell: usize| {
            let end = place(cell).map(|index| index + usize::from(self.empty[cell]));
            (0..3).all(|axis| end[axis] <= self.counts[axis])
        };
        let inside = (0..self.empty.len()).filter(|&cell| is_inside(cell));
        let cell = inside.max_by_key(|&cell| self.empty[cell])?;
        let (cells, first) = (self.empty[cell], place(cell).map(|index| (index as i64) << self.shift));
        let corner =
            |more: i64| Vec3::from_raw([0, 1, 2].map(|axis| hull.min.raw()[axis] + first[axis] + more));
        let cube = Aabb { min: corner(1), max: corner(i64::from(cells) << self.shift) };
        let is_clear = cells > 0 && self.bounds.iter().all(|bounds| !bounds.touches(&cube));
        is_clear.then(|| (0..6).fold(cube, |clear, side| self.widened(clear, side % 3, side < 3)))
    }

    /// A region that touches no box, widened along an axis up to the next box, or without an end.
    fn widened(&self, clear: Aabb, axis: usize, up: bool) -> Aabb {
        let ([mut min, mut max], end) =
            ([clear.min.raw(), clear.max.raw()], if up { i64::MAX } else { i64::MIN });
        *if up { &mut max[axis] } else { &mut min[axis] } = end;
        let column = Aabb { min: Vec3::from_raw(min), max: Vec3::from_raw(max) };
        let boxes = self.bounds.iter().filter(|bounds| bounds.touches(&column));
        if up {
            max[axis] = boxes.map(|bounds| bounds.min.raw()[axis] - 1).fold(end, i64::min);
        } else {
            min[axis] = boxes.map(|bounds| bounds.max.raw()[axis] + 1).fold(end, i64::max);
        }
        Aabb { min: Vec3::from_raw(min), max: Vec3::from_raw(max) }
    }

    fn each_entry(&self, mut each: impl FnMut(usize, u32)) {
        for (number, bounds) in (0..).zip(&self.bounds) {
            let [xs, ys, zs] = self.ranges(bounds);
            for z in zs.clone() {
                for y in ys.clone() {
                    for x in xs.clone() {
                        let first = [x == xs.start, y == ys.start, z == zs.start].map(u32::from);
                        let entry = number << 3 | first[0] | first[1] << 1 | first[2] << 2;
                        each(self.cell(x, y, z), entry);
                    }
                }
            }
        }
    }
}

fn product(ranges: [Range<usize>; 3]) -> u64 {
    ranges.into_iter().map(|range| range.len() as u64).fold(1, u64::saturating_mul)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rng;

    fn boxes(count: u64, seed: u64, spread: i64, size: i64) -> Vec<Aabb> {
        let one = |index| {
            let mut draws = Rng::new(seed).at(0, index, 0);
            let center = [0; 3].map(|_: i32| draws.between(-spread, spread));
            // Now and then a box is a wall, or a point.
            let half = [0; 3].map(|_: i32| match draws.below(7) {
                0 => 0,
                1 => spread / 2,
                _ => draws.between(0, size),
            });
            Aabb::around(Vec3::from_raw(center), Vec3::from_raw(half))
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn finds_each_box_that_a_loop_over_all_finds_once() {
        let (mut hits, mut misses, mut large) = (0, 0, 0);
        let kinds = [(1 << 36, 1 << 32), (1 << 56, 1 << 40), (9, 3), (1 << 33, 1 << 33)];
        for ((spread, size), count) in kinds.into_iter().flat_map(|kind| [0, 1, 9, 60].map(|n| (kind, n))) {
            let all = boxes(count, 1, spread, size);
            let grid = Grid::of(all.clone());
            let limit = ENTRIES_PER_BOX * count + ENTRIES_SPARE;
            assert!(grid.starts.len() as u64 <= limit + 1 && grid.entries.len() as u64 <= limit);
            for region in boxes(400, 2, 2 * spread, spread / 8) {
                let touching = (0..).zip(&all).filter(|(_, bounds)| bounds.touches(&region));
                let expected: Vec<u32> = touching.map(|(number, _)| number).collect();
                let mut found = Vec::new();
                if !grid.query(&region, |number| found.push(number)) {
                    assert!(found.is_empty());
                    large += 1;
                    continue;
                }
                found.sort_unstable();
                assert_eq!(found, expected);
                hits += found.len();
                misses += usize::from(found.is_empty());
            }
        }
        assert!(hits > 900 && misses > 1_000 && large > 25, "{hits} {misses} {large}");
    }

    #[test]
    fn a_closed_room_is_clear_up_to_its_walls() {
        let wall = |axis: usize, sign: i64| {
            let (mut center, mut half) = ([0; 3], [9_000; 3]);
            (center[axis], half[axis]) = (sign * 7_000, 1_000);
            Aabb::around(Vec3::from_raw(center), Vec3::from_raw(half))
        };
        let walls: Vec<Aabb> = (0..6).map(|side| wall(side % 3, if side < 3 { 1 } else { -1 })).collect();
        let inside = Aabb::around(Vec3::ZERO, Vec3::from_raw([5_999; 3]));
        for order in 0..6 {
            let mut walls = walls.clone();
            walls.rotate_left(order);
            assert_eq!(Grid::of(walls.clone()).clear, Some(inside));
            // Without one wall there is no end on that side.
            let gone = walls.pop().unwrap();
            let clear = Grid::of(walls).clear.unwrap();
            let ends = clear.min.raw().into_iter().chain(clear.max.raw());
            assert_eq!(ends.filter(|raw| raw.unsigned_abs() > 1 << 60).count(), 1, "{clear:?}");
            assert!(clear.touches(&gone));
        }
    }

    #[test]
    fn clear_space_touches_no_box() {
        let mut clears = 0;
        for (seed, count) in (0..60).flat_map(|seed| [1, 2, 5, 9, 60].map(|count| (seed, count))) {
            let all = boxes(count, seed, 1 << 36, 1 << 34);
            if let Some(clear) = Grid::of(all.clone()).clear {
                assert!(!all.iter().any(|bounds| bounds.touches(&clear)));
                clears += 1;
                // It ends at a box on each side, or not at all.
                for (axis, up) in (0..3).flat_map(|axis| [(axis, true), (axis, false)]) {
                    let (mut min, mut max) = (clear.min.raw(), clear.max.raw());
                    let side = if up { &mut max[axis] } else { &mut min[axis] };
                    if side.unsigned_abs() < 1 << 60 {
                        *side += if up { 1 } else { -1 };
                        let more = Aabb { min: Vec3::from_raw(min), max: Vec3::from_raw(max) };
                        assert!(all.iter().any(|bounds| bounds.touches(&more)), "{axis} {up}");
                    }
                }
            }
        }
        assert!(clears > 150, "{clears}");
    }

    #[test]
    fn boxes_and_regions_that_only_touch_do_touch() {
        let cells = (0..125_i64).map(|index| [index % 5, index / 5 % 5, index / 25]);
        let all: Vec<Aabb> = cells
            .map(|cell| Aabb::around(Vec3::from_raw(cell.map(|c| c << 33)), Vec3::from_raw([1 << 32; 3])))
            .collect();
        let grid = Grid::of(all.clone());
        let mut found = 0;
        assert!(grid.query(&all[62], |_| found += 1), "a few cells");
        assert_eq!(found, 27, "the one in the middle and all around it");
    }
}
