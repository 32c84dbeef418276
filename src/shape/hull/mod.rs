//! Convex hulls: solids of 4 to 64 corners, made once from any points.
//!
//! [`Hull::of`] brings points to a grid and takes their convex hull there in exact integers; then the corners go, each rounded
//! once, into the frame of a body: its center of mass, and its principal axes. From then on the corners in that frame are the hull.
//! The faces were found in the grid. In the frame of a body four corners of a face may be off its plane by a raw: faces are for guesses
//! and for pictures, supports are those of the corners.

mod axes;
mod form;
mod mass;
mod polyhedron;
#[cfg(test)]
mod tests;
mod wire;

pub use form::HullForm;
#[cfg(test)]
pub(super) use polyhedron::WIDTH;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

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
/// A product of inertia counts as none up to so many bits below the least moment: as of compounds.
const TILT_SHIFT: u32 = 20;

/// A convex solid of 4 to [`CORNERS_MAX`](super::CORNERS_MAX) corners, in the frame of its body.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Hull {
    corners: Arc<[Vec3]>,
    faces: Vec<Vec<u8>>,
    center: Vec3,
    axes: Rotation,
    /// The mean of `r r^T` in the frame of the body, in raw squared with [`SPREAD_BITS`] fraction bits.
    spread: Matrix,
    /// Six times the volume, in cells of the grid.
    six_volumes: i128,
    /// The points of its grid of which all else is made.
    source: Source,
}

/// The axes of the frame of a body that has a hull.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum FrameAxes {
    /// The principal axes of the hull.
    Principal,
    /// Those of the points.
    OfPoints,
}

