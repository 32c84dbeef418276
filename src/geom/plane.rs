//! A plane, and the half-space behind it.

use serde::{Deserialize, Serialize};

use super::{Aabb, GeomError, Normal, Vec3};
use crate::num::{Scalar, round::div_nearest};

/// A plane through a point, and the half-space on the side that its normal points away from.
///
/// It is kept as point and normal, so that translating the world translates the plane exactly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "Plain", into = "Plain")]
pub struct Plane {
    point: Vec3,
    normal: Normal,
    /// Derived: [`Normal::length_up_q32`].
    length_up_q32: u64,
}

/// The distance along an axis below which the points of a plane must lie, in bits of raw: their cross product
/// then has less than 125 bits, the most that [`Normal::from_wide`] takes.
const EDGE_BITS: u32 = 62;

impl Plane {
    /// The plane through `point` with a normal of any length.
    ///
    /// The normal is kept [`lengthened`](Normal::lengthened): the same direction, with a length that
    /// rounds to less than 2^-60 of itself.
    ///
    /// # Errors
    ///
    /// If the normal is zero or longer than a [`Normal`] may be.
    pub fn from_point_normal(point: Vec3, normal: Normal) -> Result<Self, GeomError> {
        match normal.components() {
            [0, 0, 0] => Err(GeomError::NoNormal),
            _ if !normal.is_valid() => Err(GeomError::NormalTooLong),
            _ => {
                let normal = normal.lengthened();
                Ok(Self { point, normal, length_up_q32: normal.length_up_q32() })
            }
        }
    }

    /// The plane moved by an offset; exact.
    #[must_use]
    pub fn moved(&self, offset: Vec3) -> Self {
        Self { point: self.point + offset, ..*self }
    }

    /// The plane through three points; its normal is `(b - a) x (c - a)`, so from the front the points run
    /// counter-clockwise.
    ///
    /// **Rounding**: passes exactly through `a`; each component of the normal is the nearest one of 30 bits,
    /// so `b` and `c` are off the plane by less than 2^-29 of their distance from `a`. **Range**: `b` and `c`
    /// less than 2^30 units from `a` along each axis.
    ///
    /// # Errors
    ///
    /// If the points lie on one line or too far apart.
    ///
    /// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Sphere-Plane Sweep Test", listing
    /// 1.
    pub fn from_points(a: Vec3, b: Vec3, c: Vec3) -> Result<Self, GeomError> {
        let normal = Normal::from_wide(edge(a, b)?.cross_wide(edge(a, c)?)).ok_or(GeomError::NoNormal)?;
        Self::from_point_normal(a, normal)
    }

    /// A point of the plane.
    #[must_use]
    pub const fn point(&self) -> Vec3 {
        self.point
    }

    /// The normal, which points out of the half-space.
    #[must_use]
    pub const fn normal(&self) -> Normal {
        self.normal
    }

    /// The normal's length times 2^32, rounded up.
    #[must_use]
    pub const fn length_up_q32(&self) -> u64 {
        self.length_up_q32
    }

    /// The signed distance of a point times the normal's length, exact: positive in front.
    #[must_use]
    pub fn height_wide(&self, point: Vec3) -> i128 {
        self.normal.dot_wide(point - self.point)
    }

    /// Height of the lowest corner of a box over the plane, times the normal's length; exact.
    #[must_use]
    pub fn lowest_height_wide(&self, bounds: &Aabb) -> i128 {
        let lowest = |n: i32, min, max| if n < 0 { max } else { min };
        let (Normal { x, y, z }, Aabb { min, max }) = (self.normal, bounds);
        self.height_wide(Vec3::new(lowest(x, min.x, max.x), lowest(y, min.y, max.y), lowest(z, min.z, max.z)))
    }

    /// The signed distance of a point: positive in front, negative behind.
    ///
    /// **Rounding**: to nearest, within one raw. **Range**: points less than 2^25 units from the plane's
    /// point along each axis.
    ///
    /// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Sphere-Plane Sweep Test", listing
    /// 1: `n . p + D` for a unit normal, with `D = -n . p0`.
    #[must_use]
    pub fn signed_distance(&self, point: Vec3) -> Scalar {
        let height = self.height_wide(point) << 32; // below 2^(57 + 31 + 1 + 32)
        Scalar::from_bits(div_nearest(height, i128::from(self.length_up_q32)) as i64)
    }
}

