//! The faces, edges and corners that may hold the nearest point of a solid.

use crate::{
    geom::Vec3,
    num::{Wide, least::least_from, root::sqrt_ceil},
};

/// Squares of products: below 2^304 for offsets within [`OFFSET_MAX`](crate::sweep::OFFSET_MAX) and half
/// edges within [`SIZE_MAX`](crate::shape::SIZE_MAX).
pub(super) type Large = Wide<5>;

/// Takes the squared distances of features from the origin, each a fraction, exact.
///
/// A feature counts where the foot of the origin is within it. `way` is the vector from the feature's middle
/// to the origin, or its opposite.
pub(super) trait Features {
    /// A feature at the root of `square / divisor`; the divisor is above 0.
    fn offer(&mut self, square: Large, divisor: Large);

    fn offer_point(&mut self, way: Vec3) {
        self.offer(Large::from(way.dot_wide(way)), Large::from(1));
    }

    /// The segment of all points up to `along`, which is not zero, to either side; not of its ends.
    ///
    /// The distance squared is `|way x along|^2 / along^2`.
    fn offer_edge(&mut self, way: Vec3, along: Vec3) {
        let length_squared = along.dot_wide(along);
        if way.dot_wide(along).abs() <= length_squared {
            let [x, y, z] = way.cross_wide(along).map(Large::from);
            self.offer(x * x + y * y + z * z, Large::from(length_squared));
        }
    }

    /// The parallelogram of all points up to `p` and `q` to either side; not of its edges. It must have an
    /// area: one of parallel sides is its edges and no more.
    ///
    /// With the foot at `s p + t q`, Cramer's rule gives `s` and `t` over `|p x q|^2`; the distance
    /// squared is `(way . (p x q))^2 / |p x q|^2`.
    fn offer_face(&mut self, way: Vec3, p: Vec3, q: Vec3) {
        let wide = |a: Vec3, b: Vec3| Large::from(a.dot_wide(b));
        let (pp, pq, qq) = (wide(p, p), wide(p, q), wide(q, q));
        let (wp, wq) = (wide(way, p), wide(way, q));
        let normal_squared = pp * qq - pq * pq;
        let within = |share: Large| share.abs() <= normal_squared;
        if within(wp * qq - wq * pq) && within(wq * pp - wp * pq) {
            let height = triple(way, p, q);
            self.offer(height * height, normal_squared);
        }
    }
}

/// The least distance of the features offered.
pub(super) struct Nearest {
    /// Rounded up, in raw.
    pub(super) distance: u128,
    /// Start of the search for a distance.
    guess: u128,
}

impl Nearest {
    /// Takes a distance that is not below the least, rounded up, and a guess at the least. The guess affects
    /// only the speed.
    pub(super) const fn new(distance: u128, guess: u128) -> Self {
        Self { distance, guess }
    }
}

impl Features for Nearest {
    fn offer(&mut self, square: Large, divisor: Large) {
        let reached = |distance: u128| divisor * squared(distance) >= square;
        let Some(nearer) = self.distance.checked_sub(1) else { return };
        if reached(nearer) {
            self.distance = least_from(self.guess.min(nearer), reached);
        }
    }

    fn offer_point(&mut self, way: Vec3) {
        let square = way.length_squared_wide();
        // The root is taken only of what is nearer.
        if self.distance.checked_sub(1).is_some_and(|nearer| square <= nearer * nearer) {
            self.distance = sqrt_ceil(square);
        }
    }
}

/// True if a feature offered is nearer than a distance; as near is not nearer.
pub(super) struct Within {
    square: Large,
    pub(super) found: bool,
}

impl Within {
    /// Offers are compared with this distance. **Range**: below 2^61 raw.
    pub(super) fn new(distance: u128) -> Self {
        Self { square: squared(distance), found: false }
    }
}

impl Features for Within {
    fn offer(&mut self, square: Large, divisor: Large) {
        self.found |= square < self.square * divisor;
    }
}

/// `way . (p x q)`, exact.
pub(super) fn triple(way: Vec3, p: Vec3, q: Vec3) -> Large {
    let [x, y, z] = way.raw().map(|c| Large::from(i128::from(c)));
    let [nx, ny, nz] = p.cross_wide(q).map(Large::from);
    x * nx + y * ny + z * nz
}

/// The square of a distance in a world; exact.
fn squared(distance: u128) -> Large {
    let wide = Large::from(distance as i128); // below 2^61
    wide * wide
}
