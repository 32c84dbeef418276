//! The settings of a character.

use crate::{
    geom::{IVec3, Normal},
    num::{Scalar, lit},
    state::{StateError, check_size},
};

/// The settings of a character.
///
/// ```
/// use bitstep::{character::CharacterSettings, num::lit};
/// let tall = CharacterSettings { step_height: lit("0.5"), ..CharacterSettings::USUAL };
/// assert_eq!(tall.slope_max, lit("1"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharacterSettings {
    /// The up direction.
    pub up: Normal,
    /// The steepest walkable slope, as rise over run, from 0 to 16: 1 is 45 degrees.
    ///
    /// **Rounding**: down to 2^-16.
    pub slope_max: Scalar,
    /// The highest step that is climbed without a jump, in units, from 0 to 1024; accurate to the gap.
    pub step_height: Scalar,
    /// The distance below its feet within which a walking character snaps to ground, in units, from 0 to
    /// 1024: down stairs and slopes.
    pub snap: Scalar,
    /// The largest mass of a dynamic body that the character moves into, so that the tick pushes it; a
    /// heavier one is a wall.
    pub push_mass_max: u32,
}

impl CharacterSettings {
    /// Up is y, slopes up to 45 degrees are walkable, steps are up to 0.3 units high, ground is found 0.3
    /// units below, and nothing is pushed.
    pub const USUAL: Self = Self {
        up: Normal::Y,
        slope_max: Scalar::ONE,
        step_height: lit("0.3"),
        snap: lit("0.3"),
        push_mass_max: 0,
    };

    /// The steepest accepted slope.
    const SLOPE_LIMIT: Scalar = lit("16");
    /// The highest accepted step and the longest snap.
    const LENGTH_LIMIT: Scalar = lit("1024");

    /// The cosine of the angle between a normal and up, times the lengths of both; exact.
    pub(super) fn rise(&self, normal: Normal) -> i128 {
        IVec3::from(normal).dot(IVec3::from(self.up))
    }

    pub(super) fn check(&self) -> Result<(), StateError> {
        if !self.up.is_valid() {
            return Err(StateError::impossible("up", "it is zero, or longer than a normal may be"));
        }
        for (field, value, limit) in [
            ("slope_max", self.slope_max, Self::SLOPE_LIMIT),
            ("step_height", self.step_height, Self::LENGTH_LIMIT),
            ("snap", self.snap, Self::LENGTH_LIMIT),
        ] {
            check_size(field, value, limit)?;
            if value < Scalar::ZERO {
                return Err(StateError::impossible(field, "it is not negative"));
            }
        }
        Ok(())
    }
}
