//! Where a body that turns is at an instant.

use super::{Pose, Rotation, Turning, Vec3};
use crate::num::Toi;

/// The motion of a body over a tick, or the rest of one: its center along a straight line, its orientation as
/// [`Turning`] says.
///
/// It is what [`Path`](super::Path) is for bodies that do not turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Motion {
    /// The center at the start.
    pub position: Vec3,
    /// The displacement that a whole tick at this speed makes.
    pub displacement: Vec3,
    /// How it turns.
    pub turning: Turning,
}

impl Motion {
    /// No motion.
    #[must_use]
    pub const fn still(pose: Pose) -> Self {
        let Pose { position, orientation } = pose;
        Self { position, displacement: Vec3::ZERO, turning: Turning::still(orientation) }
    }

    /// The pose when `toi` has passed since the start.
    ///
    /// **Rounding**: the displacement to nearest, halves away from zero, within half a raw on each axis; the
    /// orientation as [`Turning::at`]. Exact at both ends of a whole tick.
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

    /// The rest of this motion when `toi` has passed since the start; the center from its rounded place on, the
    /// turn along the same line.
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
