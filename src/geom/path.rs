//! The position of a center at an instant of the tick.

use super::{Aabb, Vec3};
use crate::num::Toi;

/// The straight path of a center from an instant to the end of the tick.
///
/// A body that rotates has a [`Motion`](super::Motion): this path and its rotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Path {
    /// The instant from which this path holds.
    pub start: Toi,
    /// The center at `start`, in world coordinates.
    pub position: Vec3,
    /// The displacement that a whole tick at this speed would make.
    pub displacement: Vec3,
}

impl Path {
    /// A path over the whole tick.
    #[must_use]
    pub const fn new(position: Vec3, displacement: Vec3) -> Self {
        Self { start: Toi::START, position, displacement }
    }

    /// The position at an instant from `start` on.
    ///
    /// **Rounding**: the displacement to nearest, halves away from zero; exact at the end of a
    /// whole tick's path.
    ///
    /// # Panics
    ///
    /// If `toi` is before `start`.
    #[must_use]
    #[inline]
    pub fn at(&self, toi: Toi) -> Vec3 {
        let span = toi.since(self.start);
        // The two most frequent instants need no product.
        let moved = match span {
            Toi::START => Vec3::ZERO,
            Toi::END => self.displacement,
            _ => self.displacement.map_raw(|length| span.of_nearest(length)),
        };
        self.position + moved
    }

    /// The rest of this path from an instant on.
    #[must_use]
    #[inline]
    pub fn from(&self, toi: Toi) -> Self {
        Self { start: toi, position: self.at(toi), displacement: self.displacement }
    }

    /// The box of the points that the center passes.
    #[must_use]
    pub fn swept_center(&self) -> Aabb {
        let end = self.at(Toi::END);
        Aabb { min: self.position.min(end), max: self.position.max(end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    fn path() -> Path {
        Path::new(Vec3::splat(lit("1")), Vec3::new(lit("3"), lit("-3"), lit("0.25")))
    }

    #[test]
    fn a_whole_tick_is_exact_and_a_part_is_symmetric() {
        assert_eq!(path().at(Toi::END), Vec3::new(lit("4"), lit("-2"), lit("1.25")));
        let third = Toi::from_raw(0x5555_5555).unwrap();
        let moved = path().at(third) - path().position;
        assert_eq!(moved.x, -moved.y);
    }

    #[test]
    fn the_rest_of_a_path_starts_where_the_body_is() {
        let half = Toi::from_raw(1 << 31).unwrap();
        let rest = path().from(half);
        assert_eq!(rest.position, path().at(half));
        assert_eq!(rest.at(Toi::END), path().at(Toi::END));
        let swept = rest.swept_center();
        assert_eq!(swept.min, Vec3::new(lit("2.5"), lit("-2"), lit("1.125")));
        assert_eq!(swept.max, Vec3::new(lit("4"), lit("-0.5"), lit("1.25")));
    }
}
