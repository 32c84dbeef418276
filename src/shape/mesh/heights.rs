//! Ground as heights over a grid of square cells.

mod halves;

pub(super) use self::halves::Half;

use serde::{Deserialize, Serialize};

use super::source::{STEP_BITS, check_extent};
use crate::{
    geom::Normal,
    num::{
        Scalar,
        bound::{Bound, Width},
        mul_div::mul_div_nearest,
    },
    shape::{
        ShapeError,
        size::{MESH_COUNT_MAX, MESH_EXTENT_MAX, SIZE_MAX},
    },
};

pub(in crate::shape) const WIDTH: Width = Width {
    number: "`height * edge` of a cell",
    bound: Bound::power(15).times(Bound::of(MESH_EXTENT_MAX)),
    held_in: 64,
};
const _: () = WIDTH.check();

/// One cell of [`Heights`]: which of its diagonals is the edge between its two triangles, and their material; or a hole.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Cell(u8);

impl Cell {
    /// A cell without ground.
    pub const HOLE: Self = Self(Self::MATERIALS);
    /// The number of materials, from 0.
    pub const MATERIALS: u8 = 127;
    const OTHER_DIAGONAL: u8 = 128;

    /// A cell of a material, cut along the diagonal from its least corner to its greatest; a hole for a number that is none of a material.
    #[must_use]
    pub const fn new(material: u8) -> Self {
        if material < Self::MATERIALS { Self(material) } else { Self::HOLE }
    }

    /// The same cell, cut along the diagonal between the other two corners; a hole is cut along none.
    #[must_use]
    pub const fn with_other_diagonal(self) -> Self {
        if self.is_hole() { self } else { Self(self.0 | Self::OTHER_DIAGONAL) }
    }

    /// True if there is no ground.
    #[must_use]
    pub const fn is_hole(self) -> bool {
        self.0 == Self::HOLE.0
    }

    /// True if it is cut along the diagonal between the other two corners.
    #[must_use]
    pub const fn has_other_diagonal(self) -> bool {
        self.0 & Self::OTHER_DIAGONAL != 0
    }

    /// The number of its material; `None` for a hole.
    #[must_use]
    pub const fn material(self) -> Option<u8> {
        if self.is_hole() { None } else { Some(self.0 & !Self::OTHER_DIAGONAL) }
    }
}

/// Heights along y over a grid in x and z, of which [`Mesh::of_heights`](super::Mesh::of_heights) makes ground.
///
/// The origin is at the first point, at height 0. Points are numbered along x first, then along z; cells too, each by its point of least coordinates.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Heights {
    columns: u32,
    /// The edge of a cell, in steps of the mesh's grid.
    cell: u32,
    /// The unit of heights, in steps of the mesh's grid.
    unit: u32,
    heights: Vec<i16>,
    /// One for each cell, or none if all are of material 0 and cut alike.
    cells: Vec<Cell>,
}

impl Heights {
    /// Ground of one material from the number of points along x, the length of a cell's edge, the unit in which heights count, and the heights, row by
    /// row: along x first, then along z.
    ///
    /// # Errors
    ///
    /// If there are fewer than 2 points along an axis, too many, or a row that is not full; if a length is no positive multiple of 2^-16 unit; or if points are
    /// farther from the origin than a [`Mesh`](super::Mesh) allows.
    ///
    /// ```
    /// use bitstep::{num::lit, shape::{Heights, Mesh}};
    ///
    /// let heights = Heights::new(3, lit("2"), lit("0.25"), vec![0, 0, 4, 0, 0, 4])?;
    /// assert_eq!(heights.height_at(lit("3"), lit("0.5")), Some(lit("0.5")));
    /// let ramp = Mesh::of_heights(heights)?;
    /// assert_eq!((ramp.triangles().len(), ramp.report().facets), (4, 2));
    /// # Ok::<(), bitstep::shape::ShapeError>(())
    /// ```
    pub fn new(columns: u32, cell: Scalar, unit: Scalar, heights: Vec<i16>) -> Result<Self, ShapeError> {
        let [cell, unit] = [in_steps("cell", cell)?, in_steps("unit of heights", unit)?];
        let made = Self { columns, cell, unit, heights, cells: Vec::new() };
        made.check().map(|()| made)
    }

    /// The same heights with the kind of each cell.
    ///
    /// # Errors
    ///
    /// If there is not one for each cell.
    pub fn with_cells(self, cells: Vec<Cell>) -> Result<Self, ShapeError> {
        let made = Self { cells, ..self };
        made.check()?;
        Ok(if made.is_plain() { Self { cells: Vec::new(), ..made } } else { made })
    }

    /// True if all cells are of material 0 and cut alike.
    fn is_plain(&self) -> bool {
        self.cells.iter().all(|cell| *cell == Cell::default())
    }

