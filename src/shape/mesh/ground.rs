//! Ground of heights by its facets, each made when something comes near it.
//!
//! Nothing is kept for a triangle but the first one of its facet: corners, edges and planes come from the heights around it. What is made is what baking all
//! triangles as a mesh makes.

mod firsts;
mod swept;

pub(crate) use swept::Swept;

use std::collections::BTreeSet;

use self::firsts::{Firsts, SHARED};
use super::{
    bake::bake,
    exact::{in_lowest_terms, normal},
    facets::Groups,
    heights::{Half, Heights},
    peaks::Peaks,
    source::{Baked, Beyond, Border, MeshFacet, in_raw},
};
use crate::geom::{Aabb, Vec3};

/// Heights, and which triangles lie in one plane, hang together and have one material.
///
/// Triangles are numbered by twice the number of their cell, and one more for the second one; those of holes are numbered, too.
#[derive(Clone)]
pub(crate) struct Ground {
    heights: Heights,
    firsts: Firsts,
    /// Number of cells that are no holes in the rows before each; empty where there are no holes.
    before: Vec<u32>,
    peaks: Peaks,
    /// The least and the greatest height that it may come to have.
    room: [i16; 2],
}

/// The number of triangles up to which a facet has a list of them: it is looked through sooner than the squares of the ground are.
const LISTED: u32 = 16;

impl Ground {
    pub(super) fn of(heights: Heights) -> Self {
        let firsts = Firsts::of(&heights);
        let (before, peaks) = (grounds_before(&heights), Peaks::of(&heights));
        let room = heights.room(peaks.most());
        Self { heights, firsts, before, peaks, room }
    }

    /// The first triangle of the facet of one, with [`SHARED`] if the facet has others.
    fn first(&self, triangle: u32) -> u32 {
        self.firsts.first(&self.heights, triangle)
    }

    /// The least and the greatest height that it may come to have.
    pub(crate) const fn room(&self) -> [i16; 2] {
        self.room
    }

    /// Replaces heights within its room: in a rectangle of so many columns from a point on, row by row.
    pub(crate) fn set_heights(&mut self, at: [u32; 2], columns: u32, heights: &[i16]) {
        self.heights.set(at, columns, heights);
        let points = [columns, heights.len() as u32 / columns];
        self.peaks.update(&self.heights, at, points);
        self.firsts.forget(at, points);
    }

    pub(crate) const fn heights(&self) -> &Heights {
        &self.heights
    }

    /// All triangles as a mesh.
    pub(super) fn bake(&self) -> Baked {
        let (triangles, materials) = self.heights.triangles();
        bake(&self.heights.points(), &triangles, &materials).expect("what was checked as heights")
    }

    /// Number of triangles, those of holes too.
    pub(crate) fn triangle_count(&self) -> usize {
        let [columns, rows] = self.heights.cell_counts();
        2 * columns as usize * rows as usize
    }

    /// The box around all that it may come to be, with its origin at a place.
    pub(crate) fn room_at(&self, origin: Vec3) -> Aabb {
        let [low, high] = self.room;
        let [min, max] = [([0; 2], low), (self.heights.cell_counts(), high)]
            .map(|(at, height)| origin + in_raw(self.heights.place(at, height)));
        Aabb { min, max }
    }

    /// The facet that begins with a triangle; `None` if none does.
    pub(crate) fn facet(&self, first: u32) -> Option<MeshFacet> {
        let begins = self.heights.half(first)?;
        let triangles = match self.first(first) {
            own if own == first => vec![begins],
            own if own == first | SHARED => self.triangles_of(first),
            _ => return None,
        };
        Some(MeshFacet {
            triangles: self.numbers_in_mesh(&triangles),
            normal: self.normal(begins),
            material: self.heights.cell(begins.column, begins.row).material().unwrap_or_default(),
            corners: triangles.iter().map(|half| self.corners(*half)).collect(),
            borders: triangles.iter().map(|half| self.borders(*half)).collect(),
        })
    }

    /// The end triangles of each row of a facet that has more triangles than [`LISTED`] and begins with one; `None` for another.
    ///
    /// Every linear function has its extremes over the facet at their corners.
    pub(crate) fn outline(&self, first: u32) -> Option<Outline> {
        let begins = self.heights.half(first)?;
        if self.first(first) != first | SHARED {
            return None;
        }
        let spans = self.spans_of(first);
        if spans.iter().map(|[from, to]| to - from + 1).sum::<u32>() <= LISTED {
            return None;
        }
        // The triangles of the cells at the ends of each row that are of it.
        let ends = spans.iter().flat_map(|[from, to]| {
            let cells = [Some(from / 2), (from / 2 != to / 2).then_some(to / 2)];
            cells.into_iter().flatten().flat_map(|cell| [2 * cell, 2 * cell + 1])
        });
        let ends = ends.filter(|triangle| self.first_of(*triangle) == first);
        let corners = ends.filter_map(|triangle| self.heights.half(triangle)).map(|half| self.corners(half));
        let corners = corners.collect();
        Some(Outline {
            spans,
            normal: self.normal(begins),
            material: self.heights.cell(begins.column, begins.row).material().unwrap_or_default(),
            corners,
        })
    }

