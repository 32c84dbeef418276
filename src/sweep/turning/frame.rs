//! The pose and motion of a solid at an instant.

use super::{
    across::{Across, EDGE_BITS, SHARE_MAX},
    corners::Corners,
    motion_bound::Direction,
    reach::{Extent, Reach},
    solid::Solid,
};
use crate::{
    geom::{IVec3, Normal, Vec3, matrix_q60},
    num::{
        Toi,
        bound::{Bound, Width},
        round::shr_nearest,
    },
};

/// The largest angular speed within a turn of 90°: 27/16 radians per tick, more than twice the sine of 45° over .85.
pub(super) const SPEED: Bound = Bound::number(27).shifted(60 - 4);
/// Its largest change per tick: 11/16 of it, more than a squared chord of .586 over .85.
const GAIN: Bound = SPEED.times(Bound::number(11)).shifted_back(4);
/// The second derivative of a direction that turns at its largest rate against a body that turns.
const SECOND: Bound = {
    let (normal, rate) = (Normal::BOUND.length(), Bound::power(32).length());
    let by_rate = rate.times(SPEED).shifted(1);
    let twice = normal.times(SPEED).shifted_back(30).times(SPEED).shifted_back(60);
    normal.times(GAIN).plus(by_rate).shifted_back(30).plus(twice)
};
pub(in crate::sweep) const SECOND_WIDTH: Width = Width {
    number: "how a turning normal bends in the frame of a hull, with 90 fraction bits",
    bound: SECOND.times(Bound::power(60).plus(Bound::power(2))),
    held_in: 128,
};
const _: () = SECOND_WIDTH.check();

/// The span of a solid at an instant.
enum Span<'a> {
    /// Half edges in the world's frame, in raw with 14 fraction bits, within 2^-12.
    Edges([IVec3<i64>; 3]),
    Hull(Corners<'a>),
}

/// A solid in the world's frame and its motion.
pub(super) struct Frame<'a> {
    span: Span<'a>,
    /// The vector from where the solid's arm starts to its center, in raw with 14 fraction bits.
    arm: IVec3<i64>,
    /// The angular velocity in radians per tick, with 60 fraction bits.
    speed: IVec3<i64>,
    /// Its change per tick.
    gain: IVec3<i64>,
}

impl<'a> Frame<'a> {
    pub(super) fn new(solid: &Solid<'a>, toi: Toi) -> Self {
        let Some(turning) = &solid.turning else {
            let edges = solid.half_edges.map(|edge| IVec3::from(edge).map(|part| part << EDGE_BITS));
            return Self {
                span: Span::Edges(edges),
                arm: IVec3::ZERO,
                speed: IVec3::ZERO,
                gain: IVec3::ZERO,
            };
        };
        let quaternion = turning.quaternion_q62(toi);
        let (rows, inverse) = matrix_q60(quaternion);
        let turned = |edge: Vec3| {
            IVec3(rows.map(|row| shr_nearest(row.dot(IVec3::from(edge)), 60 - EDGE_BITS) as i64))
        };
        let arm = if solid.arm == Vec3::ZERO { IVec3::ZERO } else { turned(solid.arm) };
        let over_square = |wide: i128| shr_nearest(wide * i128::from(inverse), 62);
        // With the axis W and the squared length d, the speed is 2 W / d, and its change -2 W d' / d^2.
        let speed = turning.axis_q60().map(|part| over_square(2 * i128::from(part)));
        let chord = turning.chord_q30();
        let sum: i128 = (0..4).map(|i| i128::from(quaternion[i]) * i128::from(chord[i])).sum();
        let slope = over_square(shr_nearest(2 * sum, 32));
        let gain = speed.map(|part| -shr_nearest(part * slope, 60) as i64);
        let span = match solid.corners {
            [] => Span::Edges(solid.half_edges.map(turned)),
            corners => Span::Hull(Corners::new(corners, rows)),
        };
        Self { span, arm, speed: speed.map(|part| part as i64), gain }
    }

    /// The reach of a solid along a direction, or against it for a side of -1; and the extent of its arm, of which the sign counts.
    ///
    /// **Rounding**: each number within 2^-9 raw times the normal's length.
    pub(super) fn extents(&self, direction: &Direction, side: i64) -> (Reach<'a>, Extent) {
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
        let reach = match &self.span {
            Span::Edges(edges) => Reach::Edges(edges.map(extent)),
            Span::Hull(corners) => Reach::Hull(corners.support([direct.wide(), first, second], side)),
        };
        (reach, arm)
    }

    /// The rate at which a normal rotates with the solid.
    pub(super) fn carried(&self, normal: Normal) -> IVec3<i128> {
        self.speed.cross(IVec3::from(normal)).shr_nearest(60)
    }

    /// The half edge that is most across a normal, of those within 2^-12 of their length, and the rate at
    /// which it leaves that direction; and whether there are more, as of a face. Of a hull, the edges are those at its farthest corner
    /// along the normal, or against it for a side of -1.
    pub(super) fn across(&self, normal: Normal, side: i64) -> Option<Across> {
        let (reach, _) = self.extents(&Direction { normal, rate: IVec3::ZERO }, side);
        let (edges, extents) = match (&self.span, reach) {
            (Span::Edges(edges), Reach::Edges(extents)) => (edges, extents),
            (Span::Hull(corners), Reach::Hull(support)) => return corners.across(&support, side),
            _ => return None, // a reach is of what spans the solid
        };
        let most = |edge: IVec3<i64>| edge.0.iter().fold(0, |most, part| most | part.unsigned_abs());
        let share =
            |edge: IVec3<i64>, extent: &Extent| (extent.place.unsigned_abs() << 32) / u128::from(most(edge));
        let solid = edges.iter().copied().zip(extents).filter(|(edge, _)| *edge != IVec3::ZERO);
        let shares = solid.map(|(edge, extent)| (share(edge, &extent), edge, extent.speed));
        let near: Option<Across> = None;
        shares.filter(|(share, ..)| *share < SHARE_MAX).fold(near, |best, (share, edge, speed)| {
            let (is_face, is_tied) = (best.is_some(), best.as_ref().is_some_and(|best| best.share == share));
            let other = best.filter(|best| best.share <= share);
            let best = other.unwrap_or(Across { share, edge, speed, is_face, is_tied });
            Some(Across { is_face, is_tied: is_tied || (best.is_tied && best.share < share), ..best })
        })
    }

    /// The half edges, in parts of a raw with so many fraction bits up to [`EDGE_BITS`], to nearest.
    pub(super) fn edges(&self, bits: u32) -> [Vec3; 3] {
        match &self.span {
            Span::Edges(edges) => edges.map(|edge| in_bits(edge, bits)),
            Span::Hull(_) => [Vec3::ZERO; 3],
        }
    }

    /// The corners of a hull.
    pub(super) const fn hull(&self) -> Option<&Corners<'a>> {
        match &self.span {
            Span::Edges(_) => None,
            Span::Hull(corners) => Some(corners),
        }
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
            let frame = Frame::new(solid, Toi::from_raw(part << 24).unwrap());
            let Span::Edges([a, b, c]) = frame.span else { panic!("a box") };
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
