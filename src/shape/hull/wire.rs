//! A hull as bytes: the corners in its grid, of which all else is made again.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::{Arc, GRID_MAX, Grid, Hull, HullForm, Polyhedron, Source};
use crate::{
    geom::Vec3,
    num::Scalar,
    shape::{CORNERS_MAX, SIZE_MAX, ShapeError},
};

/// The largest component of the middle of a grid, in raw: 2^30 units, and a raw.
const MIDDLE_MAX: u64 = 1 << 62;

impl Serialize for HullForm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.hull().source.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for HullForm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let hull = Hull::again(Source::deserialize(deserializer)?).map_err(D::Error::custom)?;
        Ok(Self::new(Arc::new(hull)))
    }
}

impl Hull {
    /// The hull that was written as this. What is not in its place in its grid is refused, and a grid that is coarser than it had to be.
    fn again(source: Source) -> Result<Self, ShapeError> {
        let Source { grid: Grid { middle, shift }, corners, frame } = &source;
        let in_grid = corners.iter().flatten().all(|part| part.unsigned_abs() <= GRID_MAX.unsigned_abs());
        let largest = i64::from(GRID_MAX).checked_shl(*shift).filter(|_| *shift < 40).unwrap_or(i64::MAX);
        let fits = Scalar::from_bits(largest) <= 2 * SIZE_MAX
            && middle.iter().all(|part| part.unsigned_abs() <= MIDDLE_MAX);
        // As fine as it can be, and around the middle of all.
        let extent = |axis: usize| {
            let along = || corners.iter().map(move |corner| corner[axis]);
            [along().min().unwrap_or_default(), along().max().unwrap_or_default()]
        };
        let extents = if in_grid { [0, 1, 2].map(extent) } else { [[0; 2]; 3] };
        let is_fine = *shift == 0 || extents.iter().any(|[_, high]| *high >= GRID_MAX / 2);
        let is_around = extents.iter().all(|[low, high]| (low + high).abs() <= 1);
        if !in_grid || !fits || corners.len() > CORNERS_MAX || !is_fine || !is_around {
            return Err(ShapeError::NotCanonical);
        }
        let hull = Grid { middle: *middle, shift: *shift }
            .hull(Polyhedron::around(corners.iter().copied())?, *frame)?;
        let is_within = hull.corners.iter().all(|corner: &Vec3| corner.within(2 * SIZE_MAX));
        if hull.source == source && is_within { Ok(hull) } else { Err(ShapeError::NotCanonical) }
    }
}
