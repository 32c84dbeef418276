//! Convex hulls: solids of 4 to 64 corners, made once from any points.
//!
//! [`Hull::of`] brings points to a grid and takes their convex hull there in exact integers; then the corners go, each rounded
//! once, into the frame of a body: its center of mass, and its principal axes. From then on the corners in that frame are the hull.
//! The faces were found in the grid. In the frame of a body four corners of a face may be off its plane by a raw: faces are for guesses
//! and for pictures, supports are those of the corners.

mod axes;
mod mass;
mod polyhedron;
#[cfg(test)]
mod tests;

use self::{
    axes::principal_axes,
    mass::{Mass, Matrix},
    polyhedron::{GRID_MAX, Polyhedron},
};
use super::{POINTS_MAX, SIZE_MAX, ShapeError};
use crate::{
    geom::{Inertia, Rotation, Vec3},
    num::{
        Scalar,
        mul_div::mul_div_nearest,
        root::sqrt_ceil,
        round::{div_nearest, shr_nearest},
        trig::sin_cos,
    },
};

/// The least distance of the center of mass from a face, in raw: more than placing a hull rounds.
const CENTER_LEAST_RAW: u128 = 16;
/// The fraction bits of a spread, in raw squared: as of compounds.
const SPREAD_BITS: u32 = 16;

/// A convex solid of 4 to [`CORNERS_MAX`](super::CORNERS_MAX) corners, in the frame of its body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hull {
    corners: Vec<Vec3>,
    faces: Vec<Vec<u8>>,
    center: Vec3,
    axes: Rotation,
    /// The numbers of the diagonal, in raw squared with [`SPREAD_BITS`] fraction bits.
    spread: [i128; 3],
    /// The volume in cubic units, with 64 fraction bits.
    volume_q64: u128,
}

impl Hull {
    /// The convex hull of points, which may lie anywhere; their order makes no difference.
    ///
    /// **Rounding**: points to a grid of 2^-19 of the largest half extent, halves away from the middle of all; there the hull is exact.
    /// Then the center of mass to nearest, and the corners from it to nearest, halves away from zero.
    /// **Range**: extents up to twice [`SIZE_MAX`]; components below 2^30 units.
    ///
    /// # Errors
    ///
    /// If there are more than [`POINTS_MAX`] points, none, or more than [`CORNERS_MAX`](super::CORNERS_MAX) corners; if all points are in a plane of the grid,
    /// or so nearly that a face is less than 16 raw from the center of mass; if they are farther apart than twice [`SIZE_MAX`].
    ///
    /// ```
    /// use bitstep::{geom::Vec3, num::lit, shape::Hull};
    /// let v = Vec3::lit;
    /// let pyramid = Hull::of(&[v("-1", "0", "-1"), v("1", "0", "-1"), v("-1", "0", "1"), v("1", "0", "1"), v("0", "2", "0")])?;
    /// assert_eq!(pyramid.center(), v("0", "0.5", "0")); // a quarter of its height
    /// assert_eq!((pyramid.corners().len(), pyramid.faces().count()), (5, 5));
    /// # Ok::<(), bitstep::shape::ShapeError>(())
    /// ```
    pub fn of(points: &[Vec3]) -> Result<Self, ShapeError> {
        if points.len() > POINTS_MAX {
            return Err(ShapeError::TooManyPoints { count: points.len() });
        }
        let grid = Grid::around(points)?;
        let polyhedron = Polyhedron::around(points.iter().map(|point| grid.nearest(*point)))?;
        let mass = Mass::of(&polyhedron);
        if grid.is_thin(&polyhedron, &mass) {
            return Err(ShapeError::Flat { points: "all points are within a few raw of a plane" });
        }
        Ok(grid.hull(&polyhedron, &mass))
    }

    /// A prism: a convex polygon in the plane of the first two axes, and as far along the third one either way. In a flat world it is the
    /// polygon.
    ///
    /// # Errors
    ///
    /// As [`of`](Self::of).
    pub fn prism(polygon: &[[Scalar; 2]], half_length: Scalar) -> Result<Self, ShapeError> {
        let ends = polygon
            .iter()
            .flat_map(|&[x, y]| [half_length, half_length.saturating_neg()].map(|z| Vec3::new(x, y, z)));
        Self::of(&ends.collect::<Vec<_>>())
    }

