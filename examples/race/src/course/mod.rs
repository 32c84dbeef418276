//! The course: an oval of two straights and two banked curves, with a jump on one straight and hills on the other.
//!
//! A place on it is a length along its middle and a length to the left. Cars go round by the left: x is to the left of a car that
//! starts, y is up, z is ahead.

mod mesh;
mod profile;

use bitstep::{
    geom::{Rotation, Vec3},
    num::{
        Scalar, lit,
        trig::{atan2, sin_cos},
    },
};

pub use mesh::mesh;

use crate::numbers::{over, times};

/// The length of a straight.
pub const STRAIGHT: Scalar = lit("160");
/// The radius of the middle of a curve.
pub const RADIUS: Scalar = lit("45");
/// The length of a curve's middle: half a circle.
pub const CURVE: Scalar = lit("141.371669");
/// The length of a lap.
pub const LENGTH: Scalar = lit("602.743338");
/// Half of the width of the road.
pub const HALF_WIDTH: Scalar = lit("7");
/// The line at which laps begin.
pub const START: Scalar = lit("20");
/// Number of sectors, which a lap passes in their order.
pub const SECTORS: u8 = 8;
/// The height of the ground beside the road.
pub const GROUND: Scalar = lit("-0.5");

const HALF_STRAIGHT: Scalar = lit("80");
/// The ends of the first straight, the first curve and the second straight.
const ENDS: [Scalar; 3] = [lit("160"), lit("301.371669"), lit("461.371669")];

/// A place by the course.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The length along the middle of the road, from 0 up to [`LENGTH`].
    pub along: Scalar,
    /// The length to the left of the middle.
    pub left: Scalar,
}

impl Place {
    /// The place of a point, whatever its height.
    #[must_use]
    pub fn of(point: Vec3) -> Self {
        let Vec3 { x, z, .. } = point;
        let (along, left) = if z > HALF_STRAIGHT {
            let (turns, radius) = polar(z - HALF_STRAIGHT, -x);
            (ENDS[0] + times(turns, CURVE * 2), RADIUS - radius)
        } else if z < -HALF_STRAIGHT {
            let (turns, radius) = polar(-z - HALF_STRAIGHT, x);
            (ENDS[2] + times(turns, CURVE * 2), RADIUS - radius)
        } else if x < 0 {
            (z + HALF_STRAIGHT, x + RADIUS)
        } else {
            (ENDS[1] + HALF_STRAIGHT - z, RADIUS - x)
        };
        Self { along: wrapped(along), left }
    }

    /// The point of the road's surface.
    #[must_use]
    pub fn point(self) -> Vec3 {
        let (x, z) = self.flat();
        Vec3::new(x, profile::height(self.along, self.left), z)
    }

    /// The coordinates on the map.
    fn flat(self) -> (Scalar, Scalar) {
        let Self { along, left } = self;
        let out = RADIUS - left;
        if along < ENDS[0] {
            (-out, along - HALF_STRAIGHT)
        } else if along < ENDS[1] {
            let (sine, cosine) = sin_cos(over(along - ENDS[0], CURVE * 2));
            (-times(out, cosine), HALF_STRAIGHT + times(out, sine))
        } else if along < ENDS[2] {
            (out, HALF_STRAIGHT - (along - ENDS[1]))
        } else {
            let (sine, cosine) = sin_cos(over(along - ENDS[2], CURVE * 2));
            (times(out, cosine), -HALF_STRAIGHT - times(out, sine))
        }
    }

    /// The direction of the road, as an angle in turns about y: 0 along z, positive to the left.
    #[must_use]
    pub fn heading(self) -> Scalar {
        let half = lit("0.5");
        let along = self.along;
        if along < ENDS[0] {
            Scalar::ZERO
        } else if along < ENDS[1] {
            over(along - ENDS[0], CURVE * 2)
        } else if along < ENDS[2] {
            half
        } else {
            half + over(along - ENDS[2], CURVE * 2)
        }
    }

    /// The orientation of a car that heads along the road.
    #[must_use]
    pub fn orientation(self) -> Rotation {
        let (sine, cosine) = sin_cos(self.heading() / 2);
        let none = Scalar::ZERO;
        Rotation::from_quaternion(cosine, none, sine, none).unwrap_or(Rotation::IDENTITY)
    }

    /// The sector, counted from the line at which laps begin.
    #[must_use]
    pub fn sector(self) -> u8 {
        let from_start = wrapped(self.along - START).to_bits();
        let sector = i128::from(from_start) * i128::from(SECTORS) / i128::from(LENGTH.to_bits());
        sector.clamp(0, i128::from(SECTORS) - 1) as u8
    }

    /// True if it is on the road or its borders.
    #[must_use]
    pub fn is_on_road(self) -> bool {
        self.left.abs() <= HALF_WIDTH + lit("1")
    }

    /// The middle of the road where a sector begins.
    #[must_use]
    pub fn of_sector(sector: u8) -> Self {
        let part = i128::from(LENGTH.to_bits()) * i128::from(sector) / i128::from(SECTORS);
        Self { along: wrapped(START + Scalar::from_bits(part as i64)), left: Scalar::ZERO }
    }

    /// The middle of the road a length further on.
    #[must_use]
    pub fn ahead(self, length: Scalar) -> Self {
        Self { along: wrapped(self.along + length), left: Scalar::ZERO }
    }

    /// True in the banked part of a curve or near it.
    #[must_use]
    pub fn is_in_curve(self) -> bool {
        profile::bank(self.along) > 0
    }
}

/// The angle in turns from 0 to a half, and the distance.
fn polar(y: Scalar, x: Scalar) -> (Scalar, Scalar) {
    (atan2(y, x), Vec3::new(x, y, Scalar::ZERO).length())
}

/// A length along the course, from 0 up to [`LENGTH`].
#[must_use]
pub fn wrapped(along: Scalar) -> Scalar {
    Scalar::from_bits(along.to_bits().rem_euclid(LENGTH.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_at_the_place_that_it_is_of() {
        for step in 0..120 {
            for left in ["-7", "0", "3.5"] {
                let place = Place { along: Scalar::from(step) * 5, left: lit(left) };
                let found = Place::of(place.point());
                let near = |a: Scalar, b: Scalar| (a - b).abs() < lit("0.00001");
                assert!(
                    near(found.along, place.along) && near(found.left, place.left),
                    "{place:?} {found:?}"
                );
            }
        }
    }

    #[test]
    fn the_road_goes_where_it_heads() {
        for step in 0..600 {
            let place = Place { along: Scalar::from(step), left: Scalar::ZERO };
            let length = lit("0.5");
            let way = place.ahead(length).point() - place.point();
            let ahead = place.orientation().turn_nearest(Vec3::lit("0", "0", "1"));
            let along = Vec3 { y: Scalar::ZERO, ..way }.dot(ahead);
            assert!((along - length).abs() < lit("0.001"), "{place:?}: {along}");
        }
    }

    #[test]
    fn the_sectors_are_eight_from_the_line_on() {
        let sectors: Vec<u8> =
            (0..SECTORS).map(|sector| Place::of_sector(sector).ahead(lit("0.01")).sector()).collect();
        assert_eq!(sectors, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(Place { along: START - lit("0.01"), left: Scalar::ZERO }.sector(), 7);
    }
}
