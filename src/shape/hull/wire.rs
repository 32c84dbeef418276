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
    /// The hull that was written as this. What no hull is written as is refused.
    fn again(source: Source) -> Result<Self, ShapeError> {
        let Source { grid: Grid { middle, shift }, corners, frame } = &source;
        let in_grid = corners.iter().flatten().all(|part| part.unsigned_abs() <= GRID_MAX.unsigned_abs());
        let largest = i64::from(GRID_MAX).checked_shl(*shift).filter(|_| *shift < 40).unwrap_or(i64::MAX);
        let fits = Scalar::from_bits(largest) <= 2 * SIZE_MAX
            && middle.iter().all(|part| part.unsigned_abs() <= MIDDLE_MAX);
        if !in_grid || !fits || corners.len() > CORNERS_MAX {
            return Err(ShapeError::NotCanonical);
        }
        let hull = Grid { middle: *middle, shift: *shift }
            .hull(Polyhedron::around(corners.iter().copied())?, *frame)?;
        let is_within = hull.corners.iter().all(|corner: &Vec3| corner.within(2 * SIZE_MAX));
        if hull.source == source && is_within { Ok(hull) } else { Err(ShapeError::NotCanonical) }
    }
}