    /// A cylinder along the third axis with so many flat sides, the first corner in the direction of the first axis. The corners lie
    /// on the circle.
    ///
    /// **Rounding**: each component of a corner to nearest.
    ///
    /// # Errors
    ///
    /// As [`of`](Self::of).
    pub fn cylinder(radius: Scalar, half_length: Scalar, sides: u32) -> Result<Self, ShapeError> {
        Self::prism(&circle(radius, sides), half_length)
    }

    /// A cone along the third axis with so many flat sides: its base half of the height below its origin, and its tip as far above. The
    /// center of mass is a quarter of the height above the base.
    ///
    /// **Rounding**: as [`cylinder`](Self::cylinder).
    ///
    /// # Errors
    ///
    /// As [`of`](Self::of).
    pub fn cone(radius: Scalar, half_height: Scalar, sides: u32) -> Result<Self, ShapeError> {
        let base =
            circle(radius, sides).into_iter().map(|[x, y]| Vec3::new(x, y, half_height.saturating_neg()));
        let tip = Vec3::new(Scalar::ZERO, Scalar::ZERO, half_height);
        Self::of(&base.chain([tip]).collect::<Vec<_>>())
    }

    /// The corners in the frame of the body: from the center of mass, along the principal axes.
    #[must_use]
    pub fn corners(&self) -> &[Vec3] {
        &self.corners
    }

    /// The corners in space for an orientation of the body, from its position: what is solid is their convex hull.
    ///
    /// **Rounding**: each component to nearest, halves away from zero, as [`Rotation::turn_nearest`].
    pub fn corners_turned(&self, orientation: Rotation) -> impl ExactSizeIterator<Item = Vec3> {
        self.corners.iter().map(move |&corner| orientation.turn_nearest(corner))
    }

    /// The corners around each face, as places in [`corners`](Self::corners), counterclockwise seen from outside.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.faces.iter().map(Vec::as_slice)
    }

    /// The center of mass in the space of the points: a body that is to have them there has this position.
    #[must_use]
    pub const fn center(&self) -> Vec3 {
        self.center
    }

    /// The principal axes in the space of the points: a body that is to have them there has this orientation.
    #[must_use]
    pub const fn axes(&self) -> Rotation {
        self.axes
    }

    /// The volume in cubic units with 64 fraction bits, to nearest.
    #[must_use]
    pub const fn volume_q64(&self) -> u128 {
        self.volume_q64
    }

    /// The moments of inertia about the principal axes, for a mass spread evenly.
    ///
    /// **Rounding**: to nearest, halves up. **Range**: masses up to 2^16.
    ///
    /// # Errors
    ///
    /// If a moment is zero or beyond its limit, or the hull is too long and thin.
    ///
    /// # Panics
    ///
    /// If the mass is above 2^16.
    pub fn inertia(&self, mass: u32) -> Result<Inertia, ShapeError> {
        assert!(mass <= 1 << 16, "mass out of range");
        let [x, y, z] = self.spread;
        let moment = |sum: i128| shr_nearest(i128::from(mass) * sum, SPREAD_BITS).unsigned_abs();
        Ok(Inertia::new([y + z, z + x, x + y].map(moment))?)
    }
}

/// The corners of a regular polygon.
fn circle(radius: Scalar, sides: u32) -> Vec<[Scalar; 2]> {
    let at = |side: u32| {
        let turns = div_nearest(i128::from(side) << 32, i128::from(sides)) as i64;
        let (sine, cosine) = sin_cos(Scalar::from_bits(turns));
        let part = |of: Scalar| {
            Scalar::from_bits(shr_nearest(i128::from(radius.to_bits()) * i128::from(of.to_bits()), 32) as i64)
        };
        [part(cosine), part(sine)]
    };
    // More sides than corners are an error of the hull: there is no need to make them all.
    (0..sides.min(POINTS_MAX as u32)).map(at).collect()
}

/// A grid in which points have coordinates up to [`GRID_MAX`].
struct Grid {
    /// The middle of all points, in raw.
    middle: [i64; 3],
    /// The side of a cell is two to so many raw.
    shift: u32,
}

