//! The part of a shape that faces a direction, as the corners around it: of pairs with a hull.

use super::feature::{Feature, in_sight, is_level};
use crate::{
    geom::{Normal, Vec3},
    num::{
        Scalar,
        round::{div_nearest, shr_nearest},
    },
    shape::{
        CORNERS_MAX, HullForm,
        Shape::{self, Hull, Triangle},
    },
};

/// The bits that the normal of a figure keeps.
const PLANE_BITS: u32 = 40;
/// The most fraction bits of a [`Part`].
const PART_BITS: u32 = 45;

/// The bits of the largest [`Part`]: 2^51 raw along a normal, which is more than any two solids have between them.
const NEAR_BITS: u32 = 21;

/// A part of a normal.
pub(in crate::overlap) struct Part {
    /// The part times two to the bits, to nearest.
    pub number: i128,
    pub bits: u32,
    pub is_exact: bool,
}

/// A corner, an edge or a convex face, and a ball around each of its points.
pub(in crate::overlap) struct Figure {
    corners: [Vec3; CORNERS_MAX],
    count: usize,
    /// The radius of the balls, in raw.
    pub radius: i64,
    /// The normal of a face with [`PLANE_BITS`], and the sum of its products with the corners.
    plane: Option<(Vec3, i128)>,
}

impl Figure {
    /// The figure of a shape at `place` that faces a direction of the length 2^30: as [`Feature::new`] has it, and of a hull the face whose corners
    /// are all within `band` of the farthest one, else an edge, else the corner. Of several faces the one that is largest in sight.
    /// `None` for a plane. Faces are counterclockwise as seen against the direction `normal`.
    pub fn new(shape: &Shape, place: Vec3, toward: Normal, normal: Normal, band: Scalar) -> Option<Self> {
        let mut figure = Self { corners: [Vec3::ZERO; CORNERS_MAX], count: 0, radius: 0, plane: None };
        match shape {
            Hull(hull) => figure.add_hull(hull, toward, band),
            Triangle(triangle) => figure.add_triangle(triangle.corners(), toward, band),
            _ => {
                let feature = Feature::new(shape, Vec3::ZERO, toward, band)?;
                figure.radius = feature.radius;
                feature.corners().for_each(|signs| figure.push(feature.corner_at(signs)));
            }
        }
        figure.corners[..figure.count].iter_mut().for_each(|corner| *corner += place);
        figure.find_plane(normal);
        Some(figure)
    }

