//! An orientation in space.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{GeomError, IVec3, Vec3};
use crate::num::{
    Scalar,
    bound::Bound,
    root::sqrt_floor,
    round::{div_nearest, shr_nearest},
};

/// A unit quaternion with 30 fraction bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "Plain", into = "Plain")]
pub struct Rotation {
    w: i32,
    x: i32,
    y: i32,
    z: i32,
}

impl Rotation {
    /// The fraction bits of a component.
    pub const BITS: u32 = 30;
    /// No rotation.
    pub const IDENTITY: Self = Self { w: 1 << Self::BITS, x: 0, y: 0, z: 0 };

    /// The bound of the squared length of its quaternion, and so of a row or a column of its matrix.
    pub(super) const SQUARE_BOUND: Bound = Bound::power(60).plus(Bound::power(34));

    /// Allowed deviation of a rotation's squared length from 1, with 60 fraction bits: twice what rounding
    /// costs.
    const LENGTH_SQUARED_ROOM: i128 = 1 << 34;

    /// The rotation of the components that [`components`](Self::components) gives: the real part, then the
    /// imaginary parts along the axes, all times 2^30.
    ///
    /// # Errors
    ///
    /// If the squared length is farther than 2^-26 from 1. Every rotation made in this module is within half
    /// of that.
    pub fn from_components(components: [i32; 4]) -> Result<Self, GeomError> {
        let length_squared: i128 = components.iter().map(|&part| i128::from(part) * i128::from(part)).sum();
        if (length_squared - (1 << (2 * Self::BITS))).abs() > Self::LENGTH_SQUARED_ROOM {
            return Err(GeomError::NoRotation { length_squared });
        }
        let [w, x, y, z] = components;
        Ok(Self { w, x, y, z })
    }

    /// The rotation of a quaternion of any length, or `None` for the zero quaternion.
    ///
    /// **Rounding**: each component to nearest, halves away from zero; within one least bit of the
    /// normalised quaternion.
    #[must_use]
    pub fn from_quaternion(w: Scalar, x: Scalar, y: Scalar, z: Scalar) -> Option<Self> {
        Self::from_wide([w, x, y, z].map(|part| i128::from(part.to_bits())))
    }

    /// [`from_quaternion`](Self::from_quaternion) of integer components.
    ///
    /// **Range**: components below 2^126.
    pub(crate) fn from_wide(parts: [i128; 4]) -> Option<Self> {
        let most = parts.iter().map(|part| part.unsigned_abs()).max()?;
        if most == 0 {
            return None;
        }
        // Scaled so that the largest part has 62 bits: the squares of four fit 126.
        let bits = 128 - most.leading_zeros();
        let scaled = parts.map(|part| to_62_bits(part, bits));
        let square: u128 = scaled.iter().map(|part| part.unsigned_abs() * part.unsigned_abs()).sum();
        let length = sqrt_floor(square) as i128;
        let [w, x, y, z] = scaled.map(|part| div_nearest(part << Self::BITS, length) as i32);
        Some(Self { w, x, y, z })
    }

    /// The rotation of components that were rounded from a quaternion of length 1.
    pub(super) fn rounded([w, x, y, z]: [i32; 4]) -> Self {
        let rounded = Self { w, x, y, z };
        debug_assert!(Self::from_components(rounded.components()).is_ok());
        rounded
    }

    /// The components times 2^30: the real part, then the imaginary parts along the axes.
    #[must_use]
    pub const fn components(self) -> [i32; 4] {
        [self.w, self.x, self.y, self.z]
    }

    /// The squared length with 60 fraction bits, exact; within 2^-27 of 1 for every rotation made in this
    /// module.
    pub(super) fn length_squared(self) -> i64 {
        let square = |part: i32| i64::from(part) * i64::from(part);
        square(self.w) + square(self.x) + square(self.y) + square(self.z)
    }

