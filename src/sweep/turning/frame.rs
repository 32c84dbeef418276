//! The pose and motion of a solid at an instant.

use super::{motion_bound::Direction, solid::Solid};
use crate::{
    geom::{IVec3, Normal, Vec3, matrix_q60},
    num::{Toi, round::shr_nearest},
};

/// The fraction bits of a raw in an edge.
pub(super) const EDGE_BITS: u32 = 14;

/// The half edges of a solid in the world's frame and their motion.
pub(super) struct Frame {
    /// The edges in raw with 14 fraction bits, within 2^-12.
    edges: [IVec3<i64>; 3],
    /// The vector from where the solid's arm starts to its center, in the same unit.
    arm: IVec3<i64>,
    /// The angular velocity in radians per tick, with 60 fraction bits.
    speed: IVec3<i64>,
    /// Its change per tick.
    gain: IVec3<i64>,
}

/// The part of one half edge along a direction as a function of time, in raw times the normal's components:
/// `place + speed t + gain t^2 / 2` and more in higher powers.
#[derive(Clone, Copy, Default)]
pub(super) struct Extent {
    pub(super) place: i128,
    pub(super) speed: i128,
    pub(super) gain: i128,
}

/// A half edge that is nearly across a normal.
pub(super) struct Across {
    share: u128,
    pub(super) edge: IVec3<i64>,
    /// Rate of change of its extent along the normal, in raw times the normal's components per tick.
    pub(super) speed: i128,
    /// True if another half edge of the solid is across it, too.
    pub(super) is_face: bool,
    /// True if another half edge is equally much across it.
    pub(super) is_tied: bool,
}

impl Frame {
    pub(super) fn new(solid: &Solid, toi: Toi) -> Self {
        let Some(turning) = &solid.turning else {
            let edges = solid.half_edges.map(|edge| IVec3::from(edge).map(|part| part << EDGE_BITS));
            return Self { edges, arm: IVec3::ZERO, speed: IVec3::ZERO, gain: IVec3::ZERO };
        };
        let quaternion = turning.quaternion_q62(toi);
        let (rows, inverse) = matrix_q60(quaternion);
        let turned = |edge: Vec3| {
            IVec3(rows.map(|row| shr_nearest(row.dot(IVec3::from(edge)), 60 - EDGE_BITS) as i64))
        };
        let edges = solid.half_edges.map(turned);
        let arm = if solid.arm == Vec3::ZERO { IVec3::ZERO } else { turned(solid.arm) };
        let over_square = |wide: i128| shr_nearest(wide * i128::from(inverse), 62);
        // With the axis W and the squared length d, the speed is 2 W / d, and its change -2 W d' / d^2.
        let speed = turning.axis_q60().map(|part| over_square(2 * i128::from(part)));
        let chord = turning.chord_q30();
        let sum: i128 = (0..4).map(|i| i128::from(quaternion[i]) * i128::from(chord[i])).sum();
        let slope = over_square(shr_nearest(2 * sum, 32));
        let gain = speed.map(|part| -shr_nearest(part * slope, 60) as i64);
        Self { edges, arm, speed: speed.map(|part| part as i64), gain }
    }

    /// The extents of the half edges along a direction, and that of the arm, of which the sign counts.
    ///
    /// **Rounding**: each number within 2^-9 raw times the normal's length.
    pub(super) fn extents(&self, direction: &Direction) -> ([Extent; 3], Extent) {
        let (direct, rate) = (IVec3::from(direction.normal), direction.rate);
        // n . (w x r) is (n x w) . r: so the normal is turned, and not each edge. 60 fraction bits.
        let turned = direct.cross(self.speed).shr_nearest(30);
        let (by_gain, by_rate) = (direct.cross(self.gain), rate.cross(self.speed));
        let twice = turned.narrow().cross(self.speed);
        let first = turned + rate.map(|part| i128::from(part) << 30);
        let second = (by_gain + by_rate + by_rate).shr_nearest(30) + twice.shr_nearest(60);
        let extent = |edge: IVec3<i64>| Extent {
            place: shr_nearest(direct.dot(edge), EDGE_BITS),
            speed: shr_nearest(first.dot(edge), 30 + EDGE_BITS),
            gain: shr_nearest(second.dot(edge), 30 + EDGE_BITS),
        };
        let arm = if self.arm == IVec3::ZERO { Extent::default() } else { extent(self.arm) };
        (self.edges.map(extent), arm)
    }

    /// The rate at which a normal rotates with the solid.
    pub(super) fn carried(&self, normal: Normal) -> IVec3<i128> {
        self.speed.cross(IVec3::from(normal)).shr_nearest(60)
    }

