//! The reach of a solid along a direction, from an instant on.

use crate::{
    geom::{IVec3, Vec3},
    num::round::shr_nearest,
};

/// The fraction bits of a direction in the frame of a hull: a corner's extent is off by 2^-11 raw at most, times the normal's length.
pub(super) const OWN_BITS: u32 = 26;

/// The part of one half edge along a direction as a function of time, in raw times the normal's components:
/// `place + speed t + gain t^2 / 2` and more in higher powers.
#[derive(Clone, Copy, Default)]
pub(super) struct Extent {
    pub(super) place: i128,
    pub(super) speed: i128,
    pub(super) gain: i128,
}

/// The largest extent of the corners of a hull along a direction as a function of time.
///
/// The extent of a corner is that of a half edge: a quadratic and more in higher powers. It is the product of the corner
/// and of a quadratic with vectors as coefficients, the same for all corners; so are its three numbers in the form of Bernstein. Above all
/// corners is the quadratic that has the largest of each number: that of the farthest corner along each of three vectors.
pub(super) struct Support<'a> {
    pub(super) corners: &'a [Vec3],
    /// The coefficients, in the normal's unit with [`OWN_BITS`], in the frame of the body.
    pub(super) place: IVec3<i64>,
    pub(super) speed: IVec3<i64>,
    pub(super) gain: IVec3<i64>,
    /// The largest extent at first, with [`OWN_BITS`].
    pub(super) start: i128,
}

/// The reach of a solid from its center, without its radius.
pub(super) enum Reach<'a> {
    /// Half edges, whatever their sign.
    Edges([Extent; 3]),
    Hull(Support<'a>),
}

impl Reach<'_> {
    /// The reach at first, in raw times the normal's components.
    #[inline(always)]
    pub(super) fn start(&self) -> i128 {
        match self {
            Self::Edges(extents) => extents.iter().map(|extent| extent.place.abs()).sum(),
            Self::Hull(support) => (support.start >> OWN_BITS) + 1,
        }
    }

    /// Takes a quadratic over a span, in the form of Bernstein, that is nowhere below the reach from one: of the second and the third number as
    /// much as it is above its first.
    #[inline(always)]
    pub(super) fn take_from(&self, numbers: &mut [i128; 2], span: u64) {
        let time = i128::from(span);
        match self {
            Self::Edges(extents) => {
                for extent in extents {
                    extent.take_from(numbers, time);
                }
            }
            Self::Hull(support) => {
                let [middle, end] = support.rises_over(time);
                *numbers = [numbers[0] - middle, numbers[1] - end];
            }
        }
    }
}

impl Extent {
    /// Takes its magnitude from a quadratic: it is nowhere above the one with the magnitudes of its three numbers.
    #[inline(always)]
    fn take_from(&self, [middle, end]: &mut [i128; 2], time: i128) {
        let part = |speed: i128| shr_nearest(speed * time, 32);
        let (speed, gain) = (part(self.speed), part(part(self.gain)));
        *middle -= (self.place + speed / 2).abs() - self.place.abs();
        *end -= (self.place + speed + gain / 2).abs() - self.place.abs();
    }
}

