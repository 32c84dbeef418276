//! What triangles of a ground pass through when its heights change.

use super::{Ground, Half};
use crate::{
    geom::{Aabb, Vec3},
    shape::mesh::{exact::normal, source::in_raw},
};

/// A triangle before and after a change of heights; all between the two is in the hull of both.
pub(crate) struct Swept {
    /// The corners before and after, from the ground's origin, in steps of the grid.
    corners: [[[i32; 3]; 3]; 2],
}

impl Ground {
    /// The triangles that heights within its room would change: in a rectangle of so many columns from a point on, row by row.
    pub(crate) fn swept(&self, at: [u32; 2], columns: u32, heights: &[i16]) -> Vec<Swept> {
        let count = [columns, heights.len() as u32 / columns];
        let after = |point: [u32; 2]| {
            let [right, down] = [0, 1].map(|axis: usize| point[axis].wrapping_sub(at[axis]));
            let is_inside = right < count[0] && down < count[1];
            let height = is_inside.then(|| heights[(down * columns + right) as usize]);
            self.heights.place(point, height.unwrap_or_else(|| self.heights.height(point[0], point[1])))
        };
        let cells = self.heights.cell_counts();
        // A point is a corner of the cells before it, too.
        let range = |axis: usize| at[axis].saturating_sub(1)..(at[axis] + count[axis]).min(cells[axis]);
        let all = range(1).flat_map(|row| range(0).map(move |column| (column, row)));
        all.filter(|&(column, row)| !self.heights.cell(column, row).is_hole())
            .flat_map(|(column, row)| [false, true].map(|is_second| Half { column, row, is_second }))
            .map(|half| self.heights.corners(half))
            .map(|points| Swept { corners: [points.map(|at| self.heights.point(at)), points.map(after)] })
            .filter(|swept| swept.corners[0] != swept.corners[1])
            .collect()
    }
}

impl Swept {
    /// A point inside of the hull, from the ground's origin.
    pub(crate) fn middle(&self) -> Vec3 {
        let all = self.corners.as_flattened().iter().map(|corner| in_raw(*corner));
        all.fold(Vec3::ZERO, |sum, corner| sum + corner).map_raw(|sum| sum / 6)
    }

    /// The corners of the hull, from its middle.
    pub(crate) fn corners(&self) -> [Vec3; 6] {
        let ([[a, b, c], [d, e, f]], middle) = (self.corners, self.middle());
        [a, b, c, d, e, f].map(|corner| in_raw(corner) - middle)
    }

    /// The box around it, from the ground's origin.
    pub(crate) fn bounds(&self) -> Aabb {
        let all = || self.corners.as_flattened().iter().map(|corner| in_raw(*corner));
        let [min, max] = [Vec3::min, Vec3::max].map(|most| all().reduce(most).unwrap_or_default());
        Aabb { min, max }
    }

    /// True if the triangle passes a point: it is over the triangle as seen from above, and on another side of it afterwards; exact.
    pub(crate) fn passes(&self, point: Vec3) -> bool {
        let is_over = (0..3).all(|edge| {
            let [from, to] = [edge, (edge + 1) % 3].map(|place| in_raw(self.corners[0][place]));
            let (along, way) = (to - from, point - from);
            let wide = |a: crate::num::Scalar, b: crate::num::Scalar| {
                i128::from(a.to_bits()) * i128::from(b.to_bits())
            };
            wide(along.z, way.x) >= wide(along.x, way.z)
        });
        let is_above = |corners: [[i32; 3]; 3]| {
            let (up, way) = (normal(corners), (point - in_raw(corners[0])).raw());
            (0..3).map(|axis| up[axis] * i128::from(way[axis])).sum::<i128>() >= 0
        };
        let [before, after] = self.corners.map(is_above);
        is_over && before != after
    }
}
