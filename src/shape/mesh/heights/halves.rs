//! The two triangles of each cell, and what lies beyond their edges.

use super::Heights;
use crate::num::Scalar;

/// One of the two triangles of a cell. The first one has the edge along the row of least z, the second one that of the row after.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::shape::mesh) struct Half {
    pub column: u32,
    pub row: u32,
    pub is_second: bool,
}

/// The column and the row of a point.
type At = [u32; 2];

impl Half {
    /// Twice the number of its cell, and one more for the second one.
    pub fn number(self, heights: &Heights) -> u32 {
        2 * (self.row * heights.cell_counts()[0] + self.column) + u32::from(self.is_second)
    }
}

impl Heights {
    /// Number of cells along x and along z.
    pub(in crate::shape::mesh) fn cell_counts(&self) -> [u32; 2] {
        self.size().map(|points| points - 1)
    }

    /// The triangle with a number; `None` for one of a hole or beyond the last.
    pub(in crate::shape::mesh) fn half(&self, number: u32) -> Option<Half> {
        let (cell, columns) = (number / 2, self.cell_counts()[0]);
        let half = Half { column: cell % columns, row: cell / columns, is_second: number % 2 == 1 };
        Some(half).filter(|half| !self.cell(half.column, half.row).is_hole())
    }

    /// The corners of a triangle, counterclockwise as seen from above.
    pub(in crate::shape::mesh) fn corners(&self, half: Half) -> [At; 3] {
        let has_other = self.cell(half.column, half.row).has_other_diagonal();
        let steps = match (has_other, half.is_second) {
            (false, false) => [[0, 0], [1, 1], [1, 0]],
            (false, true) => [[1, 1], [0, 0], [0, 1]],
            (true, false) => [[0, 0], [0, 1], [1, 0]],
            (true, true) => [[1, 1], [1, 0], [0, 1]],
        };
        steps.map(|[right, up]| [half.column + right, half.row + up])
    }

    /// The triangle beyond an edge of one, from a corner to the next; `None` where there is no ground.
    pub(in crate::shape::mesh) fn across(&self, half: Half, edge: usize) -> Option<Half> {
        let Half { column, row, is_second } = half;
        let corners = self.corners(half);
        let [from, to] = [corners[edge], corners[(edge + 1) % 3]];
        let is_along = |axis: usize, place: u32| from[axis] == place && to[axis] == place;
        // The first triangle of a cell has its edge of least z; which one has that of least x is up to the diagonal.
        let beside = |column: u32, is_left: bool| {
            let is_second = self.cell(column, row).has_other_diagonal() != is_left;
            Half { column, row, is_second }
        };
        let other = if is_along(0, column) {
            beside(column.checked_sub(1)?, false)
        } else if is_along(0, column + 1) {
            beside(column + 1, true)
        } else if is_along(1, row) {
            Half { column, row: row.checked_sub(1)?, is_second: true }
        } else if is_along(1, row + 1) {
            Half { column, row: row + 1, is_second: false }
        } else {
            Half { column, row, is_second: !is_second }
        };
        Some(other).filter(|other| !self.cell(other.column, other.row).is_hole())
    }

    /// The height by which a triangle rises along x and along z for each cell, in units of height.
    pub(in crate::shape::mesh) fn rise(&self, half: Half) -> [i64; 2] {
        let Half { column, row, .. } = half;
        let height = |right: u32, up: u32| i64::from(self.height(column + right, row + up));
        let (along_near, along_far) = (height(1, 0) - height(0, 0), height(1, 1) - height(0, 1));
        let (along_left, along_right) = (height(0, 1) - height(0, 0), height(1, 1) - height(1, 0));
        match (self.cell(column, row).has_other_diagonal(), half.is_second) {
            (false, false) => [along_near, along_right],
            (false, true) => [along_far, along_left],
            (true, false) => [along_near, along_left],
            (true, true) => [along_far, along_right],
        }
    }

    /// The height of the corner of another triangle that is none of an edge shared with one, over the plane of that; in units of height.
    pub(in crate::shape::mesh) fn rise_over(&self, half: Half, neighbor: Half) -> i64 {
        let ([first, ..], rise) = (self.corners(half), self.rise(half));
        let base = i64::from(self.height(first[0], first[1]));
        let over = |at: At| {
            let way = [0, 1].map(|axis: usize| i64::from(at[axis]) - i64::from(first[axis]));
            i64::from(self.height(at[0], at[1])) - base - rise[0] * way[0] - rise[1] * way[1]
        };
        // The ends of the shared edge are in the plane.
        self.corners(neighbor).map(over).iter().sum()
    }

    /// The triangle over or under a place, and the way to that from the triangle's first corner, in raw; `None` over a hole and beyond the border.
    pub(super) fn half_at(&self, place: [Scalar; 2]) -> Option<(Half, [i64; 2])> {
        let edge = self.cell_edge().to_bits();
        let (mut at, mut way) = ([0; 2], [0; 2]);
        for (axis, part) in place.iter().enumerate() {
            let (cell, count) = (part.to_bits().div_euclid(edge), i64::from(self.cell_counts()[axis]));
            let is_end = part.to_bits() == count * edge;
            let cell = if is_end { count - 1 } else { cell };
            if !(0..count).contains(&cell) {
                return None;
            }
            (at[axis], way[axis]) = (cell as u32, part.to_bits() - cell * edge);
        }
        let ([column, row], [x, z]) = (at, way);
        let cell = self.cell(column, row);
        let is_second = if cell.has_other_diagonal() { x + z > edge } else { x < z };
        let half = Some(Half { column, row, is_second }).filter(|_| !cell.is_hole())?;
        // The first corner of the second triangle is the farthest of the cell.
        Some((half, if is_second { way.map(|part| part - edge) } else { way }))
    }
}