    /// True if the angle between both is at most 90°; exact.
    pub(super) fn is_within_a_quarter(self, other: Self) -> bool {
        let dot = self.dot(other);
        2 * dot * dot >= i128::from(self.length_squared()) * i128::from(other.length_squared())
    }

    /// The cosine of half the angle between both, with 60 fraction bits; exact.
    pub(super) fn dot(self, other: Self) -> i128 {
        let pairs = self.components().into_iter().zip(other.components());
        pairs.map(|(a, b)| i128::from(a) * i128::from(b)).sum()
    }

    /// The rotation back.
    pub(crate) const fn inverse(self) -> Self {
        Self { w: self.w, x: -self.x, y: -self.y, z: -self.z }
    }

    /// The mirror image of the rotation across the plane x = 0.
    pub(crate) const fn mirrored_in_x(self) -> Self {
        Self { w: self.w, x: self.x, y: -self.y, z: -self.z }
    }

    /// The other quaternion of the same orientation.
    pub(super) const fn opposite(self) -> Self {
        Self { w: -self.w, x: -self.x, y: -self.y, z: -self.z }
    }

    /// A vector, rotated.
    ///
    /// **Rounding**: each component to nearest, halves away from zero.
    /// **Range**: components below 2^60 raw.
    #[must_use]
    pub fn apply(self, vector: Vec3) -> Vec3 {
        let raw = IVec3::from(vector);
        Vec3::from_raw(self.matrix_q60().map(|row| shr_nearest(row.dot(raw), 2 * Self::BITS) as i64))
    }

    /// A vector, rotated without a change of length: the quaternion's own length is divided out.
    ///
    /// **Rounding**: each component to nearest, halves away from zero, once; exact before. **Range**:
    /// components below 2^46 raw.
    ///
    /// ```
    /// use bitstep::{geom::{Rotation, Vec3}, num::lit};
    /// let (one, none) = (lit("1"), lit("0"));
    /// let quarter = Rotation::from_quaternion(one, none, none, one).unwrap();
    /// assert_eq!(quarter.turn_nearest(Vec3::new(one, none, none)), Vec3::new(none, one, none));
    /// ```
    #[must_use]
    pub fn turn_nearest(self, vector: Vec3) -> Vec3 {
        turned_by(&self.matrix_q60(), self.length_squared(), vector)
    }

    /// [`turn_nearest`](Self::turn_nearest) of any number of vectors.
    pub(crate) fn turns_nearest(self) -> impl Fn(Vec3) -> Vec3 {
        let (rows, square) = (self.matrix_q60(), self.length_squared());
        move |vector| turned_by(&rows, square, vector)
    }

    /// The rotated axes of the world, each with 30 fraction bits: [`turn_nearest`](Self::turn_nearest) of
    /// each.
    pub(crate) fn axes_q30(self) -> [[i32; 3]; 3] {
        let (square, [x, y, z]) = (self.length_squared(), self.matrix_q60());
        let part = |along: i64| over_nearly_one(i128::from(along) << Self::BITS, square) as i32;
        let turned = |axis: usize| [part(x[axis]), part(y[axis]), part(z[axis])];
        [turned(0), turned(1), turned(2)]
    }

    /// The rows of the rotation matrix with 60 fraction bits; exact in the stored quaternion.
    pub(super) fn matrix_q60(self) -> [IVec3<i64>; 3] {
        let (w, x, y, z) = (i64::from(self.w), i64::from(self.x), i64::from(self.y), i64::from(self.z));
        [
            IVec3([w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)]),
            IVec3([2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)]),
            IVec3([2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z]),
        ]
    }
}

impl fmt::Display for Rotation {
    /// The decimals of the components, the real part first, as a scene spells a quaternion.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [w, x, y, z] =
            self.components().map(|part| Scalar::from_bits(i64::from(part) << (32 - Self::BITS)));
        write!(f, "({w}, {x}, {y}, {z})")
    }
}

