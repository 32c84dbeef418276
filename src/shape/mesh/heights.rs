//! Ground as heights over a grid of square cells.

use serde::{Deserialize, Serialize};

use super::source::STEP_BITS;
use crate::{
    geom::Normal,
    num::{Scalar, mul_div::mul_div_nearest},
    shape::{
        ShapeError,
        size::{MESH_COUNT_MAX, MESH_EXTENT_MAX},
    },
};

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

/// A point of the ground as seen from above: its triangle's height at a corner, and how it rises along x and z per cell, in units of height.
struct Slope {
    corner: i64,
    rise: [i64; 2],
    /// The way from the corner, in raw.
    way: [i64; 2],
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
        let [columns, rows] = self.size().map(|points| points - 1);
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
        let Slope { corner, rise, way } = self.slope_at([x, z])?;
        let edge = self.cell_edge().to_bits();
        let over = i128::from(corner * edge) + products(rise, way);
        let height = mul_div_nearest(over, self.unit().to_bits().into(), edge.into());
        Some(Scalar::from_bits(height as i64))
    }

    /// The direction in which the ground faces at a place as seen from above; as [`height_at`](Self::height_at).
    ///
    /// **Rounding**: that of [`Normal::from_wide`].
    #[must_use]
    pub fn normal_at(&self, x: Scalar, z: Scalar) -> Option<Normal> {
        let Slope { rise, .. } = self.slope_at([x, z])?;
        let [along_x, along_z] = rise.map(|rise| i128::from(-rise) * i128::from(self.unit));
        Normal::from_wide([along_x, self.cell.into(), along_z])
    }

    fn slope_at(&self, place: [Scalar; 2]) -> Option<Slope> {
        let edge = self.cell_edge().to_bits();
        let mut at = [0; 2];
        for (axis, part) in place.iter().enumerate() {
            let (cell, last) = (part.to_bits().div_euclid(edge), i64::from(self.size()[axis]) - 1);
            let is_end = part.to_bits() == last * edge;
            at[axis] = if is_end { last - 1 } else { cell };
            if !(0..last).contains(&at[axis]) {
                return None;
            }
        }
        let way = [0, 1].map(|axis: usize| place[axis].to_bits() - at[axis] * edge);
        let [column, row] = at.map(|cell| cell as u32);
        let cell = self.cell(column, row);
        if cell.is_hole() {
            return None;
        }
        let height = |right: u32, up: u32| i64::from(self.height(column + right, row + up));
        let [near, right, far, up] = [height(0, 0), height(1, 0), height(1, 1), height(0, 1)];
        let [x, z] = way;
        let (corner, rise, way) = if cell.has_other_diagonal() {
            if x + z <= edge {
                (near, [right - near, up - near], way)
            } else {
                (far, [far - up, far - right], [x - edge, z - edge])
            }
        } else if x >= z {
            (near, [right - near, far - right], way)
        } else {
            (near, [far - up, up - near], way)
        };
        Some(Slope { corner, rise, way })
    }

    fn height(&self, column: u32, row: u32) -> i16 {
        self.heights[row as usize * self.columns as usize + column as usize]
    }

    /// Fails for what no heights are written as.
    pub(super) fn check(&self) -> Result<(), ShapeError> {
        let (columns, points) = (self.columns as usize, self.heights.len());
        if columns < 2 || points < 2 * columns || points % columns != 0 {
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

    /// The points in the mesh's grid.
    pub(super) fn points(&self) -> Vec<[i32; 3]> {
        let place = |index: usize| [index % self.columns as usize, index / self.columns as usize];
        let step = |count: i64, size: u32| (count * i64::from(size)) as i32; // at most 2^30
        let point = |(index, height): (usize, &i16)| {
            let [x, z] = place(index).map(|count| step(count as i64, self.cell));
            [x, step((*height).into(), self.unit), z]
        };
        self.heights.iter().enumerate().map(point).collect()
    }

    /// The two triangles of each cell that is no hole, with fronts above, and their materials.
    pub(super) fn triangles(&self) -> (Vec<[u32; 3]>, Vec<u8>) {
        let (mut triangles, mut materials) = (Vec::new(), Vec::new());
        for (column, row) in self.grounds() {
            let cell = self.cell(column, row);
            let near = row * self.columns + column;
            let [right, far, up] = [near + 1, near + self.columns + 1, near + self.columns];
            triangles.extend(if cell.has_other_diagonal() {
                [[near, up, right], [far, right, up]]
            } else {
                [[near, far, right], [far, near, up]]
            });
            materials.extend([cell.material().unwrap_or_default(); 2]);
        }
        (triangles, materials)
    }

    /// The column and the row of each cell that is no hole.
    fn grounds(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let [columns, rows] = self.size().map(|points| points - 1);
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
            let [columns, rows] = self.size().map(|points| points - 1);
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
