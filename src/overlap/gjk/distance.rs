//! The distance of a feature from the origin, as an exact fraction.

use super::{Feature, sign::shortened};
use crate::{
    geom::Vec3,
    num::{
        Wide,
        bound::{Bound, Width},
        least::least_from,
        mul_div::mul_div_nearest,
        root::sqrt_ceil,
    },
    shape::SIZE_MAX,
};

/// A corner of a difference, for offsets of up to 2^57 raw.
const CORNER: Bound = Bound::power(57).plus(Bound::of(SIZE_MAX)).plus(Bound::of(SIZE_MAX));
/// The way between two corners.
const EDGE: Bound = Bound::of(SIZE_MAX).shifted(2);
const FACE: Bound = EDGE.cross(EDGE);
const HEIGHT: Bound = FACE.dot(CORNER);

pub(crate) const WIDTH: Width =
    Width { number: "`(p . n)^2` over a face of a difference", bound: HEIGHT.times(HEIGHT), held_in: 320 };
pub(crate) const COMPARED_WIDTH: Width = Width {
    number: "`distance^2 n^2`, compared with it",
    bound: Bound::power(61).times(Bound::power(61)).times(FACE.dot(FACE)),
    held_in: 320,
};
/// The sign of a way across an edge, by [`sign_of_dot`](super::sign_of_dot).
pub(crate) const SIGN_WIDTH: Width = Width {
    number: "`(p x e) . (x x e)` across an edge of a difference",
    bound: CORNER.cross(EDGE).dot(EDGE.cross(EDGE)),
    held_in: 256,
};
const _: () = WIDTH.check();
const _: () = COMPARED_WIDTH.check();
const _: () = SIGN_WIDTH.check();

/// Squares of products: below 2^304 for offsets within [`OFFSET_MAX`](crate::sweep::OFFSET_MAX) and corners within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX).
type Large = Wide<5>;

/// A squared distance in raw; exact.
pub struct SquaredDistance {
    square: Large,
    /// Above zero.
    divisor: Large,
}

impl SquaredDistance {
    /// The distance of the foot of the origin on a feature: a corner `p`, an edge along `e` with `(p x e)^2 / e^2`, or a face with
    /// `(p . n)^2 / n^2`.
    pub fn of(feature: &Feature) -> Self {
        match *feature {
            Feature::Corner(corner) => {
                Self { square: corner.dot_wide(corner).into(), divisor: Large::from(1) }
            }
            Feature::Edge(corner, along) => {
                Self { square: square(corner.cross_wide(along)), divisor: along.dot_wide(along).into() }
            }
            Feature::Face([corner, ..], normal) => {
                let place = corner.raw().map(i128::from);
                let [x, y, z] = [0, 1, 2].map(|i: usize| Large::from(normal[i]) * place[i].into());
                let height = x + y + z;
                Self { square: height * height, divisor: square(normal) }
            }
        }
    }

    /// True if it is less than a distance; as far is not less. **Range**: below 2^61 raw.
    pub fn is_below(&self, distance: u128) -> bool {
        self.square < squared(distance) * self.divisor
    }
}

impl Feature {
    /// The foot of the origin on it.
    ///
    /// **Rounding**: each component within a raw, symmetric in sign.
    pub fn foot_nearest(&self) -> Vec3 {
        match *self {
            Self::Corner(corner) => corner,
            Self::Edge(corner, along) => {
                let (part, square) = (corner.dot_wide(along), along.dot_wide(along));
                corner - along.map_raw(|c| mul_div_nearest(c.into(), part, square) as i64)
            }
            Self::Face([corner, ..], normal) => {
                let normal = Vec3::from_raw(shortened(normal));
                let square = normal.dot_wide(normal);
                let height = normal.dot_wide(corner);
                normal.map_raw(|c| mul_div_nearest(c.into(), height, square) as i64)
            }
        }
    }

    /// Its distance from the origin in raw, rounded up; the inner point is that of [`normal`](Self::normal).
    pub fn distance_ceil(&self, inner: Vec3) -> u128 {
        if let Self::Corner(corner) = self {
            return sqrt_ceil(corner.length_squared_wide());
        }
        // The guess affects only the speed.
        let guess = self.normal(inner).map_or(0, |normal| {
            normal.dot_wide(self.corner()).max(0).unsigned_abs() / u128::from(normal.length_up())
        });
        let SquaredDistance { square, divisor } = SquaredDistance::of(self);
        least_from(guess, |distance| squared(distance) * divisor >= square)
    }
}

/// The length of a vector squared; exact.
fn square(vector: [i128; 3]) -> Large {
    let [x, y, z] = vector.map(Large::from);
    x * x + y * y + z * z
}

/// The square of a distance in a world; exact.
fn squared(distance: u128) -> Large {
    let wide = Large::from(distance as i128); // below 2^61
    wide * wide
}
