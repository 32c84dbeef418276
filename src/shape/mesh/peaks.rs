//! The least and the greatest height of blocks of cells, for searches of the ground.

use super::{
    heights::{Half, Heights},
    source::in_raw,
};
use crate::geom::{Aabb, Vec3};

/// The least and the greatest height of squares of cells, of which each level's are twice as long as those of the level below.
#[derive(Clone)]
pub(super) struct Peaks {
    levels: Vec<Level>,
}

/// Squares of one size over all cells.
#[derive(Clone)]
struct Level {
    /// Number of squares along x.
    columns: u32,
    peaks: Vec<[i16; 2]>,
}

/// The logarithm of the number of cells along a square of the lowest level.
const LOWEST: u32 = 1;

/// A square of a level, by its column and row.
#[derive(Clone, Copy)]
struct Square {
    level: usize,
    at: [u32; 2],
}

impl Peaks {
    pub fn of(heights: &Heights) -> Self {
        let [columns, rows] = heights.cell_counts().map(|cells| cells.div_ceil(1 << LOWEST));
        let squares = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
        let peaks = squares.map(|at| peaks_of_points(heights, at)).collect();
        let mut levels = vec![Level { columns, peaks }];
        while levels.last().is_some_and(|level| level.peaks.len() > 1) {
            levels.extend(levels.last().map(Level::above));
        }
        Self { levels }
    }

    /// The least and the greatest height of all.
    pub fn most(&self) -> [i16; 2] {
        self.levels.last().and_then(|level| level.peaks.first().copied()).unwrap_or_default()
    }

    /// The levels, the lowest first.
    #[cfg(test)]
    pub fn levels(&self) -> impl Iterator<Item = &[[i16; 2]]> {
        self.levels.iter().map(|level| &level.peaks[..])
    }

    /// Adapts to heights that have changed in a rectangle of so many points from one on.
    pub fn update(&mut self, heights: &Heights, from: [u32; 2], points: [u32; 2]) {
        let to = [0, 1].map(|axis: usize| from[axis] + points[axis] - 1);
        // A point is a corner of the cells before it, too.
        let (mut from, mut to) =
            (from.map(|place| place.saturating_sub(1) >> LOWEST), to.map(|place| place >> LOWEST));
        for level in 0..self.levels.len() {
            let (below, here) = self.levels.split_at_mut(level);
            let Level { columns, peaks } = &mut here[0];
            let rows = peaks.len() as u32 / *columns;
            for row in from[1]..=to[1].min(rows - 1) {
                for column in from[0]..=to[0].min(*columns - 1) {
                    let at = [column, row];
                    peaks[(row * *columns + column) as usize] =
                        below.last().map_or_else(|| peaks_of_points(heights, at), |below| below.peaks_of(at));
                }
            }
            (from, to) = (from.map(|place| place >> 1), to.map(|place| place >> 1));
        }
    }

    /// Calls `found` with each triangle that is no hole's and whose box is `wanted`, as [`Tree::search`](crate::geom::Tree::search).
    pub fn search(
        &self,
        heights: &Heights,
        origin: Vec3,
        wanted: &mut impl FnMut(&Aabb) -> bool,
        found: &mut impl FnMut(u32),
    ) {
        self.descend((heights, origin), self.top(), wanted, found);
    }

    /// Calls `found` with each triangle that is no hole's and whose box, with the origin of the ground at a place, touches a region.
    pub fn find_touching(&self, heights: &Heights, origin: Vec3, region: &Aabb, found: &mut impl FnMut(u32)) {
        let Some(wanted) = Window::of(heights, origin, region) else { return };
        // The lowest level of which squares in a row or column of two hold the whole region.
        let is_wide = |level: usize| {
            let shift = LOWEST + level as u32;
            (0..2).any(|axis| (wanted.to[axis] >> shift) - (wanted.from[axis] >> shift) > 1)
        };
        let level =
            (0..self.levels.len() - 1).find(|level| !is_wide(*level)).unwrap_or(self.levels.len() - 1);
        let shift = LOWEST + level as u32;
        for row in wanted.from[1] >> shift..=wanted.to[1] >> shift {
            for column in wanted.from[0] >> shift..=wanted.to[0] >> shift {
                self.descend_in(heights, &wanted, Square { level, at: [column, row] }, found);
            }
        }
    }