    /// The corners, in their order around it.
    pub fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }

    /// The ends of each side: none of a corner, one of an edge.
    pub fn sides(&self) -> impl Iterator<Item = [Vec3; 2]> + '_ {
        let corners = self.corners();
        let count = if corners.len() < 3 { corners.len() - 1 } else { corners.len() };
        (0..count).map(|i| [corners[i], corners[(i + 1) % corners.len()]])
    }

    /// True if it is a face that has a point within it or on its border, as seen along a normal; exact.
    pub fn holds(&self, point: Vec3, normal: Normal) -> bool {
        self.plane.is_some() && self.sides().all(|[from, to]| in_sight(to - from, point - from, normal) >= 0)
    }

    /// The way along a normal from a point to the plane of a face, in parts of the normal; `None` where it is no face, or is seen from its side.
    ///
    /// The corners of a face may be off a common plane by a raw: it is the one through their mean.
    pub fn way_onto(&self, point: Vec3, normal: Normal) -> Option<Part> {
        let (plane, sum) = self.plane?;
        let count = self.count as i128;
        let (over, slope) = (sum - count * plane.dot_wide(point), count * normal.dot_wide(plane));
        if slope == 0 {
            return None;
        }
        let bits = (over.unsigned_abs().leading_zeros() - 2).min(PART_BITS);
        let over = if slope < 0 { -over } else { over } << bits;
        let number = div_nearest(over, slope.abs());
        // A face that is seen all but from its side is far away along the normal, if it is there at all.
        let is_near = number.unsigned_abs() >> (bits + NEAR_BITS) == 0;
        is_near.then_some(Part { number, bits, is_exact: over % slope == 0 })
    }

    fn push(&mut self, corner: Vec3) {
        self.corners[self.count] = corner;
        self.count += 1;
    }

    fn add_hull(&mut self, hull: &HullForm, toward: Normal, band: Scalar) {
        let corners = hull.corners();
        let mut heights = [0; CORNERS_MAX];
        heights.iter_mut().zip(corners).for_each(|(height, corner)| *height = toward.dot_wide(*corner));
        let top = heights[..corners.len()].iter().copied().max().unwrap_or_default();
        let drop = |index: u8| top - heights[usize::from(index)];
        let is_high = |index: &u8| is_level(drop(*index) / 2, band);
        let faces = || hull.hull().faces();
        let at = |index: u8| corners[usize::from(index)];
        let area = |face: &[u8]| -> i128 {
            face[1..]
                .windows(2)
                .map(|p| in_sight(at(p[0]) - at(face[0]), at(p[1]) - at(face[0]), toward))
                .sum()
        };
        let high_faces = || faces().filter(|face| face.iter().all(is_high)).map(|face| (area(face), face));
        if let Some((most, face)) = high_faces().filter(|face| face.0 > 0).max_by_key(|face| face.0) {
            // Of faces as large as each other what they share, or the farthest corner.
            let tied = || high_faces().filter(|face| face.0 == most).map(|face| face.1);
            let shared = || face.iter().filter(|index| tied().all(|face| face.contains(index)));
            shared().for_each(|&index| self.push(at(index)));
            if self.count == 0 {
                self.push(hull.as_convex().farthest(toward));
            }
            return;
        }
        let fall = |[from, to]: &[u8; 2]| drop(*from).max(drop(*to));
        let edges = || hull.hull().edges().filter(|edge| edge.iter().all(is_high));
        let least = edges().map(|edge| fall(&edge)).min();
        let mut lowest = edges().filter(|edge| Some(fall(edge)) == least);
        match (lowest.next(), lowest.next()) {
            (Some(edge), None) => edge.into_iter().for_each(|index| self.push(at(index))),
            _ => self.push(hull.as_convex().farthest(toward)),
        }
    }

    /// The corners that are within the band of the farthest one.
    fn add_triangle(&mut self, corners: &[Vec3; 3], toward: Normal, band: Scalar) {
        let height = |corner: &Vec3| toward.dot_wide(*corner);
        let top = corners.iter().map(height).max().unwrap_or_default();
        corners
            .iter()
            .filter(|corner| is_level((top - height(corner)) / 2, band))
            .for_each(|&corner| self.push(corner));
    }

    /// Finds the plane of a face and brings its corners into order.
    fn find_plane(&mut self, normal: Normal) {
        if self.count < 3 {
            return;
        }
        let first = self.corners[0];
        let areas =
            self.corners[1..self.count].windows(2).map(|pair| (pair[0] - first).cross_wide(pair[1] - first));
        let sum = areas.fold([0; 3], |sum: [i128; 3], area| [0, 1, 2].map(|i: usize| sum[i] + area[i]));
        let most = sum.iter().fold(0, |most: u128, part| most | part.unsigned_abs());
        let shift = (u128::BITS - most.leading_zeros()).saturating_sub(PLANE_BITS);
        let plane = Vec3::from_raw(sum.map(|part| shr_nearest(part, shift) as i64));
        if normal.dot_wide(plane) < 0 {
            self.corners[..self.count].reverse();
        }
        self.plane = Some((plane, self.corners().iter().map(|corner| plane.dot_wide(*corner)).sum()));
    }
}

#[cfg(test)]
mod tests {
    use super::{CORNERS_MAX, Figure};
    use crate::geom::{Normal, Vec3};

    /// A face of three corners around the origin.
    fn face(plane: Vec3) -> Figure {
        Figure { corners: [Vec3::ZERO; CORNERS_MAX], count: 3, radius: 0, plane: Some((plane, 0)) }
    }

    #[test]
    fn a_way_onto_a_face_is_found_unless_it_is_seen_from_its_side() {
        let upright = face(Vec3::from_raw([0, 0, 1 << 40]));
        let point = Vec3::lit("1000", "0", "3");
        let way =
            |normal| upright.way_onto(point, normal).map(|part| (part.number >> part.bits, part.is_exact));
        assert_eq!(way(Normal::new(0, 0, -1 << 30)), Some((12, true)));
        assert_eq!(way(Normal::new(1 << 30, 0, 0)), None);
        // The product of this plane and this normal is 1: the quotient by it would fill all bits there are.
        let oblique = face(Vec3::from_raw([640_766_615_128, 239_867_306_028, 348_801_623_631]));
        let from_aside = Normal::new(-534_179_462, 852_237_733, 395_240_123);
        assert!(oblique.way_onto(point, from_aside).is_none());
    }
}