    /// The half edge that is most across a normal, of those within 2^-12 of their length, and the rate at
    /// which it leaves that direction; and whether there are more, as of a face.
    pub(super) fn across(&self, normal: Normal) -> Option<Across> {
        let (extents, _) = self.extents(&Direction { normal, rate: IVec3::ZERO });
        let most = |edge: IVec3<i64>| edge.0.iter().fold(0, |most, part| most | part.unsigned_abs());
        let share =
            |edge: IVec3<i64>, extent: &Extent| (extent.place.unsigned_abs() << 32) / u128::from(most(edge));
        let solid = self.edges.into_iter().zip(extents).filter(|(edge, _)| *edge != IVec3::ZERO);
        let shares = solid.map(|(edge, extent)| (share(edge, &extent), edge, extent.speed));
        let limit = 1 << (62 - EDGE_BITS - 12);
        let near: Option<Across> = None;
        shares.filter(|(share, ..)| *share < limit).fold(near, |best, (share, edge, speed)| {
            let (is_face, is_tied) = (best.is_some(), best.as_ref().is_some_and(|best| best.share == share));
            let other = best.filter(|best| best.share <= share);
            let best = other.unwrap_or(Across { share, edge, speed, is_face, is_tied });
            Some(Across { is_face, is_tied: is_tied || (best.is_tied && best.share < share), ..best })
        })
    }

    /// The half edges, in parts of a raw with so many fraction bits up to [`EDGE_BITS`], to nearest.
    pub(super) fn edges(&self, bits: u32) -> [Vec3; 3] {
        self.edges.map(|edge| in_bits(edge, bits))
    }

    /// The arm, likewise.
    pub(super) fn arm(&self, bits: u32) -> Vec3 {
        in_bits(self.arm, bits)
    }
}

fn in_bits(vector: IVec3<i64>, bits: u32) -> Vec3 {
    vector.map(|part| shr_nearest(part.into(), EDGE_BITS - bits) as i64).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::{AngularMotion, Rotation},
        num::{Rng, Scalar, lit},
        shape::{Obb, Shape},
    };

    /// The largest differences of second and third order of a corner's position over the tick, times the
    /// powers of the number of parts: no larger than the largest derivatives, and in raw.
    fn largest_differences(solid: &Solid) -> [i128; 2] {
        const PARTS: u64 = 256;
        let mut corners: [Vec<[i128; 3]>; 4] = Default::default();
        for part in 0..=PARTS {
            let [a, b, c] = Frame::new(solid, Toi::from_raw(part << 24).unwrap()).edges;
            for (place, signs) in corners.iter_mut().zip([[1, 1], [1, -1], [-1, 1], [-1, -1]]) {
                place.push([0, 1, 2].map(|i: usize| i128::from(a[i] + signs[0] * b[i] + signs[1] * c[i])));
            }
        }
        let most = |weights: &[i128]| {
            let differences = corners.iter().flat_map(|places| places.windows(weights.len()));
            let lengths = differences.map(|window| {
                let part =
                    |i: usize| window.iter().zip(weights).map(|(place, by)| place[i] * by).sum::<i128>();
                let square: i128 = (0..3).map(|i| part(i) * part(i)).sum();
                square.isqrt()
            });
            (lengths.max().unwrap() * i128::from(PARTS).pow(weights.len() as u32 - 1)) >> EDGE_BITS
        };
        [most(&[1, -2, 1]), most(&[-1, 3, -3, 1])]
    }

    #[test]
    fn no_corner_bends_more_than_the_bounds_say_nor_much_less() {
        let obb = Obb::along_axes(Vec3::new(lit("2"), lit("0.3"), lit("0.1")));
        let shape = Shape::Obb(obb);
        let mut draws = Rng::new(9).at(0, 0, 0);
        for case in 0..60 {
            let mut parts = |most: i64| [(); 4].map(|()| draws.between(-most, most));
            let from = parts(1 << 32);
            let change = parts([1 << 27, 1 << 29, 1 << 31][case % 3]);
            let moved = [0, 1, 2, 3].map(|i: usize| Scalar::from_bits(from[i] + change[i]));
            let [w, x, y, z] = from.map(Scalar::from_bits);
            let from = Rotation::from_quaternion(w, x, y, z).unwrap();
            let [w, x, y, z] = moved;
            let Ok(turning) = AngularMotion::new(from, Rotation::from_quaternion(w, x, y, z).unwrap()) else {
                continue;
            };
            let solid = Solid::new(&shape, &turning, Vec3::ZERO, None);
            let found = largest_differences(&solid);
            for order in 0..2 {
                let (found, bound) = (found[order], solid.most[order]);
                // The effect of rounding on a difference grows with the power of the parts.
                let noise = [1 << 8, 1 << 17][order];
                assert!(found <= bound + noise, "{case} {order}: {found} {bound}");
                assert!(bound < 3 * found + 8 * noise, "{case} {order}: {found} {bound}");
                let small = case % 3 == 0 && found > 64 * noise;
                assert!(!small || bound < found + found / 2, "{case} {order}: {found} {bound}");
            }
        }
    }
}