    /// Searches a square for what is in a window.
    fn descend_in(&self, heights: &Heights, wanted: &Window, square: Square, found: &mut impl FnMut(u32)) {
        let level = &self.levels[square.level];
        let peaks = level.peaks[(square.at[1] * level.columns + square.at[0]) as usize];
        if !wanted.reaches(square) || !wanted.holds(peaks) {
            return;
        }
        if square.level > 0 {
            self.parts(square).for_each(|part| self.descend_in(heights, wanted, part, found));
            return;
        }
        for half in halves(heights, square.at).filter(|half| wanted.has_cell([half.column, half.row])) {
            let [a, b, c] = heights.corners(half).map(|[column, row]| heights.height(column, row));
            if wanted.holds([a.min(b).min(c), a.max(b).max(c)]) {
                found(half.number(heights));
            }
        }
    }

    fn top(&self) -> Square {
        Square { level: self.levels.len() - 1, at: [0; 2] }
    }

    /// Searches a square; there are at most 22 levels.
    fn descend(
        &self,
        (heights, origin): (&Heights, Vec3),
        square: Square,
        wanted: &mut impl FnMut(&Aabb) -> bool,
        found: &mut impl FnMut(u32),
    ) {
        let mut is_wanted =
            |bounds: Aabb| wanted(&Aabb { min: bounds.min + origin, max: bounds.max + origin });
        if !is_wanted(self.bounds_of(heights, square)) {
            return;
        }
        if square.level > 0 {
            for part in self.parts(square) {
                self.descend((heights, origin), part, wanted, found);
            }
            return;
        }
        for half in halves(heights, square.at) {
            let [a, b, c] = heights.corners(half).map(|at| in_raw(heights.point(at)));
            if is_wanted(Aabb { min: a.min(b).min(c), max: a.max(b).max(c) }) {
                found(half.number(heights));
            }
        }
    }

    /// The squares of the level below that a square is made of.
    fn parts(&self, square: Square) -> impl Iterator<Item = Square> + '_ {
        let level = &self.levels[square.level - 1];
        let rows = level.peaks.len() as u32 / level.columns;
        let [column, row] = square.at.map(|place| 2 * place);
        [[0, 0], [1, 0], [0, 1], [1, 1]].into_iter().filter_map(move |[right, up]| {
            let at = [column + right, row + up];
            (at[0] < level.columns && at[1] < rows).then_some(Square { level: square.level - 1, at })
        })
    }

    fn bounds_of(&self, heights: &Heights, square: Square) -> Aabb {
        let level = &self.levels[square.level];
        let [low, high] = level.peaks[(square.at[1] * level.columns + square.at[0]) as usize];
        let shift = LOWEST + square.level as u32;
        let most = heights.cell_counts();
        let [from, to] =
            [0, 1].map(|end| [0, 1].map(|axis: usize| ((square.at[axis] + end) << shift).min(most[axis])));
        Aabb { min: in_raw(heights.place(from, low)), max: in_raw(heights.place(to, high)) }
    }
}

/// A region as cells and heights: what touches it, by the boxes of triangles.
struct Window {
    /// The first and the last cell along x and z.
    from: [u32; 2],
    to: [u32; 2],
    /// The least and the greatest height.
    heights: [i64; 2],
}

