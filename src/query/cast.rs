//! The inputs of ray and shape casts, and their hits.

use crate::{
    geom::{Normal, Vec3},
    num::Toi,
    shape::Shape,
    state::Collider,
    sweep::contact_center,
};

/// A ray: a straight segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ray {
    /// Its first point, in world units; at most
    /// [`Scenery::EXTENT_MAX`](crate::state::Scenery::EXTENT_MAX) on each axis.
    pub origin: Vec3,
    /// The vector from its first point to its last, in units; at most
    /// [`OFFSET_MAX`](crate::sweep::OFFSET_MAX) on each axis.
    pub displacement: Vec3,
}

/// A solid on a straight path, which does not rotate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeCast {
    /// Anything but a plane, within [`SIZE_MAX`](crate::shape::SIZE_MAX).
    pub shape: Shape,
    /// Its origin at the start, in world units; at most
    /// [`Scenery::EXTENT_MAX`](crate::state::Scenery::EXTENT_MAX) on each axis.
    pub origin: Vec3,
    /// The displacement, in units; at most [`MOTION_MAX`](crate::sweep::MOTION_MAX) on each axis.
    pub displacement: Vec3,
}

/// A hit of a ray or a shape cast. The order is by instant, then by id and child shape.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct QueryHit {
    /// The instant, as a fraction of the path, rounded down.
    pub toi: Toi,
    /// The collider.
    pub collider: Collider,
    /// The index of the child shape in its compound; 0 of a single shape.
    pub child: u8,
    /// The normal from the ray or the cast shape into the collider; its negative points out of the surface. Not of unit
    /// length.
    pub normal: Normal,
}

impl Ray {
    /// The point at an instant.
    ///
    /// **Rounding**: each component to nearest, halves away from zero.
    #[must_use]
    pub fn at(&self, toi: Toi) -> Vec3 {
        contact_center(self.origin, self.displacement, toi)
    }
}

impl ShapeCast {
    /// The position of the solid's origin at an instant.
    ///
    /// **Rounding**: each component to nearest, halves away from zero.
    #[must_use]
    pub fn at(&self, toi: Toi) -> Vec3 {
        contact_center(self.origin, self.displacement, toi)
    }
}
