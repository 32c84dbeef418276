//! A hull as bodies and statics have it: in an orientation.

use std::sync::Arc;

use super::Hull;
use crate::{
    geom::{Normal, Rotation, Vec3},
    num::Scalar,
    shape::{Convex, length_ceil},
};

/// A hull in an orientation around its center of mass. Copies share the hull, and what is as it was made shares its corners too.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HullForm {
    hull: Arc<Hull>,
    corners: Arc<[Vec3]>,
    /// The largest coordinate of a corner on each axis, whatever its sign.
    extent: Vec3,
}

impl HullForm {
    /// The hull in its own frame.
    pub(in crate::shape) fn new(hull: Arc<Hull>) -> Self {
        let corners = Arc::clone(&hull.corners);
        Self::with_corners(hull, corners)
    }

    fn with_corners(hull: Arc<Hull>, corners: Arc<[Vec3]>) -> Self {
        let extent = Convex::around(&corners, Scalar::ZERO).half_extent();
        Self { hull, corners, extent }
    }

    /// The hull.
    #[must_use]
    pub fn hull(&self) -> &Hull {
        &self.hull
    }

    /// The corners in this orientation, in the order of those of the hull; what is solid is their convex hull.
    #[must_use]
    pub fn corners(&self) -> &[Vec3] {
        &self.corners
    }

    /// True if it is in its own frame.
    #[must_use]
    pub fn is_as_made(&self) -> bool {
        self.corners == self.hull.corners
    }

    /// The form in another orientation: each corner rotated from where it is.
    ///
    /// **Rounding**: each component to nearest, halves away from zero.
    pub(in crate::shape) fn turned(&self, orientation: Rotation) -> Self {
        if orientation == Rotation::IDENTITY {
            return self.clone();
        }
        let corners = self.corners.iter().copied().map(orientation.turns_nearest()).collect();
        Self::with_corners(Arc::clone(&self.hull), corners)
    }

    /// A form whose corners have other coordinates.
    #[cfg(test)]
    pub(crate) fn scaled(&self, of: impl Fn(i64) -> i64) -> Self {
        let corners = self.corners.iter().map(|corner| corner.map_raw(&of)).collect();
        Self::with_corners(Arc::clone(&self.hull), corners)
    }

    /// The mirror image across the plane x = 0; exact.
    pub(crate) fn mirrored(&self) -> Self {
        let mirror = |corner: &Vec3| Vec3 { x: -corner.x, ..*corner };
        let hull = Arc::new(self.hull.mirrored());
        Self::with_corners(hull, self.corners.iter().map(mirror).collect())
    }

    /// The vectors along its edges.
    pub(crate) fn edges(&self) -> impl Iterator<Item = Vec3> + '_ {
        let corner = |index: u8| self.corners[usize::from(index)];
        self.hull.edges().map(move |[from, to]| corner(to) - corner(from))
    }

    /// The corners without a radius.
    pub(crate) fn as_convex(&self) -> Convex<'_> {
        Convex::of_extent(&self.corners, self.extent)
    }

    /// The largest coordinate of a corner on each axis, whatever its sign.
    pub(crate) const fn half_extent(&self) -> Vec3 {
        self.extent
    }

    /// The distance of the farthest corner, rounded up.
    pub(crate) fn bounding_radius(&self) -> Scalar {
        let farthest = self.corners.iter().max_by_key(|corner| corner.length_squared_wide());
        farthest.map_or(Scalar::ZERO, |corner| length_ceil(*corner))
    }

    /// The extent along a normal, times its length; exact.
    pub(crate) fn support_wide(&self, normal: Normal) -> i128 {
        normal.dot_wide(self.as_convex().farthest(normal))
    }

    /// True if its corners are in pairs along the third axis: a polygon for a flat world.
    pub(crate) fn is_upright(&self) -> bool {
        self.is_prism_along(2)
    }

    /// The prism along an axis, so many raw to either side, over what this hull is as seen from there; `None` unless its corners are in
    /// pairs along the axis. The hull that it has stays that of the shorter one.
    pub(crate) fn prolonged(&self, axis: usize, most: i64) -> Option<Self> {
        let longer = |corner: &Vec3| with_component(*corner, axis, corner.raw()[axis].signum() * most);
        let made = || Self::with_corners(Arc::clone(&self.hull), self.corners.iter().map(longer).collect());
        self.is_prism_along(axis).then(made)
    }

    fn is_prism_along(&self, axis: usize) -> bool {
        self.corners.iter().all(|corner| {
            let along = corner.raw()[axis];
            along != 0 && self.corners.contains(&with_component(*corner, axis, -along))
        })
    }
}

fn with_component(vector: Vec3, axis: usize, component: i64) -> Vec3 {
    let mut raw = vector.raw();
    raw[axis] = component;
    Vec3::from_raw(raw)
}
