//! Whom a body touches.

use super::{QueryError, QueryFilter, QueryView, error::check_length, gap::gap_shapes};
use crate::{
    geom::Normal,
    num::Scalar,
    state::{BodyId, Collider},
};

/// Somebody next to a body. The order is by gap, then by id and parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Contact {
    /// How far apart they are, in units; zero where they touch or overlap. Rounded up to the next raw.
    pub gap: Scalar,
    /// Who.
    pub collider: Collider,
    /// Which part of the body and which of him, by their places in their sets of shapes; 0 of single shapes.
    pub parts: [u8; 2],
    /// From the body to whom it touches, not of unit length; `None` where the centers leave it open, as
    /// two that coincide do.
    pub normal: Option<Normal>,
}

impl QueryView {
    /// Everybody who is no farther from a body than `gap`, in units, by gap and id. The body itself is
    /// left out; the filter is for the others.
    ///
    /// What is measured is what a sweep of the pair measures. With a sphere it is the true distance of
    /// the surfaces; between boxes the largest separation along the three axes of space, or along the
    /// fifteen axes of a pair with an oriented box, which may be less than the distance; who is farther than the
    /// gap along an axis of space is left out all the same. It is compared exactly. A tick keeps solids about a
    /// [`skin`](crate::state::skin) apart, so a gap of zero finds hardly anybody whom it has stopped.
    ///
    /// # Errors
    ///
    /// If the gap is negative or beyond [`OFFSET_MAX`](crate::sweep::OFFSET_MAX), or the view has no
    /// such body.
    pub fn contacts(
        &self,
        body: BodyId,
        gap: Scalar,
        filter: &QueryFilter<'_>,
        found: &mut Vec<Contact>,
    ) -> Result<(), QueryError> {
        found.clear();
        check_length("gap", gap)?;
        let index = self.index_of(body).ok_or(QueryError::NoBody { body })?;
        let parts = self.bodies[index..].iter().take_while(|place| place.id == body).count();
        (index..index + parts).for_each(|part| self.add_contacts(part, gap, filter, found));
        found.sort_unstable();
        Ok(())
    }

    /// Adds everybody near a part of a body.
    fn add_contacts(&self, index: usize, gap: Scalar, filter: &QueryFilter<'_>, found: &mut Vec<Contact>) {
        let (itself, region) = (self.body(index), self.bounds[index].pad(gap));
        self.search(
            filter,
            |bounds| bounds.touches(&region),
            |solid| {
                if solid.collider == itself.collider {
                    return;
                }
                let apart = gap_shapes(itself.shape, solid.shape, solid.position - itself.position);
                if let Some(apart) = apart.filter(|apart| apart.distance <= gap) {
                    let (gap, normal) = (apart.distance, apart.normal);
                    let parts = [itself.part, solid.part];
                    found.push(Contact { gap, collider: solid.collider, parts, normal });
                }
            },
        );
    }

    /// Where a body's parts begin.
    fn index_of(&self, body: BodyId) -> Option<usize> {
        let index = self.bodies.partition_point(|place| place.id < body);
        self.bodies.get(index).filter(|place| place.id == body).map(|_| index)
    }
}