/// Serialized form of a rotation.
#[derive(Serialize, Deserialize)]
struct Plain {
    w: i32,
    x: i32,
    y: i32,
    z: i32,
}

impl TryFrom<Plain> for Rotation {
    type Error = GeomError;

    fn try_from(Plain { w, x, y, z }: Plain) -> Result<Self, GeomError> {
        Self::from_components([w, x, y, z])
    }
}

impl From<Rotation> for Plain {
    fn from(Rotation { w, x, y, z }: Rotation) -> Self {
        Self { w, x, y, z }
    }
}

/// A vector times the rows of a rotation matrix, over the square of its length.
#[inline(always)]
fn turned_by([x, y, z]: &[IVec3<i64>; 3], square: i64, vector: Vec3) -> Vec3 {
    let raw = IVec3::from(vector);
    let part = |row: &IVec3<i64>| over_nearly_one(row.dot(raw), square);
    Vec3::from_raw([part(x), part(y), part(z)])
}

/// `sum / square` to nearest, halves away from zero; `square` is 2^60 within a part in 2^26, so that a guess
/// without a division is at most a few off. **Range**: sums below 2^112.
#[inline(always)]
fn over_nearly_one(sum: i128, square: i64) -> i64 {
    const BITS: u32 = 2 * Rotation::BITS;
    let size = sum.abs();
    let near = (size >> BITS) as i64;
    let excess = i128::from(near) * i128::from(square - (1 << BITS));
    let mut quotient = near - (excess >> BITS) as i64;
    // A few times the square at most, so its last 64 bits are all of it.
    let mut left = (size as i64).wrapping_sub(quotient.wrapping_mul(square));
    while left >= square - left {
        (quotient, left) = (quotient + 1, left - square);
    }
    while left < -square - left {
        (quotient, left) = (quotient - 1, left + square);
    }
    if sum < 0 { -quotient } else { quotient }
}

