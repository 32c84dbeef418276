//! The points of a manifold.

use crate::{geom::Vec3, num::Scalar};

/// A point of contact, between the surfaces of two shapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ManifoldPoint {
    /// The point from A's origin, midway between the two surfaces along the normal.
    pub place: Vec3,
    /// Twice the place. Its rounding does not depend on which shape is A, but half a raw more or less does.
    pub place_twice: Vec3,
    /// The distance from surface to surface along the normal; below zero where they overlap. Rounded down.
    pub gap: Scalar,
}

/// Up to eight points of contact of two shapes, in no order that has a meaning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manifold {
    points: [ManifoldPoint; Self::POINTS_MAX],
    count: u8,
}

impl Manifold {
    /// Largest number of points that are kept: as many corners as two parallelograms can have in common.
    pub const POINTS_MAX: usize = 8;

    /// The points, no two at the same place.
    #[must_use]
    pub fn points(&self) -> &[ManifoldPoint] {
        &self.points[..usize::from(self.count)]
    }

    /// The same points relative to another origin, which lies behind A's by `way`; exact.
    pub(crate) fn moved(mut self, way: Vec3) -> Self {
        for point in &mut self.points[..usize::from(self.count)] {
            point.place += way;
            point.place_twice = point.place_twice + way + way;
        }
        self
    }

    /// Adds a point; of two at the same place the one with the lesser gap is kept.
    pub(super) fn push(&mut self, point: ManifoldPoint) {
        let count = usize::from(self.count);
        if let Some(same) =
            self.points[..count].iter_mut().find(|known| known.place_twice == point.place_twice)
        {
            same.gap = same.gap.min(point.gap);
        } else if count < Self::POINTS_MAX {
            self.points[count] = point;
            self.count += 1;
        }
    }

    /// Discards points whose gap exceeds the least one by more than `band`.
    pub(super) fn keep_within(&mut self, band: Scalar) {
        let gaps = self.points().iter().map(|point| point.gap);
        let most = gaps.min().unwrap_or_default().saturating_add(band);
        let mut kept = 0;
        for index in 0..usize::from(self.count) {
            if self.points[index].gap <= most {
                if kept < index {
                    self.points[kept] = self.points[index];
                }
                kept += 1;
            }
        }
        self.count = kept as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    #[test]
    fn points_relative_to_another_origin_are_as_far_from_it() {
        let place = Vec3::lit("1", "-2", "3");
        let mut manifold = Manifold::default();
        manifold.push(ManifoldPoint { place, place_twice: place + place, gap: lit("0.5") });
        let way = Vec3::lit("0.25", "4", "-8");
        let moved = place + way;
        let expected = ManifoldPoint { place: moved, place_twice: moved + moved, gap: lit("0.5") };
        assert_eq!(manifold.moved(way).points(), [expected]);
    }
}