impl Window {
    /// The window of a region, with the origin of the ground at a place; `None` where there are no cells.
    fn of(heights: &Heights, origin: Vec3, region: &Aabb) -> Option<Self> {
        let [cell, unit] = heights.steps_in_raw();
        let within = |end: Vec3, axis: usize| end.raw()[axis].saturating_sub(origin.raw()[axis]);
        let floor = |axis: usize, size: i64| within(region.max, axis).div_euclid(size);
        let ceil = |axis: usize, size: i64| -within(region.min, axis).saturating_neg().div_euclid(size);
        let most = heights.cell_counts();
        // A box that ends where the region begins touches it.
        let cells = |axis: usize, count: u32| {
            let (from, to) = ((ceil(axis, cell) - 1).max(0), floor(axis, cell).min(i64::from(count) - 1));
            (from <= to).then_some([from as u32, to as u32]) // no more than cells
        };
        let ([left, right], [near, far]) = (cells(0, most[0])?, cells(2, most[1])?);
        Some(Self { from: [left, near], to: [right, far], heights: [ceil(1, unit), floor(1, unit)] })
    }

    /// True if a square has a cell of it.
    fn reaches(&self, square: Square) -> bool {
        let shift = LOWEST + square.level as u32;
        (0..2).all(|axis| (self.from[axis] >> shift..=self.to[axis] >> shift).contains(&square.at[axis]))
    }

    fn has_cell(&self, at: [u32; 2]) -> bool {
        (0..2).all(|axis| (self.from[axis]..=self.to[axis]).contains(&at[axis]))
    }

    /// True if a range of heights has one of it.
    fn holds(&self, [low, high]: [i16; 2]) -> bool {
        i64::from(low) <= self.heights[1] && self.heights[0] <= i64::from(high)
    }
}

impl Level {
    /// The squares that are twice as long.
    fn above(&self) -> Self {
        let rows = self.peaks.len() as u32 / self.columns;
        let [columns, rows_above] = [self.columns, rows].map(|count| count.div_ceil(2));
        let squares = (0..rows_above).flat_map(|row| (0..columns).map(move |column| [column, row]));
        let peaks = squares.map(|at| self.peaks_of(at)).collect();
        Self { columns, peaks }
    }

    /// The least and the greatest height of a square of the level above.
    fn peaks_of(&self, at: [u32; 2]) -> [i16; 2] {
        let rows = self.peaks.len() as u32 / self.columns;
        let parts = (0..4).map(|part| [2 * at[0] + (part & 1), 2 * at[1] + (part >> 1)]);
        let inside = parts.filter(|part| part[0] < self.columns && part[1] < rows);
        inside
            .map(|[column, row]| self.peaks[(row * self.columns + column) as usize])
            .fold([i16::MAX, i16::MIN], |[low, high], other| [low.min(other[0]), high.max(other[1])])
    }
}

/// The least and the greatest height of the points of a square of the lowest level.
fn peaks_of_points(heights: &Heights, at: [u32; 2]) -> [i16; 2] {
    let most = heights.cell_counts();
    let range = |axis: usize| (at[axis] << LOWEST)..=((at[axis] + 1) << LOWEST).min(most[axis]);
    let points = range(1).flat_map(|row| range(0).map(move |column| [column, row]));
    points
        .map(|[column, row]| heights.height(column, row))
        .fold([i16::MAX, i16::MIN], |[low, high], height| [low.min(height), high.max(height)])
}

/// The triangles of a square of the lowest level.
fn halves(heights: &Heights, at: [u32; 2]) -> impl Iterator<Item = Half> + '_ {
    let most = heights.cell_counts();
    let range = move |axis: usize| (at[axis] << LOWEST)..((at[axis] + 1) << LOWEST).min(most[axis]);
    let cells = range(1).flat_map(move |row| range(0).map(move |column| (column, row)));
    let grounds = cells.filter(|&(column, row)| !heights.cell(column, row).is_hole());
    grounds.flat_map(|(column, row)| [false, true].map(|is_second| Half { column, row, is_second }))
}