/// The vector from one point to another, checked for length.
fn edge(from: Vec3, to: Vec3) -> Result<Vec3, GeomError> {
    let (from, to) = (from.raw(), to.raw());
    let apart = [0, 1, 2].map(|axis: usize| to[axis].abs_diff(from[axis])).into_iter().fold(0, u64::max);
    if apart >> EDGE_BITS == 0 {
        Ok(Vec3::from_raw([0, 1, 2].map(|axis: usize| to[axis] - from[axis])))
    } else {
        Err(GeomError::TooFarApart((apart >> u32::BITS) as u32))
    }
}

/// Serialized form of a plane, without its derived length.
#[derive(Serialize, Deserialize)]
struct Plain {
    point: Vec3,
    normal: Normal,
}

impl TryFrom<Plain> for Plane {
    type Error = GeomError;

    fn try_from(plain: Plain) -> Result<Self, GeomError> {
        Self::from_point_normal(plain.point, plain.normal)
    }
}

impl From<Plane> for Plain {
    fn from(plane: Plane) -> Self {
        Self { point: plane.point, normal: plane.normal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    fn v(x: &str, y: &str, z: &str) -> Vec3 {
        Vec3::new(x.parse().unwrap(), y.parse().unwrap(), z.parse().unwrap())
    }

    #[test]
    fn three_points_make_a_plane_that_faces_the_counter_clockwise_side() {
        let plane = Plane::from_points(v("1", "1", "2"), v("4", "1", "2"), v("1", "7", "2")).unwrap();
        assert!(plane.normal().z > 0);
        assert_eq!(plane.signed_distance(v("100", "-3", "5.5")), lit("3.5"));
        assert_eq!(plane.signed_distance(v("100", "-3", "0")), lit("-2"));
        let back = Plane::from_points(v("1", "1", "2"), v("1", "7", "2"), v("4", "1", "2")).unwrap();
        assert_eq!(back.normal(), -plane.normal());
    }

    #[test]
    fn the_lowest_corner_of_a_box_is_the_lowest_of_all_eight() {
        let bounds = Aabb { min: v("-1", "2", "3"), max: v("5", "2.5", "9") };
        for signs in 0..8 {
            let sign = |axis: i32| if signs >> axis & 1 == 0 { 1 } else { -1 };
            let normal = Normal::new(3 * sign(0), 0, 7 * sign(1) * sign(2));
            let plane = Plane::from_point_normal(v("0.5", "0", "-1"), normal).unwrap();
            let pick = |axis: usize, corner: usize| [bounds.min, bounds.max][corner >> axis & 1].raw()[axis];
            let corners = (0..8).map(|corner| Vec3::from_raw([0, 1, 2].map(|axis| pick(axis, corner))));
            let lowest = corners.map(|corner| plane.height_wide(corner)).min();
            assert_eq!(Some(plane.lowest_height_wide(&bounds)), lowest);
        }
    }

    #[test]
    fn a_plane_is_written_as_its_point_and_its_normal() {
        let config = bincode::config::legacy();
        let (point, normal) = (v("1", "-2", "3.5"), Normal::new(3, -4, 12));
        let plane = Plane::from_point_normal(point, normal).unwrap();
        let bytes = bincode::serde::encode_to_vec(plane, config).unwrap();
        assert_eq!(bytes, bincode::serde::encode_to_vec((point, normal.lengthened()), config).unwrap());
        let (read, length): (Plane, _) = bincode::serde::decode_from_slice(&bytes, config).unwrap();
        assert_eq!((read, length), (plane, bytes.len()));
        let none = bincode::serde::encode_to_vec((point, Normal::new(0, 0, 0)), config).unwrap();
        assert!(bincode::serde::decode_from_slice::<Plane, _>(&none, config).is_err());
    }

    #[test]
    fn points_and_normals_of_no_plane_are_refused() {
        let line = Plane::from_points(v("0", "0", "0"), v("1", "1", "1"), v("3", "3", "3"));
        assert_eq!(line, Err(GeomError::NoNormal));
        let long = Plane::from_point_normal(Vec3::ZERO, Normal::new(i32::MIN, 0, 1));
        assert_eq!(long, Err(GeomError::NormalTooLong));
    }

    #[test]
    fn distance_does_not_depend_on_the_normals_length() {
        let three_four = Plane::from_point_normal(v("1", "0", "0"), Normal::new(3, 4, 0)).unwrap();
        assert_eq!(three_four.signed_distance(v("6", "0", "0")), lit("3"));
        assert_eq!(three_four.signed_distance(v("-4", "0", "9")), lit("-3"));
    }
}
