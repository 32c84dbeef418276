//! How a mesh is written: its source, from which it is baked again.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::{
    Heights, Mesh, bake,
    source::{Source, Written},
};
use crate::shape::ShapeError;

impl Serialize for Mesh {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.writing().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Mesh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let made = match Written::deserialize(deserializer)? {
            Written::Triangles(source) => Self::again(&source),
            Written::Heights(heights) => Self::of_written_heights(heights),
        };
        made.map_err(D::Error::custom)
    }
}

impl Mesh {
    /// The mesh that was written as this. What none is written as is refused.
    fn again(source: &Source) -> Result<Self, ShapeError> {
        let Source { points, triangles, materials } = source;
        bake::check_counts(points.len(), triangles.len(), materials.len())?;
        let far = |part: &i32| part.unsigned_abs() > 1 << 30;
        if let Some(point) = points.iter().position(|point| point.iter().any(far)) {
            return Err(ShapeError::PointTooFar { point: point as u32 });
        }
        let baked = bake::bake(points, triangles, materials)?;
        if baked.source == *source { Ok(Self::of_baked(baked)) } else { Err(ShapeError::NotCanonical) }
    }

    fn of_written_heights(heights: Heights) -> Result<Self, ShapeError> {
        if heights.is_as_made() { Self::of_heights(heights) } else { Err(ShapeError::NotCanonical) }
    }
}
