//! What is sent on its way, and what it meets.

use crate::{
    geom::{Normal, Vec3},
    num::Toi,
    shape::Shape,
    state::Collider,
    sweep::contact_center,
};

/// A straight segment: a ray is one as long as it matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ray {
    /// Its first point, in world units; at most
    /// [`Scenery::EXTENT_MAX`](crate::state::Scenery::EXTENT_MAX) on each axis.
    pub origin: Vec3,
    /// From its first point to its last, in units; at most [`OFFSET_MAX`](crate::sweep::OFFSET_MAX) on
    /// each axis.
    pub way: Vec3,
}

/// A solid on a straight way, which does not turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sweep {
    /// A sphere or a box, within [`SIZE_MAX`](crate::shape::SIZE_MAX).
    pub shape: Shape,
    /// Where its origin starts, in world units; at most
    /// [`Scenery::EXTENT_MAX`](crate::state::Scenery::EXTENT_MAX) on each axis.
    pub origin: Vec3,
    /// How far it goes, in units; at most [`MOTION_MAX`](crate::sweep::MOTION_MAX) on each axis.
    pub way: Vec3,
}

/// Whom a ray or a sweep meets, and when. The order is by instant, then by id and part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct QueryHit {
    /// The part of the way made by then, rounded down.
    pub toi: Toi,
    /// Whom.
    pub collider: Collider,
    /// Which part of him, by its place in his set of shapes; 0 of a single shape.
    pub part: u8,
    /// From the ray or the swept solid into whom it meets; its negative points out of the surface. Not
    /// of unit length.
    pub normal: Normal,
}

impl Ray {
    /// The point at an instant.
    ///
    /// **Rounding**: each component to nearest, halves away from zero.
    #[must_use]
    pub fn at(&self, toi: Toi) -> Vec3 {
        contact_center(self.origin, self.way, toi)
    }
}

impl Sweep {
    /// Where the solid's origin is at an instant.
    ///
    /// **Rounding**: each component to nearest, halves away from zero.
    #[must_use]
    pub fn at(&self, toi: Toi) -> Vec3 {
        contact_center(self.origin, self.way, toi)
    }
}
