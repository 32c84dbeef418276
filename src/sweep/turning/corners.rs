//! The corners of a hull at an instant.

use super::{
    across::{Across, EDGE_BITS, SHARE_MAX},
    reach::{OWN_BITS, Support},
};
use crate::{
    geom::{IVec3, Vec3},
    num::round::shr_nearest,
    shape::CORNERS_MAX,
};

/// The corners of a hull in its own frame, and its rotation at an instant.
pub(super) struct Corners<'a> {
    corners: &'a [Vec3],
    /// The rows of the rotation matrix, with 60 fraction bits.
    rows: [IVec3<i64>; 3],
}

impl<'a> Corners<'a> {
    pub(super) const fn new(corners: &'a [Vec3], rows: [IVec3<i64>; 3]) -> Self {
        Self { corners, rows }
    }

    /// The support along a direction with its first and second derivative, as they turn against the body, or against the direction for a side
    /// of -1. The derivatives have 30 fraction bits.
    ///
    /// **Range**: derivatives below 2^65: products stay below 2^127, and the coefficients together below 2^62.
    pub(super) fn support(&self, [place, speed, gain]: [IVec3<i128>; 3], side: i64) -> Support<'a> {
        let own = |vector: IVec3<i128>, bits: u32| {
            IVec3::from_fn(|axis| {
                let column = IVec3(self.rows.map(|row| row[axis]));
                side * shr_nearest(vector.dot(column), bits + 60 - OWN_BITS) as i64
            })
        };
        let (place, speed, gain) = (own(place, 0), own(speed, 30), own(gain, 30));
        let start = self.corners.iter().map(|corner| place.dot(IVec3::from(*corner))).max();
        Support { corners: self.corners, place, speed, gain, start: start.unwrap_or_default() }
    }

    /// The edge that is most across a direction of those that end in the farthest corner along it, as a frame
    /// says of a box.
    pub(super) fn across(&self, support: &Support<'_>, side: i64) -> Option<Across> {
        let along = |corner: Vec3| support.place.dot(IVec3::from(corner));
        let farthest = self.corners.iter().find(|corner| along(**corner) == support.start)?;
        let mut best: Option<(u128, IVec3<i64>)> = None;
        let mut count = 0;
        for edge in self.corners.iter().map(|corner| *farthest - *corner).filter(|edge| *edge != Vec3::ZERO) {
            let place = (along(edge) >> OWN_BITS).unsigned_abs();
            let most = edge.raw().iter().fold(0, |most, part| most | part.unsigned_abs());
            let share = (place << 32) / (u128::from(most) << EDGE_BITS);
            if share < SHARE_MAX {
                count += 1;
                if best.is_none_or(|(least, _)| share < least) {
                    best = Some((share, edge.into()));
                }
            }
        }
        let (share, edge) = best?;
        let speed = i128::from(side) * shr_nearest(support.speed.dot(edge), OWN_BITS);
        Some(Across {
            share,
            edge: self.to_world(edge, EDGE_BITS),
            speed,
            is_face: count > 1,
            is_tied: false,
        })
    }

    /// Writes the corners in the world's frame, from the hull's center, in parts of a raw with so many fraction bits; their number.
    pub(super) fn turned(&self, bits: u32, room: &mut [Vec3; CORNERS_MAX]) -> usize {
        for (place, corner) in room.iter_mut().zip(self.corners) {
            *place = self.to_world(IVec3::from(*corner), bits).into();
        }
        self.corners.len()
    }

    /// A vector of the body in the world's frame, with so many fraction bits more.
    fn to_world(&self, vector: IVec3<i64>, bits: u32) -> IVec3<i64> {
        IVec3(self.rows.map(|row| shr_nearest(row.dot(vector), 60 - bits) as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::{AngularMotion, Normal, Rotation},
        num::{Toi, lit},
        shape::{Hull, Obb, Shape},
        sweep::turning::solid::Solid,
    };

    #[test]
    fn a_hull_of_a_box_has_the_edges_of_the_box_across_a_normal() {
        let obb = Obb::along_axes(Vec3::new(lit("2"), lit("1"), lit("0.5")));
        let shapes = [Shape::hull(Hull::upright(&obb.corners()).unwrap()), Shape::Obb(obb)];
        let to = Rotation::from_quaternion(lit("1"), lit("0.1"), lit("0.2"), lit("0.3")).unwrap();
        let turning = AngularMotion::new(Rotation::IDENTITY, to).unwrap();
        // Along an axis there is a face across, between two of them an edge, between three none.
        let table =
            [([1, 0, 0], Some(true)), ([0, 3, 4], Some(false)), ([4, 3, 0], Some(false)), ([1, 2, 3], None)];
        for (normal, is_face) in table {
            let normal = Normal::new(normal[0], normal[1], normal[2]).lengthened();
            for side in [1, -1] {
                let [hull, own] = shapes.each_ref().map(|shape| {
                    Solid::new(shape, &turning, Vec3::ZERO, None).frame(Toi::START).across(normal, side)
                });
                assert_eq!(hull.as_ref().map(|across| across.is_face), is_face, "{normal:?}");
                assert_eq!(own.as_ref().map(|across| across.is_face), is_face, "{normal:?}");
                let (Some(hull), Some(own), Some(false)) = (hull, own, is_face) else { continue };
                assert_eq!((hull.share, own.share), (0, 0), "{normal:?}");
                // A whole edge is twice a half edge, and leaves the normal twice as fast.
                let twice = own.edge + own.edge;
                let sign = if hull.edge == twice { 1 } else { -1 };
                assert_eq!(hull.edge.map(|part| sign * part), twice, "{normal:?}");
                let off = hull.speed * i128::from(sign) - 2 * own.speed;
                assert!(
                    own.speed != 0 && off.abs() < i128::from(normal.length_up()) >> 8,
                    "{normal:?}: {off}"
                );
            }
        }
    }

    #[test]
    fn a_hull_that_is_not_its_mirror_image_has_its_own_edges_across_a_normal() {
        // A wedge with an edge above, along z, and a face below.
        let points = ["-1", "1"].map(|z| ["-2", "0", "2"].map(|x| [x, if x == "0" { "3" } else { "0" }, z]));
        let points = points.as_flattened().iter().map(|[x, y, z]| Vec3::lit(x, y, z));
        let shape = Shape::hull(Hull::upright(&points.collect::<Vec<_>>()).unwrap());
        let still = AngularMotion::still(Rotation::IDENTITY);
        let frame = Solid::new(&shape, &still, Vec3::ZERO, None).frame(Toi::START);
        let up = Normal::Y.lengthened();
        for (normal, side, is_face) in [(up, 1, false), (-up, -1, false), (up, -1, true), (-up, 1, true)] {
            let across = frame.across(normal, side).unwrap();
            assert_eq!((across.is_face, across.share), (is_face, 0), "{normal:?} {side}");
            if !is_face {
                let [x, y, z] = across.edge.0;
                assert_eq!([x, y, z.abs()], [0, 0, 2 << (32 + EDGE_BITS)], "{normal:?}");
            }
        }
    }

    #[test]
    fn an_edge_is_across_a_normal_up_to_the_same_share_in_a_hull_and_a_box() {
        let obb = Obb::along_axes(Vec3::new(lit("2"), lit("1"), lit("0.5")));
        let shapes = [Shape::hull(Hull::upright(&obb.corners()).unwrap()), Shape::Obb(obb)];
        let still = AngularMotion::still(Rotation::IDENTITY);
        // The edges along z leave the plane across the normal by a part of 2^30; a 2^-12 is too much.
        for (part, is_across) in [(1 << 18, false), ((1 << 18) - 1, true), (3 << 17, false), (1 << 17, true)]
        {
            for shape in &shapes {
                let frame = Solid::new(shape, &still, Vec3::ZERO, None).frame(Toi::START);
                let across = frame.across(Normal::new(3 << 28, 4 << 28, part), 1);
                assert_eq!(across.is_some(), is_across, "{part} {shape:?}");
            }
        }
    }
}
