//! A box in any orientation, as three integer half edges.

use serde::{Deserialize, Serialize};

use super::size::length_ceil;
use crate::{
    geom::{Normal, Rotation, Vec3},
    num::{Scalar, root::sqrt_ceil},
};

/// The parallelepiped spanned by three half-edge vectors around its own origin.
///
/// The edges are rounded to raw once, when the box is made; from then on *they* are the box, so
/// every test on it is a question about integers with one right answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Obb {
    /// The vectors from the center to the middle of three faces that share a corner.
    pub half_edges: [Vec3; 3],
}

impl Obb {
    /// The box with half extents along its own axes, rotated; [`Shape::check`](super::Shape::check) says what is
    /// refused.
    ///
    /// **Rounding**: each component of each edge to nearest, halves away from zero. **Range**: half extents below
    /// 2^28 units.
    #[must_use]
    pub fn new(half: Vec3, rotation: Rotation) -> Self {
        let axis = |x, y, z| rotation.apply(Vec3::new(x, y, z));
        let zero = Scalar::ZERO;
        Self { half_edges: [axis(half.x, zero, zero), axis(zero, half.y, zero), axis(zero, zero, half.z)] }
    }

    /// The box with half extents along the axes of space; exact.
    #[must_use]
    pub fn along_axes(half: Vec3) -> Self {
        let [x, y, z] = half.raw();
        Self { half_edges: [[x, 0, 0], [0, y, 0], [0, 0, z]].map(Vec3::from_raw) }
    }

    /// Half the extent on each axis of the least axis-aligned box around it; exact.
    #[must_use]
    pub fn half_extent(&self) -> Vec3 {
        let [a, b, c] = self.half_edges.map(|edge| edge.map_raw(i64::abs));
        a + b + c
    }

    /// The largest magnitude of any component of a half edge; whatever they are, nothing overflows.
    pub(super) fn longest_component(&self) -> Scalar {
        let components = self.half_edges.iter().flat_map(|edge| [edge.x, edge.y, edge.z]);
        components.map(Scalar::saturating_abs).max().unwrap_or_default()
    }

    /// The radius of a ball that holds the box, rounded up: the longest of the four half diagonals.
    #[must_use]
    pub fn bounding_radius(&self) -> Scalar {
        let [a, b, c] = self.half_edges;
        let diagonals = [a + b + c, a + b - c, a - b + c, a - b - c];
        let square =
            diagonals.iter().map(|diagonal| diagonal.length_squared_wide()).max().unwrap_or_default();
        Scalar::from_bits(sqrt_ceil(square) as i64)
    }

    /// Extent of the box along a normal, times the normal's length; exact.
    #[doc(hidden)]
    #[must_use]
    pub fn support_wide(&self, normal: Normal) -> i128 {
        self.half_edges.iter().map(|&edge| normal.dot_wide(edge).abs()).sum()
    }

    /// The eight corners: all sums of the half edges, each taken or its opposite; exact. **Range**: half extents within
    /// [`SIZE_MAX`](super::SIZE_MAX).
    #[must_use]
    pub fn corners(&self) -> [Vec3; 8] {
        let [x, y, z] = self.half_edges;
        [x + y + z, x + y - z, x - y + z, x - y - z, y + z - x, y - x - z, z - x - y, -x - y - z]
    }

    /// The face normals `y x z`, `z x x`, `x x y` of the half edges, in raw squared; exact.
    #[doc(hidden)]
    #[must_use]
    pub const fn face_normals_wide(&self) -> [[i128; 3]; 3] {
        let [x, y, z] = self.half_edges;
        [y.cross_wide(z), z.cross_wide(x), x.cross_wide(y)]
    }

    /// The least length of a half edge, in raw: from here on rounding cannot make a box flat.
    pub const EDGE_LEAST_RAW: i64 = 64;

    /// True if the edges are perpendicular up to their rounding, and none is shorter than
    /// [`EDGE_LEAST_RAW`](Self::EDGE_LEAST_RAW); so the volume is above zero.
    ///
    /// Rounding an edge moves it by less than one raw, so the dot product of two is less than the
    /// sum of their lengths (here with room for a rotation that is itself rounded to 2^-28).
    #[must_use]
    pub fn is_box(&self) -> bool {
        let [a, b, c] = self.half_edges;
        [(a, b), (b, c), (c, a)].iter().all(|&(p, q)| {
            let (p_length, q_length) = (length_ceil(p).to_bits(), length_ceil(q).to_bits());
            let (p_wide, q_wide) = (i128::from(p_length), i128::from(q_length));
            let room = 2 * (p_wide + q_wide) + ((p_wide * q_wide) >> 28);
            p_length.min(q_length) >= Self::EDGE_LEAST_RAW && p.dot_wide(q).abs() <= room
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    #[test]
    fn a_rotated_box_is_a_box_and_a_skew_one_is_not() {
        let turn = Rotation::from_quaternion(lit("1"), lit("2"), lit("-3"), lit("4")).unwrap();
        let mut obb = Obb::new(Vec3::new(lit("3"), lit("0.001"), lit("40")), turn);
        assert!(obb.is_box());
        obb.half_edges[0] += Vec3::splat(lit("0.1"));
        assert!(!obb.is_box());
        obb.half_edges[0] = Vec3::ZERO;
        assert!(!obb.is_box());
        let flat = [[1, 1, 4], [-2, -1, -2], [3, 1, 0]].map(Vec3::from_raw);
        assert!(!Obb { half_edges: flat }.is_box());
        assert!(Obb::new(Vec3::from_raw([64; 3]), Rotation::IDENTITY).is_box());
    }

    #[test]
    fn edges_of_any_length_are_refused_without_overflow() {
        let refused = |raw: [[i64; 3]; 3]| {
            let obb = Obb { half_edges: raw.map(Vec3::from_raw) };
            crate::shape::Shape::Obb(obb).check(lit("4096")).unwrap_err().to_string()
        };
        let far = "half_edges is 2147483647.9999999998, must be above 0 and at most 4096";
        assert_eq!(refused([[i64::MIN, 0, 0], [0, 1 << 40, 0], [0, 0, 1 << 40]]), far);
        // The sum over the edges wraps to 1 unit.
        assert_eq!(refused([[i64::MIN, 0, 0], [i64::MIN, 1 << 32, 0], [1 << 32, 0, 1 << 32]]), far);
        let sum = "half_edges.x is 6000, must be above 0 and at most 4096";
        assert_eq!(refused([[3000 << 32, 0, 0], [3000 << 32, 1 << 32, 0], [0, 0, 1 << 32]]), sum);
    }

    #[test]
    fn an_unrotated_box_reaches_as_far_as_its_half_extents() {
        let half = Vec3::new(lit("1"), lit("2"), lit("3"));
        let obb = Obb::new(half, Rotation::IDENTITY);
        assert_eq!(obb.half_extent(), half);
        assert_eq!(obb.support_wide(Normal::new(-1, 0, 2)), i128::from(lit("7").to_bits()));
        assert_eq!(obb.bounding_radius(), length_ceil(half));
    }
}
