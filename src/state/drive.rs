//! A velocity that a body goes towards by itself.

use serde::{Deserialize, Serialize};

use super::{
    Body, Kind, State, StateError,
    saved::{check_length, check_size},
};
use crate::{geom::Vec3, num::Scalar};

/// A velocity that a dynamic body goes towards in each tick, until a command says otherwise: see
/// [`Command::Drive`](super::Command::Drive).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Drive {
    /// Where to, in units per tick; within the world's limit on speed.
    pub velocity: Vec3,
    /// By how much at most in a tick, in units per tick per tick: above 0, and at most twice the limit on speed.
    #[serde(with = "crate::num::scalar")]
    pub accel_max: Scalar,
}

impl State {
    /// Checks what drives a body.
    pub(crate) fn check_drive(&self, body: &Body) -> Result<(), StateError> {
        let Some(drive) = &body.drive else { return Ok(()) };
        if body.kind != Kind::Dynamic {
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