/// A hull before it is rounded into the frame of a body: what is written of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct Source {
    grid: Grid,
    /// The corners, in the order of their coordinates.
    corners: Vec<[i32; 3]>,
    frame: FrameAxes,
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
        Self::made(points, FrameAxes::Principal)
    }

    /// The same with the axes of the points instead of the principal ones: for what never rotates, as the ground and its parts, and for
    /// child shapes. The corners are where the points are.
    ///
    /// **Rounding**: as [`of`](Self::of); corners from the center of mass are exact. A body that rotates may have it if its products of inertia are below
    /// 2^-20 of the least moment.
    ///
    /// # Errors
    ///
    /// As [`of`](Self::of).
    ///
    /// ```
    /// use bitstep::{geom::{Rotation, Vec3}, num::lit, shape::Hull};
    /// let v = Vec3::lit;
    /// let ramp = Hull::upright(&[v("0", "0", "0"), v("4", "0", "0"), v("4", "2", "0"), v("0", "0", "3"), v("4", "0", "3"), v("4", "2", "3")])?;
    /// assert_eq!(ramp.axes(), Rotation::IDENTITY);
    /// assert!(ramp.corners().iter().any(|corner| ramp.center() + *corner == v("4", "2", "3")));
    /// # Ok::<(), bitstep::shape::ShapeError>(())
    /// ```
    pub fn upright(points: &[Vec3]) -> Result<Self, ShapeError> {
        Self::made(points, FrameAxes::OfPoints)
    }

    fn made(points: &[Vec3], frame: FrameAxes) -> Result<Self, ShapeError> {
        if points.len() > POINTS_MAX {
            return Err(ShapeError::TooManyPoints { count: points.len() });
        }
        let grid = Grid::around(points)?;
        let polyhedron = Polyhedron::around(points.iter().map(|point| grid.nearest(*point)))?;
        grid.hull(polyhedron, frame)
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
    /// on the circle, and none within it.
    ///
    /// **Rounding**: each component of a corner to nearest, and then as [`of`](Self::of).
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

    /// The ends of each edge, as places in [`corners`](Self::corners).
    pub fn edges(&self) -> impl Iterator<Item = [u8; 2]> + '_ {
        // Each is a side of two faces, in either direction.
        let sides = self
            .faces
            .iter()
            .flat_map(|face| (0..face.len()).map(move |i| [face[i], face[(i + 1) % face.len()]]));
        sides.filter(|[from, to]| from < to)
    }

    /// The center of mass in the space of the points: a body that is to have them there has this position.
    #[must_use]
    pub const fn center(&self) -> Vec3 {
        self.center
    }

    /// The axes of the frame in the space of the points: a body that is to have them there has this orientation.
    #[must_use]
    pub const fn axes(&self) -> Rotation {
        self.axes
    }

    /// The volume in cubic units with 64 fraction bits, to nearest.
    #[must_use]
    pub fn volume_q64(&self) -> u128 {
        // A cubic raw is two to the -96 cubic units.
        self.volume_shifted(-32).unsigned_abs()
    }

    /// The volume in cubic raw, times two to some bits; to nearest.
    pub(super) fn volume_shifted(&self, bits: i64) -> i128 {
        match bits + 3 * i64::from(self.source.grid.shift) {
            bits @ 0.. => mul_div_nearest(self.six_volumes, 1 << bits, 6),
            bits => div_nearest(self.six_volumes, 6 << -bits),
        }
    }

    /// The mirror image across the plane x = 0 of its frame; exact. It is of a compound's image, and never written.
    fn mirrored(&self) -> Self {
        let mirror = |vector: Vec3| Vec3 { x: -vector.x, ..vector };
        let [[x, xy, xz], [yx, y, yz], [zx, zy, z]] = self.spread;
        let backward = |face: &Vec<u8>| face[..1].iter().chain(face[1..].iter().rev()).copied().collect();
        Self {
            corners: self.corners.iter().copied().map(mirror).collect(),
            faces: self.faces.iter().map(backward).collect(),
            center: mirror(self.center),
            axes: self.axes.mirrored_in_x(),
            spread: [[x, -xy, -xz], [-yx, y, yz], [-zx, zy, z]],
            ..self.clone()
        }
    }

    /// The mean of `r r^T` in the frame of the body, in raw squared with 16 fraction bits.
    pub(super) const fn spread_q16(&self) -> &Matrix {
        &self.spread
    }

    /// The moments of inertia about the axes of the frame, for a mass spread evenly.
    ///
    /// **Rounding**: to nearest, halves up. **Range**: masses up to 2^16.
    ///
    /// # Errors
    ///
    /// If a moment is zero or beyond its limit, or the hull is too long and thin; if the axes are those of the points, and not the principal ones.
    ///
    /// # Panics
    ///
    /// If the mass is above 2^16.
    pub fn inertia(&self, mass: u32) -> Result<Inertia, ShapeError> {
        assert!(mass <= 1 << 16, "mass out of range");
        let [[x, xy, xz], [_, y, yz], [_, _, z]] = self.spread;
        let least = (x + y).min(y + z).min(z + x);
        if [xy, xz, yz].iter().any(|product| product.abs() > least >> TILT_SHIFT) {
            return Err(ShapeError::NotAxisAligned);
        }
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
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

    fn hull(self, polyhedron: Polyhedron, frame: FrameAxes) -> Result<Hull, ShapeError> {
        let mass = Mass::of(&polyhedron);
        if self.is_thin(&polyhedron, &mass) {
            return Err(ShapeError::Flat { points: "all points are within a few raw of a plane" });
        }
        let spread = mass.spread(SPREAD_BITS + 2 * self.shift);
        let axes = match frame {
            FrameAxes::Principal => principal_axes(&spread),
            FrameAxes::OfPoints => Rotation::IDENTITY,
        };
        let offset = mass.center(self.shift).map(|part| part as i64);
        let center = Vec3::from_raw([0, 1, 2].map(|i: usize| self.middle[i].saturating_add(offset[i])));
        let from_center = |corner: &[i32; 3]| {
            Vec3::from_raw([0, 1, 2].map(|i: usize| (i64::from(corner[i]) << self.shift) - offset[i]))
        };
        let back = axes.inverse();
        let corners = polyhedron.corners.iter().map(|corner| back.turn_nearest(from_center(corner)));
        Ok(Hull {
            corners: corners.collect(),
            faces: polyhedron.faces,
            center,
            axes,
            spread: in_frame(&spread, axes),
            six_volumes: mass.six_volumes(),
            source: Source { grid: self, corners: polyhedron.corners, frame },
        })
    }
}

/// A spread in a frame: of its principal axes the products, which are rounding, are zero.
fn in_frame(spread: &Matrix, axes: Rotation) -> Matrix {
    if axes == Rotation::IDENTITY {
        return *spread;
    }
    let mut own = [[0; 3]; 3];
    for (i, axis) in axes.axes_q30().into_iter().enumerate() {
        let axis = axis.map(i128::from);
        let along = |i: usize| (0..3).map(|j| mul_div_nearest(spread[i][j], axis[j], 1 << 30)).sum::<i128>();
        own[i][i] = (0..3).map(|i| mul_div_nearest(along(i), axis[i], 1 << 30)).sum();
    }
    own
}
