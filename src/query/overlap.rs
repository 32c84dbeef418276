//! Who is in a place.

use super::{QueryError, QueryFilter, QueryView, error::check_placed};
use crate::{geom::Vec3, overlap::overlap_shapes, shape::Shape, state::Collider};

impl QueryView {
    /// Everybody whom a shape overlaps at a place, by id; touching is not overlap.
    ///
    /// `position` is where the shape's origin is put, in world units. Exact, by [`overlap_shapes`]. The
    /// half-space behind a plane overlaps no plane.
    ///
    /// # Errors
    ///
    /// If a number is out of range: [`SIZE_MAX`](crate::shape::SIZE_MAX) for the shape,
    /// [`Scenery::EXTENT_MAX`](crate::state::Scenery::EXTENT_MAX) for the place and a plane's point.
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
        found.dedup(); // several parts of one
        Ok(())
    }
}
