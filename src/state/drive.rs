//! The drive of a body: a velocity that it approaches.

use serde::{Deserialize, Serialize};

use super::{
    Body, BodyType, State, StateError,
    saved::{check_length, check_size},
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

impl State {
    /// Checks the drive of a body.
    pub(crate) fn check_drive(&self, body: &Body) -> Result<(), StateError> {
        let Some(drive) = &body.drive else { return Ok(()) };
        if body.body_type != BodyType::Dynamic {
            return Err(StateError::impossible("drive", "only a dynamic body is driven"));
        }
        check_length("drive.velocity", drive.velocity, self.limits.speed_max)?;
        self.check_flat("drive.velocity", drive.velocity)?;
        if drive.accel_max <= Scalar::ZERO {
            return Err(StateError::impossible("drive.accel_max", "it is above 0"));
        }
        check_size("drive.accel_max", drive.accel_max, self.limits.speed_max * 2)
    }
}
