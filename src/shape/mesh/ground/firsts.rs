//! The first triangle of the facet of each, by square tiles of cells: where heights change, those of other tiles stay.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use super::{Groups, Half, Heights};

/// The triangles that lie in one plane, hang together and have one material, named by the first of them.
///
/// What hangs together within a tile depends on its heights alone. What does so across the seams between tiles is found from that, and all of it anew after a change: few
/// facets reach over a seam, or they are large.
#[derive(Clone)]
pub(super) struct Firsts {
    /// Number of tiles along x.
    columns: u32,
    /// The first triangle of each part of a facet within a tile, for all triangles of the tile row by row, with [`SHARED`] if the part has others.
    tiles: Vec<OnceLock<Arc<[u32]>>>,
    /// The parts that hang together across the right and the lower border of each tile, by their first triangles.
    seams: Vec<OnceLock<Arc<[[u32; 2]]>>>,
    /// The parts of facets of several tiles, ascending, each with the first triangle of its facet.
    joined: OnceLock<Vec<[u32; 2]>>,
}

/// The bit of a triangle whose facet has others.
pub(super) const SHARED: u32 = 1 << 31;

/// The number of cells along an edge of a tile.
const EDGE: u32 = 32;

/// The columns and the rows of the cells of a tile.
type Cells = [Range<u32>; 2];

/// A triangle as its neighbors see it, in one plane with them if it rises alike, and its material; none of a hole.
type Side = Option<([i64; 2], u8)>;

impl Firsts {
    /// Those of all triangles, found.
    pub fn of(heights: &Heights) -> Self {
        let [columns, rows] = heights.cell_counts().map(|cells| cells.div_ceil(EDGE));
        let count = (columns * rows) as usize;
        let (tiles, seams) = (vec![OnceLock::new(); count], vec![OnceLock::new(); count]);
        let made = Self { columns, tiles, seams, joined: OnceLock::new() };
        made.joined(heights);
        made
    }

    /// Forgets what depends on heights in a rectangle of so many points from one on; it is found again when it is next asked for.
    pub fn forget(&mut self, from: [u32; 2], points: [u32; 2]) {
        let rows = self.tiles.len() as u32 / self.columns;
        // A point is a corner of the cells before it, too, and a tile has a seam with those before it.
        let last = [0, 1].map(|axis: usize| (from[axis] + points[axis] - 1) / EDGE);
        let first = from.map(|place| place.saturating_sub(1) / EDGE);
        for row in first[1].saturating_sub(1)..=last[1].min(rows - 1) {
            for column in first[0].saturating_sub(1)..=last[0].min(self.columns - 1) {
                let place = (row * self.columns + column) as usize;
                self.seams[place] = OnceLock::new();
                if column >= first[0] && row >= first[1] {
                    self.tiles[place] = OnceLock::new();
                }
            }
        }
        self.joined = OnceLock::new();
    }

    /// The first triangle of the facet of one, with [`SHARED`] if the facet has others.
    pub fn first(&self, heights: &Heights, triangle: u32) -> u32 {
        let part = self.part(heights, triangle);
        let joined = self.joined(heights);
        match joined.binary_search_by_key(&(part & !SHARED), |[part, _]| *part) {
            Ok(place) => joined[place][1] | SHARED,
            Err(_) => part,
        }
    }

    /// The triangles of a facet in each row of each tile: the number of the row's first triangle in the tile, and for each of the row the first one of its part.
    pub fn rows_of<'a>(
        &'a self,
        heights: &'a Heights,
        first: u32,
    ) -> impl Iterator<Item = (u32, u32, &'a [u32])> {
        let of_it = self.joined(heights).iter().filter(move |[_, of]| *of == first).map(|[part, _]| *part);
        let parts: Vec<u32> = of_it.collect();
        let parts = if parts.is_empty() { vec![first] } else { parts };
        parts.into_iter().flat_map(move |part| {
            let tile = self.tile_of(heights, part);
            let ([columns, rows], labels) = (cells_of(heights, self.columns, tile), self.tile(heights, tile));
            let from = rows.start;
            labels.chunks(2 * columns.len()).zip(from..).map(move |(row, at)| {
                let number = Half { column: columns.start, row: at, is_second: false }.number(heights);
                (part, number, row)
            })
        })
    }

    /// The first triangle of the part of a facet that a triangle is of, with [`SHARED`] if the part has others.
    fn part(&self, heights: &Heights, triangle: u32) -> u32 {
        let tile = self.tile_of(heights, triangle);
        let place = place_in(heights, &cells_of(heights, self.columns, tile), triangle);
        self.tile(heights, tile)[place]
    }

    /// The number of the tile of a triangle.
    fn tile_of(&self, heights: &Heights, triangle: u32) -> usize {
        let (cell, columns) = (triangle / 2, heights.cell_counts()[0]);
        (cell / columns / EDGE * self.columns + cell % columns / EDGE) as usize
    }

    fn tile(&self, heights: &Heights, tile: usize) -> &[u32] {
        self.tiles[tile].get_or_init(|| parts(heights, &cells_of(heights, self.columns, tile)).into())
    }

    fn seam(&self, heights: &Heights, tile: usize) -> &[[u32; 2]] {
        self.seams[tile].get_or_init(|| {
            let part = |half: Half| self.part(heights, half.number(heights)) & !SHARED;
            let all = across_borders(heights, &cells_of(heights, self.columns, tile));
            let mut all: Vec<_> = all.into_iter().map(|pair| pair.map(part)).collect();
            all.sort_unstable();
            all.dedup();
            all.into()
        })
    }

    fn joined(&self, heights: &Heights) -> &[[u32; 2]] {
        self.joined.get_or_init(|| {
            let all = || (0..self.seams.len()).flat_map(|tile| self.seam(heights, tile));
            let mut parts: Vec<u32> = all().flatten().copied().collect();
            parts.sort_unstable();
            parts.dedup();
            let place = |part: &u32| parts.partition_point(|other| other < part) as u32;
            let mut groups = Groups::new(parts.len());
            for [a, b] in all() {
                groups.join(place(a), place(b));
            }
            (0..).zip(&parts).map(|(place, part)| [*part, parts[groups.first(place) as usize]]).collect()
        })
    }
}

