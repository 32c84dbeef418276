//! A rod with round ends, as an integer half axis and a radius.

use serde::{Deserialize, Serialize};

use super::{ShapeError, size::length_ceil};
use crate::{
    geom::{Normal, Vec3},
    num::Scalar,
};

/// All points within a radius of a segment around its own origin.
///
/// The half axis is in raw: it *is* the capsule, so every test on it is a question about integers with
/// one right answer. The opposite half axis makes the same solid, and every kernel gives it the same
/// answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Capsule {
    /// The vector from the middle of the segment to one of its ends, the center of a half ball. Not zero: that would
    /// be a ball.
    pub half_axis: Vec3,
    /// Its radius, above zero.
    #[serde(with = "crate::num::scalar")]
    pub radius: Scalar,
}

impl Capsule {
    /// The capsule from its half axis and radius, in units, whatever they are: [`Shape::check`](super::Shape::check)
    /// says what is refused.
    #[must_use]
    pub const fn new(half_axis: Vec3, radius: Scalar) -> Self {
        Self { half_axis, radius }
    }

    /// The ends of its segment.
    #[must_use]
    pub fn ends(&self) -> [Vec3; 2] {
        [self.half_axis, -self.half_axis]
    }

    /// Half the extent on each axis of the least box around it; exact.
    #[must_use]
    pub fn half_extent(&self) -> Vec3 {
        self.half_axis.map_raw(i64::abs) + Vec3::splat(self.radius)
    }

    /// The radius of a ball that holds the capsule, rounded up.
    #[must_use]
    pub fn bounding_radius(&self) -> Scalar {
        length_ceil(self.half_axis) + self.radius
    }

    /// Extent of the capsule along a normal, times the normal's length and 2^32.
    ///
    /// **Rounding**: up, as [`Normal::length_up_q32`] of the radius; the segment's part is exact.
    #[doc(hidden)]
    #[must_use]
    pub fn support_q32_ceil(&self, normal: Normal) -> i128 {
        let ball = i128::from(self.radius.to_bits()) * i128::from(normal.length_up_q32());
        (normal.dot_wide(self.half_axis).abs() << 32) + ball
    }

    /// True if the axis lies in the plane of a flat world or stands up from it.
    pub(super) fn is_upright(&self) -> bool {
        let Vec3 { x, y, z } = self.half_axis;
        z == 0 || (x == 0 && y == 0)
    }

    /// Checks every size against a limit; whatever they are, nothing overflows.
    pub(super) fn check(&self, limit: Scalar) -> Result<(), ShapeError> {
        let check = |field, value: Scalar, fits: bool| {
            if fits { Ok(()) } else { Err(ShapeError::Size { field, value, limit }) }
        };
        check("radius", self.radius, self.radius > 0 && self.radius <= limit)?;
        let Vec3 { x, y, z } = self.half_axis;
        for (field, part) in [("half_axis.x", x), ("half_axis.y", y), ("half_axis.z", z)] {
            // With the radius: the capsule's half extent.
            let value = part.saturating_abs().saturating_add(self.radius);
            check(field, value, value <= limit)?;
        }
        if self.half_axis == Vec3::ZERO { Err(ShapeError::NoAxis) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    fn capsule(half_axis: [i64; 3], radius: i64) -> Capsule {
        Capsule::new(Vec3::from_raw(half_axis), Scalar::from_bits(radius))
    }

    #[test]
    fn a_capsule_reaches_its_axis_and_its_radius() {
        let rod = Capsule::new(Vec3::new(lit("3"), lit("-4"), lit("0")), lit("2"));
        assert_eq!(rod.half_extent(), Vec3::new(lit("5"), lit("6"), lit("2")));
        assert_eq!(rod.bounding_radius(), lit("7"));
        let along = rod.support_q32_ceil(Normal::new(-3, 4, 0));
        assert_eq!(along, i128::from(lit("35").to_bits()) << 32);
        let across = rod.support_q32_ceil(Normal::new(4, 3, 0));
        assert_eq!(across, i128::from(lit("10").to_bits()) << 32);
        assert_eq!(capsule([1, 0, 0], 1).bounding_radius().to_bits(), 2);
    }

    #[test]
    fn capsules_that_are_none_are_refused_by_name() {
        let said = |capsule: Capsule| capsule.check(lit("10")).map_err(|error| error.to_string());
        let one = 1 << 32;
        assert_eq!(said(capsule([1, 0, 0], 1)), Ok(()));
        assert_eq!(said(capsule([0, -9 * one, 0], one)), Ok(()));
        let refused = [
            (capsule([one, 0, 0], 0), "radius is 0, must be above 0 and at most 10"),
            (capsule([one, 0, 0], -one), "radius is -1, must be above 0 and at most 10"),
            (capsule([one, 0, 0], 11 * one), "radius is 11, must be above 0 and at most 10"),
            (capsule([0, 0, -10 * one], one), "half_axis.z is 11, must be above 0 and at most 10"),
            (
                capsule([0, i64::MIN, 0], one),
                "half_axis.y is 2147483647.9999999998, must be above 0 and at most 10",
            ),
            (capsule([0; 3], one), "half axis of a capsule is zero: that is a sphere"),
        ];
        for (capsule, message) in refused {
            assert_eq!(said(capsule), Err(message.to_owned()));
        }
    }
}
