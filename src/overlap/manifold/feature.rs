//! The corner, edge or face of a shape that faces a direction.

use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, bound::Bound},
    shape::{
        Obb as ObbShape, SIZE_MAX,
        Shape::{self, Aabb, Capsule, Facet, Hull, Mesh, Obb, Plane, Sphere, Triangle},
    },
};

/// A component of the offset between two shapes, or of twice that between two of which one is a hull.
const OFFSET: Bound = Bound::power(50);
/// The way from the center, or a corner, of one feature to that of another: each is off its shape's origin by up to three half edges.
pub(super) const WAY: Bound = OFFSET.plus(Bound::of(SIZE_MAX).times(Bound::number(6)));
/// The length of a normal as the plane between two shapes has it.
pub(super) const UNIT: Bound = Bound::power(Normal::BITS).plus(Bound::number(2));

/// All points up to `halves` to either side of a center: none, one or two of them, and a ball around each.
#[derive(Clone, Copy)]
pub(super) struct Feature {
    pub center: Vec3,
    /// Zero from `edges` on.
    pub halves: [Vec3; 2],
    edges: u8,
    /// The radius around the center, segment or parallelogram, in raw.
    pub radius: i64,
}

impl Feature {
    /// The feature of a shape at `place` that faces a direction of the length 2^30: the farthest corner and
    /// everything within `band` of it, if that is an edge or a face. `None` for what is none of a ball, a rod and a box.
    pub(super) fn new(shape: &Shape, place: Vec3, toward: Normal, band: Scalar) -> Option<Self> {
        Some(match shape {
            Sphere { radius } => Self::corner(place, radius.to_bits()),
            Capsule(capsule) => {
                let (axis, radius) = (capsule.half_axis, capsule.radius.to_bits());
                let height = toward.dot_wide(axis);
                if is_level(height, band) {
                    Self { center: place, halves: [axis, Vec3::ZERO], edges: 1, radius }
                } else {
                    Self::corner(place + times(axis, height), radius)
                }
            }
            Aabb { half } => Self::of_box(&ObbShape::along_axes(*half), place, toward, band),
            Obb(obb) => Self::of_box(obb, place, toward, band),
            // What faces a direction of a hull or a triangle is a figure.
            Plane(_) | Hull(_) | Mesh(_) | Triangle(_) | Facet(_) => return None,
        })
    }

    const fn corner(center: Vec3, radius: i64) -> Self {
        Self { center, halves: [Vec3::ZERO; 2], edges: 0, radius }
    }

    fn of_box(obb: &ObbShape, place: Vec3, toward: Normal, band: Scalar) -> Self {
        let edges = obb.half_edges;
        let heights = edges.map(|edge| toward.dot_wide(edge));
        let free = free_edges(&edges, heights, toward, band);
        let mut feature = Self::corner(place, 0);
        for axis in 0..3 {
            if free[axis] {
                feature.halves[usize::from(feature.edges)] = edges[axis];
                feature.edges += 1;
            } else {
                feature.center += times(edges[axis], heights[axis]);
            }
        }
        feature
    }

    /// Number of its dimensions.
    pub(super) const fn edges(&self) -> u8 {
        self.edges
    }

    /// The corner of these signs.
    pub(super) fn corner_at(&self, signs: [i64; 2]) -> Vec3 {
        let [p, q] = [0, 1].map(|i: usize| self.halves[i].map_raw(|c| c * signs[i]));
        self.center + p + q
    }

    /// The signs of its halves at each corner; 0 for those that it does not have.
    pub(super) fn corners(&self) -> impl Iterator<Item = [i64; 2]> + use<> {
        const SIGNS: [[i64; 2]; 4] = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
        let edges = self.edges;
        let count = 1_usize << edges;
        SIGNS
            .into_iter()
            .take(count)
            .map(move |[s, t]| [if edges > 0 { s } else { 0 }, if edges > 1 { t } else { 0 }])
    }
}

/// The edges of a box that belong to the feature: those whose ends are within the band of each other.
///
/// At most two: of three, those of the face that is largest in view. Of faces as large as each other it is
/// the edge they share, or the corner.
fn free_edges(edges: &[Vec3; 3], heights: [i128; 3], toward: Normal, band: Scalar) -> [bool; 3] {
    let mut free = heights.map(|height| is_level(height, band));
    let area = |axis: usize| in_sight(edges[(axis + 1) % 3], edges[(axis + 2) % 3], toward).abs();
    match free.iter().filter(|&&level| level).count() {
        3 => {
            let areas = [0, 1, 2].map(area);
            let most = areas.into_iter().max().unwrap_or_default();
            free = areas.map(|area| area < most);
        }
        // Of a face seen from its side, the edge that is more level.
        2 => {
            let fixed = free.iter().position(|level| !level).unwrap_or_default();
            if area(fixed) == 0 {
                let [p, q] = [(fixed + 1) % 3, (fixed + 2) % 3];
                (free[p], free[q]) =
                    (heights[p].abs() < heights[q].abs(), heights[q].abs() < heights[p].abs());
            }
        }
        _ => {}
    }
    free
}

/// True if an edge with a half edge of this height, times 2^30, has its ends within the band of each other.
pub(super) const fn is_level(height: i128, band: Scalar) -> bool {
    height.unsigned_abs() <= (band.to_bits() as u128) << (Normal::BITS - 1)
}

/// A half edge, with the sense in which its height rises.
fn times(edge: Vec3, height: i128) -> Vec3 {
    let sign = height.signum() as i64;
    edge.map_raw(|c| c * sign)
}

/// The area that two vectors span as seen along a normal, times its length; exact.
///
/// **Range**: below 2^126 for components below 2^50 and 2^44 raw, and a normal of the length 2^30.
pub(in crate::overlap) const fn in_sight(p: Vec3, q: Vec3, normal: Normal) -> i128 {
    let [x, y, z] = p.cross_wide(q);
    x * normal.x as i128 + y * normal.y as i128 + z * normal.z as i128
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edges at a right angle to each other would all be level: these are of a box so small that rounding leans them.
    #[test]
    fn the_more_level_edge_of_a_face_seen_from_its_side_is_free() {
        let raw = |x: i64, y: i64, z: i64| Vec3::from_raw([x, y, z]);
        let (steep, low, level) = (raw(100, 60, 0), raw(0, 1, 0), raw(0, 0, 100));
        let up = Normal::new(0, 1 << 30, 0);
        let free = |edges: [Vec3; 3]| {
            free_edges(&edges, edges.map(|edge| up.dot_wide(edge)), up, Scalar::from_bits(2))
        };
        assert_eq!(free([steep, low, level]), [false, false, true]);
        assert_eq!(free([level, steep, low]), [true, false, false]);
        assert_eq!(free([low, level, steep]), [false, true, false]);
        assert_eq!(free([low, steep, level]), [false, false, true]);
    }
}
