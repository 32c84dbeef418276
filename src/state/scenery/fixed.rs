//! Statics of the level.

use serde::{Deserialize, Serialize};

use crate::{
    geom::Vec3,
    state::{BodyType, Filter, MaterialId, ShapeId},
};

/// A static of the level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Static {
    /// A shape of the scenery.
    pub shape: ShapeId,
    /// A material of the scenery; of a mesh the first of as many as it has.
    pub material: MaterialId,
    /// The shape's origin, in world units.
    pub position: Vec3,
    /// The layer, `0..=15`; the state's table has the rule of each pair of layers.
    pub layer: u8,
}

impl Static {
    /// The values that select the rule of a pair with this static; it has no group.
    #[must_use]
    pub const fn filter(&self) -> Filter {
        Filter { body_type: BodyType::Static, layer: self.layer, group: 0 }
    }
}