fn cells_of(heights: &Heights, columns: u32, tile: usize) -> Cells {
    let (at, most) = ([tile as u32 % columns, tile as u32 / columns], heights.cell_counts());
    [0, 1].map(|axis: usize| at[axis] * EDGE..((at[axis] + 1) * EDGE).min(most[axis]))
}

/// The place of a triangle among those of a tile.
fn place_in(heights: &Heights, [columns, rows]: &Cells, triangle: u32) -> usize {
    let (cell, in_row) = (triangle / 2, heights.cell_counts()[0]);
    let [right, down] = [cell % in_row - columns.start, cell / in_row - rows.start];
    2 * (down as usize * columns.len() + right as usize) + triangle as usize % 2
}

/// The first triangle of those of a tile that hang together, for each of them, with [`SHARED`] where there are others.
fn parts(heights: &Heights, [columns, rows]: &Cells) -> Vec<u32> {
    let in_row = 2 * columns.len() as u32;
    let mut groups = Groups::new(in_row as usize * rows.len());
    let mut below: Vec<Side> = vec![None; columns.len()];
    for (row, place) in rows.clone().zip((0..).step_by(in_row as usize)) {
        let mut left = None;
        for ((column, below), first) in columns.clone().zip(&mut below).zip((place..).step_by(2)) {
            let sides = sides(heights, column, row);
            let [to_left, to_right] = ends(heights, column, row);
            let mut join = |a: Side, b: Side, places: [u32; 2]| {
                if a.is_some() && a == b {
                    groups.join(places[0], places[1]);
                }
            };
            join(sides[0], sides[1], [first, first + 1]);
            if let Some((left, other)) = left {
                join(left, sides[to_left], [other, first + to_left as u32]);
            }
            if row > rows.start {
                join(*below, sides[0], [first + 1 - in_row, first]);
            }
            (left, *below) = (Some((sides[to_right], first + to_right as u32)), sides[1]);
        }
    }
    let firsts: Vec<u32> = (0..in_row * rows.len() as u32).map(|place| groups.first(place)).collect();
    let mut is_shared = vec![false; firsts.len()];
    for (place, first) in firsts.iter().enumerate() {
        is_shared[*first as usize] |= place != *first as usize;
    }
    let number = |first: u32| {
        let [row, column] = [rows.start + first / in_row, columns.start + first % in_row / 2];
        let half = Half { column, row, is_second: first % 2 == 1 };
        half.number(heights) | if is_shared[first as usize] { SHARED } else { 0 }
    };
    firsts.into_iter().map(number).collect()
}

/// The triangles that hang together with one another across the right and the lower border of a tile.
fn across_borders(heights: &Heights, [columns, rows]: &Cells) -> Vec<[Half; 2]> {
    let half = |column: u32, row: u32, place: usize| Half { column, row, is_second: place == 1 };
    let (right, lower) = (columns.end, rows.end);
    let [all_columns, all_rows] = heights.cell_counts();
    let to_right = rows.clone().filter(|_| right < all_columns).map(|row| {
        let (from, to) = (ends(heights, right - 1, row)[1], ends(heights, right, row)[0]);
        [half(right - 1, row, from), half(right, row, to)]
    });
    let down = columns
        .clone()
        .filter(|_| lower < all_rows)
        .map(|column| [half(column, lower - 1, 1), half(column, lower, 0)]);
    let side = |half: Half| sides(heights, half.column, half.row)[usize::from(half.is_second)];
    to_right.chain(down).filter(|[a, b]| side(*a).is_some() && side(*a) == side(*b)).collect()
}

/// The places of the triangles of a cell that are on the left and on the right, which is up to its diagonal.
fn ends(heights: &Heights, column: u32, row: u32) -> [usize; 2] {
    if heights.cell(column, row).has_other_diagonal() { [0, 1] } else { [1, 0] }
}

/// The triangles of a cell.
fn sides(heights: &Heights, column: u32, row: u32) -> [Side; 2] {
    let material = heights.cell(column, row).material();
    [false, true].map(|is_second| material.map(|of| (heights.rise(Half { column, row, is_second }), of)))
}

#[cfg(test)]
mod tests;