    /// The first triangle of the facet of one.
    pub(crate) fn first_of(&self, triangle: u32) -> u32 {
        self.first(triangle) & !SHARED
    }

    /// The corners of the triangles of a facet from the ground's origin.
    pub(crate) fn corners_of(&self, first: u32) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        self.triangles_of(first).into_iter().map(|half| self.corners(half))
    }

    /// A triangle: its corners from the ground's origin, its edges, and the sides from which nothing touches the edges of its facet at each of its corners before it
    /// touches a face.
    pub(crate) fn piece(&self, triangle: u32) -> ([Vec3; 3], [Border; 3], [[bool; 2]; 3]) {
        let half = self.heights.half(triangle).unwrap_or_default();
        let at_corners = self.heights.corners(half).map(|at| self.closed_at(at, self.first_of(triangle)));
        (self.corners(half), self.borders(half), at_corners)
    }

    /// The sides from which all edges of a facet at a corner are closed.
    fn closed_at(&self, at: [u32; 2], first: u32) -> [bool; 2] {
        let cells = [[1, 1], [0, 1], [1, 0], [0, 0]]
            .into_iter()
            .filter_map(|[left, down]: [u32; 2]| Some([at[0].checked_sub(left)?, at[1].checked_sub(down)?]));
        let halves = cells
            .flat_map(|[column, row]| [false, true].map(|is_second| Half { column, row, is_second }))
            .filter(|half| !self.heights.cell(half.column, half.row).is_hole())
            .filter(|half| self.first_of(half.number(&self.heights)) == first);
        let mut all = [true; 2];
        for half in halves {
            let corners = self.heights.corners(half);
            if let Some(place) = corners.iter().position(|corner| *corner == at) {
                for edge in [place, (place + 2) % 3] {
                    let closed = self.closed(half, self.heights.across(half, edge));
                    all = [all[0] && closed[0], all[1] && closed[1]];
                }
            }
        }
        all
    }

    /// The sides from which an edge of a triangle is closed that has another one beyond it: that on which the other one goes on.
    fn closed(&self, half: Half, beyond: Option<Half>) -> [bool; 2] {
        match beyond.map(|other| self.heights.rise_over(half, other)) {
            None => [false; 2],
            Some(0) => [true; 2],
            Some(rise) => [rise > 0, rise < 0],
        }
    }

    fn corners(&self, half: Half) -> [Vec3; 3] {
        self.heights.corners(half).map(|at| in_raw(self.heights.point(at)))
    }

    /// The normal of a triangle in lowest terms.
    fn normal(&self, half: Half) -> [i64; 3] {
        let corners = self.heights.corners(half).map(|at| self.heights.point(at));
        in_lowest_terms(normal(corners)).map(|part| part as i64) // below 2^60
    }

    /// The triangles of a facet, ascending.
    fn triangles_of(&self, first: u32) -> Vec<Half> {
        let rows = self.firsts.rows_of(&self.heights, first);
        let mut found: Vec<u32> = rows
            .flat_map(|(part, number, row)| {
                (number..)
                    .zip(row)
                    .filter(move |(_, of)| **of & !SHARED == part)
                    .map(|(triangle, _)| triangle)
            })
            .collect();
        found.sort();
        found.into_iter().filter_map(|triangle| self.heights.half(triangle)).collect()
    }

    /// The first and the last triangle of each row of a facet. It hangs together, so no row between its first and its last is without one.
    fn spans_of(&self, first: u32) -> Vec<[u32; 2]> {
        let in_row = 2 * self.heights.cell_counts()[0];
        let mut spans: Vec<[u32; 2]> = Vec::new();
        for (part, number, row) in self.firsts.rows_of(&self.heights, first) {
            let is_of_it = |of: &u32| of & !SHARED == part;
            let ends = (row.iter().position(is_of_it), row.iter().rposition(is_of_it));
            let (Some(from), Some(to)) = ends else { continue };
            let place = (number / in_row - first / in_row) as usize;
            if spans.len() <= place {
                spans.resize(place + 1, [u32::MAX, 0]);
            }
            let [least, most] = spans[place];
            spans[place] = [least.min(number + from as u32), most.max(number + to as u32)];
        }
        spans
    }

    /// The edges of a triangle.
    fn borders(&self, half: Half) -> [Border; 3] {
        let material = |half: Half| self.heights.cell(half.column, half.row).material();
        [0, 1, 2].map(|edge| {
            let Some(other) = self.heights.across(half, edge) else { return Border::default() };
            let beyond = match self.heights.rise_over(other, half).signum() {
                0 if material(half) == material(other) => Beyond::Level,
                0 => Beyond::Several, // what another face of the plane bears is beside this one
                sign => Beyond::Bent(self.normal(other).map(|part| part * sign)),
            };
            Border { closed: self.closed(half, Some(other)), beyond }
        })
    }

    /// The numbers of triangles, ascending, in the list of a mesh, which has none for holes.
    fn numbers_in_mesh(&self, halves: &[Half]) -> Vec<u32> {
        if self.before.is_empty() {
            return halves.iter().map(|half| half.number(&self.heights)).collect();
        }
        let rows = halves.chunk_by(|a, b| a.row == b.row);
        let numbers = rows.flat_map(|row| {
            let number = |(column, cells): &mut (u32, u32), half: &Half| {
                let passed = (*column..half.column).filter(|at| !self.heights.cell(*at, half.row).is_hole());
                (*column, *cells) = (half.column, *cells + passed.count() as u32);
                Some(2 * *cells + u32::from(half.is_second))
            };
            row.iter().scan((0, self.before[row[0].row as usize]), number)
        });
        numbers.collect()
    }

    /// Calls `found` with each triangle whose box, with the ground's origin at a place, is `wanted`; as [`Tree::search`](crate::geom::Tree::search).
    pub(crate) fn search_triangles(
        &self,
        origin: Vec3,
        mut wanted: impl FnMut(&Aabb) -> bool,
        mut found: impl FnMut(u32),
    ) {
        self.peaks.search(&self.heights, origin, &mut wanted, &mut found);
    }

    /// Calls `found` with each triangle whose box, with the ground's origin at a place, touches a region.
    pub(crate) fn find_touching(&self, origin: Vec3, region: &Aabb, mut found: impl FnMut(u32)) {
        self.peaks.find_touching(&self.heights, origin, region, &mut found);
    }

    /// Calls `found` with the first triangle of each facet that has a triangle whose box touches a region, each once.
    pub(crate) fn find_facets_touching(&self, origin: Vec3, region: &Aabb, found: impl FnMut(u32)) {
        self.find_touching(origin, region, self.each_facet(found));
    }

    /// Calls `found` with the first triangle of each facet that has a triangle whose box is `wanted`, each once; as
    /// [`Tree::search`](crate::geom::Tree::search).
    pub(crate) fn search(&self, origin: Vec3, wanted: impl FnMut(&Aabb) -> bool, found: impl FnMut(u32)) {
        self.search_triangles(origin, wanted, self.each_facet(found));
    }

    /// A function of triangles that calls `found` with the first one of the facet of each, once.
    fn each_facet(&self, mut found: impl FnMut(u32)) -> impl FnMut(u32) {
        let mut seen = Seen::default();
        move |triangle| {
            let first = self.first(triangle);
            if first & SHARED == 0 || seen.is_new(first) {
                found(first & !SHARED);
            }
        }
    }
}

