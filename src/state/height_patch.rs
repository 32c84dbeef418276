//! The heights of a command that digs.

use serde::{Deserialize, Serialize};

use super::StateError;

/// Heights of a rectangle of up to 8 times 8 points of a ground, row by row: along x first, then along z.
///
/// ```
/// use bitstep::state::HeightPatch;
///
/// let pit = HeightPatch::new(3, &[-2, -3, -2, -2, -4, -2])?;
/// assert_eq!((pit.columns(), pit.rows(), pit.heights()[4]), (3, 2, -4));
/// assert!(HeightPatch::new(3, &[0; 4]).is_err(), "the second row is not full");
/// # Ok::<(), bitstep::state::StateError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "(u8, Vec<i16>)", into = "(u8, Vec<i16>)")]
pub struct HeightPatch {
    columns: u8,
    rows: u8,
    /// The heights; those behind the last are 0.
    heights: [i16; Self::POINTS_MAX * Self::POINTS_MAX],
}

impl HeightPatch {
    /// The largest number of points along an axis.
    pub const POINTS_MAX: usize = 8;

    /// A patch of so many columns.
    ///
    /// # Errors
    ///
    /// If it has no column or no row, more than 8 of either, or a row that is not full.
    pub fn new(columns: u8, heights: &[i16]) -> Result<Self, StateError> {
        let count = heights.len();
        let rows = count.checked_div(columns.into()).unwrap_or_default();
        let is_filled = columns > 0 && rows > 0 && rows * usize::from(columns) == count;
        if !is_filled || usize::from(columns) > Self::POINTS_MAX || rows > Self::POINTS_MAX {
            let reason = "it has 1 to 8 columns and 1 to 8 full rows";
            return Err(StateError::impossible("heights", reason));
        }
        let mut patch = Self { columns, rows: rows as u8, heights: [0; Self::POINTS_MAX * Self::POINTS_MAX] };
        patch.heights[..count].copy_from_slice(heights);
        Ok(patch)
    }

    /// Cuts a rectangle of any size into patches, each with the column and the row of its first point in that.
    ///
    /// # Errors
    ///
    /// If there is no column or no row, or a row that is not full.
    ///
    /// ```
    /// use bitstep::state::HeightPatch;
    ///
    /// let plateau = HeightPatch::cover(20, &[5; 20 * 9])?;
    /// let sizes: Vec<_> = plateau.iter().map(|(at, patch)| (*at, patch.columns(), patch.rows())).collect();
    /// assert_eq!(sizes, [([0, 0], 8, 8), ([8, 0], 8, 8), ([16, 0], 4, 8), ([0, 8], 8, 1), ([8, 8], 8, 1), ([16, 8], 4, 1)]);
    /// # Ok::<(), bitstep::state::StateError>(())
    /// ```
    pub fn cover(columns: u32, heights: &[i16]) -> Result<Vec<([u32; 2], Self)>, StateError> {
        let in_row = columns as usize;
        if in_row == 0 || heights.is_empty() || heights.len() % in_row != 0 {
            return Err(StateError::impossible("heights", "it has columns and full rows"));
        }
        let rows = heights.len() / in_row;
        let starts = |count: usize| (0..count).step_by(Self::POINTS_MAX);
        let patch = |row: usize, column: usize| {
            let (right, down) = ((column + Self::POINTS_MAX).min(in_row), (row + Self::POINTS_MAX).min(rows));
            let lines = (row..down).flat_map(|row| &heights[row * in_row + column..row * in_row + right]);
            let part: Vec<i16> = lines.copied().collect();
            Ok(([column as u32, row as u32], Self::new((right - column) as u8, &part)?))
        };
        starts(rows)
            .flat_map(|row| starts(in_row).map(move |column| (row, column)))
            .map(|(row, column)| patch(row, column))
            .collect()
    }

    /// Number of points along x.
    #[must_use]
    pub const fn columns(&self) -> u32 {
        self.columns as u32
    }

    /// Number of points along z.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.rows as u32
    }

    /// The heights in the ground's unit, row by row.
    #[must_use]
    pub fn heights(&self) -> &[i16] {
        &self.heights[..usize::from(self.columns) * usize::from(self.rows)]
    }
}

impl TryFrom<(u8, Vec<i16>)> for HeightPatch {
    type Error = StateError;

    fn try_from((columns, heights): (u8, Vec<i16>)) -> Result<Self, StateError> {
        Self::new(columns, &heights)
    }
}

impl From<HeightPatch> for (u8, Vec<i16>) {
    fn from(patch: HeightPatch) -> Self {
        (patch.columns, patch.heights().to_vec())
    }
}
