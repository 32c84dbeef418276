//! Vectors, rotations and planes out of random bytes, for fuzz targets and property tests.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::{Normal, Plane, Rotation, Vec3};
use crate::num::Scalar;

/// The widths of a drawn component, in bits: raw units, ordinary lengths, the border of any
/// world, and beyond every limit.
const WIDTHS: [u32; 6] = [4, 24, 32, 36, 57, 63];

impl<'a> Arbitrary<'a> for Vec3 {
    /// Three components of one width, some of them zero.
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let width = *u.choose(&WIDTHS)?;
        let most = (1_i64 << (width - 1)) - 1 + (1 << (width - 1));
        let mut raw = [0; 3];
        for part in &mut raw {
            if u.ratio(3, 4)? {
                *part = u.int_in_range(-most..=most)?;
            }
        }
        Ok(Self::from_raw(raw))
    }
}

impl<'a> Arbitrary<'a> for Rotation {
    /// Any, of parts that are often equal or zero.
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let part = [u.arbitrary::<i8>()?, u.arbitrary()?, u.arbitrary()?, u.arbitrary()?];
        let [w, x, y, z] = part.map(|part| Scalar::from_bits(part.into()));
        Ok(Self::from_quaternion(w, x, y, z).unwrap_or(Self::IDENTITY))
    }
}

impl<'a> Arbitrary<'a> for Normal {
    /// Along an axis, of small components, or of any; never zero.
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let bits = *u.choose(&[0, 3, 30])?;
        let mut parts = [0; 3];
        for part in &mut parts {
            *part = u.int_in_range(-(1_i32 << bits)..=1 << bits)?;
        }
        let normal = Self::new(parts[0], parts[1], parts[2]);
        Ok(if normal.is_valid() { normal } else { Self::Y })
    }
}

impl<'a> Arbitrary<'a> for Plane {
    /// Through a point up to 2^24 units from the origin along each axis.
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let point: Vec3 = u.arbitrary()?;
        let normal: Normal = u.arbitrary()?;
        let plane = Self::from_point_normal(point.map_raw(|raw| raw % (1 << 56)), normal);
        Ok(plane.expect("a normal that is not zero"))
    }
}
