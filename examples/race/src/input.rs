//! The controls of a car in a tick.

use bitstep::num::Scalar;
use serde::{Deserialize, Serialize};

use crate::numbers::over;

/// The controls of a car in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Input {
    /// The throttle, 127 for all of it. Below 0 the car brakes, and goes backward once it stands.
    pub throttle: i8,
    /// The steering wheel, 127 for all the way to the left, -127 to the right.
    pub steer: i8,
    /// True to brake with all wheels.
    pub brake: bool,
    /// True to put the car back on the track, where it last passed a checkpoint.
    pub reset: bool,
}

impl Input {
    /// No control is touched.
    pub const NONE: Self = Self { throttle: 0, steer: 0, brake: false, reset: false };

    /// The throttle from -1 to 1.
    #[must_use]
    pub fn throttle(self) -> Scalar {
        fraction(self.throttle)
    }

    /// The steering wheel from -1, all the way to the right, to 1.
    #[must_use]
    pub fn steer(self) -> Scalar {
        fraction(self.steer)
    }

    /// The controls in a mirror: left is right.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self { steer: self.steer.saturating_neg(), ..self }
    }
}

/// A control as a part of its range; one step beyond is as far as the end.
fn fraction(control: i8) -> Scalar {
    over(Scalar::from(control.max(-127)), Scalar::from(127))
}
