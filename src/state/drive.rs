//! The drive of a body: a velocity that it approaches.

use serde::{Deserialize, Serialize};

use super::{
    BodyType, Limits, StateError,
    checks::{check_flat, check_length, check_size},
};
use crate::{geom::Vec3, num::Scalar};

/// A target velocity that a dynamic body approaches in each tick, until a command changes it: see
/// [`Command::Drive`](super::Command::Drive).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Drive {
    /// The target velocity, in units per tick; within the world's limit on speed.
    pub velocity: Vec3,
    /// The largest change of velocity in a tick, in units per tick per tick: above 0, and at most twice the
    /// limit on speed.
    #[serde(with = "crate::num::scalar")]
    pub accel_max: Scalar,
}

impl Drive {
    /// Checks the drive of a body of a type.
    pub(crate) fn check(&self, body_type: BodyType, limits: &Limits) -> Result<(), StateError> {
        if body_type != BodyType::Dynamic {
            return Err(StateError::impossible("drive", "only a dynamic body is driven"));
        }
        check_length("drive.velocity", self.velocity, limits.speed_max)?;
        check_flat(limits.flat, "drive.velocity", self.velocity)?;
        if self.accel_max <= Scalar::ZERO {
            return Err(StateError::impossible("drive.accel_max", "it is above 0"));
        }
        check_size("drive.accel_max", self.accel_max, limits.speed_max * 2)
    }
}
