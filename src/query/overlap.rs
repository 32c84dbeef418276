//! Overlap queries.

use super::{QueryError, QueryFilter, QueryView, error::check_placed};
use crate::{geom::Vec3, overlap::overlap_shapes, shape::Shape, state::Collider};

impl QueryView {
    /// All colliders that a shape overlaps at a position, by id; touching is not overlap.
    ///
    /// `position` is that of the shape's origin, in world units. Exact, by [`overlap_shapes`]. The half-space
    /// behind a plane overlaps no plane and no mesh.
    ///
    /// # Errors
    ///
    /// If a number is out of range: [`SIZE_MAX`](crate::shape::SIZE_MAX) for the shape,
    /// [`Scenery::EXTENT_MAX`](crate::state::Scenery::EXTENT_MAX) for the position and a plane's point.
    pub fn overlap(
        &self,
        shape: &Shape,
        position: Vec3,
        filter: &QueryFilter<'_>,
        found: &mut Vec<Collider>,
    ) -> Result<(), QueryError> {
        found.clear();
        check_placed(shape, "position", position)?;
        let region = shape.bounds(position);
        self.search(
            filter,
            |bounds| region.is_none_or(|region| bounds.touches(&region)),
            |solid| {
                if overlap_shapes(shape, solid.shape, solid.position - position) {
                    found.push(solid.collider);
                }
            },
        );
        found.sort_unstable();
        found.dedup(); // several child shapes of one body
        Ok(())
    }
}