impl Grid {
    fn around(points: &[Vec3]) -> Result<Self, ShapeError> {
        let raw = || points.iter().map(|point| point.raw());
        let Some(first) = raw().next() else { return Err(ShapeError::NoPoints) };
        let (low, high) = raw().fold((first, first), |(low, high), point| {
            ([0, 1, 2].map(|i| low[i].min(point[i])), [0, 1, 2].map(|i| high[i].max(point[i])))
        });
        let mut largest = 0;
        for axis in 0..3_u8 {
            let (low, high) = (low[usize::from(axis)], high[usize::from(axis)]);
            let size = Scalar::from_bits(high.saturating_sub(low));
            if size > 2 * SIZE_MAX {
                return Err(ShapeError::TooFarApart { axis, size, limit: 2 * SIZE_MAX });
            }
            largest = largest.max(size.to_bits());
        }
        let middle =
            [0, 1, 2].map(|i: usize| div_nearest(i128::from(low[i]) + i128::from(high[i]), 2) as i64);
        // The farthest is at most half of the extent, and the half raw of a rounded middle, from it.
        let half = (largest / 2 + 1).unsigned_abs();
        let shift = (64 - (half - 1).leading_zeros()).saturating_sub(GRID_MAX.ilog2());
        Ok(Self { middle, shift })
    }

    /// The nearest point of the grid, halves away from its middle.
    fn nearest(&self, point: Vec3) -> [i32; 3] {
        let raw = point.raw();
        [0, 1, 2]
            .map(|i: usize| shr_nearest(i128::from(raw[i]) - i128::from(self.middle[i]), self.shift) as i32)
    }

    /// True if a face is so near to the center of mass that rounded corners may have it on the other side.
    fn is_thin(&self, polyhedron: &Polyhedron, mass: &Mass) -> bool {
        let center = mass.center(self.shift);
        polyhedron.triangles().any(|[a, b, c]| {
            let [p, q] =
                [b, c].map(|corner| Vec3::from_raw([0, 1, 2].map(|i: usize| i64::from(corner[i] - a[i]))));
            let normal = p.cross_wide(q);
            let height = |i: usize| normal[i] * ((i128::from(a[i]) << self.shift) - center[i]);
            let square = normal.iter().map(|part| part.unsigned_abs().pow(2)).sum::<u128>();
            (0..3).map(height).sum::<i128>().unsigned_abs() < CENTER_LEAST_RAW * sqrt_ceil(square)
        })
    }

    fn hull(&self, polyhedron: &Polyhedron, mass: &Mass) -> Hull {
        let spread = mass.spread(SPREAD_BITS + 2 * self.shift);
        let axes = principal_axes(&spread);
        let offset = mass.center(self.shift).map(|part| part as i64);
        let center = Vec3::from_raw([0, 1, 2].map(|i: usize| self.middle[i].saturating_add(offset[i])));
        let from_center = |corner: &[i32; 3]| {
            Vec3::from_raw([0, 1, 2].map(|i: usize| (i64::from(corner[i]) << self.shift) - offset[i]))
        };
        let corners =
            polyhedron.corners.iter().map(|corner| axes.inverse().turn_nearest(from_center(corner)));
        // Cells of the grid in cubic units: two to the three times shift over two to the 96.
        let volume_q64 = match 3 * self.shift {
            bits @ 32.. => mul_div_nearest(mass.six_volumes(), 1 << (bits - 32), 6),
            bits => div_nearest(mass.six_volumes(), 6 << (32 - bits)),
        };
        Hull {
            corners: corners.collect(),
            faces: polyhedron.faces.clone(),
            center,
            axes,
            spread: diagonal(&spread, axes),
            volume_q64: volume_q64.unsigned_abs(),
        }
    }
}

/// The numbers of the diagonal of a spread in the frame of its principal axes.
fn diagonal(spread: &Matrix, axes: Rotation) -> [i128; 3] {
    if axes == Rotation::IDENTITY {
        return [0, 1, 2].map(|i: usize| spread[i][i]);
    }
    axes.axes_q30().map(|axis| {
        let axis = axis.map(i128::from);
        let along = |i: usize| (0..3).map(|j| mul_div_nearest(spread[i][j], axis[j], 1 << 30)).sum::<i128>();
        (0..3).map(|i| mul_div_nearest(along(i), axis[i], 1 << 30)).sum()
    })
}
