//! A convex solid as corners and a radius: what all pairs without a kernel of their own are made of.

use crate::{
    geom::{Normal, Vec3},
    num::Scalar,
};

/// All points no farther than a radius from the convex hull of some corners.
///
/// A ball is one corner, a capsule is two, a box eight, a placed [`Hull`](super::Hull) all that it has; a triangle is three
/// without a radius. Their order makes no difference to what is solid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Convex<'a> {
    corners: &'a [Vec3],
    radius: Scalar,
    /// The largest coordinate of a corner on each axis, whatever its sign.
    extent: Vec3,
}

/// The bits of a coordinate that a first comparison keeps: products with a normal's then add up within 64.
const SHORT_BITS: u32 = 30;
/// The number of corners of which all bits are compared at once.
const FEW: usize = 4;

impl Convex<'static> {
    /// The origin by itself: what is asked of a point, or of a ball with a radius of its own.
    pub const POINT: Self = Self { corners: &[Vec3::ZERO], radius: Scalar::ZERO, extent: Vec3::ZERO };

    /// A ball of a radius of at least zero.
    pub(crate) const fn ball(radius: Scalar) -> Self {
        Self { radius, ..Self::POINT }
    }
}

impl<'a> Convex<'a> {
    /// A solid, or `None` without corners or with a radius below zero.
    ///
    /// The origin has to be one of its points, and inside of the hull of the corners where that has a volume. This is not checked: otherwise
    /// solids that touch, or whose origins are at the same place, may count as overlapping. **Range**: of what is asked of it, corners within
    /// [`SIZE_MAX`](super::SIZE_MAX).
    #[must_use]
    pub fn new(corners: &'a [Vec3], radius: Scalar) -> Option<Self> {
        (!corners.is_empty() && radius >= 0).then(|| Self::around(corners, radius))
    }

    /// A solid of at least one corner and a radius of at least zero.
    pub(crate) fn around(corners: &'a [Vec3], radius: Scalar) -> Self {
        let most = |most: Vec3, corner: &Vec3| most.max(corner.map_raw(i64::saturating_abs));
        Self { corners, radius, extent: corners.iter().fold(Vec3::ZERO, most) }
    }

    /// A solid without a radius, given the largest coordinate of a corner on each axis.
    pub(crate) const fn of_extent(corners: &'a [Vec3], extent: Vec3) -> Self {
        Self { corners, radius: Scalar::ZERO, extent }
    }

    /// The same solid with a larger radius.
    pub(crate) fn grown(self, by: Scalar) -> Self {
        Self { radius: self.radius + by, ..self }
    }

    /// The corners, from its origin.
    #[must_use]
    pub const fn corners(&self) -> &'a [Vec3] {
        self.corners
    }

    /// The radius around each of its points.
    #[must_use]
    pub const fn radius(&self) -> Scalar {
        self.radius
    }

    /// The corner that is farthest along a normal, the first of several.
    ///
    /// Of many corners, coordinates are compared without their lowest bits first, which settles nearly all.
    #[must_use]
    pub fn farthest(&self, normal: Normal) -> Vec3 {
        if self.corners.len() <= FEW {
            return self.farthest_of_few(normal);
        }
        let [x, y, z] = normal.components().map(i64::from);
        let most = self.extent.raw().into_iter().fold(0, |most, part| most | part);
        let cut = (i64::BITS - most.leading_zeros()).saturating_sub(SHORT_BITS);
        let unsure = x.abs() + y.abs() + z.abs();
        // Below anything short, and as far above the least number as is subtracted.
        let (mut farthest, mut along) = (self.corners[0], i64::MIN + unsure);
        for &corner in self.corners {
            let [cx, cy, cz] = corner.raw();
            let short = x * (cx >> cut) + y * (cy >> cut) + z * (cz >> cut);
            if short < along - unsure {
                continue;
            }
            if short > along + unsure || normal.dot_wide(corner) > normal.dot_wide(farthest) {
                (farthest, along) = (corner, short);
            }
        }
        farthest
    }

    fn farthest_of_few(&self, normal: Normal) -> Vec3 {
        let mut farthest = (normal.dot_wide(self.corners[0]), self.corners[0]);
        for &corner in &self.corners[1..] {
            let along = normal.dot_wide(corner);
            if along > farthest.0 {
                farthest = (along, corner);
            }
        }
        farthest.1
    }

    /// The corners that may be the farthest along a direction of which this normal is the rounded one.
    pub(crate) fn about_farthest(&self, normal: Normal) -> impl Iterator<Item = Vec3> + use<'a> {
        // A component is off by at most a half, and two corners are twice the extent apart.
        let slack = 2 * self.extent.raw().map(i128::from).iter().sum::<i128>();
        let least = normal.dot_wide(self.farthest(normal)) - slack;
        self.corners.iter().copied().filter(move |&corner| normal.dot_wide(corner) >= least)
    }

    /// The largest coordinate of a corner on each axis, whatever its sign.
    #[must_use]
    pub const fn half_extent(&self) -> Vec3 {
        self.extent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rng;

    /// Few corners and many, small and large, at one height and nearly.
    #[test]
    fn the_farthest_corner_is_the_first_of_the_greatest_product() {
        for case in 0..20_000_u64 {
            let mut draws = Rng::new(41).at(0, case, 0);
            let (count, size) = (1 + case % 9, 1 << draws.between(0, 45));
            let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
            let mut corners: Vec<Vec3> = (0..count).map(|_| vector(size)).collect();
            if case % 3 == 0 {
                // Near the same place.
                let first = corners[0];
                corners.iter_mut().skip(1).for_each(|corner| *corner = first + vector(2));
            }
            // Along such an axis many are as far.
            let normal = if case % 5 == 0 { Some(Normal::X) } else { Normal::from_vector(vector(1 << 30)) };
            let Some(normal) = normal else { continue };
            let best = corners.iter().map(|corner| normal.dot_wide(*corner)).max();
            let expected = corners.iter().find(|corner| Some(normal.dot_wide(**corner)) == best);
            let found = Convex::around(&corners, Scalar::ZERO).farthest(normal);
            assert_eq!(Some(&found), expected, "{corners:?} {normal:?}");
        }
    }
}
