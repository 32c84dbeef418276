//! The pose of a body at an instant of the tick.

use super::{AngularMotion, Path, Rotation, Vec3};
use crate::num::Toi;

/// A position and an orientation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pose {
    /// The center, in world coordinates.
    pub position: Vec3,
    /// The orientation.
    pub orientation: Rotation,
}

/// The motion of a body from an instant to the end of the tick: its center goes along a straight path, and its
/// orientation changes as [`AngularMotion`] says.
///
/// Where a body is at an instant, position and orientation, is what [`at`](Self::at) returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Motion {
    /// The path of its center.
    pub path: Path,
    /// Its rotation from the start of the path on.
    pub turning: AngularMotion,
}

impl Motion {
    /// No motion in the whole tick.
    #[must_use]
    pub const fn still(pose: Pose) -> Self {
        let Pose { position, orientation } = pose;
        Self { path: Path::new(position, Vec3::ZERO), turning: AngularMotion::still(orientation) }
    }

    /// The pose at an instant from the start of the path on.
    ///
    /// **Rounding**: the position as [`Path::at`], the orientation as [`AngularMotion::at`].
    ///
    /// # Panics
    ///
    /// If `toi` is before the start, or the rotation ends before it.
    #[must_use]
    #[inline]
    pub fn at(&self, toi: Toi) -> Pose {
        let orientation = self.turning.at(toi.since(self.path.start));
        Pose { position: self.path.at(toi), orientation }
    }

    /// The rest of this motion from an instant on: the center from its rounded position on, the rotation along
    /// the same line.
    ///
    /// # Panics
    ///
    /// As [`at`](Self::at).
    #[must_use]
    #[inline]
    pub fn from(&self, toi: Toi) -> Self {
        Self { path: self.path.from(toi), turning: self.turning.rest(toi.since(self.path.start)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    fn motion() -> Motion {
        let quarter = Rotation::from_quaternion(lit("1"), lit("0"), lit("0"), lit("1")).unwrap();
        let path = Path::new(Vec3::splat(lit("1")), Vec3::new(lit("4"), lit("-4"), lit("0.25")));
        Motion { path, turning: AngularMotion::new(Rotation::IDENTITY, quarter).unwrap() }
    }

    #[test]
    fn a_motion_begins_and_ends_where_it_says() {
        let (begin, end) = (motion().at(Toi::START), motion().at(Toi::END));
        assert_eq!((begin.position, begin.orientation), (Vec3::splat(lit("1")), Rotation::IDENTITY));
        assert_eq!(end.position, Vec3::new(lit("5"), lit("-3"), lit("1.25")));
        assert_eq!(end.orientation.turn_nearest(Vec3::new(lit("1"), lit("0"), lit("0"))).y, lit("1"));
        let still = Motion::still(end);
        assert_eq!(
            (still.at(Toi::START), still.at(Toi::END), still.path.displacement),
            (end, end, Vec3::ZERO)
        );
    }

    #[test]
    fn the_rest_of_a_motion_goes_on_where_it_was() {
        let [quarter, half] = [1 << 30, 1 << 31].map(|raw| Toi::from_raw(raw).unwrap());
        let rest = motion().from(quarter);
        for toi in [quarter, half, Toi::END] {
            assert_eq!(rest.at(toi), motion().at(toi));
        }
        assert_eq!(rest.path.displacement, motion().path.displacement);
        assert_eq!(rest.turning.remaining(), quarter.remaining());
    }

    /// A rotation that begins within a tick is measured from the start of its path, not from that of the tick.
    #[test]
    fn a_motion_that_begins_late_has_all_of_its_rotation_left() {
        let half = Toi::from_raw(1 << 31).unwrap();
        let late = Motion { path: Path { start: half, ..motion().path }, ..motion() };
        assert_eq!(late.at(half), motion().at(Toi::START));
        assert_eq!(late.at(Toi::END), motion().at(half));
    }
}
