//! The colliders that a body touches.

use super::{QueryError, QueryFilter, QueryView, error::check_length, gap::gap_shapes};
use crate::{
    geom::Normal,
    num::Scalar,
    state::{BodyId, Collider},
};

/// A collider next to a body. The order is by gap, then by id and child shapes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Contact {
    /// The distance between them, in units; zero if they touch or overlap. Rounded up to the next raw.
    pub gap: Scalar,
    /// The collider.
    pub collider: Collider,
    /// The indices of the child shapes of the body and of the collider in their compounds; 0 of single
    /// shapes.
    pub children: [u8; 2],
    /// The normal from the body to the collider, not of unit length; `None` if the centers determine no direction, for
    /// example if they coincide.
    pub normal: Option<Normal>,
}

impl QueryView {
    /// All colliders within `gap` of a body, in units, by gap and id. The body itself is left out; the filter
    /// applies to the others.
    ///
    /// The distance is that of the pair's sweep. With a sphere it is the true distance of the surfaces.
    /// Between boxes it is the largest separation along the three axes of the world, or along the fifteen
    /// axes of a pair with an oriented box, which may be less than the distance; a collider that is farther
    /// than the gap along an axis of the world is left out all the same. The comparison is exact. A tick
    /// keeps solids about a [`skin`](crate::state::skin) apart, so a gap of zero finds hardly any resting
    /// contact.
    ///
    /// # Errors
    ///
    /// If the gap is negative or beyond [`OFFSET_MAX`](crate::sweep::OFFSET_MAX), or the view has no such
    /// body.
    pub fn contacts(
        &self,
        body: BodyId,
        gap: Scalar,
        filter: &QueryFilter<'_>,
        found: &mut Vec<Contact>,
    ) -> Result<(), QueryError> {
        found.clear();
        self.each_contact(body, gap, filter, |contact| found.push(contact))?;
        found.sort_unstable();
        Ok(())
    }

    /// Hands over all colliders within a gap of a body, in no order.
    pub(super) fn each_contact(
        &self,
        body: BodyId,
        gap: Scalar,
        filter: &QueryFilter<'_>,
        mut found: impl FnMut(Contact),
    ) -> Result<(), QueryError> {
        check_length("gap", gap)?;
        let index = self.index_of(body).ok_or(QueryError::NoBody { body })?;
        let children = self.bodies[index..].iter().take_while(|place| place.id == body).count();
        (index..index + children).for_each(|child| self.find_contacts(child, gap, filter, &mut found));
        Ok(())
    }

    /// Hands over all colliders near a child shape of a body.
    fn find_contacts(
        &self,
        index: usize,
        gap: Scalar,
        filter: &QueryFilter<'_>,
        found: &mut impl FnMut(Contact),
    ) {
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
                    let children = [itself.child, solid.child];
                    found(Contact { gap, collider: solid.collider, children, normal });
                }
            },
        );
    }

    /// The index of a body's first child shape.
    fn index_of(&self, body: BodyId) -> Option<usize> {
        let index = self.bodies.partition_point(|place| place.id < body);
        self.bodies.get(index).filter(|place| place.id == body).map(|_| index)
    }
}