impl Support<'_> {
    /// The second and the third number of the quadratic above all corners, less the first one; rounded up.
    fn rises_over(&self, time: i128) -> [i128; 2] {
        let part = |vector: IVec3<i64>| vector.map(|part| shr_nearest(i128::from(part) * time, 32) as i64);
        let (speed, gain) = (part(self.speed), part(part(self.gain)));
        let middle = self.place + speed.map(|part| part / 2);
        let end = self.place + speed + gain.map(|part| part / 2);
        let mut most = [i128::MIN; 2];
        for corner in self.corners {
            let corner = IVec3::from(*corner);
            most = [most[0].max(middle.dot(corner)), most[1].max(end.dot(corner))];
        }
        most.map(|most| ((most - self.start) >> OWN_BITS) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::{AngularMotion, Normal, Rotation},
        num::{Rng, Scalar, Toi, lit},
        shape::{Hull, Obb, Shape},
        sweep::turning::{motion_bound::Direction, solid::Solid},
    };

    #[test]
    fn a_hull_of_a_box_reaches_as_far_as_the_box_and_bends_as_much() {
        let obb = Obb::along_axes(Vec3::new(lit("2"), lit("0.25"), lit("0.125")));
        let shapes = [Shape::hull(Hull::upright(&obb.corners()).unwrap()), Shape::Obb(obb)];
        for case in 0..4_000 {
            let mut draws = Rng::new(10).at(0, 0, case);
            let mut parts = |most: i64| [(); 4].map(|()| draws.between(-most, most));
            let (from, change) = (parts(1 << 32), parts([1 << 27, 1 << 29, 1 << 31][case as usize % 3]));
            let turned = |by: i64| {
                let [w, x, y, z] = [0, 1, 2, 3].map(|i: usize| Scalar::from_bits(from[i] + by * change[i]));
                Rotation::from_quaternion(w, x, y, z).unwrap()
            };
            let Ok(turning) = AngularMotion::new(turned(0), turned(1)) else { continue };
            let [span, toi, arm, _] = parts(1 << 31).map(i64::unsigned_abs);
            let arm = if case % 2 == 0 { Vec3::ZERO } else { Vec3::from_raw([arm as i64, 1 << 33, 0]) };
            let [x, y, z, _] = parts(1 << 30).map(|part| part as i32);
            let rate = IVec3(parts([0, 1 << 28, 1 << 32][case as usize % 3])[..3].try_into().unwrap());
            let direction = Direction { normal: Normal::new(x, y, z).lengthened(), rate };
            let side = if case % 5 < 2 { 1 } else { -1 };
            let [hull, own] = shapes.each_ref().map(|shape| {
                let solid = Solid::new(shape, &turning, arm, None);
                let (reach, arm) = solid.frame(Toi::from_raw(toi).unwrap()).extents(&direction, side);
                let mut numbers = [0; 2];
                reach.take_from(&mut numbers, span);
                (solid.most, [arm.place, arm.speed, arm.gain], [reach.start(), numbers[0], numbers[1]])
            });
            assert_eq!((hull.0, hull.1), (own.0, own.1), "{case}");
            let most = i128::from(direction.normal.length_up()) >> 8;
            for (of_hull, of_box) in hull.2.into_iter().zip(own.2) {
                assert!((of_hull - of_box).abs() < most, "{case}: {:?} {:?}", hull.2, own.2);
            }
        }
    }

    #[test]
    fn a_hull_at_rest_reaches_as_far_as_its_corners_rounded_up_by_one() {
        let corners =
            [[-3, 5, 7], [11, -2, 1], [4, 9, -8], [-6, -7, -5]].map(|part| part.map(|part: i64| part << 28));
        let shape = Shape::hull(Hull::upright(&corners.map(Vec3::from_raw)).unwrap());
        let Shape::Hull(form) = &shape else { unreachable!() };
        let still = AngularMotion::still(Rotation::IDENTITY);
        let frame = Solid::new(&shape, &still, Vec3::ZERO, None).frame(Toi::START);
        for normal in [Normal::X, Normal::new(1, -2, 3), Normal::new(-5, 7, 1), Normal::new(0, -1, -1)] {
            for side in [1, -1] {
                let direction = Direction { normal: normal.lengthened(), rate: IVec3::ZERO };
                let toward = if side == 1 { direction.normal } else { -direction.normal };
                let exact = form.corners().iter().map(|corner| toward.dot_wide(*corner)).max().unwrap();
                let (reach, _) = frame.extents(&direction, side);
                assert!((exact..=exact + 1).contains(&reach.start()), "{normal:?} {side}");
                // It stays as it is.
                let mut numbers = [0; 2];
                reach.take_from(&mut numbers, 1 << 31);
                assert!(numbers.iter().all(|taken| (-1..=0).contains(taken)), "{numbers:?}");
            }
        }
    }
}
