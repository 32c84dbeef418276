//! Surface materials: restitution and friction.

use serde::{Deserialize, Serialize};

use super::StateError;
use crate::num::{Scalar, lit};

/// The restitution and friction of a surface, both in range: whatever makes a material checks them.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Plain")]
pub struct Material {
    pub(crate) restitution_q16: u32,
    pub(crate) friction_q16: u32,
}

/// Serialized form of a material, which may be out of range.
#[derive(Deserialize)]
struct Plain {
    restitution_q16: u32,
    friction_q16: u32,
}

impl TryFrom<Plain> for Material {
    type Error = StateError;

    fn try_from(Plain { restitution_q16, friction_q16 }: Plain) -> Result<Self, StateError> {
        Self::from_q16(restitution_q16, friction_q16)
    }
}

impl Material {
    /// Restitution 1 and no friction.
    pub const ELASTIC: Self = Self { restitution_q16: 1 << 16, friction_q16: 0 };
    /// Restitution 0 and no friction.
    pub const INELASTIC: Self = Self { restitution_q16: 0, friction_q16: 0 };
    /// The largest coefficient of friction.
    pub const FRICTION_MAX: Scalar = lit("16");
    /// The largest coefficient of friction, times 2^16.
    pub const FRICTION_Q16_MAX: u32 = 16 << 16;

    /// A material without friction from its restitution in `0..=1`.
    ///
    /// **Rounding**: to the nearest 2^-16, halves up.
    ///
    /// # Errors
    ///
    /// If the restitution is out of range, with the value and the limit.
    pub fn new(restitution: Scalar) -> Result<Self, StateError> {
        let restitution_q16 = q16_within("restitution", restitution, Scalar::ONE)?;
        Ok(Self { restitution_q16, friction_q16: 0 })
    }

    /// A material from a restitution and a coefficient of friction, both times 2^16.
    ///
    /// # Errors
    ///
    /// If one is out of range, with the value and the limit.
    pub fn from_q16(restitution_q16: u32, friction_q16: u32) -> Result<Self, StateError> {
        let value = |q16: u32| Scalar::from_bits(i64::from(q16) << 16);
        q16_within("restitution", value(restitution_q16), Scalar::ONE)?;
        q16_within("friction", value(friction_q16), Self::FRICTION_MAX)?;
        Ok(Self { restitution_q16, friction_q16 })
    }

    /// The same material with a coefficient of friction in `0..=16`.
    ///
    /// **Rounding**: to the nearest 2^-16, halves up.
    ///
    /// # Errors
    ///
    /// If the coefficient is out of range, with the value and the limit.
    ///
    /// ```
    /// use bitstep::{num::lit, state::Material};
    /// let wood = Material::new(lit("0.2"))?.with_friction(lit("0.5"))?;
    /// assert_eq!(wood.friction_q16(), 1 << 15);
    /// # Ok::<(), bitstep::state::StateError>(())
    /// ```
    pub fn with_friction(self, friction: Scalar) -> Result<Self, StateError> {
        Ok(Self { friction_q16: q16_within("friction", friction, Self::FRICTION_MAX)?, ..self })
    }

    /// The fraction of the closing speed that an impact gives back, times 2^16: 0 for none, 65,536 for all of
    /// it. A pair takes the larger of its two.
    #[must_use]
    pub const fn restitution_q16(&self) -> u32 {
        self.restitution_q16
    }

    /// The coefficient of friction, times 2^16: the largest friction impulse over the normal impulse; 0 for
    /// none, at most [`FRICTION_Q16_MAX`](Self::FRICTION_Q16_MAX). A pair takes the root of the product of
    /// its two, to nearest, so a pair with one frictionless surface has none.
    #[must_use]
    pub const fn friction_q16(&self) -> u32 {
        self.friction_q16
    }
}

/// The friction of a pair of surfaces: the geometric mean.
///
/// **Rounding**: to nearest; no root of a whole number is halfway. **Range**: the frictions of all materials.
pub(crate) const fn pair_friction_q16(a: u32, b: u32) -> u32 {
    let product = a as u64 * b as u64;
    let root = product.isqrt();
    (root + (product - root * root > root) as u64) as u32
}

/// A coefficient in `0..=limit`, times 2^16; to nearest, halves up.
fn q16_within(field: &'static str, value: Scalar, limit: Scalar) -> Result<u32, StateError> {
    let fits = (Scalar::ZERO..=limit).contains(&value);
    if fits { Ok(q16_nearest(value)) } else { Err(StateError::Coefficient { field, value, limit }) }
}

/// A fraction of at least 0, times 2^16; to nearest, halves up.
const fn q16_nearest(part: Scalar) -> u32 {
    ((part.to_bits() + (1 << 15)) >> 16) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rng;

    #[test]
    fn friction_is_read_to_the_nearest_and_has_a_limit() {
        let of = |friction| Material::INELASTIC.with_friction(friction);
        let q16 = |friction| of(friction).map(|material| material.friction_q16);
        assert_eq!(q16(Scalar::ZERO), Ok(0));
        assert_eq!(q16(Scalar::from_bits((1 << 15) - 1)), Ok(0));
        assert_eq!(q16(Scalar::from_bits(1 << 15)), Ok(1));
        assert_eq!(q16(lit("16")), Ok(Material::FRICTION_Q16_MAX));
        assert_eq!(of(lit("16.25")).unwrap_err().to_string(), "friction is 16.25, must be in 0..=16");
        assert_eq!(of(lit("-0.5")).unwrap_err().to_string(), "friction is -0.5, must be in 0..=16");
        let bouncy = Material::new(lit("1.5")).unwrap_err();
        assert_eq!(bouncy.to_string(), "restitution is 1.5, must be in 0..=1");
        let q16 = |restitution, friction| {
            Material::from_q16(restitution, friction).map_err(|error| error.to_string())
        };
        assert_eq!(q16(1 << 16, 16 << 16), Ok(Material { restitution_q16: 1 << 16, friction_q16: 16 << 16 }));
        assert_eq!(q16((1 << 16) + 1, 0), Err("restitution is 1.0000152588, must be in 0..=1".to_owned()));
        assert_eq!(q16(0, u32::MAX), Err("friction is 65535.9999847412, must be in 0..=16".to_owned()));
        let rubber = Material::new(lit("0.5")).unwrap();
        assert_eq!(rubber.with_friction(lit("1")).unwrap().restitution_q16, rubber.restitution_q16);
    }

    #[test]
    fn a_pair_takes_the_geometric_mean() {
        let table = [(0, 0, 0), (0, 1 << 20, 0), (1, 1, 1), (1, 2, 1), (1, 3, 2), (2, 3, 2), (5, 9, 7)];
        for (a, b, mean) in table {
            assert_eq!((pair_friction_q16(a, b), pair_friction_q16(b, a)), (mean, mean), "{a} {b}");
        }
        let most = Material::FRICTION_Q16_MAX;
        for case in 0..20_000 {
            let mut draws = Rng::new(8).at(0, 0, case);
            let bits = [(); 2].map(|()| draws.between(0, 20));
            let [a, b] = bits.map(|bits| draws.between(0, i64::from(most) >> bits) as u32);
            let (mean, product) = (u64::from(pair_friction_q16(a, b)), u64::from(a) * u64::from(b));
            // (mean - 1/2)^2 < product < (mean + 1/2)^2, without fractions.
            assert!(4 * product < (2 * mean + 1).pow(2), "{a} {b}");
            assert!(mean == 0 || 4 * product > (2 * mean - 1).pow(2), "{a} {b}");
            assert_eq!(pair_friction_q16(a, a), a);
        }
    }
}
