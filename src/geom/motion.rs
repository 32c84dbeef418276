//! The pose of a rotating body at an instant.

use super::{AngularMotion, Pose, Rotation, Vec3};
use crate::num::Toi;

/// The motion of a body over a tick, or the rest of one: its center along a straight line, its orientation as
/// [`AngularMotion`] says.
///
/// It is what [`Path`](super::Path) is for bodies that do not turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Motion {
    /// The center at the start.
    pub position: Vec3,
    /// The displacement that a whole tick at this speed makes.
    pub displacement: Vec3,
    /// Its rotation.
    pub turning: AngularMotion,
}

impl Motion {
    /// No motion.
    #[must_use]
    pub const fn still(pose: Pose) -> Self {
        let Pose { position, orientation } = pose;
        Self { position, displacement: Vec3::ZERO, turning: AngularMotion::still(orientation) }
    }

    /// The pose when `toi` has passed since the start.
    ///
    /// **Rounding**: the displacement to nearest, halves away from zero, within half a raw on each axis; the
    /// orientation as [`AngularMotion::at`]. Exact at both ends of a whole tick.
    ///
    /// # Panics
    ///
    /// If that is past the end of the tick.
    #[must_use]
    pub fn at(&self, toi: Toi) -> Pose {
        let moved = self.displacement.map_raw(|length| toi.of_nearest(length));
        let orientation: Rotation = self.turning.at(toi);
        Pose { position: self.position + moved, orientation }
    }

    /// The rest of this motion when `toi` has passed since the start; the center from its rounded place on,
    /// the turn along the same line.
    ///
    /// # Panics
    ///
    /// If that is past the end of the tick.
    #[must_use]
    pub fn rest(&self, toi: Toi) -> Self {
        let turning = self.turning.rest(toi);
        Self { position: self.at(toi).position, turning, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    fn motion() -> Motion {
        let quarter = Rotation::from_quaternion(lit("1"), lit("0"), lit("0"), lit("1")).unwrap();
        let (position, displacement) = (Vec3::splat(lit("1")), Vec3::new(lit("4"), lit("-4"), lit("0.25")));
        Motion { position, displacement, turning: AngularMotion::new(Rotation::IDENTITY, quarter).unwrap() }
    }

    #[test]
    fn a_motion_begins_and_ends_where_it_says() {
        let (begin, end) = (motion().at(Toi::START), motion().at(Toi::END));
        assert_eq!((begin.position, begin.orientation), (Vec3::splat(lit("1")), Rotation::IDENTITY));
        assert_eq!(end.position, Vec3::new(lit("5"), lit("-3"), lit("1.25")));
        assert_eq!(end.orientation.turn_nearest(Vec3::new(lit("1"), lit("0"), lit("0"))).y, lit("1"));
        let still = Motion::still(end);
        assert_eq!((still.at(Toi::START), still.at(Toi::END), still.displacement), (end, end, Vec3::ZERO));
    }

    #[test]
    fn the_rest_of_a_motion_goes_on_where_it_was() {
        let [quarter, half] = [1 << 30, 1 << 31].map(|raw| Toi::from_raw(raw).unwrap());
        let rest = motion().rest(quarter);
        assert_eq!(rest.at(Toi::START), motion().at(quarter));
        assert_eq!(rest.at(quarter), motion().at(half));
        assert_eq!(rest.displacement, motion().displacement);
        assert_eq!(rest.turning.remaining(), quarter.remaining());
    }
}