/// `part` times the power of two that brings a number of `bits` bits to 62.
fn to_62_bits(part: i128, bits: u32) -> i128 {
    if bits <= 62 { part << (62 - bits) } else { shr_nearest(part, bits - 62) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{Rng, lit};

    #[test]
    fn any_length_of_quaternion_gives_the_same_rotation() {
        let one = Rotation::from_quaternion(lit("0.8"), lit("0.6"), lit("0"), lit("0")).unwrap();
        let many = Rotation::from_quaternion(lit("8000"), lit("6000"), lit("0"), lit("0")).unwrap();
        assert_eq!(many, Rotation { w: 858_993_459, x: 644_245_094, y: 0, z: 0 });
        assert!((one.w - many.w).abs() <= 1 && (one.x - many.x).abs() <= 1);
        assert_eq!(Rotation::from_quaternion(lit("0"), lit("0"), lit("0"), lit("0")), None);
        let half = Rotation::from_quaternion(lit("-1"), lit("0"), lit("1"), lit("0")).unwrap();
        assert_eq!(half.to_string(), "(-0.7071067812, 0, 0.7071067812, 0)");
        assert_eq!(Rotation::IDENTITY.to_string(), "(1, 0, 0, 0)");
    }

    #[test]
    fn axes_are_turned_as_any_vector_is() {
        let mut draws = Rng::new(8).at(0, 0, 0);
        for _ in 0..2_000 {
            let [w, x, y, z] =
                [(); 4].map(|()| crate::num::Scalar::from_bits(draws.between(-(1 << 32), 1 << 32)));
            let Some(rotation) = Rotation::from_quaternion(w, x, y, z) else { continue };
            let unit =
                |axis: usize| Vec3::from_raw([0, 1, 2].map(|i| i64::from(i == axis) << Rotation::BITS));
            let turned = [0, 1, 2].map(|axis| rotation.turn_nearest(unit(axis)).raw());
            assert_eq!(rotation.axes_q30().map(|axis| axis.map(i64::from)), turned);
        }
    }

    #[test]
    fn quaternions_of_another_length_than_one_are_refused() {
        const ONE: i32 = 1 << Rotation::BITS;
        for components in
            [[ONE, 0, 0, 0], [0, -ONE, 3, 0], [ONE / 2; 4], [ONE + 7, 0, 0, 0], [0, 0, 0, ONE - 8]]
        {
            let rotation = Rotation::from_components(components).unwrap();
            assert_eq!(rotation.components(), components);
            let bytes = bincode::serde::encode_to_vec(rotation, bincode::config::legacy()).unwrap();
            assert_eq!(bytes, components.map(i32::to_le_bytes).concat());
            let read = bincode::serde::decode_from_slice::<Rotation, _>(&bytes, bincode::config::legacy());
            assert_eq!(read.unwrap().0, rotation);
        }
        for components in [
            [0; 4],
            [ONE, ONE, 0, 0],
            [i32::MIN; 4],
            [ONE + 8, 0, 0, 0],
            [0, 9 - ONE, 0, 0],
            [ONE / 2, 0, 0, 0],
        ] {
            let error = Rotation::from_components(components).unwrap_err();
            assert!(error.to_string().ends_with(" / 2^60, must be within 2^-26 of 1"), "{error}");
            let bytes = components.map(i32::to_le_bytes).concat();
            let read = bincode::serde::decode_from_slice::<Rotation, _>(&bytes, bincode::config::legacy());
            assert!(read.unwrap_err().to_string().contains(&error.to_string()), "{components:?}");
        }
    }

    #[test]
    fn rotated_vectors_are_nearest_to_the_exact_ones() {
        let most = 1_i64 << 46;
        for case in 0..3000 {
            let mut draws = Rng::new(31).at(0, 0, case);
            let bits = draws.between(1, 31) as u32;
            let part = [(); 4].map(|()| Scalar::from_bits(draws.between(-(1 << bits), 1 << bits)));
            let Some(made) = Rotation::from_quaternion(part[0], part[1], part[2], part[3]) else { continue };
            // As long as any that is read, too: a squared length 2^-26 off.
            let longer =
                made.components().map(|part| part.wrapping_add(((i64::from(part) * 7) >> 30) as i32));
            let turn = Rotation::from_components(longer).unwrap_or(made);
            let width = draws.between(1, 46);
            let raw = [(); 3].map(|()| draws.between(-(most >> (46 - width)), most >> (46 - width)));
            let turned = turn.turn_nearest(Vec3::from_raw(raw));
            for (row, got) in turn.matrix_q60().into_iter().zip(turned.raw()) {
                let sum: i128 = row.0.iter().zip(raw).map(|(a, b)| i128::from(*a) * i128::from(b)).sum();
                assert_eq!(
                    i128::from(got),
                    div_nearest(sum, turn.length_squared().into()),
                    "{turn:?} {raw:?}"
                );
            }
            let [x, y, z] = turned.raw();
            let [w, a, b, c] = turn.components();
            let mirrored =
                Rotation { w, x: a, y: -b, z: -c }.turn_nearest(Vec3::from_raw([-raw[0], raw[1], raw[2]]));
            assert_eq!(mirrored.raw(), [-x, y, z]);
            let permuted =
                Rotation { w, x: b, y: c, z: a }.turn_nearest(Vec3::from_raw([raw[1], raw[2], raw[0]]));
            assert_eq!(permuted.raw(), [y, z, x]);
        }
    }

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let turn = Rotation::from_quaternion(lit("1"), lit("0"), lit("0"), lit("1")).unwrap();
        let turned = turn.apply(Vec3::new(lit("5"), lit("0"), lit("2")));
        let expected = Vec3::new(lit("0"), lit("5"), lit("2"));
        assert!((turned - expected).within(lit("0.00000002")), "{turned:?}");
        assert_eq!(Rotation::IDENTITY.apply(expected), expected);
        assert_eq!(turn.apply(-expected), -turn.apply(expected));
    }
}
