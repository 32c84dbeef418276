//! A triangle: thin, and solid from both sides.

use crate::{geom::Vec3, num::round::div_nearest};

/// Three corners around a point of theirs that is the origin. It has no inside: what overlaps it has it in its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Triangle {
    corners: [Vec3; 3],
}

impl Triangle {
    /// The triangle around its centroid, and where that is.
    ///
    /// **Rounding**: each component of the centroid to nearest; the corners are exact.
    pub(super) fn around_centroid(corners: [Vec3; 3]) -> (Self, Vec3) {
        let [a, b, c] = corners;
        let centroid = (a + b + c).map_raw(|sum| div_nearest(sum.into(), 3) as i64);
        (Self { corners: corners.map(|corner| corner - centroid) }, centroid)
    }

    /// The corners, counterclockwise as seen from the front.
    #[must_use]
    pub const fn corners(&self) -> &[Vec3; 3] {
        &self.corners
    }

    /// The largest coordinate of a corner on each axis, whatever its sign.
    pub(crate) fn half_extent(&self) -> Vec3 {
        let absolute = self.corners.map(|corner| corner.map_raw(i64::abs));
        absolute[0].max(absolute[1]).max(absolute[2])
    }
}