/// A facet of many triangles as a whole.
pub(crate) struct Outline {
    /// The first and the last triangle of each row.
    pub spans: Vec<[u32; 2]>,
    /// The normal in lowest terms.
    pub normal: [i64; 3],
    pub material: u8,
    /// The corners of the triangles at the ends of its rows, from the ground's origin.
    pub corners: Vec<[Vec3; 3]>,
}

/// The facets that a search has found.
#[derive(Default)]
struct Seen {
    /// The first of them: near a body there are few, and a tick takes no memory for them.
    few: [u32; 8],
    count: usize,
    more: BTreeSet<u32>,
}

impl Seen {
    fn is_new(&mut self, first: u32) -> bool {
        if self.few[..self.count].contains(&first) {
            return false;
        }
        let Some(free) = self.few.get_mut(self.count) else { return self.more.insert(first) };
        *free = first;
        self.count += 1;
        true
    }
}

/// Number of cells that are no holes in the rows before each; empty where there are no holes.
fn grounds_before(heights: &Heights) -> Vec<u32> {
    if !heights.has_holes() {
        return Vec::new();
    }
    let [columns, rows] = heights.cell_counts();
    let in_row = |row: u32| (0..columns).filter(|column| !heights.cell(*column, row).is_hole()).count();
    let counts: Vec<u32> = (0..rows).map(|row| in_row(row) as u32).collect();
    let sum = |sum: &mut u32, count: u32| Some(std::mem::replace(sum, *sum + count));
    counts.into_iter().scan(0, sum).collect()
}

#[cfg(test)]
mod tests;