    /// True unless these are bytes that no heights are written as.
    pub(super) fn is_as_made(&self) -> bool {
        let is_cut_hole = |cell: &Cell| cell.0 == Cell::HOLE.0 | Cell::OTHER_DIAGONAL;
        (self.cells.is_empty() || !self.is_plain()) && !self.cells.iter().any(is_cut_hole)
    }

    /// Number of points along x and along z.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        [self.columns, (self.heights.len() / self.columns as usize) as u32] // at most 2^22
    }

    /// The heights in units, row by row.
    #[must_use]
    pub fn heights(&self) -> &[i16] {
        &self.heights
    }

    /// The edge of a cell.
    #[must_use]
    pub fn cell_edge(&self) -> Scalar {
        in_raw(self.cell)
    }

    /// The unit in which heights count.
    #[must_use]
    pub fn unit(&self) -> Scalar {
        in_raw(self.unit)
    }

    /// The cell at a column and a row; a hole beyond the border.
    #[must_use]
    pub fn cell(&self, column: u32, row: u32) -> Cell {
        let [columns, rows] = self.cell_counts();
        if column >= columns || row >= rows {
            return Cell::HOLE;
        }
        let place = row as usize * columns as usize + column as usize;
        self.cells.get(place).copied().unwrap_or_default()
    }

    /// The height of the ground at a place as seen from above, relative to the origin; `None` over a hole and beyond the border.
    ///
    /// A place on an edge between two cells is in the one of greater coordinates, if there is one. **Rounding**: to nearest, halves away from zero.
    #[must_use]
    pub fn height_at(&self, x: Scalar, z: Scalar) -> Option<Scalar> {
        let (half, way) = self.half_at([x, z])?;
        let [[column, row], ..] = self.corners(half);
        let edge = self.cell_edge().to_bits();
        let over = i128::from(i64::from(self.height(column, row)) * edge) + products(self.rise(half), way);
        let height = mul_div_nearest(over, self.unit().to_bits().into(), edge.into());
        Some(Scalar::from_bits(height as i64))
    }

    /// The direction in which the ground faces at a place as seen from above; as [`height_at`](Self::height_at).
    ///
    /// **Rounding**: that of [`Normal::from_wide`].
    #[must_use]
    pub fn normal_at(&self, x: Scalar, z: Scalar) -> Option<Normal> {
        let (half, _) = self.half_at([x, z])?;
        let [along_x, along_z] = self.rise(half).map(|rise| i128::from(-rise) * i128::from(self.unit));
        Normal::from_wide([along_x, self.cell.into(), along_z])
    }

    /// The heights that ground may come to have which began with these at the least and the most: a box around it stays as small as one has to be.
    pub(super) fn room(&self, [low, high]: [i16; 2]) -> [i16; 2] {
        let (unit, most) = (i64::from(self.unit), |length: Scalar| length.to_bits() >> STEP_BITS);
        let (half, limit) = (most(SIZE_MAX) / unit, most(MESH_EXTENT_MAX) / unit);
        let [low, high] = [low, high].map(i64::from);
        let middle = (low + high).div_euclid(2);
        let within = |height: i64| height.clamp(-limit, limit).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        [within((middle - half).min(low)), within((middle + half).max(high))]
    }

    /// Replaces heights in a rectangle of so many columns from a point on, row by row.
    pub(super) fn set(&mut self, at: [u32; 2], columns: u32, heights: &[i16]) {
        let (in_row, columns) = (self.columns as usize, columns as usize);
        let first = at[1] as usize * in_row + at[0] as usize;
        for (row, from) in heights.chunks(columns).enumerate() {
            let place = first + row * in_row;
            self.heights[place..place + columns].copy_from_slice(from);
        }
    }

    /// The height of a point, in units.
    pub(super) fn height(&self, column: u32, row: u32) -> i16 {
        self.heights[row as usize * self.columns as usize + column as usize]
    }

    /// Fails for what no heights are written as.
    pub(super) fn check(&self) -> Result<(), ShapeError> {
        let (columns, points) = (self.columns as usize, self.heights.len());
        if columns < 2 || points / 2 < columns || points % columns != 0 {
            return Err(ShapeError::HeightCount { columns: self.columns, points });
        }
        let cells = (columns - 1) * (points / columns - 1); // at most the points
        if points > MESH_COUNT_MAX || 2 * cells > MESH_COUNT_MAX {
            return Err(ShapeError::MeshTooLarge { count: points.max(2 * cells) });
        }
        if !self.cells.is_empty() && self.cells.len() != cells {
            return Err(ShapeError::CellCount { count: self.cells.len(), cells });
        }
        let limit = MESH_EXTENT_MAX.to_bits() >> STEP_BITS;
        let height = self.heights.iter().map(|height| height.unsigned_abs()).max().unwrap_or_default();
        let [columns, rows] = self.size().map(i64::from);
        let far = (columns.max(rows) - 1) * i64::from(self.cell);
        let most = far.max(i64::from(height) * i64::from(self.unit));
        if most > limit || self.cell == 0 || self.unit == 0 {
            return Err(ShapeError::Size {
                field: "extent of heights",
                value: Scalar::from_bits(most << STEP_BITS),
                limit: MESH_EXTENT_MAX,
            });
        }
        Ok(())
    }

    /// Fails for what no ground is made of.
    pub(super) fn check_ground(&self) -> Result<(), ShapeError> {
        if self.grounds().next().is_none() {
            return Err(ShapeError::NoTriangles);
        }
        // Both triangles of a cell have all of its corners.
        let [columns, rows] = self.cell_counts();
        let corners = |(column, row): (u32, u32)| {
            [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[right, up]| self.point([column + right, row + up]))
        };
        if self.has_holes() {
            return check_extent(self.grounds().flat_map(corners));
        }
        let height = |height: Option<&i16>| height.copied().unwrap_or_default();
        let (low, high) = (height(self.heights.iter().min()), height(self.heights.iter().max()));
        check_extent([self.place([0; 2], low), self.place([columns, rows], high)].into_iter())
    }

    pub(super) fn has_holes(&self) -> bool {
        self.cells.iter().any(|cell| cell.is_hole())
    }

    /// The greatest number of a material.
    pub(super) fn most_material(&self) -> u8 {
        self.cells.iter().filter_map(|cell| cell.material()).max().unwrap_or_default()
    }

    /// A point at a column and a row in the mesh's grid.
    pub(super) fn point(&self, [column, row]: [u32; 2]) -> [i32; 3] {
        self.place([column, row], self.height(column, row))
    }

    /// The place at a column, a row and a height in the mesh's grid.
    pub(super) fn place(&self, [column, row]: [u32; 2], height: i16) -> [i32; 3] {
        let step = |count: i64, size: u32| (count * i64::from(size)) as i32; // at most 2^30
        [step(column.into(), self.cell), step(height.into(), self.unit), step(row.into(), self.cell)]
    }

    /// The edge of a cell and the unit of heights, in raw.
    pub(super) fn steps_in_raw(&self) -> [i64; 2] {
        [self.cell, self.unit].map(|steps| i64::from(steps) << STEP_BITS)
    }

    /// The points in the mesh's grid.
    pub(super) fn points(&self) -> Vec<[i32; 3]> {
        let [columns, rows] = self.size();
        (0..rows)
            .flat_map(|row| (0..columns).map(move |column| [column, row]))
            .map(|at| self.point(at))
            .collect()
    }

    /// The two triangles of each cell that is no hole, with fronts above, and their materials.
    pub(super) fn triangles(&self) -> (Vec<[u32; 3]>, Vec<u8>) {
        let (mut triangles, mut materials) = (Vec::new(), Vec::new());
        for (column, row) in self.grounds() {
            let halves = [false, true].map(|is_second| self.corners(Half { column, row, is_second }));
            triangles.extend(halves.map(|corners| corners.map(|[column, row]| row * self.columns + column)));
            materials.extend([self.cell(column, row).material().unwrap_or_default(); 2]);
        }
        (triangles, materials)
    }

    /// The column and the row of each cell that is no hole.
    fn grounds(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let [columns, rows] = self.cell_counts();
        let all = (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)));
        all.filter(|&(column, row)| !self.cell(column, row).is_hole())
    }

    /// The column and the row of the cell of a triangle of the mesh that is made of these heights.
    ///
    /// Where there are holes, the time it takes grows with the cells before.
    #[must_use]
    pub fn cell_of(&self, triangle: u32) -> Option<(u32, u32)> {
        let number = triangle / 2;
        if self.cells.is_empty() {
            let [columns, rows] = self.cell_counts();
            return (number < columns * rows).then_some((number % columns, number / columns));
        }
        self.grounds().nth(number as usize)
    }
}

/// A length from its number of steps of the mesh's grid.
fn in_raw(steps: u32) -> Scalar {
    Scalar::from_bits(i64::from(steps) << STEP_BITS)
}

fn in_steps(field: &'static str, value: Scalar) -> Result<u32, ShapeError> {
    let raw = value.to_bits();
    if value <= 0 || value > MESH_EXTENT_MAX {
        return Err(ShapeError::Size { field, value, limit: MESH_EXTENT_MAX });
    }
    if raw.trailing_zeros() < STEP_BITS {
        return Err(ShapeError::OffGrid { field, value });
    }
    Ok((raw >> STEP_BITS) as u32) // at most 2^30
}

fn products(a: [i64; 2], b: [i64; 2]) -> i128 {
    i128::from(a[0]) * i128::from(b[0]) + i128::from(a[1]) * i128::from(b[1])
}

#[cfg(test)]
mod tests;
